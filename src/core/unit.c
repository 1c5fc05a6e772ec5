/* SPDX-License-Identifier: MIT */
/*
 * unit.c - which unit an operation runs on, and when
 *
 * A unit keeps the gaps it has left, so that a younger operation whose operands are there may start before an older one
 * that still waits; older ones choose first, as in a scheduler that picks the oldest.
 */
#include <math.h>
#include <string.h>

#include "unit.h"

static const double TINY = 1e-9; /* cycles; well above rounding, well below anything meant */

/* The first gap that ends late enough. */
static int find_gap(const struct unit *unit, double ready, double busy)
{
	int low = 0, high = unit->gaps - 1;

	while (low < high) {
		int middle = (low + high) / 2;

		if (unit->to[middle] + TINY < ready + busy)
			low = middle + 1;
		else
			high = middle;
	}
	while (fmax(unit->from[low], ready) + busy > unit->to[low] + TINY)
		low++;
	return low;
}

static void remove_gap(struct unit *unit, int at)
{
	unit->gaps--;
	memmove(unit->from + at, unit->from + at + 1, sizeof *unit->from * (size_t)(unit->gaps - at));
	memmove(unit->to + at, unit->to + at + 1, sizeof *unit->to * (size_t)(unit->gaps - at));
}

static void insert_gap(struct unit *unit, int at, double from, double to)
{
	if (unit->gaps == UNIT_GAPS) {
		remove_gap(unit, 0);
		at--;
		if (at < 0)
			return;
	}
	memmove(unit->from + at + 1, unit->from + at, sizeof *unit->from * (size_t)(unit->gaps - at));
	memmove(unit->to + at + 1, unit->to + at, sizeof *unit->to * (size_t)(unit->gaps - at));
	unit->from[at] = from;
	unit->to[at] = to;
	unit->gaps++;
}

void unit_ask(struct unit *units, int count, double busy, double ready, double fetch, struct unit_offer *best)
{
	for (int i = 0; i < count; i++) {
		struct unit *unit = &units[i];
		double start;
		int found;

		while (unit->to[0] <= fetch)
			remove_gap(unit, 0);
		found = find_gap(unit, ready, busy);
		start = fmax(unit->from[found], ready);
		if (start < best->start - TINY)
			*best = (struct unit_offer){ start, unit, found };
	}
}

double unit_take(const struct unit_offer *offer, double busy)
{
	struct unit *unit = offer->unit;
	double start = offer->start;
	int gap = offer->gap;

	if (start - unit->from[gap] > TINY) {
		insert_gap(unit, gap, unit->from[gap], start);
		gap = find_gap(unit, start, busy);
	}
	unit->from[gap] = start + busy;
	if (unit->to[gap] - unit->from[gap] < TINY)
		remove_gap(unit, gap);
	return start;
}
