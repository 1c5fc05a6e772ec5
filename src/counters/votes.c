/* SPDX-License-Identifier: MIT */
/*
 * votes.c - the same question again, until it is clear what most say
 */
#include <stdio.h>

#include "counters.h"

enum { VOTES = 8, MAJORITY = VOTES / 2 + 1 };

static const double LONG = 1e9; /* ns that a vote takes: then two that agree do */
static const int FEW = 2;

static bool alike(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

double counters_most_common(const double *answers, int count, int *times)
{
	double best = NAN;

	*times = 0;
	for (int i = 0; i < count; i++) {
		int same = 0;

		for (int j = 0; j < count; j++)
			same += alike(answers[i], answers[j]);
		if (same > *times) {
			*times = same;
			best = answers[i];
		}
	}
	return best;
}

struct voted counters_vote(struct lab *lab, enum walk_event event,
			   double (*ask)(struct lab *lab, enum walk_event event))
{
	struct machine *machine = lab->timer->machine;
	struct voted voted = { .tried = true, .value = NAN };
	double answers[VOTES], begin = machine->ops->clock(machine);
	int count = 0, times = 0;

	while (count < VOTES && times < MAJORITY) {
		answers[count++] = ask(lab, event);
		voted.value = counters_most_common(answers, count, &times);
		if ((times >= FEW && machine->ops->clock(machine) - begin > LONG) || timer_over(lab->timer))
			break;
	}
	voted.agreed = (double)times / count;
	if (times < FEW || 2 * times < count) {
		snprintf(voted.why, sizeof(voted.why), "it comes out otherwise each time");
		voted.value = NAN;
	} else if (isnan(voted.value)) {
		snprintf(voted.why, sizeof(voted.why), "what %s counts shows none", walk_event_name(event));
	}
	return voted;
}
