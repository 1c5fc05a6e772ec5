/* SPDX-License-Identifier: MIT */
/*
 * mixes.c - pairs, and mixes as chance will
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "mixes.h"

enum { MOST_OF_ONE = 12, MOST_OF_PAIR = 14, MOST_IN_MIX = 20, FEWEST_KINDS = 3, MOST_KINDS = 5 };

static const double EACH = 0.01; /* of a pair's imbalance: what one operation more has to be worth */

void ports_pair(const double *interval, int a, int b, struct ports_mix *mix)
{
	double least = INFINITY;

	memset(mix, 0, sizeof *mix);
	for (int x = 1; x <= MOST_OF_ONE; x++)
		for (int y = 1; y <= MOST_OF_ONE && x + y <= MOST_OF_PAIR; y++) {
			double off = fabs(log(x * interval[a] / (y * interval[b]))) + EACH * (x + y);

			if (off >= least)
				continue;
			least = off;
			mix->n[a] = x;
			mix->n[b] = y;
		}
}

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 20;
}

void ports_random(const double *interval, int ops, int index, struct ports_mix *mix)
{
	uint64_t state = 0x9e3779b97f4a7c15u * (uint64_t)(index + 1);
	int kinds, room = MOST_IN_MIX;
	double longest = 0;

	memset(mix, 0, sizeof *mix);
	for (int i = 0; i < 8; i++)
		draw(&state);
	kinds = FEWEST_KINDS + (int)(draw(&state) % (MOST_KINDS - FEWEST_KINDS + 1));
	for (int i = 0; i < kinds; i++)
		mix->n[draw(&state) % (uint64_t)ops] = 1;
	for (int op = 0; op < ops; op++)
		if (mix->n[op])
			longest = fmax(longest, interval[op]);
	for (int op = 0; op < ops; op++) {
		bool few = draw(&state) % 2;
		double much = (double)(draw(&state) % 130) / 100 * longest / interval[op];

		if (!mix->n[op])
			continue;
		mix->n[op] = few ? 1 + (int)(draw(&state) % 3) : (int)fmin(fmax(1, round(much)), 8);
		if (mix->n[op] > room)
			mix->n[op] = room;
		room -= mix->n[op];
	}
}

bool ports_alike(const struct ports_mix *a, const struct ports_mix *b)
{
	int in_a = 0, in_b = 0;

	for (int op = 0; op < PORTS_OPS; op++) {
		in_a += a->n[op];
		in_b += b->n[op];
	}
	for (int op = 0; op < PORTS_OPS; op++)
		if (a->n[op] * in_b != b->n[op] * in_a)
			return false;
	return true;
}
