/* SPDX-License-Identifier: MIT */
/*
 * comm_tree.c - which CPUs are near to one another: groups within groups
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_passes(lab);
	char what[96];

	(void)subject;
	if (!teamwork)
		return;
	for (int level = 0; level < teamwork->tree->levels; level++) {
		snprintf(what, sizeof(what), "a line passed between CPUs of one group, level %d, ns", level + 1);
		lab_note(lab, what, tree_size(teamwork->tree, level, 0), teamwork->tree->distance[level], "");
	}
	snprintf(lab->finding.note, sizeof(lab->finding.note), "%ld of %ld pairs were measured", teamwork->tree->asked,
		 (long)teamwork->count * (teamwork->count - 1) / 2);
	if (teamwork->unstable) {
		lab_outcome(lab, UNCLEAR, teamwork->why);
		return;
	}
	lab->finding.text = tree_text(teamwork->tree, lab->timer->machine->cpus);
	lab_measured(lab, teamwork->tree->levels, teamwork->tree->levels, teamwork->tree->levels, 0.9,
		     "line to and fro");
}

const struct micro micro_comm_tree = {
	.name = "comm.tree",
	.what = "groups of CPUs that are near to one another",
	.unit = "tree",
	.story =
		"Idea     Two CPUs that share a cache, or a socket, pass a line to each other sooner than others do.\n"
		"Answer   Times of pairs, in order, leave gaps between levels. A CPU's equals at each level are a shell\n"
		"         around it, and within a shell it goes on: groups within groups. Of many CPUs some pairs are\n"
		"         asked for, and others at random to see whether the groups hold. Where somebody else is on a core, its\n"
		"         pairs are asked about again when he is gone, which a crowd of additions tells.\n"
		"Assumes  Times of one level differ by less than those of two.\n"
		"Fails as unclear, with the word unstable, when pairs take other times later, or fit no groups.",
	.run = run,
};
