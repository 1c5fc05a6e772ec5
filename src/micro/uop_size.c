/* SPDX-License-Identifier: MIT */
/*
 * uop_size.c - instructions that the core keeps decoded
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct code_uops *uops;

	(void)subject;
	if (!coded(lab))
		return;
	if (lab->timer->noise == NOISE_HOSTILE) {
		lab_outcome(lab, UNCLEAR, "in such noise what moves and what stays is not told apart");
		return;
	}
	uops = engine_code_uops(lab);
	if (uops->seen)
		lab_measured(lab, round(uops->count), floor(uops->low), ceil(uops->high), 0.6, "resident-set law");
	else if (uops->count > 0)
		lab_outcome(lab, UNCLEAR, "what moves with the length of instructions does not do so for most of them");
	else if (uops->other)
		lab_outcome(lab, UNCLEAR,
			    "instructions have one length, and what holds some places may be jumps or micro-ops");
	else
		lab_outcome(lab, ABSENT, "nothing that holds code goes by its instructions");
}

const struct micro micro_uop_size = {
	.name = "cache.uop.size",
	.what = "instructions that are kept decoded, as micro-ops, in front of the caches of code",
	.unit = "count",
	.story =
		"Idea     Jumps over N places full of instructions of one length: a cache of micro-ops holds as many places as\n"
		"         have room for their instructions, so with longer ones it holds more bytes.\n"
		"Answer   Instructions in the places it holds, for the length that shows the most. The interval is that of\n"
		"         micro-ops: down to half of what the least one shows, since two instructions may be one (on Zen 4\n"
		"         they are), and up to entries that none of them fills.\n"
		"Assumes  Nothing else goes by the length of instructions.\n"
		"Fails as absent where none are kept; unclear where instructions come in one length, and something else holds\n"
		"         as many places however many of them run at each.",
	.needs = { "?cache.l1i.size" },
	.thorough = true,
	.run = run,
};
