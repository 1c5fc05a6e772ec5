/* SPDX-License-Identifier: MIT */
/*
 * readback_x86.h - how x86 spells the operations; included by readback.c alone
 */
#define READBACK_READABLE true
#define READBACK_ARCH CS_ARCH_X86
#define READBACK_MODE (sizeof(void *) == 8 ? CS_MODE_64 : CS_MODE_32)

/* Capstone 4 does not know every EVEX instruction; those of our loops have registers only, so that their length and
 * kind can be read off prefix and opcode. 0: not such a one. */
static size_t unknown_length(const uint8_t *code, size_t size)
{
	bool immediate;

	if (size < 7 || code[0] != 0x62 || code[5] >> 6 != 3)
		return 0;
	immediate =
		(code[1] & 7) == 3 || ((code[1] & 7) == 1 && (code[4] == 0xc2 || (code[4] >= 0x70 && code[4] <= 0x73)));
	return immediate ? 7 : 6;
}

static const char *unknown_name(const uint8_t *code)
{
	int map = code[1] & 7, opcode = code[4];

	if (map == 2 && opcode >> 4 >= 0x9 && opcode >> 4 <= 0xb && (opcode & 0xe) == 0x8)
		return "vfmadd";
	if (map == 3 && (opcode & 0xde) == 0x1e)
		return "vpcmp";
	if (map != 1)
		return "evex";
	switch (opcode) {
	case 0x54:
		return "vandp";
	case 0x56:
		return "vorp";
	case 0x57:
		return "vxorp";
	case 0xc2:
		return "vcmp";
	default:
		return "evex";
	}
}

static bool is_unknown(const cs_insn *insn)
{
	return insn->id == 0 && strcmp(unknown_name(insn->bytes), "evex") == 0;
}

static bool branch_target(const cs_insn *insn, uint64_t *target)
{
	const cs_x86 *x86;

	if (insn->id == 0)
		return false;
	x86 = &insn->detail->x86;
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
	const cs_x86 *x86;

	if (insn->id == X86_INS_LEA || insn->id == 0)
		return;
	x86 = &insn->detail->x86;
	for (int i = 0; i < x86->op_count; i++) {
		if (x86->operands[i].type != X86_OP_MEM)
			continue;
		/* Capstone calls a vector move to memory a read, or nothing; a move's destination comes first. */
		bool move = strncmp(insn->mnemonic + (insn->mnemonic[0] == 'v'), "mov", 3) == 0;

		*loads += move ? i > 0 : (x86->operands[i].access & CS_AC_READ) != 0;
		*stores += move ? i == 0 : (x86->operands[i].access & CS_AC_WRITE) != 0;
	}
}

/* VEX and EVEX forms are the same operations with a v in front. */
static const char *plain_mnemonic(const cs_insn *insn)
{
	const char *name = insn->id == 0 ? unknown_name(insn->bytes) : insn->mnemonic;

	return name + (name[0] == 'v');
}

static const char *mnemonics(enum nano_op op, const struct nano_type *type)
{
	static const char *const scalar_int[NANO_OPS] = {
		[NANO_ADD] = "add lea inc", [NANO_SUB] = "sub",           [NANO_MUL] = "imul",
		[NANO_DIV] = "idiv",        [NANO_AND] = "and",           [NANO_OR] = "or",
		[NANO_XOR] = "xor",         [NANO_SHIFT] = "shl sal lea", [NANO_CMP] = "cmp",
	};
	static const char *const scalar_float[NANO_OPS] = {
		[NANO_ADD] = "adds",
		[NANO_SUB] = "subs",
		[NANO_MUL] = "muls",
		[NANO_DIV] = "divs",
		[NANO_SQRT] = "sqrts",
		[NANO_FMA] = "fmadd",
		[NANO_CMP] = "comis ucomis cmp",
	};
	static const char *const vector_int[NANO_OPS] = {
		[NANO_ADD] = "padd",     [NANO_SUB] = "psub",     [NANO_MUL] = "pmulld pmullq",
		[NANO_DIV] = "idiv",     [NANO_AND] = "pand and", [NANO_OR] = "por or",
		[NANO_XOR] = "pxor xor", [NANO_SHIFT] = "psll",   [NANO_CMP] = "pcmp",
	};
	static const char *const vector_float[NANO_OPS] = {
		[NANO_ADD] = "addp",   [NANO_SUB] = "subp",  [NANO_MUL] = "mulp", [NANO_DIV] = "divp",
		[NANO_SQRT] = "sqrtp", [NANO_FMA] = "fmadd", [NANO_CMP] = "cmp",
	};

	if (type->lanes == 1)
		return (type->class == NANO_FLOAT ? scalar_float : scalar_int)[op];
	return (type->class == NANO_FLOAT ? vector_float : vector_int)[op];
}
