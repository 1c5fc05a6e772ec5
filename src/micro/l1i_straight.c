/* SPDX-License-Identifier: MIT */
/*
 * l1i_straight.c - straight code that runs at full speed, over and over
 */
#include "micro.h"

static const double AGREE = 0.02; /* relative */

static void run(struct lab *lab, const struct subject *subject)
{
	struct ladder ladder;

	(void)subject;
	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return;
	}
	ladder = engine_ladder(lab, &lab->ladder);
	/* Additions as quick as they can be feel whoever else is on the core: a step must come out twice. */
	if (lab->timer->noise != NOISE_QUIET && ladder.status == MACHINE_RAN && ladder.cases > 0 &&
	    !(fabs(engine_ladder(lab, &lab->ladder).bytes / ladder.bytes - 1) < AGREE)) {
		lab_outcome(lab, UNCLEAR, "beside others a step is now here, now there");
		return;
	}
	if (ladder.status != MACHINE_RAN) {
		lab_outcome(lab, ladder.status == MACHINE_FAULT ? FAILED : BLOCKED, ladder.why);
	} else if (ladder.cases == 0) {
		char why[160];

		snprintf(why, sizeof(why), "no straight code up to %.0f KiB was slower than little of it",
			 ladder.longest / 1024);
		lab_outcome(lab, ABSENT, why);
	} else {
		snprintf(lab->finding.note, sizeof(lab->finding.note), "%.0f additions", ladder.cases * lab->ladder.B);
		lab_measured(lab, ladder.bytes, ladder.bytes * 0.97, ladder.bytes * 1.03, 0.85, "I-cache paper");
	}
}

const struct micro micro_l1i_straight = {
	.name = "cache.l1i.straight",
	.what = "bytes of straight code that run at full speed when they are run again and again",
	.unit = "bytes",
	.story =
		"Idea     The I-cache paper's: N cases of B independent additions, over and over. N doubles until a case takes\n"
		"         longer than in short sequences by T of their standard deviations, and is bisected then; the least\n"
		"         of I neighbouring N counts. Short ones are the S from 256 cases on. --ladder S,T,I,B sets these\n"
		"         numbers; the paper's are 8,2,5,4.\n"
		"Answer   The code of the longest sequence that takes no longer. The note says how many additions it has: a\n"
		"         cache of micro-ops counts those.\n"
		"Assumes  Nothing fetches ahead: where it does, as on most of today's cores, code of any length is as quick.\n"
		"Fails as absent when no length was slower; blocked without a compiler.",
	.needs = { "?cpu.frequency" },
	.thorough = true,
	.run = run,
};
