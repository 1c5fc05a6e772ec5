/* SPDX-License-Identifier: MIT */
/*
 * saturate.c - X-Ray's initiation interval: more and more independent copies until the time per operation falls no more
 *
 * k chains of a latency L on units with interval I take max(L / k, I) per operation, so enough copies have been tried
 * once k operations take longer than one alone. Registers may run out first; then copies that do not read what they
 * wrote, which renaming makes independent, may still fill the units.
 */
#include <math.h>
#include <stdio.h>

#include "engine.h"

enum { TEXT = 512, RENEWED_COPIES = 8, STEPS = 9 };

static const double FALLS = 0.99; /* a step that gains less than this is none */
static const double FILLED = 1.04; /* k operations take this much longer than one: the units are the limit */

int engine_saturate_step(int index)
{
	static const int copies[STEPS + 1] = { 1, 2, 4, 8, 12, 16, 24, 32, 48, 0 };

	return index >= 0 && index < STEPS ? copies[index] : 0;
}

static void take(struct saturation *best, const struct estimate *estimate, int copies, bool renewed)
{
	if (best->copies && estimate->ticks >= best->ticks)
		return;
	best->ticks = estimate->ticks;
	best->low = estimate->low;
	best->high = estimate->high;
	best->copies = copies;
	best->renewed = renewed;
}

struct saturation engine_saturate(struct lab *lab, void (*spec)(const void *of, int copies, char *text, size_t size),
				  void (*renewed)(const void *of, int copies, char *text, size_t size), const void *of)
{
	struct saturation best = { .status = MACHINE_RAN };
	char text[TEXT];
	double alone = NAN;
	bool filled = false, confirmed = false; /* k copies filled the units; more of them gained nothing */

	for (int i = 0; spec && engine_saturate_step(i); i++) {
		int copies = engine_saturate_step(i);

		spec(of, copies, text, sizeof(text));

		double before = best.ticks;
		struct estimate estimate = lab_try(lab, text, lab->barrier, copies);

		if (estimate.status != MACHINE_RAN) {
			if (i == 0) {
				best.status = estimate.status;
				lab_status(lab, &estimate);
				return best;
			}
			break;
		}
		if (i == 0)
			alone = estimate.ticks;
		take(&best, &estimate, copies, false);
		confirmed = filled && estimate.ticks > before * FALLS;
		if (confirmed)
			break;
		filled = filled || estimate.ticks * copies > alone * FILLED;
	}
	best.saturated = filled;
	if (!confirmed && renewed) {
		renewed(of, RENEWED_COPIES, text, sizeof(text));

		struct estimate estimate = lab_try(lab, text, NANO_BARRIER_ASM, RENEWED_COPIES);

		if (estimate.status != MACHINE_RAN && !spec) {
			best.status = estimate.status;
			lab_status(lab, &estimate);
		} else if (estimate.status == MACHINE_RAN) {
			best.saturated = filled || !spec || estimate.ticks < best.ticks * FALLS;
			take(&best, &estimate, RENEWED_COPIES, true);
		}
	}
	return best;
}
