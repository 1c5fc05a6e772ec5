/* SPDX-License-Identifier: MIT */
/*
 * emit_none.h - a kind of CPU for which no code can be made; included by emit.h, for coder.c alone
 */
enum { EMIT_JUMP = 0, EMIT_LOADING_JUMP = 0, EMIT_SHORTEST = 1 };

static size_t emit_nothing(unsigned char *to, size_t most)
{
	(void)to;
	(void)most;
	return 0;
}

static const unsigned char emit_jump[] = { 0 }, emit_loading_jump[] = { 0 };
