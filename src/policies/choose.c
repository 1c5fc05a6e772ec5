/* SPDX-License-Identifier: MIT */
/*
 * choose.c - which sequence to count next
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inquiry.h"

enum { POOL = 192, SMALL_POOL = 24, SMALLEST_POOL = 12, FEW = 8, MANY = 60, NEAREST = 4 };

static const double ENOUGH = 6; /* errors between two suspects, all in all */
static const double LITTLE = 0.3; /* nats: not worth a sequence */

/* What a sequence tells of two. Who allows for much is never refuted by who says one thing that is within that, but
 * becomes less likely each time it comes true: asked for where nothing else is left to ask. */
static double tells(const struct prediction *one, const struct prediction *other, bool by_width)
{
	double nats = fabs(log((1 + one->high - one->low) / (1 + other->high - other->low)));

	if (by_width)
		return nats > LITTLE ? nats : 0;
	return inquiry_apart(one, other);
}

/* What a sequence adds to what tells pairs of suspects apart, those `told` being so far told apart. */
static double worth(const struct prediction *expected, const int *who, int n, const double *told, bool by_width)
{
	double sum = 0;

	for (int i = 0, pair = 0; i < n; i++)
		for (int j = 0; j < i; j++, pair++) {
			double more = fmin(ENOUGH / 2, tells(&expected[who[i]], &expected[who[j]], by_width));

			sum += fmin(ENOUGH, told[pair] + more) - told[pair];
		}
	return sum;
}

static void tell(const struct prediction *expected, const int *who, int n, double *told, bool by_width)
{
	for (int i = 0, pair = 0; i < n; i++)
		for (int j = 0; j < i; j++, pair++) {
			double more = fmin(ENOUGH / 2, tells(&expected[who[i]], &expected[who[j]], by_width));

			told[pair] = fmin(ENOUGH, told[pair] + more);
		}
}

struct pool {
	int size;
	struct sequence sequence[POOL];
	struct prediction expected[POOL][RULES_MOST];
	double told[RULES_MOST * RULES_MOST / 2];
};

static int choose(struct pool *pool, const int *who, int n, bool by_width, struct sequence next[ROUND_MOST])
{
	int chosen = 0;

	while (chosen < ROUND_MOST) {
		double most = 0;
		int best = 0;

		for (int i = 0; i < pool->size; i++) {
			double value = worth(pool->expected[i], who, n, pool->told, by_width);

			if (value > most) {
				most = value;
				best = i;
			}
		}
		if (most <= 1e-9)
			break;
		tell(pool->expected[best], who, n, pool->told, by_width);
		next[chosen++] = pool->sequence[best];
		pool->size--; /* once is enough */
		pool->sequence[best] = pool->sequence[pool->size];
		memcpy(pool->expected[best], pool->expected[pool->size], sizeof(pool->expected[best]));
	}
	return chosen;
}

/* The next best, so that there is something to tell it from. */
static int add_nearest(const struct inquiry *inquiry, int who[RULES_MOST], int n)
{
	while (n < NEAREST) {
		int next = -1;

		for (int i = 0; i < inquiry->count; i++) {
			bool known = inquiry->suspects[i].acquitted;

			for (int j = 0; j < n; j++)
				known = known || who[j] == i;
			if (!known && (next < 0 || inquiry->suspects[i].score > inquiry->suspects[next].score))
				next = i;
		}
		if (next < 0)
			break;
		who[n++] = next;
	}
	return n;
}

static int next_of_left(struct inquiry *inquiry, struct sequence next[ROUND_MOST])
{
	struct pool *pool;
	int who[RULES_MOST], n, chosen;

	if (inquiry->tried + ROUND_MOST > TRIALS_MOST)
		return 0;
	n = inquiry_left(inquiry, who);
	/* Who is left alone must have passed trials that it might have failed. */
	if (n == 1 && inquiry->suspects[who[0]].sharp < INQUIRY_SHARP)
		n = add_nearest(inquiry, who, n);
	pool = n > 1 ? calloc(1, sizeof(*pool)) : NULL;
	if (!pool)
		return 0;
	/* Where nearly all are left nearly any tells some apart; of a few that do nearly the same few do. */
	pool->size = n > MANY ? SMALLEST_POOL : n > FEW ? SMALL_POOL : POOL;
	for (int i = 0; i < pool->size; i++) {
		sequence_draw(&pool->sequence[i], &inquiry->material, &inquiry->random);
		for (int j = 0; j < n; j++)
			pool->expected[i][who[j]] = sequence_guess(&pool->sequence[i], &inquiry->suspects[who[j]].rule,
								   inquiry->material.ways);
	}
	chosen = choose(pool, who, n, false, next);
	if (!chosen)
		chosen = choose(pool, who, n, true, next);
	free(pool);
	return chosen;
}

int inquiry_next(struct inquiry *inquiry, struct sequence next[ROUND_MOST])
{
	int chosen = next_of_left(inquiry, next);

	return chosen == 0 && inquiry_widen(inquiry) ? next_of_left(inquiry, next) : chosen;
}
