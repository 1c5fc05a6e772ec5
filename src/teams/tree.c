/* SPDX-License-Identifier: MIT */
/*
 * tree.c - groups within groups
 *
 * A pivot is asked how far the others of its set are. Those that are equally far are a shell; what lies within a shell
 * is nearer to one another than to the pivot, or as near. So each shell is a set of its own, with a pivot of its own,
 * and what comes out are groups within groups (an ultrametric). A shell of which some pivots see all others equally
 * far, and pairs at random too, is taken for flat.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../statistics/statistics.h"
#include "tree.h"

enum { ALL_PAIRS = 32, FIRST_PIVOTS = 6, FLAT_PIVOTS = 7, MATCHINGS = 2, ROUNDS = 4, FEW = 2, MANY = 12 };

static const double MOST = 0.95; /* of the pairs of a level, for its spread */
struct search {
	const struct tree_space *space;
	double *known; /* count x count; NaN: not asked */
	double cuts[TREE_LEVELS]; /* between classes of distances, rising */
	int classes;
	bool failed;
	uint64_t random;
	struct tree *tree;
};

static double distance(struct search *search, int a, int b)
{
	double *known = &search->known[(size_t)a * (size_t)search->space->count + (size_t)b];

	if (isnan(*known)) {
		*known = search->space->distance(search->space->context, a, b);
		search->known[(size_t)b * (size_t)search->space->count + (size_t)a] = *known;
		search->tree->asked++;
		if (!(*known > 0))
			search->failed = true;
	}
	return *known;
}

static int class_of(const struct search *search, double far)
{
	int class = 0;

	while (class < search->classes - 1 && far > search->cuts[class])
		class ++;
	return class;
}

/* A class of very few pairs may owe itself to something that got in the way. It only ever adds: ask again. */
static void classify(struct search *search)
{
	int n = search->space->count;
	long members[TREE_LEVELS] = { 0 };

	search->classes = stat_gaps(search->known, n * n, search->space->apart, search->cuts, TREE_LEVELS);
	for (int i = 0; i < n * n; i++)
		if (!isnan(search->known[i]))
			members[class_of(search, search->known[i])]++;
	for (int a = 0; a < n && search->tree->asked > MANY; a++)
		for (int b = 0; b < a; b++) {
			double *known = &search->known[(size_t)a * (size_t)n + (size_t)b];

			if (isnan(*known) || members[class_of(search, *known)] > 2 * FEW)
				continue;
			*known = fmin(*known, search->space->distance(search->space->context, a, b));
			search->known[(size_t)b * (size_t)n + (size_t)a] = *known;
		}
	search->classes = stat_gaps(search->known, n * n, search->space->apart, search->cuts, TREE_LEVELS);
}

static int any(struct search *search, int below)
{
	search->random = search->random * 6364136223846793005u + 1442695040888963407u;
	return (int)((search->random >> 33) % (uint64_t)below);
}

/* Everybody of the set into one group of a level and of those above it. */
static void join(struct search *search, const int *set, int size, int level)
{
	int lowest = set[0];

	for (int i = 1; i < size; i++)
		lowest = set[i] < lowest ? set[i] : lowest;
	for (; level < search->classes; level++) {
		int *group = search->tree->group[level];

		for (int i = 0; i < size; i++)
			group[set[i]] = group[set[i]] < lowest ? group[set[i]] : lowest;
	}
}

static void exchange(int *set, int a, int b)
{
	int moved = set[a];

	set[a] = set[b];
	set[b] = moved;
}

/* Who is known to have somebody nearer than the class is asked first. False: nobody is. */
static bool bring_forward(const struct search *search, int *set, int size, int class)
{
	for (int i = 0; i < size; i++) {
		const double *far = &search->known[(size_t)set[i] * (size_t)search->space->count];

		for (int j = 0; j < size; j++)
			if (!isnan(far[set[j]]) && class_of(search, far[set[j]]) < class) {
				exchange(set, 0, i);
				return true;
			}
	}
	return false;
}

static bool is_alone(struct search *search, const int *set, int size, int class, int pivot)
{
	for (int i = 0; i < size; i++)
		if (set[i] != pivot && class_of(search, distance(search, pivot, set[i])) < class)
			return false;
	return true;
}

/* Are all of a shell as far from one another as from its pivot? Asks some of many, and whoever is likely not to be. */
static bool is_flat(struct search *search, const int *set, int size, int class)
{
	const bool *likely = search->space->likely;

	if (size <= ALL_PAIRS)
		return false;
	for (int i = 0, p = 0; likely && i < size; i++)
		if (likely[set[i]] && p++ < FLAT_PIVOTS && !is_alone(search, set, size, class, set[i]))
			return false;
	for (int p = 0; p < FLAT_PIVOTS; p++)
		if (!is_alone(search, set, size, class, set[any(search, size)]))
			return false;
	for (int i = 0; i < MATCHINGS * size / 2; i++) {
		int a = set[any(search, size)], b = set[any(search, size)];

		if (a != b && class_of(search, distance(search, a, b)) < class)
			return false;
	}
	return true;
}

/* Groups of one set, all of whose members are within `most` of one another. Leaves the set in another order. */
static void split(struct search *search, int *set, int size, int most)
{
	while (size > 1 && !search->failed) {
		int inner = 1;

		join(search, set, size, most);
		if (!bring_forward(search, set, size, most) && is_flat(search, set, size, most))
			return;
		/* Shell after shell, nearest first: the pivot's groups grow by them. The last of them it shares no
		 * smaller group with. */
		for (int class = 0; class < most; class ++) {
			int from = inner;

			for (int i = from; i < size; i++)
				if (class_of(search, distance(search, set[0], set[i])) == class)
					exchange(set, i, inner++);
			join(search, set, inner, class);
			split(search, set + from, inner - from, class);
		}
		set += inner;
		size -= inner;
	}
}

/* The share of pairs that were asked for whose distance is the tree's. */
static double fits(const struct search *search)
{
	int n = search->space->count;
	long right = 0, all = 0;

	for (int a = 0; a < n; a++)
		for (int b = 0; b < a; b++) {
			double far = search->known[(size_t)a * (size_t)n + (size_t)b];

			all += !isnan(far);
			right += !isnan(far) && class_of(search, far) == tree_level(search->tree, a, b);
		}
	return all ? (double)right / (double)all : NAN;
}

/* Asks about some pairs that nobody asked about, as many again as there are members. */
static void sample(struct search *search)
{
	int n = search->space->count;

	for (int i = 0; i < n && !search->failed; i++) {
		int a = any(search, n), b = any(search, n);

		if (a != b)
			distance(search, a, b);
	}
}

static void first_look(struct search *search)
{
	int n = search->space->count, pivots = n <= ALL_PAIRS ? n : FIRST_PIVOTS;

	for (int p = 0; p < pivots; p++)
		for (int i = 0; i < n && !search->failed; i++) {
			int pivot = n <= ALL_PAIRS ? p : (int)((long)p * n / pivots);

			if (i != pivot)
				distance(search, pivot, i);
		}
}

static void measure_levels(const struct search *search)
{
	struct tree *tree = search->tree;
	int n = tree->count;
	double *far = stat_scratch((size_t)n * (size_t)n, sizeof(*far));

	for (int level = 0; level < tree->levels; level++) {
		int kept = 0;

		for (int i = 0; i < n * n; i++)
			if (!isnan(search->known[i]) && class_of(search, search->known[i]) == level)
				far[kept++] = search->known[i];
		tree->most[level] = level < tree->levels - 1 ? search->cuts[level] : INFINITY;
		tree->distance[level] = stat_median(far, kept);
		tree->spread = fmax(tree->spread, stat_quantile(far, kept, MOST) / stat_quantile(far, kept, 1 - MOST));
	}
	free(far);
}

static bool grow_levels(struct search *search)
{
	struct tree *tree = search->tree;
	size_t bytes = sizeof(int) * (size_t)tree->count;

	tree->levels = search->classes;
	for (int level = 0; level < tree->levels; level++) {
		if (!tree->group[level])
			tree->group[level] = malloc(bytes);
		if (!tree->group[level])
			return false;
		for (int i = 0; i < tree->count; i++)
			tree->group[level][i] = level == tree->levels - 1 ? 0 : i;
	}
	return true;
}

/* Once more while what was learnt on the way makes other classes. */
static bool search_tree(struct search *search, int *set)
{
	int n = search->space->count;

	first_look(search);
	for (int round = 0; round < ROUNDS && !search->failed; round++) {
		int before = search->classes;

		classify(search);
		if (round && before == search->classes)
			break;
		if (!grow_levels(search))
			return false;
		for (int i = 0; i < n; i++)
			set[i] = i;
		split(search, set, n, search->classes - 1);
		sample(search);
	}
	return !search->failed;
}

struct tree *tree_find(const struct tree_space *space)
{
	size_t n = (size_t)space->count;
	double *known = calloc(n * n, sizeof(*known));
	struct search search = { .space = space, .known = known, .random = 1 };
	int *set = calloc(n, sizeof(*set));
	bool found = false;

	search.tree = calloc(1, sizeof(*search.tree));
	if (search.tree && known && set) {
		search.tree->count = space->count;
		for (size_t i = 0; i < n * n; i++)
			known[i] = NAN;
		found = search_tree(&search, set);
	}
	if (found) {
		search.tree->fits = fits(&search);
		measure_levels(&search);
		tree_drop_levels(search.tree);
	} else {
		tree_free(search.tree);
	}
	free(known);
	free(set);
	return found ? search.tree : NULL;
}
