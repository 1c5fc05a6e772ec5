/* SPDX-License-Identifier: MIT */
/*
 * bundles.c - what goes together in a cycle, from resources
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mixes.h"

enum { MOST_IN_BUNDLE = 12, MOST_FOUND = PORTS_OPS * PORTS_OPS * PORTS_OPS };

static const double FULL = 1.04; /* times a cycle's worth that still is one, errors considered */
static const double ROUNDING = 1e-9;
static const double ALIKE = 0.04; /* of a weight */
static const double SLOWER = 0.03; /* of a cycle: what one of a kind that is not worth a place takes more */

struct search {
	const struct ports_model *model;
	int kinds, kind[PORTS_OPS]; /* those that can start every cycle, one of each that are alike */
	int most[PORTS_OPS][PORTS_OPS]; /* of kind j beside as many of kind i as can start */
	int n[PORTS_OPS];
	double load[PORTS_RESOURCES];
	int (*found)[PORTS_OPS];
	int found_count;
};

static bool are_alike(const struct ports_model *model, int a, int b)
{
	for (int r = 0; r < model->resources; r++) {
		double x = model->weight[r][a], y = model->weight[r][b];

		if (fabs(x - y) > ALIKE * fmax(x, y))
			return false;
	}
	return true;
}

/* How many of an operation a cycle has room for on top of the load. */
static int room_for(const struct search *search, int op)
{
	double room = MOST_IN_BUNDLE;

	for (int r = 0; r < search->model->resources; r++) {
		double weight = search->model->weight[r][op];

		if (weight > 0)
			room = fmin(room, (FULL - search->load[r]) / weight + ROUNDING);
	}
	return room < 0 ? 0 : (int)floor(room);
}

static void load(struct search *search, int op, int times)
{
	for (int r = 0; r < search->model->resources; r++)
		search->load[r] += times * search->model->weight[r][op];
	search->n[op] += times;
}

/* As many of one kind as there can be, as many of another as that leaves room for, and of the others, in turn from
 * some kind on, what still fits. */
static void fill(struct search *search, int i, int j, int turn)
{
	int *found = search->found[search->found_count++];

	load(search, search->kind[i], search->most[i][i]);
	load(search, search->kind[j], search->most[i][j]);
	for (int k = 0; k < search->kinds; k++) {
		int op = search->kind[(turn + k) % search->kinds];

		load(search, op, room_for(search, op));
	}
	memcpy(found, search->n, sizeof search->n);
	for (int op = 0; op < search->model->ops; op++)
		load(search, op, -search->n[op]);
}

static void choose_kinds(struct search *search, struct ports_bundles *bundles)
{
	const struct ports_model *model = search->model;

	for (int op = 0; op < model->ops; op++) {
		double alone = 0;

		bundles->same[op] = op;
		for (int other = op - 1; other >= 0; other--)
			if (bundles->same[other] == other && are_alike(model, op, other))
				bundles->same[op] = other;
		for (int r = 0; r < model->resources; r++)
			alone = fmax(alone, model->weight[r][op]);
		if (bundles->same[op] == op && alone > 0 && alone <= 1 + SLOWER)
			search->kind[search->kinds++] = op;
	}
	for (int i = 0; i < search->kinds; i++) {
		int all = room_for(search, search->kind[i]);

		load(search, search->kind[i], all);
		for (int j = 0; j < search->kinds; j++)
			search->most[i][j] = i == j ? all : room_for(search, search->kind[j]);
		load(search, search->kind[i], -all);
	}
}

/* Does the bundle show how many of one go with as many of the other as there can be, and do any? */
static bool shows(const struct search *search, const int *n, int i, int j)
{
	return search->most[i][j] > 0 && n[search->kind[i]] == search->most[i][i] &&
	       n[search->kind[j]] == search->most[i][j];
}

/* The found bundle that shows most of what no other showed yet, and of those the one of most operations. */
static int most_telling(const struct search *search, const bool *shown)
{
	int best = -1, best_news = 0, best_size = 0;

	for (int k = 0; k < search->found_count; k++) {
		int news = 0, size = 0;

		for (int i = 0; i < search->kinds; i++) {
			size += search->found[k][search->kind[i]];
			for (int j = 0; j < search->kinds; j++)
				news += i != j && !shown[i * PORTS_OPS + j] && shows(search, search->found[k], i, j);
		}
		if (news > best_news || (news && news == best_news && size > best_size)) {
			best = k;
			best_news = news;
			best_size = size;
		}
	}
	return best;
}

void ports_bundles(const struct ports_model *model, struct ports_bundles *bundles)
{
	struct search search = { .model = model, .found = calloc(MOST_FOUND, sizeof *search.found) };
	bool shown[PORTS_OPS * PORTS_OPS] = { false };
	int best;

	memset(bundles, 0, sizeof *bundles);
	choose_kinds(&search, bundles);
	for (int i = 0; search.found && i < search.kinds; i++)
		for (int j = 0; j < search.kinds; j++)
			for (int turn = 0; i != j && turn < search.kinds; turn++)
				fill(&search, i, j, turn);
	while (search.found && bundles->count < PORTS_BUNDLES && (best = most_telling(&search, shown)) >= 0) {
		memcpy(bundles->n[bundles->count++], search.found[best], sizeof search.found[best]);
		for (int i = 0; i < search.kinds; i++)
			for (int j = 0; j < search.kinds; j++)
				if (shows(&search, search.found[best], i, j))
					shown[i * PORTS_OPS + j] = true;
	}
	/* Kinds that go with nothing else. */
	for (int i = 0; i < search.kinds && !bundles->count; i++)
		bundles->n[bundles->count++][search.kind[i]] = search.most[i][i];
	free(search.found);
}
