/* SPDX-License-Identifier: MIT */
/*
 * readback.c - disassembles a compiled nano-benchmark, finds its loop, and counts what is in it
 *
 * The loop is the stretch from the target of the last backward branch to that branch. An operation is recognised by how
 * its mnemonic begins. Moves, sign extensions and the loop's own counting are the compiler's due; loads and stores that
 * nobody asked for, branches between the statements, or fewer operations than were asked for, are not.
 */
#include <capstone/capstone.h>
#include <string.h>

#include "readback.h"

#if defined(__x86_64__) || defined(__i386__)
#include "readback_x86.h"
#elif defined(__aarch64__)
#include "readback_arm64.h"
#else
#include "readback_none.h"
#endif

/* The loop's own counter may look like an add, sub or compare; it has a branch at its end and one around its first
 * part, which compilers may lay out with a jump each. */
enum { KINDS = 96, LOOP_DUE = 2, BRANCHES_DUE = 4 };

struct census {
	int instructions, unknown, loads, stores, branches;
	int ops[NANO_OPS];
	struct {
		char name[32];
		int count;
	} kinds[KINDS];
	int kind_count;
};

struct loop {
	cs_insn *list;
	size_t count, first, last;
};

static size_t step_over(const uint8_t *code, size_t size, size_t offset, void *context)
{
	(void)context;
	return unknown_length(code + offset, size - offset);
}

static csh open_reader(void)
{
	static cs_opt_skipdata skipping = { .mnemonic = "unknown", .callback = step_over };
	csh reader = 0;

	if (!READBACK_READABLE || cs_open(READBACK_ARCH, READBACK_MODE, &reader) != CS_ERR_OK)
		return 0;
	cs_option(reader, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(reader, CS_OPT_SKIPDATA_SETUP, (size_t)&skipping);
	cs_option(reader, CS_OPT_SKIPDATA, CS_OPT_ON);
	return reader;
}

static bool find_loop(csh reader, const void *code, size_t bytes, struct loop *loop)
{
	uint64_t base = (uint64_t)(uintptr_t)code;
	bool found = false;

	loop->count = cs_disasm(reader, code, bytes, base, 0, &loop->list);
	for (size_t i = 0; i < loop->count; i++) {
		uint64_t target = 0;

		if (!branch_target(&loop->list[i], &target) || target < base || target > loop->list[i].address)
			continue;
		for (size_t j = 0; j <= i; j++)
			if (loop->list[j].address == target) {
				loop->first = j;
				loop->last = i;
				found = true;
			}
	}
	return found;
}

static bool begins_with_one_of(const char *mnemonic, const char *prefixes)
{
	while (prefixes && *prefixes) {
		size_t length = strcspn(prefixes, " ");

		if (strncmp(mnemonic, prefixes, length) == 0)
			return true;
		prefixes += length + (prefixes[length] == ' ');
	}
	return false;
}

static void note_kind(struct census *census, const char *name)
{
	for (int i = 0; i < census->kind_count; i++)
		if (strcmp(census->kinds[i].name, name) == 0) {
			census->kinds[i].count++;
			return;
		}
	if (census->kind_count < KINDS) {
		snprintf(census->kinds[census->kind_count].name, sizeof(census->kinds[0].name), "%s", name);
		census->kinds[census->kind_count++].count = 1;
	}
}

/* Is an instruction of that name the operation, in any of the types that ask for it? Contraction may bring in a
 * multiply-add that no node names. */
static bool is_operation(const struct nano *nano, enum nano_op op, const char *mnemonic)
{
	const struct nano_type *before = NULL;
	bool named = false;

	for (int i = 0; i < nano->node_count; i++) {
		const struct nano_node *node = &nano->nodes[i];

		if (node->kind != NANO_OPERATION || node->op != op)
			continue;
		named = true;
		if (node->type != before && begins_with_one_of(mnemonic, mnemonics(op, node->type)))
			return true;
		before = node->type;
	}
	return !named && op == NANO_FMA && begins_with_one_of(mnemonic, "fmadd fmla");
}

static struct census take_census(const struct nano *nano, const struct loop *loop)
{
	struct census census = { 0 };

	for (size_t i = loop->first; i <= loop->last; i++) {
		const cs_insn *insn = &loop->list[i];
		uint64_t target;

		census.branches += branch_target(insn, &target);
		if (is_padding(insn))
			continue;
		census.instructions++;
		census.unknown += is_unknown(insn);
		note_kind(&census, insn->id ? insn->mnemonic : plain_mnemonic(insn));
		count_memory(insn, &census.loads, &census.stores);
		for (int op = 0; op < NANO_OPS; op++)
			census.ops[op] += is_operation(nano, (enum nano_op)op, plain_mnemonic(insn));
	}
	return census;
}

/* "96 pmuludq, 48 paddq, 48 psllq" */
static void most_frequent(struct census *census, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int shown = 0; shown < 3; shown++) {
		int best = -1;

		for (int i = 0; i < census->kind_count; i++)
			if (census->kinds[i].count > 0 &&
			    (best < 0 || census->kinds[i].count > census->kinds[best].count))
				best = i;
		if (best < 0 || used >= size)
			return;
		used += (size_t)snprintf(text + used, size - used, "%s%d %s", shown ? ", " : "",
					 census->kinds[best].count, census->kinds[best].name);
		census->kinds[best].count = 0;
	}
}

static enum readback_verdict judge_op(const struct nano *nano, enum nano_op op, struct census *census, char *why,
				      size_t size)
{
	int asked = nano_count_op(nano, op), found = census->ops[op];
	char instead[128];

	/* A multiply and an add may come out as one instruction: that is what contraction is. */
	if (op == NANO_ADD || op == NANO_MUL)
		found += census->ops[NANO_FMA] - nano_count_op(nano, NANO_FMA);
	if (asked == 0 || (found >= asked && found <= asked + LOOP_DUE))
		return READBACK_AS_ASKED;
	most_frequent(census, instead, sizeof(instead));
	if (found == 0 && census->instructions >= asked && census->unknown == 0) {
		snprintf(why, size, "the compiler used no %s instruction for this type: it made the loop of %s",
			 nano_op_name(op), instead);
		return READBACK_ABSENT;
	}
	if (found > asked && op != NANO_DIV && found / asked * asked + LOOP_DUE >= found) {
		snprintf(why, size, "no single %s instruction for this type: the compiler makes %d of one",
			 nano_op_name(op), found / asked);
		return READBACK_ABSENT;
	}
	snprintf(why, size, "the compiled loop holds %d of %d %s operations: %s", found, asked, nano_op_name(op),
		 instead);
	return READBACK_REFUSED;
}

static enum readback_verdict judge(const struct nano *nano, struct census *census, char *why, size_t size)
{
	int loads = nano_count_op(nano, NANO_LOAD), stores = nano_count_op(nano, NANO_STORE);
	bool may_spill = nano->barrier == NANO_BARRIER_NONE;

	for (int op = 0; op < NANO_LOAD; op++) {
		enum readback_verdict status = judge_op(nano, (enum nano_op)op, census, why, size);

		if (status != READBACK_AS_ASKED)
			return status;
	}
	if (census->branches > BRANCHES_DUE) {
		snprintf(why, size, "the compiler put %d branches into the loop that were not asked for",
			 census->branches - BRANCHES_DUE);
		return READBACK_REFUSED;
	}
	if (census->loads < loads || census->stores < stores) {
		snprintf(why, size, "the compiled loop holds %d of %d loads and %d of %d stores", census->loads, loads,
			 census->stores, stores);
		return READBACK_REFUSED;
	}
	if (!may_spill && (census->loads > loads || census->stores > stores)) {
		snprintf(why, size, "the compiler put %d loads and %d stores into the loop that were not asked for",
			 census->loads - loads, census->stores - stores);
		return READBACK_REFUSED;
	}
	return READBACK_AS_ASKED;
}

enum readback_verdict readback_check(const struct nano *nano, const void *code, size_t bytes, int *spills, char *why,
				     size_t size)
{
	struct loop loop = { 0 };
	csh reader = open_reader();
	enum readback_verdict status = READBACK_AS_ASKED;

	*spills = -1;
	if (!reader)
		return READBACK_AS_ASKED;
	if (find_loop(reader, code, bytes, &loop)) {
		struct census census = take_census(nano, &loop);

		status = judge(nano, &census, why, size);
		*spills =
			census.loads + census.stores - nano_count_op(nano, NANO_LOAD) - nano_count_op(nano, NANO_STORE);
	} else {
		snprintf(why, size, "no loop is left in the compiled code");
		status = READBACK_REFUSED;
	}
	if (loop.count)
		cs_free(loop.list, loop.count);
	cs_close(&reader);
	return status;
}

void readback_print(const void *code, size_t bytes, FILE *out)
{
	struct loop loop = { 0 };
	csh reader = open_reader();

	if (!reader) {
		fputs("(no disassembler for this ISA)\n", out);
		return;
	}
	if (find_loop(reader, code, bytes, &loop))
		for (size_t i = loop.first; i <= loop.last; i++)
			fprintf(out, "  %04zx  %-12s %s\n", (size_t)(loop.list[i].address - (uint64_t)(uintptr_t)code),
				loop.list[i].mnemonic, loop.list[i].op_str);
	if (loop.count)
		cs_free(loop.list, loop.count);
	cs_close(&reader);
}
