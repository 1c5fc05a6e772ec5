/* SPDX-License-Identifier: MIT */
/*
 * builtin.c - the table of what tools/builtin.c had compiled
 *
 * The build makes builtin_list.h: a line BUILTIN(hash, bytes) for each of them. The bytes are the ELF symbol's, read
 * before the link, so that reading back works in a stripped or static program, too.
 */
#include "builtin.h"

/* Code as the reading back sees it; who calls it knows its type. */
#define BUILTIN(hash, bytes) extern char xray_nano_##hash[];
#include "builtin_list.h"
#undef BUILTIN

static const struct {
	uint64_t hash;
	void *code;
	size_t bytes;
} table[] = {
#define BUILTIN(hash, bytes) { 0x##hash, xray_nano_##hash, bytes },
#include "builtin_list.h"
	{ 0, NULL, 0 }
};

const char *builtin_compiler(void)
{
	return BUILTIN_COMPILER;
}

void *builtin_find(const struct nano *nano, size_t *bytes)
{
	uint64_t hash = nano_code(nano);
	int at = 0;

	while (table[at].code && table[at].hash != hash)
		at++;
	*bytes = table[at].bytes;
	return table[at].code;
}
