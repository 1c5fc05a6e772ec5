/* SPDX-License-Identifier: MIT */
/*
 * survey.c - random references to more and more pages, and the TLBs that explain what they cost
 *
 * The law of caches holds for TLBs, too: references drawn uniformly from N pages find the translation with E/N when a
 * TLB has E entries, whatever its policy.
 */
#include <math.h>
#include <stdio.h>

#include "pages.h"

enum { TOURS = 4, TRIES = 48, CORNERS = 20, SHOWN = 2 /* points */ };

static const double LEAST[] = { [NOISE_QUIET] = 0.12, [NOISE_NOISY] = 0.3, [NOISE_HOSTILE] = 0.5 }; /* of a load */
static const double SHALLOW = 0.3; /* of that: such a bend is no TLB */
static const double BYTES = 4096; /* of a page, in the fit: any number will do */
static const double ONE = 1.5; /* times: terms nearer than this are one TLB */
static const double CLOSE = 2.6; /* times: TLBs nearer than this are none, but one that fills in a strange way */
static const double AROUND = 3, FITS = 0.7; /* times the entries: more lines would not fit the nearest cache */
static const double BEFORE_TABLES = 0.6; /* of the pages from which on tables leave a cache: soft bends begin early */
static const double CROWDED = 0.1; /* of the entries: as many too many the law sees in a bend that tables make soft */
static const double LEAST_BEFORE = 1.1; /* times the entries: walks over fewer pages do not tell what a miss costs */
static const double TELLS = 1.5; /* times the entries: walks over so many pages tell of a TLB */
static const double BESIDE_TABLES = 0.35; /* of what a cache has of them: places take as many lines of it, too */
static const double AS_GOOD_AS_NONE = 1.2; /* times the entries: so few pages show little of what a miss costs */
static const double AS_DRAWN = 0.12, FAR_AS_DRAWN = 0.3; /* of a penalty: so much more or less is another one */
static const double LEAST_ERROR = 0.3, SURE = 0.02, UNSURE = 0.1; /* cycles; of a penalty */
static const double FINER = 1.03; /* times: between corners that are tried */
static const double CLEARER = 3; /* times the mean square: corners explain the times better than bends do */
static const double BENT = 8; /* mean square of what the law leaves, in errors */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.04, [NOISE_HOSTILE] = 0.15 };
/* Of the entries of a further TLB: whoever uses the core's other half has pages there that he goes back to sooner than
 * we do to ours. An Emerald Rapids left 1780 of 2048, as sharply as if there were no more. */
static const double TAKEN[] = { [NOISE_QUIET] = 0, [NOISE_NOISY] = 0.2, [NOISE_HOSTILE] = 0.2 };

static void add_tlb(struct paging *paging, double entries, double low, double high, double penalty)
{
	if (paging->levels < PAGING_LEVELS)
		paging->tlb[paging->levels++] =
			(struct tlb){ .entries = entries, .low = low, .high = high, .penalty = penalty };
}

/* Cycles a step over n pages that the TLBs found so far add by the law. */
static double known_cost(const struct paging *paging, double n)
{
	double cycles = 0;

	for (int i = 0; i < paging->levels; i++)
		cycles += paging->tlb[i].penalty * fmax(0, 1 - paging->tlb[i].entries / n);
	return cycles;
}

/* Pages in a row fill sets evenly, and make corners, unless the index is hashed. */
static struct terms explain(const struct paging *paging, const struct curve_point *points, int count, double least)
{
	double nearest = paging->chase + known_cost(paging, INFINITY);
	struct terms terms = terms_fit(points, count, nearest, least, 1),
		     sharp = terms_fit_sharp(points, count, nearest, least);

	return terms.misfit > fmax(1, CLEARER * sharp.misfit) ? sharp : terms;
}

/* Where page tables leave a cache nearer ones are behind: what comes from there on is no TLB. */
static void cut_tables(struct lab *lab, struct paging *paging, struct terms *terms)
{
	for (int i = 0; i < terms->count; i++) {
		double entries = terms->term[i].reach / BYTES,
		       before = i                ? terms->term[i - 1].reach / BYTES
				: paging->levels ? paging->tlb[paging->levels - 1].entries
						 : INFINITY;

		if (tables_explain(lab, paging, entries, terms->term[i].height, before)) {
			lab_note(lab, "page tables leave a cache, cycles", entries, terms->term[i].height, "");
			paging->tables = entries;
			terms->count = i;
		}
	}
}

/* What tables cost that leave a cache may be too little for a TLB beside what a walk costs anyway, and bend the law. */
static void cut_shallow(struct lab *lab, struct paging *paging, const struct curve_point *points, int count,
			struct terms *terms)
{
	if (isinf(paging->tables) && terms->misfit > BENT) {
		struct terms finer = explain(paging, points, count, SHALLOW * LEAST[lab->timer->noise]);

		cut_tables(lab, paging, &finer);
		if (!isinf(paging->tables))
			*terms = finer;
	}
}

/* One bend may be the last TLB's and that of tables not far behind it. Two corners explain it better then. */
static void split_last(struct lab *lab, struct paging *paging, const struct curve_point *points, int count,
		       struct terms *terms)
{
	const struct term last = terms->count ? terms->term[terms->count - 1] : (struct term){ .reach = 0 };
	struct terms best = *terms;

	if (!isinf(paging->tables) || last.reach <= 0 || terms->count == TERMS_MOST)
		return;
	for (int i = 0; i < CORNERS * CORNERS; i++) {
		int nearer = i / CORNERS, further = i % CORNERS;
		struct terms tried = *terms;

		tried.term[tried.count - 1] = (struct term){ last.reach * pow(FINER, -nearer), INFINITY, 0, 1 };
		tried.term[tried.count++] = (struct term){ last.reach * pow(FINER, 2 * further + 1), INFINITY, 0, 1 };
		tried.misfit = terms_heights(points, count, &tried);
		best = tried.misfit < best.misfit ? tried : best;
	}
	if (best.count == terms->count || best.misfit > terms->misfit / CLEARER ||
	    !tables_explain(lab, paging, best.term[best.count - 1].reach / BYTES, best.term[best.count - 1].height,
			    best.term[best.count - 2].reach / BYTES))
		return;
	paging->tables = best.term[--best.count].reach / BYTES;
	lab_note(lab, "page tables leave a cache, cycles", paging->tables, best.term[best.count].height, "");
	*terms = best;
}

/* Once more over fewer pages than whose tables leave a cache, as far as that tells of the TLBs, or of what they cost:
 * tables may leave several caches, one soon after the other, and the law of one bends what is before it. */
static int explain_before(struct lab *lab, const struct paging *paging, const struct curve_point *points, int count,
			  struct terms *terms)
{
	double end = BEFORE_TABLES * paging->tables * BYTES,
	       last = terms->count ? terms->term[terms->count - 1].reach : 0;
	int before = 0;

	while (before < count && points[before].bytes < end)
		before++;
	if (before == count)
		return count;
	if (end >= TELLS * last)
		*terms = explain(paging, points, before, LEAST[lab->timer->noise]);
	else if (before >= SHOWN && points[before - SHOWN].bytes > last)
		terms_heights(points, before, terms);
	else
		return count;
	return before;
}

/* TLBs with more entries than `from`, up to `to`, that some of the points show. What those found before add is taken
 * off: over many lines it is not told as well again. */
static void gather(struct lab *lab, struct paging *paging, int index, int count, double from, double to)
{
	struct curve_point points[PAGING_POINTS];
	struct terms terms;

	/* Terms reach so many bytes. */
	for (int i = 0; i < count; i++) {
		points[i] = paging->points[index + i];
		points[i].time -= known_cost(paging, points[i].bytes);
		points[i].bytes *= BYTES;
	}
	terms = explain(paging, points, count, LEAST[lab->timer->noise]);
	for (int i = 0; i < terms.count; i++)
		lab_note(lab, "TLB of entries, cycles", terms.term[i].reach / BYTES, terms.term[i].height, "");

	cut_tables(lab, paging, &terms);
	cut_shallow(lab, paging, points, count, &terms);
	split_last(lab, paging, points, count, &terms);
	count = explain_before(lab, paging, points, count, &terms);
	paging->misfit = fmax(paging->misfit, terms.misfit);
	for (int i = 0; i < terms.count;) {
		double first = terms.term[i].reach, height = 0, weighted = 0, low = INFINITY, high = 0, ends[2];

		for (; i < terms.count && terms.term[i].reach < ONE * first; i++) {
			terms_range(points, count, &terms, i, &ends[0], &ends[1]);
			low = fmin(low, ends[0]);
			high = fmax(high, ends[1]);
			height += terms.term[i].height;
			weighted += terms.term[i].height * terms.term[i].reach;
		}
		weighted /= height * BYTES;
		if (weighted <= from || weighted > to)
			continue;
		paging->bent =
			paging->bent || (paging->levels && weighted < CLOSE * paging->tlb[paging->levels - 1].entries);
		add_tlb(paging, weighted, low / BYTES * (1 - LAW[lab->timer->noise]),
			high / BYTES * (1 + LAW[lab->timer->noise] + (paging->levels ? TAKEN[lab->timer->noise] : 0)),
			height);
	}
}

static void find_tlbs(struct lab *lab, struct paging *paging)
{
	double last = pages_last_near(lab, paging);
	int near = paging->near;

	paging->levels = 0;
	paging->tables = INFINITY;
	if (near)
		gather(lab, paging, 0, near, 0, last);
	gather(lab, paging, near, paging->count - near,
	       paging->levels ? ONE * paging->tlb[paging->levels - 1].entries : last / ONE, INFINITY);
}

/* The mean square that walks over up to `most` pages leave of the law of two TLBs; INFINITY where the nearer one would
 * cost less than `least`. */
static double left_of_two(const struct paging *paging, double most, double entries, double further, double least)
{
	struct curve_point points[PAGING_POINTS];
	struct terms terms = { .term = { { entries * BYTES, INFINITY, 0, 1 }, { further * BYTES, INFINITY, 0, 1 } },
			       .count = 2 };
	int count = 0;
	double left;

	while (count < (paging->near ? paging->near : paging->count) && paging->points[count].bytes < most) {
		points[count] = paging->points[count];
		points[count++].bytes *= BYTES;
	}
	left = terms_heights(points, count, &terms);
	return terms.term[0].height < least ? INFINITY : left;
}

bool pages_allow_for(const struct lab *lab, const struct paging *paging, double entries)
{
	double most = paging->levels > 1 ? FITS * paging->tlb[1].entries : INFINITY, left = INFINITY;

	for (int i = 1; i <= TRIES; i++)
		left = fmin(left, left_of_two(paging, most, entries, entries * pow(CLOSE, (double)i / TRIES),
					      LEAST[lab->timer->noise] * paging->chase));
	return left < fmax(1, paging->misfit);
}

double pages_penalty_more(const struct tlb *tlb, double last)
{
	if (tlb->high >= last)
		return INFINITY;
	return tlb->penalty * ((last - tlb->entries) / (last - tlb->high) - 1);
}

/* Cycles more round so many pages than round those that the TLB holds; NAN where there is no telling. */
static double round_pages(struct lab *lab, const struct paging *paging, int depth, double count)
{
	double entries = paging->tlb[depth].entries, cycles = NAN;
	long few = (long)((depth ? FITS * entries : (double)tour_few(paging)) / PAGES_FEWEST) * PAGES_FEWEST;
	/* On frames of their own more pages are more lines than the nearest cache has. */
	bool fits = walk_frames(paging->pages) || count <= PAGES_FEW_LINES;

	for (int i = 0; i < TOURS && fits && count > AS_GOOD_AS_NONE * entries; i++)
		cycles = fmin(cycles, tour_rows(lab, paging, (long)(count / PAGES_FEWEST) * PAGES_FEWEST, few));
	lab_note(lab, "cycles more, round pages", count, cycles, "");
	return cycles;
}

/* What a load takes that waits for a load, and nothing else, round more pages than the TLB has; those that the TLB
 * above lacks are compared with others that it lacks, too. Where the law's references take much more or less, it is
 * drawing them that suffers (Zen 4: 12 cycles for 7). */
static void correct_penalty(struct lab *lab, struct paging *paging, int depth)
{
	struct tlb *tlb = &paging->tlb[depth];
	double room = depth + 1 < paging->levels ? FITS * tlb[1].entries
						 : fmin(BESIDE_TABLES * paging->tables, pages_most(lab, paging));
	double count = fmin(AROUND * tlb->entries, room), further = fmin(AROUND * count, room);
	bool quiet = lab->timer->noise == NOISE_QUIET;
	/* Round not many more than it has, some policies keep as much of them as there is room for. */
	double kept = fmax(0, tlb->entries / count - 1 / AROUND), less = (depth ? FAR_AS_DRAWN : AS_DRAWN) + kept;
	double penalty = round_pages(lab, paging, depth, count), part;

	/* Others always keep some, and of more pages no more. */
	if (penalty < (1 - less) * tlb->penalty && further > TELLS * count)
		penalty = (round_pages(lab, paging, depth, further) * further - penalty * count) / (further - count);
	part = penalty / tlb->penalty;
	/* The next one may let in what comes again soon alone: then it lacks what comes round, too. */
	if (depth + 1 < paging->levels && part > 1 && penalty - tlb->penalty < (1 + UNSURE) * tlb[1].penalty)
		part = 1;
	/* Beside others the lesser of two is nearer to the truth. */
	if (part > 0 && (part > 1 + less - kept || part < 1 - less || (!quiet && part < 1 && kept < SURE)))
		tlb->penalty = penalty;
	tlb->error =
		fmax((!quiet || depth || paging->group > paging->sharing ? UNSURE : SURE) * tlb->penalty, LEAST_ERROR);
	/* Walks that miss it have some of the tables to fetch from farther away. */
	if (depth + 1 == paging->levels &&
	    (BEFORE_TABLES * paging->tables < LEAST_BEFORE * tlb->entries || tables_crowd(lab, paging, tlb->entries))) {
		tlb->error = tlb->penalty;
		tlb->low *= 1 - CROWDED;
	}
	if (isnan(penalty))
		tlb->error = fmax(tlb->error, pages_penalty_more(tlb, paging->points[paging->count - 1].bytes));
}

bool pages_survey(struct lab *lab, struct paging *paging)
{
	if (!pages_points(lab, paging)) {
		paging->status = MACHINE_BLOCKED;
		snprintf(paging->why, sizeof(paging->why), "walks over %.0f pages do not run",
			 paging->points[paging->count ? paging->count - 1 : 0].bytes);
		return false;
	}
	paging->status = MACHINE_RAN;
	paging->misfit = 0;
	paging->bent = false;
	find_tlbs(lab, paging);
	paging->bent = paging->bent || paging->misfit > BENT;
	for (int i = 0; i < paging->levels; i++)
		correct_penalty(lab, paging, i);
	return true;
}
