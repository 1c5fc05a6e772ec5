/* SPDX-License-Identifier: MIT */
/*
 * hindered.h - a quiet simulated machine, seen through a neighbour who makes tick, crowd, tock, all that is wide and
 * all else slower, each by its own factor
 */
#ifndef XRAY_TEST_HINDERED_H
#define XRAY_TEST_HINDERED_H

#include <math.h>

#include "timing/sample.h"
#include "machine_file.h"

struct pace {
	double tick, crowd, tock, other, wide; /* factors of time */
};

static const struct pace UNHINDERED = { 1, 1, 1, 1, 1 };

struct hindered {
	struct machine machine; /* first: it is what the timer gets */
	struct machine *inner;
	struct timer timer;
	struct pace pace;
	double on, off; /* ns by turns; 0: always on */
	int crowds; /* so many bursts of the crowd find him away */
	const struct nano *lucky; /* takes a tenth less */
};

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct machine *inner = ((struct hindered *)machine)->inner;

	inner->ops->prepare(inner, set, count);
}

static double clock_of(struct machine *machine)
{
	struct machine *inner = ((struct hindered *)machine)->inner;

	return inner->ops->clock(inner);
}

static void wait_on(struct machine *machine, double ns)
{
	struct machine *inner = ((struct hindered *)machine)->inner;

	inner->ops->wait(inner, ns);
}

static void close_it(struct machine *machine)
{
	struct machine *inner = ((struct hindered *)machine)->inner;

	inner->ops->close(inner);
}

static bool is_wide(const struct nano *nano)
{
	const struct nano_type *type = nano->variables[1].type;

	return type->lanes * type->lane_bytes > 16;
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	struct hindered *hindered = (struct hindered *)machine;
	const struct timer *timer = &hindered->timer;
	struct pace pace = hindered->pace;
	double factor, now = clock_of(machine);
	enum machine_status status = hindered->inner->ops->run(hindered->inner, nano, laps, count, reading);

	if (hindered->on > 0 && fmod(now, hindered->on + hindered->off) > hindered->on)
		pace = UNHINDERED;
	factor = nano == timer->tick       ? pace.tick
		 : nano == timer->crowd    ? (hindered->crowds-- > 0 ? 1 : pace.crowd)
		 : nano == hindered->lucky ? 0.9
		 : nano == timer->tock     ? pace.tock
		 : is_wide(nano)           ? pace.wide
					   : pace.other;
	for (int i = 0; i < count; i++)
		reading->ns[i] *= factor;
	return status;
}

static enum machine_status walk_on(struct machine *machine, const struct walk *walk, long steps, int count,
				   struct reading *reading)
{
	struct machine *inner = ((struct hindered *)machine)->inner;

	return inner->ops->walk(inner, walk, steps, count, reading);
}

static const struct machine_ops ops = {
	.prepare = prepare, .run = run, .walk = walk_on, .clock = clock_of, .wait = wait_on, .close = close_it
};

/* The audit sees this pace. */
static void open_at(struct hindered *hindered, const char *text, struct pace pace)
{
	char why[256] = "";

	*hindered = (struct hindered){ .inner = open_text(text, -1), .pace = pace };
	hindered->machine = *hindered->inner;
	hindered->machine.ops = &ops;
	if (timer_open(&hindered->timer, &hindered->machine, 1e9, why, sizeof(why)) != MACHINE_RAN)
		fail_msg("%s", why);
}

static void close_timer(struct hindered *hindered)
{
	timer_close(&hindered->timer);
	hindered->machine.ops->close(&hindered->machine);
}

#endif
