/* SPDX-License-Identifier: MIT */
/*
 * l1i_straight.c - straight code that runs at full speed, over and over
 */
#include "micro.h"

static const double AGREE = 0.02, OFF = 0.03; /* relative */

/* Where frames crowd sets, other frames hold more of the same code: as much as the cache does. */
static void measured(struct lab *lab, double bytes)
{
	const struct coding *coding = lab->coding;

	if (!coding || !coding->scattered)
		lab_measured(lab, bytes, bytes * (1 - OFF), bytes * (1 + OFF), 0.85, "I-cache paper");
	else if (coding->levels > 0)
		lab_measured(lab, bytes, bytes * (1 - OFF), fmax(bytes, coding->level[0].reach) * (1 + OFF), 0.6,
			     "I-cache paper, on some frames");
	else
		lab_outcome(lab, UNCLEAR,
			    "the frames that it lies on crowd some sets, and how much others hold is not known");
}

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
	} else if (ladder.cases == 0 && ladder.longest < lab_fact(lab, "cache.l1i.size") * (1 + OFF)) {
		lab_outcome(lab, UNCLEAR, "no ladder is longer than what the nearest cache of code holds");
	} else if (ladder.cases == 0) {
		char why[160];

		snprintf(why, sizeof(why), "no straight code up to %.0f KiB was slower than little of it",
			 ladder.longest / 1024);
		lab_outcome(lab, ABSENT, why);
	} else {
		snprintf(lab->finding.note, sizeof(lab->finding.note), "%.0f additions", ladder.cases * lab->ladder.B);
		measured(lab, ladder.bytes);
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
		"Fails as absent when no length was slower; unclear where no ladder is longer than the cache; blocked without a\n"
		"         compiler.",
	.needs = { "?cpu.frequency", "?cache.l1i.size" },
	.thorough = true,
	.run = run,
};
