/* SPDX-License-Identifier: MIT */
/*
 * emit_arm64.h - what a place of code is made of on AArch64, whose instructions have the low byte first whatever the
 * data have; included by emit.h, for coder.c alone
 */
enum { EMIT_JUMP = 2, EMIT_LOADING_JUMP = 4 }; /* instructions */
enum { EMIT_SHORTEST = 4 }; /* bytes of one that does nothing */

/* One instruction that does nothing, of at most so many bytes; its length, 0 where they do not suffice. */
static size_t emit_nothing(unsigned char *to, size_t most)
{
	static const unsigned char nothing[] = { 0x1f, 0x20, 0x03, 0xd5 };

	if (most >= sizeof(nothing))
		memcpy(to, nothing, sizeof(nothing));
	return most >= sizeof(nothing) ? sizeof(nothing) : 0;
}

/* ldr x1, [x0], #8; br x1 */
static const unsigned char emit_jump[] = { 0x01, 0x84, 0x40, 0xf8, 0x20, 0x00, 0x1f, 0xd6 };

/* ldp x1, x2, [x0], #16; ldr x2, [x2]; add x1, x1, x2; br x1 */
static const unsigned char emit_loading_jump[] = { 0x01, 0x08, 0xc1, 0xa8, 0x42, 0x00, 0x40, 0xf9,
						   0x21, 0x00, 0x02, 0x8b, 0x20, 0x00, 0x1f, 0xd6 };
