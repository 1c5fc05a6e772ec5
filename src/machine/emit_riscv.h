/* SPDX-License-Identifier: MIT */
/*
 * emit_riscv.h - what a place of code is made of on RV64 with compressed instructions, without which a jump that loads
 * would not fit; included by emit.h, for coder.c alone
 */
enum { EMIT_JUMP = 3, EMIT_LOADING_JUMP = 6 }; /* instructions */
enum { EMIT_SHORTEST = 2 }; /* bytes of one that does nothing */

/* One instruction that does nothing, of at most so many bytes; its length, 0 where they do not suffice. */
static size_t emit_nothing(unsigned char *to, size_t most)
{
	static const unsigned char brief[] = { 0x01, 0x00 }, full[] = { 0x13, 0x00, 0x00, 0x00 };

	if (most < sizeof(brief))
		return 0;
	memcpy(to, most < sizeof(full) ? brief : full, most < sizeof(full) ? sizeof(brief) : sizeof(full));
	return most < sizeof(full) ? sizeof(brief) : sizeof(full);
}

/* ld a1, 0(a0); addi a0, a0, 8; jr a1 */
static const unsigned char emit_jump[] = { 0x0c, 0x61, 0x21, 0x05, 0x82, 0x85 };

/* ld a1, 0(a0); ld a2, 8(a0); ld a2, 0(a2); addi a0, a0, 16; add a1, a1, a2; jr a1 */
static const unsigned char emit_loading_jump[] = { 0x0c, 0x61, 0x10, 0x65, 0x10, 0x62,
						   0x41, 0x05, 0xb2, 0x95, 0x82, 0x85 };
