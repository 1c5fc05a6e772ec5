/* SPDX-License-Identifier: MIT */
/*
 * readback_x86.h - how x86 spells the operations; included by readback.c alone
 */
#define READBACK_READABLE true
#define READBACK_ARCH CS_ARCH_X86
#define READBACK_MODE (sizeof(void *) == 8 ? CS_MODE_64 : CS_MODE_32)

static bool branch_target(const cs_insn *insn, uint64_t *target)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn->mnemonic[0] != 'j' || x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
		return false;
	*target = (uint64_t)x86->operands[0].imm;
	return true;
}

static bool is_padding(const cs_insn *insn)
{
	return insn->id == X86_INS_NOP || insn->mnemonic[0] == 'j';
}

static void count_memory(const cs_insn *insn, int *loads, int *stores)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn->id == X86_INS_LEA)
		return;
	for (int i = 0; i < x86->op_count; i++) {
		if (x86->operands[i].type != X86_OP_MEM)
			continue;
		/* Capstone leaves the access of some vector moves blank; Intel's order puts the destination first. */
		bool unknown = x86->operands[i].access == 0;

		*loads += unknown ? i > 0 : (x86->operands[i].access & CS_AC_READ) != 0;
		*stores += unknown ? i == 0 : (x86->operands[i].access & CS_AC_WRITE) != 0;
	}
}

/* VEX and EVEX forms are the same operations with a v in front. */
static const char *plain_mnemonic(const cs_insn *insn)
{
	return insn->mnemonic + (insn->mnemonic[0] == 'v');
}

static const char *mnemonics(enum nano_op op, const struct nano *nano)
{
	static const char *const scalar_int[NANO_OPS] = {
		[NANO_ADD] = "add lea inc", [NANO_SUB] = "sub", [NANO_MUL] = "imul",   [NANO_DIV] = "idiv", [NANO_AND] = "and",
		[NANO_OR] = "or",	    [NANO_XOR] = "xor", [NANO_SHIFT] = "shl sal lea", [NANO_CMP] = "cmp",
	};
	static const char *const scalar_float[NANO_OPS] = {
		[NANO_ADD] = "adds",   [NANO_SUB] = "subs",   [NANO_MUL] = "muls",	[NANO_DIV] = "divs",
		[NANO_SQRT] = "sqrts", [NANO_FMA] = "fmadd", [NANO_CMP] = "comis ucomis cmp",
	};
	static const char *const vector_int[NANO_OPS] = {
		[NANO_ADD] = "padd", [NANO_SUB] = "psub", [NANO_MUL] = "pmulld pmullq", [NANO_DIV] = "idiv",
		[NANO_AND] = "pand and", [NANO_OR] = "por or", [NANO_XOR] = "pxor xor", [NANO_SHIFT] = "psll",
		[NANO_CMP] = "pcmp",
	};
	static const char *const vector_float[NANO_OPS] = {
		[NANO_ADD] = "addp",   [NANO_SUB] = "subp",  [NANO_MUL] = "mulp", [NANO_DIV] = "divp",
		[NANO_SQRT] = "sqrtp", [NANO_FMA] = "fmadd", [NANO_CMP] = "cmp",
	};
	const struct nano_type *type = NULL;

	for (int i = 0; i < nano->node_count && !type; i++)
		if (nano->nodes[i].kind == NANO_OPERATION && nano->nodes[i].op == op)
			type = nano->nodes[i].type;
	/* Contraction may bring in an operation that no node names. */
	if (!type)
		return op == NANO_FMA ? "fmadd" : NULL;
	if (type->lanes == 1)
		return (type->class == NANO_FLOAT ? scalar_float : scalar_int)[op];
	return (type->class == NANO_FLOAT ? vector_float : vector_int)[op];
}
