/* SPDX-License-Identifier: MIT */
/*
 * bends.c - the TLBs of code, in a curve of what pages cost
 *
 * Pages side by side fill a TLB's sets evenly, so that its bend is a corner: unless its sets are hashed, somebody else
 * uses some of it now and then, or page tables leave a cache soon after it is full.
 */
#include <math.h>

#include "strides.h"

enum { CORNERS = 24, SURELY = 2 /* points */ };

static const double LEAST[] = { [NOISE_QUIET] = 0.03, [NOISE_NOISY] = 0.07, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double ONE = 1.8, CLOSE = 2.5; /* times: bends nearer than this are one TLB; may be, if they cost little */
static const double CHEAP = 0.7; /* of what the one before costs: less is not enough for a walk */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.03, [NOISE_HOSTILE] = 0.1 };
static const double FINER = 1.04, CLOSER = 1.01; /* times: between corners that are tried */
static const double FEWER = 0.5, MORE = 1.5, SCATTERED = 7, TABLES = 0.3,
		    ERRORS = 3; /* of a reach; pages; of a height */
static const double LITTLE = 0.1, MUCH = 0.2; /* of what many pages cost */
static const double LEAST_ERROR = 0.5, ERROR = 0.08; /* cycles; of a penalty */

/* Part of a curve that one TLB makes; in bytes, as the curve is. */
struct bend {
	double reach, low, high, height;
};

/* Do so many pages cost more where each has a line of the page tables to itself? There is a term before this one. */
static bool tables_matter(struct lab *lab, const struct paging *paging, const struct term *term, double reach)
{
	double walked = terms_missed(reach / term[-1].reach, INFINITY, 1);
	double places[2] = { reach / CODE_PAGING_BYTES, reach / CODE_PAGING_BYTES };
	struct walk walks[4] = { { .order = WALK_RANDOM } };
	struct curve_point points[2];
	enum machine_status status;
	char why[64];

	for (int i = 0; i < 2; i++) {
		walks[2 * i] = code_pages_apart(paging->pages, &places[i], paging->page * (i ? SCATTERED : 1));
		walks[2 * i + 1] = code_pages_together(&walks[2 * i], paging->page);
	}
	return code_differences(lab, walks, points, 2, &status, why, sizeof(why)) &&
	       points[1].time - points[0].time > fmax(TABLES * term->height * walked, ERRORS * points[1].error);
}

/* Is it the tables that leave a cache there, and no TLB? Then it shows with far fewer pages as well as with more. A TLB
 * walks for none that it has; but one of hashed sets lacks some of pages far apart, and of those that any TLB lacks the
 * cost goes by the tables, too, if by less. */
static bool is_of_tables(struct lab *lab, const struct paging *paging, const struct terms *terms, int index)
{
	const struct term *term = &terms->term[index];

	return index > 0 && walk_frames(paging->pages) &&
	       tables_matter(lab, paging, term, fmax(FEWER * term->reach, sqrt(term[-1].reach * term->reach))) &&
	       tables_matter(lab, paging, term, MORE * term->reach);
}

/* A soft term as two corners, in its place. False when it is one corner. */
static bool split(const struct curve_point *points, int count, struct terms *terms, int index)
{
	double reach = terms->term[index].reach, least = INFINITY;
	struct terms best = *terms;

	if (isinf(terms->term[index].shape) || terms->count == TERMS_MOST)
		return false;
	for (int i = 0; i < CORNERS * CORNERS; i++) {
		int first = i / CORNERS, second = i % CORNERS, middle = CORNERS / 2;
		struct terms tried = *terms;
		double left;

		if (second <= first)
			continue;
		for (int j = tried.count++; j > index; j--)
			tried.term[j] = tried.term[j - 1];
		tried.term[index] = (struct term){ reach * pow(FINER, first - middle), INFINITY, 0, 1 };
		tried.term[index + 1] = (struct term){ reach * pow(FINER, second - middle), INFINITY, 0, 1 };
		left = terms_heights(points, count, &tried);
		if (left < least) {
			least = left;
			best = tried;
		}
	}
	*terms = best;
	return true;
}

/* Of the terms from `first` to before `end`. */
static struct bend bend_of(const struct curve_point *points, int count, const struct terms *terms, int first, int end)
{
	struct bend bend = { .low = INFINITY };

	for (int i = first; i < end; i++) {
		double low, high;

		terms_range(points, count, terms, i, &low, &high);
		bend.low = fmin(bend.low, low);
		bend.high = fmax(bend.high, high);
		bend.height += terms->term[i].height;
		bend.reach += terms->term[i].height * terms->term[i].reach;
	}
	bend.reach /= bend.height;
	return bend;
}

/* As far as they are TLBs'. */
static int find_bends(struct lab *lab, const struct paging *paging, const struct curve_point *points, double jump,
		      struct bend *bends)
{
	struct terms terms = terms_by_stretches(points, paging->count, jump, LEAST[lab->timer->noise]);
	int found = 0;

	for (int i = 0; i < terms.count; i++) {
		struct terms corners = terms;
		bool two = split(points, paging->count, &corners, i);

		if (is_of_tables(lab, paging, &corners, i))
			break;
		if (two && is_of_tables(lab, paging, &corners, i + 1)) {
			bends[found++] = bend_of(points, paging->count, &corners, i, i + 1);
			break;
		}
		bends[found++] = bend_of(points, paging->count, &corners, i, two ? i + 2 : i + 1);
	}
	return found;
}

/* Bends near to one another are one TLB's. So are two of which the further costs less: what a further TLB lacks is
 * walked for, and that costs more than asking it. Noise made two of one. How many are left. */
static int join(struct bend *bends, int count)
{
	int joined = 1;

	for (int i = 1; i < count; i++) {
		struct bend *last = &bends[joined - 1];

		if (bends[i].reach > ONE * last->reach && bends[i].height > CHEAP * last->height) {
			bends[joined++] = bends[i];
		} else if (bends[i].reach < CLOSE * last->reach) {
			last->high = fmax(last->high, bends[i].high);
			last->height += bends[i].height;
		}
	}
	return count > 0 ? joined : 0;
}

/* Bytes that one corner in place of a bend would be at, by the points before the next bend. */
static double corner_of(const struct curve_point *points, int count, const struct bend *bends, int index,
			int bend_count)
{
	double end = index + 1 < bend_count ? bends[index + 1].low : INFINITY, reach = bends[index].low, best = reach,
	       least = INFINITY;
	struct terms terms = { .count = index + 1 };
	int used = 0;

	while (used < count && points[used].bytes < end)
		used++;
	for (int i = 0; i < index; i++)
		terms.term[i] = (struct term){ bends[i].reach, INFINITY, bends[i].height, 1 };
	while (reach <= bends[index].high) {
		double left;

		terms.term[index] = (struct term){ reach, INFINITY, bends[index].height, 1 };
		left = terms_heights(points, used, &terms);
		if (left < least) {
			least = left;
			best = reach;
		}
		reach *= CLOSER;
	}
	return best;
}

/* The last point, of those before `end`, that shows less than so much; -1: none does. */
static int last_below(const struct curve_point *points, int count, double end, double least)
{
	int last = -1;

	for (int i = 0; i < count && points[i].bytes < end; i++)
		if (points[i].time < least)
			last = i;
	return last;
}

/* Random references miss (N - E) / N of E entries at the most, and walks into more pages may take far more than that:
 * on an Emerald Rapids 1.1 times the entries cost a third of what ten times as many do. The law then puts the entries
 * where much is missed already. What is known is where that begins. */
static void mind_the_corner(const struct curve_point *points, int count, double end, struct tlb *tlb)
{
	double all = 0, reach = tlb->entries * CODE_PAGING_BYTES, corner;
	int missed = 0, flat;

	for (int i = 0; i < count && points[i].bytes < end; i++)
		all = fmax(all, points[i].time);
	for (int i = 0; i < count && points[i].bytes < reach; i++)
		missed += points[i].time > MUCH * all;
	flat = last_below(points, count, end, LITTLE * all);
	if (missed < SURELY || flat < 1 || flat + 1 == count)
		return;
	corner = points[flat].bytes - fmax(0, points[flat].time) * (points[flat + 1].bytes - points[flat].bytes) /
					      (points[flat + 1].time - points[flat].time);
	tlb->low = points[flat - 1].bytes / CODE_PAGING_BYTES;
	tlb->high = points[flat + 1].bytes / CODE_PAGING_BYTES;
	tlb->entries = fmax(corner / CODE_PAGING_BYTES, tlb->low);
	tlb->penalty = all;
	tlb->error = fmax(LEAST_ERROR, MUCH * all);
}

void code_find_tlbs(struct lab *lab, struct paging *paging, const struct curve_point *points, double jump)
{
	struct bend bends[TERMS_MOST];
	int count = join(bends, find_bends(lab, paging, points, jump, bends));
	double law = LAW[lab->timer->noise];

	for (int i = 0; i < count && i < PAGING_LEVELS; i++)
		paging->tlb[i] = (struct tlb){
			.entries = corner_of(points, paging->count, bends, i, count) / CODE_PAGING_BYTES,
			.low = bends[i].low / CODE_PAGING_BYTES * (1 - law),
			.high = bends[i].high / CODE_PAGING_BYTES * (1 + law),
			.penalty = bends[i].height,
			.error = fmax(LEAST_ERROR, ERROR * bends[i].height),
		};
	paging->levels = count < PAGING_LEVELS ? count : PAGING_LEVELS;
	if (count)
		mind_the_corner(points, paging->count, count > 1 ? bends[1].low : INFINITY, &paging->tlb[0]);
}
