/* SPDX-License-Identifier: MIT */
/*
 * code.c - what the micro-benchmarks of the instruction side share
 */
#include "micro.h"

static const double APART = 2; /* times: nearer ones may be one */
static const double ALIKE = 1.35; /* times: an exclusive level and another nearest one make that much of a difference */

const struct coding *coded(struct lab *lab)
{
	const struct coding *coding;

	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return NULL;
	}
	coding = engine_coding(lab);
	if (coding->status == MACHINE_RAN)
		return coding;
	lab_outcome(lab, coding->status == MACHINE_FAULT ? FAILED : BLOCKED, coding->why);
	return NULL;
}

const struct coding *coded_nearest(struct lab *lab)
{
	const struct coding *coding = coded(lab);
	double data = lab_fact(lab, "cache.l1d.size");

	if (!coding)
		return NULL;
	if (coding->levels == 0) {
		lab_outcome(lab, UNCLEAR,
			    coding->why[0] ? coding->why
					   : "no walk through much code was slower than one through little");
		return NULL;
	}
	if (coding->hidden) {
		lab_outcome(lab, UNCLEAR,
			    "whatever lies behind the micro-ops does not show: all that moves goes by instructions");
		return NULL;
	}
	/* One that data use as well is the nearest only if it is data's nearest, too. */
	if (engine_code_unified(lab, 0) != STAT_YES || code_same(coding->level[0].reach, data))
		return coding;
	if (coding->early)
		lab_outcome(lab, UNCLEAR,
			    "code is slower long before the first level that shows is full: a nearer one may not show");
	else if (isfinite(data))
		lab_outcome(lab, ABSENT,
			    "code comes from a level that data use, too, and no nearer one keeps its bytes");
	else
		lab_outcome(lab, UNCLEAR, "code and data share the nearest level, and data's nearest is not known");
	return NULL;
}

static const char NOT_TOLD[] = "what the level holds of data is not known, so its code is not told from others'";

/* Where data's levels are not known, code's may stand for them: the second one is the l2 when it is data's, too. */
static int level_by_number(struct lab *lab, const struct coding *coding, const struct subject *subject)
{
	if (subject->depth >= coding->levels) {
		lab_outcome(lab, UNCLEAR, NOT_TOLD);
		return -1;
	}
	if (!coded_nearest(lab))
		return -1;
	for (int i = 1; i <= subject->depth; i++)
		if (coding->level[i].reach < APART * coding->level[i - 1].reach ||
		    engine_code_unified(lab, i) != STAT_YES) {
			lab_outcome(lab, UNCLEAR, NOT_TOLD);
			return -1;
		}
	return subject->depth;
}

static const struct finding *reach_of(struct lab *lab, int depth)
{
	char name[32];

	snprintf(name, sizeof(name), "cache.l%d.reach", depth + 1);
	return lab->findings ? findings_get(lab->findings, name) : NULL;
}

/* The level of code that holds about as much; -1: none. */
static int level_by_reach(const struct coding *coding, const struct finding *reach)
{
	for (int i = 0; i < coding->levels; i++)
		if (coding->level[i].reach < ALIKE * reach->value && reach->value < ALIKE * coding->level[i].reach)
			return i;
	return -1;
}

int code_level_of(struct lab *lab, const struct coding *coding, const struct subject *subject)
{
	const struct finding *reach = reach_of(lab, subject->depth);
	int level = -1;

	if (reach && reach->outcome == ABSENT) {
		lab_outcome(lab, ABSENT, "there is no such level");
		return -1;
	}
	if (!reach || reach->outcome != MEASURED)
		return level_by_number(lab, coding, subject);
	/* Where code knows nothing of a nearer one, either side may have seen what is none. */
	for (int depth = 1; depth <= subject->depth; depth++) {
		const struct finding *nearer = reach_of(lab, depth);

		if (!nearer || nearer->outcome != MEASURED)
			continue;
		level = level_by_reach(coding, nearer);
		if (level < 0)
			break;
	}
	if (level < 0)
		lab_outcome(lab, UNCLEAR, "no walk through code shows a level that holds as much as this one of data");
	return level;
}

void code_told(struct lab *lab, enum stat_verdict verdict)
{
	if (verdict == STAT_UNDECIDED)
		lab_outcome(lab, UNCLEAR, "the times do not tell");
	else
		lab_measured(lab, verdict == STAT_YES, verdict == STAT_YES, verdict == STAT_YES, 0.9,
			     "code beside data");
}
