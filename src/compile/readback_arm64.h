/* SPDX-License-Identifier: MIT */
/*
 * readback_arm64.h - how AArch64 spells the operations; included by readback.c alone
 */
#define READBACK_READABLE true
#define READBACK_ARCH CS_ARCH_ARM64
#define READBACK_MODE CS_MODE_ARM

static size_t unknown_length(const uint8_t *code, size_t size)
{
	(void)code;
	return size < 4 ? 0 : 4;
}

static bool is_unknown(const cs_insn *insn)
{
	return insn->id == 0;
}

static bool branch_target(const cs_insn *insn, uint64_t *target)
{
	const cs_arm64 *arm;

	if (insn->id == 0)
		return false;
	arm = &insn->detail->arm64;
	if (insn->mnemonic[0] != 'b' && strncmp(insn->mnemonic, "cb", 2) != 0 && strncmp(insn->mnemonic, "tb", 2) != 0)
		return false;
	for (int i = 0; i < arm->op_count; i++)
		if (arm->operands[i].type == ARM64_OP_IMM)
			*target = (uint64_t)arm->operands[i].imm;
	return *target != 0;
}

static bool is_padding(const cs_insn *insn)
{
	return insn->id == ARM64_INS_NOP || insn->mnemonic[0] == 'b' || strncmp(insn->mnemonic, "cb", 2) == 0;
}

static void count_memory(const cs_insn *insn, int *loads, int *stores)
{
	*loads += strncmp(insn->mnemonic, "ld", 2) == 0;
	*stores += strncmp(insn->mnemonic, "st", 2) == 0;
}

static const char *plain_mnemonic(const cs_insn *insn)
{
	return insn->mnemonic;
}

static const char *mnemonics(enum nano_op op, const struct nano_type *type)
{
	static const char *const names[NANO_OPS] = {
		[NANO_ADD] = "add fadd",  [NANO_SUB] = "sub fsub",     [NANO_MUL] = "mul madd fmul",
		[NANO_DIV] = "sdiv fdiv", [NANO_SQRT] = "fsqrt",       [NANO_FMA] = "fmadd fmla",
		[NANO_AND] = "and",       [NANO_OR] = "orr",           [NANO_XOR] = "eor",
		[NANO_SHIFT] = "lsl shl", [NANO_CMP] = "cmp cmgt fcm",
	};

	(void)type;
	return names[op];
}
