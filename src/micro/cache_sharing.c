/* SPDX-License-Identifier: MIT */
/*
 * cache_sharing.c - which CPUs share a cache of this level
 */
#include "micro.h"

static const double MOVES = 1.5; /* times as much as at another time */

/* The only one has it for itself. */
static void run_alone(struct lab *lab)
{
	static const int itself[] = { 0 };
	int groups;

	lab->finding.text = teams_groups(lab, itself, &groups);
	if (lab->finding.text)
		lab_measured(lab, 1, 1, 1, 0.99, "one CPU");
	else
		lab_outcome(lab, FAILED, "out of memory");
}

static const struct finding *reach_of(const struct lab *lab, const char *level)
{
	const struct finding *reach;
	char name[64];

	snprintf(name, sizeof(name), "cache.%s.reach", level);
	reach = findings_get(lab->findings, name);
	return reach && reach->outcome == MEASURED ? reach : NULL;
}

/* A last level that holds now more and now less of ours is shared with somebody we do not know; whether two of our CPUs
 * share it is not to be told there by their doing each other no harm. */
static bool is_others(const struct lab *lab, const struct subject *subject)
{
	const struct finding *reach = reach_of(lab, subject->level);
	char next[16];

	snprintf(next, sizeof(next), "l%d", subject->depth + 2);
	return reach && !reach_of(lab, next) && reach->high > MOVES * reach->low;
}

static void answer(struct lab *lab, const struct subject *subject, const struct sharing *sharing)
{
	int most = 0, groups, n = lab->timer->machine->identity.cpus;

	for (int i = 0; i < n; i++) {
		int members = 0;

		for (int j = 0; j < n; j++)
			members += sharing->group[j] == sharing->group[i];
		most = members > most ? members : most;
	}
	if (most == 1 && is_others(lab, subject)) {
		lab_outcome(
			lab, UNCLEAR,
			"no CPU throws out another's lines, but somebody else uses this level, too, and may hide it");
		return;
	}
	if (sharing->assumed)
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "%ld questions about %d CPUs; %d others are taken to be like them", sharing->asked,
			 sharing->pivots, sharing->assumed);
	else
		snprintf(lab->finding.note, sizeof(lab->finding.note), "%ld questions about %d CPUs", sharing->asked,
			 sharing->pivots);
	lab->finding.text = teams_groups(lab, sharing->group, &groups);
	if (lab->finding.text)
		lab_measured(lab, most, most, most, sharing->assumed || sharing->undecided ? 0.85 : 0.95,
			     "footprints side by side");
	else
		lab_outcome(lab, FAILED, "out of memory");
}

static void run(struct lab *lab, const struct subject *subject)
{
	struct sharing sharing = { .group = NULL };

	if (!cache_level(lab, subject))
		return;
	if (lab->timer->machine->identity.cpus == 1)
		run_alone(lab);
	else if (!cache_is_bent(lab, subject->depth) && common_caches(lab, subject->depth, &sharing))
		answer(lab, subject, &sharing);
	free(sharing.group);
}

const struct micro micro_cache_sharing = {
	.name = "cache.LEVEL.sharing",
	.what = "which CPUs share a cache of the level",
	.unit = "text",
	.story =
		"Idea     P-Ray's and Servet's: a CPU walks over most of what the level holds, another over more than that,\n"
		"         each in memory of its own. If they share it, the other throws out lines, and more references miss\n"
		"         than beside one who walks over next to nothing.\n"
		"Answer   Shared where a third more of the references miss, or more than that; not shared where 20 % or\n"
		"         less do. CPUs that share one have commas between them, groups have blanks; the number is that of\n"
		"         the largest group. CPUs near to one another by comm.tree and smp.cores are tried first, several\n"
		"         at once where nobody is expected to share.\n"
		"Assumes  The level's reach, within a factor of two; CPUs that are grouped alike share alike, where there\n"
		"         are many of them.\n"
		"Fails as unclear when the level's reach is, or when walks beside others take now longer, now less; and\n"
		"         where nobody seems to share a last level whose reach moves, since strangers use it.",
	.needs = { "?cache.LEVEL.reach", "?comm.tree", "?smp.cores", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};
