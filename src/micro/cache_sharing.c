/* SPDX-License-Identifier: MIT */
/*
 * cache_sharing.c - which CPUs share a cache of this level
 */
#include "micro.h"

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

static void run(struct lab *lab, const struct subject *subject)
{
	struct sharing sharing = { .group = NULL };
	int most = 0, groups, n = lab->timer->machine->identity.cpus;

	if (!cache_level(lab, subject))
		return;
	if (n == 1) {
		run_alone(lab);
		return;
	}
	if (cache_is_bent(lab, subject->depth))
		return;
	if (common_caches(lab, subject->depth, &sharing)) {
		for (int i = 0; i < n; i++) {
			int members = 0;

			for (int j = 0; j < n; j++)
				members += sharing.group[j] == sharing.group[i];
			most = members > most ? members : most;
		}
		lab->finding.text = teams_groups(lab, sharing.group, &groups);
		if (sharing.assumed)
			snprintf(lab->finding.note, sizeof(lab->finding.note),
				 "%ld questions about %d CPUs; %d others are taken to be like them", sharing.asked,
				 sharing.pivots, sharing.assumed);
		else
			snprintf(lab->finding.note, sizeof(lab->finding.note), "%ld questions about %d CPUs",
				 sharing.asked, sharing.pivots);
		if (lab->finding.text)
			lab_measured(lab, most, most, most, sharing.assumed || sharing.undecided ? 0.85 : 0.95,
				     "footprints side by side");
		else
			lab_outcome(lab, FAILED, "out of memory");
	}
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
		"Answer   Shared where 15 % more of the references miss, or more than that; not shared where 8 % or\n"
		"         less do. CPUs that share one have commas between them, groups have blanks; the number is that of\n"
		"         the largest group. CPUs near to one another by comm.tree and smp.cores are tried first, several\n"
		"         at once where nobody is expected to share.\n"
		"Assumes  The level's reach, within a factor of two; CPUs that are grouped alike share alike, where there\n"
		"         are many of them.\n"
		"Fails as unclear when the level's reach is, or when walks beside others take now longer, now less.",
	.needs = { "?cache.LEVEL.reach", "?comm.tree", "?smp.cores", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};
