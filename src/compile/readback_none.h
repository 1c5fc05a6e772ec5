/* SPDX-License-Identifier: MIT */
/*
 * readback_none.h - for ISAs the reading back does not know: nothing is claimed, nothing refused; included by
 * readback.c
 */
#define READBACK_READABLE false
#define READBACK_ARCH CS_ARCH_MAX
#define READBACK_MODE CS_MODE_LITTLE_ENDIAN

static size_t unknown_length(const uint8_t *code, size_t size)
{
	(void)code;
	(void)size;
	return 0;
}

static bool is_unknown(const cs_insn *insn)
{
	return insn->id == 0;
}

static bool branch_target(const cs_insn *insn, uint64_t *target)
{
	(void)insn;
	(void)target;
	return false;
}

static bool is_padding(const cs_insn *insn)
{
	(void)insn;
	return false;
}

static void count_memory(const cs_insn *insn, int *loads, int *stores)
{
	(void)insn;
	(void)loads;
	(void)stores;
}

static const char *plain_mnemonic(const cs_insn *insn)
{
	return insn->mnemonic;
}

static const char *mnemonics(enum nano_op op, const struct nano_type *type)
{
	(void)op;
	(void)type;
	return NULL;
}
