/* SPDX-License-Identifier: MIT */
/*
 * l1i_line.c - bytes of a line of the nearest cache of code
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	char why[160] = "";
	double line;

	(void)subject;
	if (!coded_nearest(lab))
		return;
	line = engine_code_line(lab, why, sizeof(why));
	if (line > 0)
		lab_measured(lab, line, line, line, 0.95, "places moved out of a set");
	else
		lab_outcome(lab, UNCLEAR, why);
}

const struct micro micro_l1i_line = {
	.name = "cache.l1i.line",
	.what = "bytes of a line of the nearest cache of code",
	.unit = "bytes",
	.story =
		"Idea     Twice as many places as a set holds, every other one moved by some bytes: as long as they stay in their\n"
		"         lines half of them are missed, and moved into the next line all are held (X-Ray's Figure 10).\n"
		"Answer   The least distance at which they are.\n"
		"Assumes  Lines are powers of two from 16 bytes up.\n"
		"Fails as unclear where sets are not known.",
	.needs = { "?cache.l1i.ways" },
	.thorough = true,
	.run = run,
};
