/* SPDX-License-Identifier: MIT */
/*
 * climb.c - X-Ray's search: double until it fails, then bisect between the last that held and the first that did not
 *
 * A wrong branch would be silent, so both neighbours of the answer are asked again at the end.
 */
#include "engine.h"

int engine_climb(struct lab *lab, int start, int limit,
		 enum stat_verdict (*holds)(struct lab *lab, int n, const void *of),
		 void (*between)(struct lab *lab, int low, int high, const void *of), const void *of)
{
	int low = start, high = start;

	if (holds(lab, start, of) != STAT_YES)
		return -1;
	while (high == low) {
		int next = low * 2 < limit ? low * 2 : limit;
		enum stat_verdict verdict = holds(lab, next, of);

		if (verdict == STAT_UNDECIDED)
			return -1;
		if (verdict == STAT_NO)
			high = next;
		else if (next == limit)
			return limit;
		else
			low = high = next;
	}
	if (between && high - low > 1)
		between(lab, low, high, of);
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		enum stat_verdict verdict = holds(lab, middle, of);

		if (verdict == STAT_UNDECIDED)
			return -1;
		if (verdict == STAT_YES)
			low = middle;
		else
			high = middle;
	}
	return holds(lab, low, of) == STAT_YES && holds(lab, high, of) == STAT_NO ? low : -1;
}
