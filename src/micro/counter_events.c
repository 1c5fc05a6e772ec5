/* SPDX-License-Identifier: MIT */
/*
 * counter_events.c - which events have a counter that is to be trusted
 */
#include "micro.h"

enum { ROOM = 512 };

static void append(char *text, const char *between, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, ROOM - used, "%s%s", used ? between : "", more);
}

/* Names of those that are trusted; and of those that are not, with why. */
static int list(struct lab *lab, char *good, char *bad)
{
	int trusted = 0;

	for (int i = WALK_NO_EVENT + 1; i < WALK_EVENTS; i++) {
		const struct counter *counter = counters_try(lab, (enum walk_event)i);
		const char *name = walk_event_name((enum walk_event)i);

		if (!counter || !counter->exists)
			continue;
		trusted += counter->trusted;
		lab_note(lab, name, NAN, counter->overhead, counter->trusted ? "overhead" : "not trusted");
		append(counter->trusted ? good : bad, counter->trusted ? " " : "; ", name);
		if (!counter->trusted)
			append(bad, " ", counter->why);
	}
	return trusted;
}

static void run(struct lab *lab, const struct subject *subject)
{
	char good[ROOM] = "", bad[ROOM] = "";
	int trusted = list(lab, good, bad);
	const struct counter *first = counters_try(lab, WALK_L1D_MISSES);

	(void)subject;
	if (!trusted && bad[0]) {
		lab_outcome(lab, UNCLEAR, bad);
		return;
	}
	if (!trusted) {
		lab_outcome(lab, BLOCKED, first ? first->why : "out of memory");
		return;
	}
	if (bad[0])
		snprintf(lab->finding.note, sizeof(lab->finding.note), "not trusted: %.240s", bad);
	lab->finding.text = strdup(good);
	lab_measured(lab, trusted, trusted, trusted, 0.99, "known walks");
}

const struct micro micro_counter_events = {
	.name = "counter.events",
	.what = "events whose counters count known walks right",
	.unit = "text",
	.story =
		"Idea     Counters are tried before they are believed: AMP found processors whose counters count wrong. A walk\n"
		"         over a few places misses nothing, and what is counted there is what reading takes; a walk over more\n"
		"         and more of them misses in the end with every step. Lines that are missed lie in few pages, and pages\n"
		"         that are missed share a frame, so that an event which is another one shows.\n"
		"Answer   Those that count less than 5 % of the steps of the one, and 90 to 110 % of those of the other. Each\n"
		"         count is the least of eight. The note says which do not, and why.\n"
		"Assumes  Memory that is larger than four times what is missed.\n"
		"Fails as blocked where the system or the machine has none, with what would help; unclear where none is right.",
	.thorough = true,
	.second = true,
	.run = run,
};
