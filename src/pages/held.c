/* SPDX-License-Identifier: MIT */
/*
 * held.c - does a TLB hold some pages? X-Ray's compact sequences
 *
 * One page too many costs at least one miss in a round, whatever the policy. What others do only adds, so one quick
 * look shows that a sequence is compact.
 *
 * Beyond the nearest TLB each page of a set has others beside it, in sets of their own, so that the TLB above is
 * crowded out (X-Ray's <S, n, S_old, r>). It is compared with as many pages that the TLB holds for certain, and that
 * lie in the sets of the TLB above as those of the sequence do: some policies find a page now and then even in a crowd.
 */
#include <math.h>
#include <string.h>

#include "search.h"

enum { FRAMES = 4, AMONG = 4, AGAIN = 3, MOST_PICKED = AMONG * MOST_PAGES };

static const long MOST_REACH = 1 << 17; /* units */

static const int LOOKS[] = { [NOISE_QUIET] = 4, [NOISE_NOISY] = 7, [NOISE_HOSTILE] = 14 };
static const double LESS_THAN_A_MISS = 0.7; /* in a round */
static const double CROWDED = 3, LEAST_CROWD = 1.5; /* times the entries above: as many as one likes, and as must be */
static const double HARDLY = 1.2; /* times the entries above: in fewer pages it may have a part */
static const double LEAK =
	0.1; /* of the penalty above: so much a deeper crowd may cost that it does not keep a page of */
static const double FITS = 0.7; /* of the entries: that many in a row are held for certain */

struct sequence {
	long pages[MOST_PAGES], others[MOST_PAGES]; /* that are tried, and that are held for certain */
	long count, other_count;
	bool alike; /* to the TLB above */
};

/* Units after which the sets of the TLB above come again; 1 where they are not known. */
static long period_above(const struct search *search)
{
	const struct tlb_sets *sets = &search->paging->tlb[search->depth - 1].sets;

	return sets->found ? (long)fmax(1, sets->sets * sets->neighbours / search->paging->group) : 1;
}

static long common(long a, long b)
{
	return b == 0 ? a : common(b, a % b);
}

/* Pages side by side at each place of a sequence: enough to crowd out the TLB above, all of its sets that they lie in
 * alike, and not so many that they fill this one. */
static long around_each(const struct search *search, long stride, long n)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth];
	long width, room, alike, least;

	if (search->depth == 0)
		return 1;
	room = (long)(fmin(search->room * tlb->entries, MOST_PAGES) / (double)n);
	alike = common(stride, period_above(search));
	width = (long)ceil(CROWDED * tlb[-1].entries / (double)n);
	if (width <= alike || alike < FRAMES)
		alike = FRAMES;
	width = (width + alike - 1) / alike * alike;
	if (width > room)
		width = room >= alike ? room / alike * alike : room > 1 ? room : 1;
	least = (long)ceil(LEAST_CROWD * tlb[-1].entries / (double)n);
	if (width < least)
		width = least;
	if (width * search->apart > stride)
		width = stride / search->apart;
	return width > 1 ? width : 1;
}

/* The i-th of n places, a multiple of the stride. In a row they fall into the sets of the TLB above one by one, and
 * what is alone in a set is held there, and hidden. In any set of this TLB one multiple is as good as another; so fewer
 * sets of the TLB above may get more places each than they hold. */
static long place_of(const struct search *search, long stride, long n, long i)
{
	const struct tlb_sets *above = search->depth ? &search->paging->tlb[search->depth - 1].sets : NULL;
	long period, sets, enough, used, least;

	if (!search->even || !above || !above->found)
		return i;
	period = period_above(search);
	sets = period / common(stride, period);
	enough = (long)above->ways + 1;
	used = n > enough ? n / enough : 1;
	/* No fewer than those that are compared with lie in. */
	least = (period / 2 + 1) / around_each(search, stride, n) + 1;
	used = used > least ? used : least;
	if (used >= sets || (n / used + 1) * sets * stride > MOST_REACH)
		return i;
	return i % used + i / used * sets;
}

bool held_crowds(const struct search *search, long stride, long n)
{
	return search->depth == 0 ||
	       (double)(n * around_each(search, stride, n)) > HARDLY * search->paging->tlb[search->depth - 1].entries;
}

/* Pages that are known to fit: for the nearest TLB a few that lie on the same frames; else pages in a row, but in no
 * more sets of the TLB above than those of the sequence, or in half of them. Those may be as small a part of this one.
 */
static void compare_with(const struct search *search, struct sequence *sequence)
{
	long period = search->depth ? period_above(search) : tour_few(search->paging), row = 0, most = sequence->count;
	bool used[MOST_PAGES] = { false };

	for (long i = 0; i < sequence->count && period < MOST_PAGES; i++) {
		row += !used[sequence->pages[i] % period];
		used[sequence->pages[i] % period] = true;
	}
	sequence->alike = row >= (period + 1) / 2;
	row = sequence->alike ? row : (period + 1) / 2;
	row = row > 1 ? row : 1;
	if (search->depth)
		most = (long)(FITS * search->paging->tlb[search->depth].entries * (double)row / (double)period);
	sequence->other_count = sequence->count < most ? sequence->count : most;
	sequence->alike = sequence->alike && sequence->other_count == sequence->count;
	for (long i = 0; i < sequence->other_count; i++)
		sequence->others[i] = search->depth ? i / row * period + i % row : sequence->pages[i] % period;
}

static void shuffle(long *pages, long count)
{
	long order[MOST_PAGES], kept[MOST_PAGES];

	walk_shuffle(order, count);
	for (long i = 0; i < count; i++)
		kept[i] = pages[order[i]];
	for (long i = 0; i < count; i++)
		pages[i] = kept[i];
}

/* Units become pages; then the order is one that nothing foresees. */
static void settle_order(const struct search *search, struct sequence *sequence)
{
	for (long i = 0; i < sequence->count; i++)
		sequence->pages[i] = tour_page(search->paging, sequence->pages[i]);
	for (long i = 0; i < sequence->other_count; i++)
		sequence->others[i] = tour_page(search->paging, sequence->others[i]);
	shuffle(sequence->pages, sequence->count);
	shuffle(sequence->others, sequence->other_count);
}

static void finish(const struct search *search, struct sequence *sequence)
{
	compare_with(search, sequence);
	settle_order(search, sequence);
}

static bool are_held(struct search *search, const struct sequence *sequence, double allowed)
{
	int due = search->lab->timer->noise == NOISE_QUIET ? 1 : 2, held = 0, looks = LOOKS[search->lab->timer->noise];
	double least = INFINITY;

	for (int i = 0; i < looks && held < due && !timer_over(search->lab->timer); i++) {
		double more = tour_difference(search->lab, search->paging, sequence->pages, sequence->count,
					      sequence->others, sequence->other_count);

		held += more < allowed;
		least = fmin(least, more);
		search->lost = search->lost || isnan(more);
		if (search->lost)
			return false;
	}
	if (held < due && search->depth && !sequence->alike)
		search->vague = search->vague || least < LEAK * search->paging->tlb[search->depth - 1].penalty;
	return held == due;
}

/* Units at n places and beside each; `places` says which multiples of the stride they are; NULL: the first ones. */
static void lay_out(const struct search *search, long stride, long n, const long *places, long width, long *pages)
{
	const struct paging beside = { .group = (double)search->apart };

	for (long i = 0; i < n * width; i++)
		pages[i] = (places ? places[i / width] : place_of(search, stride, n, i / width)) * stride +
			   tour_page(&beside, i % width);
}

static bool held_at(struct search *search, long stride, long n, const long *places)
{
	long width = around_each(search, stride, n);
	struct sequence sequence = { .count = n * width };
	bool held;

	if (sequence.count == 1)
		return true;
	if (sequence.count > MOST_PAGES)
		return false;
	lay_out(search, stride, n, places, width, sequence.pages);
	finish(search, &sequence);
	held = are_held(search, &sequence, LESS_THAN_A_MISS * search->paging->tlb[search->depth].penalty / (double)n);
	lab_note(search->lab, held ? "held, pages by stride" : "not held, pages by stride", (double)stride, (double)n,
		 "");
	return held;
}

bool held_no_more(struct search *search, long stride, long n)
{
	long width = around_each(search, stride, n + 1);
	struct sequence sequence = { .count = (n + 1) * width, .other_count = n * width };
	double more = INFINITY;

	if (sequence.count > MOST_PAGES)
		return false;
	lay_out(search, stride, n + 1, NULL, width, sequence.pages);
	lay_out(search, stride, n, NULL, width, sequence.others);
	settle_order(search, &sequence);
	for (int i = 0; i < LOOKS[search->lab->timer->noise] && !timer_over(search->lab->timer); i++)
		more = fmin(more, tour_difference(search->lab, search->paging, sequence.pages, sequence.count,
						  sequence.others, sequence.other_count));
	lab_note(search->lab, "cycles that one page more takes", (double)n, more, "");
	/* Without a walk that ran it is not known. */
	return isfinite(more) && more > LESS_THAN_A_MISS * search->paging->tlb[search->depth].penalty / (double)(n + 1);
}

bool held_compact(struct search *search, long stride, long n)
{
	return held_at(search, stride, n, NULL);
}

bool held_these(struct search *search, const long *pages, const long *others, long count, double allowed)
{
	struct sequence sequence = { .count = count, .other_count = count, .alike = true };

	memcpy(sequence.pages, pages, (size_t)count * sizeof(*pages));
	memcpy(sequence.others, others, (size_t)count * sizeof(*others));
	return are_held(search, &sequence, allowed);
}

bool held_beside(struct search *search, long stride, long n, long neighbour)
{
	struct sequence sequence = { .count = n };
	bool held;

	for (long i = 0; i < n; i++)
		sequence.pages[i] = i * stride;
	finish(search, &sequence);
	sequence.pages[sequence.count++] = neighbour;
	sequence.others[sequence.other_count++] = 0;
	held = are_held(search, &sequence, LESS_THAN_A_MISS * search->paging->tlb[0].penalty / (double)(n + 1));
	lab_note(search->lab, held ? "held, with a neighbour" : "not held, with a neighbour", (double)neighbour,
		 (double)n, "");
	return held;
}

/* Any n of more, but in the sets of the TLB above as the first n are: one that holds a page alone would hide it. */
static void pick(const struct search *search, long *places, long n, long more, long stride)
{
	long order[MOST_PICKED], period = search->depth ? period_above(search) : 1;

	walk_shuffle(order, more);
	for (long i = 0; i < n; i++) {
		long at = 0;

		while (order[at] < 0 || (order[at] - place_of(search, stride, n, i)) * stride % period != 0)
			at++;
		places[i] = order[at];
		order[at] = -1;
	}
}

bool held_anywhere(struct search *search, long stride, long n, long seed)
{
	long order[MOST_PAGES], span = 0;
	bool held = false;

	for (long i = 0; i < n; i++)
		span = place_of(search, stride, n, i) < span ? span : place_of(search, stride, n, i) + 1;
	if (AMONG * span * stride > MOST_REACH || AMONG * span + seed > MOST_PICKED || n >= MOST_PAGES)
		return held_compact(search, stride, n);
	pick(search, order, n, AMONG * span + seed, stride);
	/* What others take away they do not take each time. */
	for (int i = 0; i < (search->lab->timer->noise == NOISE_QUIET ? 1 : AGAIN) && !held; i++)
		held = held_at(search, stride, n, order);
	return held;
}

long held_longest(struct search *search, long stride)
{
	long fits = 1, over = 2;

	while (held_compact(search, stride, over)) {
		fits = over;
		over *= 2;
		if (over * around_each(search, stride, over) > MOST_PAGES)
			return 0;
	}
	while (over - fits > 1) {
		long middle = (fits + over) / 2;

		if (held_compact(search, stride, middle))
			fits = middle;
		else
			over = middle;
	}
	return fits;
}
