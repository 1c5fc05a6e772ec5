/* SPDX-License-Identifier: MIT */
/*
 * cpu_bundles.c - which operations can start together, cycle by cycle
 */
#include "micro.h"

enum { COPIES = 12, LEAST_COPIES = 8 };

/* A kind of operation: of a type, or of the widest vectors of such numbers that the machine has. */
struct kind {
	const char *operation;
	const char *types[3]; /* the first that runs */
	const char *chained, *renewed;
};

#define VECTORS(number) \
	{ \
		number "x8", number "x4", number "x2" \
	}

static const struct kind kinds[] = {
	{ "fma", { "f64" }, "D = fma(D, C, C)", NULL },
	{ "add", { "f64" }, "D = D + C", "D = B + C" },
	{ "mul", { "f64" }, "D = D * C", "D = B * C" },
	{ "div", { "f64" }, "D = D / C", "D = B / C" },
	{ "fma", VECTORS("f64"), "D = fma(D, C, C)", NULL },
	{ "add", VECTORS("f64"), "D = D + C", "D = B + C" },
	{ "mul", VECTORS("f64"), "D = D * C", "D = B * C" },
	{ "add", VECTORS("i64"), "D = D + C", "D = B + C" },
	{ "load", { "i64" }, "D = *A", NULL },
	{ "store", { "i64" }, "*A = C", NULL },
	{ "add", { "i64" }, "D = D + C", NULL },
	{ "and", { "i64" }, "D = D & C", NULL },
	{ "shift", { "i64" }, "D = D << 3", NULL },
	{ "mul", { "i64" }, "D = D * C", NULL },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const struct operation *operation_named(const char *name)
{
	const struct operation *operation;

	for (int i = 0; (operation = operation_at(i)); i++)
		if (strcmp(operation->name, name) == 0)
			return operation;
	return NULL;
}

/* The specs are those of op.OP.TYPE.latency and .interval, which time them, too. */
static bool candidate_of(const struct kind *kind, int width, struct ports_candidate *candidate)
{
	const char *name = width < 3 ? kind->types[width] : NULL;
	const struct operation *operation = operation_named(kind->operation);
	const struct nano_type *type = name ? nano_type_find(name, strlen(name)) : NULL;

	if (!type || !operation)
		return false;

	const char *chain = operation_chain(operation, type);

	*candidate = (struct ports_candidate){
		.op = { .chained = kind->chained, .renewed = kind->renewed, .type = type },
	};
	snprintf(candidate->op.name, sizeof(candidate->op.name), "%s.%s", kind->operation, type->name);
	if (chain)
		operation_write(chain, type, 1, candidate->chain, sizeof(candidate->chain));
	operation_write(chain ? chain : operation->renewed, type, chain ? COPIES : LEAST_COPIES, candidate->copies,
			sizeof(candidate->copies));
	return true;
}

static void want(struct lab *lab, const struct subject *subject)
{
	struct ports_candidate candidate;

	(void)subject;
	for (int i = 0; i < KINDS; i++)
		for (int width = 0; candidate_of(&kinds[i], width, &candidate); width++) {
			if (candidate.chain[0])
				lab_want(lab, candidate.chain, NANO_BARRIER_ASM);
			lab_want(lab, candidate.copies, NANO_BARRIER_ASM);
		}
}

static void run(struct lab *lab, const struct subject *subject)
{
	struct ports_candidate candidates[KINDS];
	struct ports_survey survey;
	int count = 0;

	(void)subject;
	for (int i = 0; i < KINDS; i++)
		for (int width = 0; candidate_of(&kinds[i], width, &candidates[count]); width++)
			if (lab_try(lab, candidates[count].copies, NANO_BARRIER_ASM, NAN).status == MACHINE_RAN) {
				count++;
				break;
			}
	if (!ports_explore(lab, candidates, count, &survey))
		return;
	snprintf(
		lab->finding.note, sizeof(lab->finding.note),
		"%d resources, fitted to %d mixes of %d operations; %d others are %.1f %% off at the median, %.0f %% at most",
		survey.model.resources, survey.fitted, survey.count, survey.unseen, 100 * survey.median,
		100 * survey.worst);
	lab->finding.text = ports_text(&survey);
	if (!survey.bundles.count)
		lab_outcome(lab, UNCLEAR, "no set of operations was seen to start every cycle");
	else if (lab->finding.text)
		lab_measured(lab, survey.bundles.count, survey.bundles.count, survey.bundles.count, 0.9,
			     "mixes, fitted resources");
	else
		lab_outcome(lab, FAILED, "out of memory");
}

const struct micro micro_cpu_bundles = {
	.name = "cpu.bundles",
	.what = "operations that can start together each cycle",
	.unit = "text",
	.story =
		"Idea     Two kinds of operations that use nothing in common take no longer together than the slower one\n"
		"         alone; what they share shows in the time of both.\n"
		"Answer   All pairs, and mixes of three to five kinds, are timed. The fewest resources are sought of which\n"
		"         each operation takes its part, such that a mix takes as long as its busiest one. From these\n"
		"         follow the sets of operations that can start every cycle and to which none can be added:\n"
		"         those that say most of which goes with which, each run to see that it does take a cycle. `as`\n"
		"         names operations that are alike.\n"
		"         Evidence: each mix, x is what the resources say, value what it took, in cycles.\n"
		"Assumes  Registers enough for chains that do not wait; operands as in op.OP.TYPE.interval. The vectors\n"
		"         are the widest there are. How loops are decoded is no part of it: they are in a cache.\n"
		"Fails as unclear when 40 mixes that were not fitted are off by more than a tenth at the median, or when\n"
		"         a neighbour stays on the core.",
	.needs = { "cpu.frequency", "?cpu.registers.i64", "?cpu.registers.f64" },
	.thorough = true,
	.want = want,
	.run = run,
};
