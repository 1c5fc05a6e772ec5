/* SPDX-License-Identifier: MIT */
/*
 * emit_x86.h - what a place of code is made of on x86-64; included by emit.h, for coder.c alone
 *
 * The list of targets is in the first argument's register. None of it needs to know where it lies. User space has no
 * indirect branch tracking, so that targets need no mark.
 */
enum { EMIT_JUMP = 3, EMIT_LOADING_JUMP = 5 }; /* instructions */
enum { EMIT_SHORTEST = 1 }; /* bytes of one that does nothing */

/* One instruction that does nothing, of at most so many bytes; its length. The longer ones have operands that nobody
 * looks at. */
static size_t emit_nothing(unsigned char *to, size_t most)
{
	static const unsigned char longer[][9] = {
		{ 0x90 },
		{ 0x66, 0x90 },
		{ 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0x00 },
		{ 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00 },
		{ 0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00 },
		{ 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 },
		{ 0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00 },
	};
	size_t length = most < sizeof(longer[0]) ? most : sizeof(longer[0]);

	memcpy(to, longer[length - 1], length);
	return length;
}

/* mov (%rdi),%rax; add $8,%rdi; jmp *%rax */
static const unsigned char emit_jump[] = { 0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08, 0xff, 0xe0 };

/* mov (%rdi),%rax; mov 8(%rdi),%rdx; add (%rdx),%rax; add $16,%rdi; jmp *%rax */
static const unsigned char emit_loading_jump[] = { 0x48, 0x8b, 0x07, 0x48, 0x8b, 0x57, 0x08, 0x48,
						   0x03, 0x02, 0x48, 0x83, 0xc7, 0x10, 0xff, 0xe0 };
