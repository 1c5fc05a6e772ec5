/* SPDX-License-Identifier: MIT */
/*
 * survey.c - random references to more and more pages, and the TLBs that explain what they cost
 *
 * The law of caches holds for TLBs, too: references drawn uniformly from N pages find the translation with E/N when a
 * TLB has E entries, whatever its policy. The lines they touch are as many for every N, so that caches add the same to
 * all times; where pages may share frames without harm, they all stay in the nearest one.
 */
#include <math.h>
#include <stdio.h>

#include "pages.h"

enum {
	LINE = 64,
	FEW_LINES = 256, /* the nearest cache holds as many */
	MANY_LINES = 4096, /* and of so many next to nothing */
	LINES_OF_EACH = 16, /* of four frames */
	FEWEST = 4, /* pages: one on each frame */
	PER_OCTAVE = 4, /* points; more beyond the nearest TLB */
	FAR_PER_OCTAVE = 6,
	STEPS = ENGINE_WALK_STEPS / MACHINE_BURST,
	NOISY_ROUNDS = 5,
	HOSTILE_ROUNDS = 6,
	QUIET_ROUNDS = 2,
	TOURS = 4,
	TRIES = 30 /* until the tick beside a walk was not held up */
};

static const double MOST_MEMORY = 1 << 29; /* bytes: more takes long to come by */
static const double MOST = 16384, MOST_NEAR = 440, FIRST_FAR = 64; /* pages */
static const double ERROR_FLOOR = 0.003, FAR_FLOOR = 0.015; /* of a time; over lines that the nearest cache lacks */
static const double LEAST[] = { [NOISE_QUIET] = 0.12, [NOISE_NOISY] = 0.3, [NOISE_HOSTILE] = 0.5 }; /* of a load */
static const double AS_MANY = 0.96;
static const double QUICKER[] = { [NOISE_NOISY] = 0.25, [NOISE_HOSTILE] = 0.1 }; /* quantile: what others do adds */
static const double BYTES = 4096; /* of a page, in the fit: any number will do */
static const double ONE = 1.5; /* times: terms nearer than this are one TLB */
static const double CLOSE = 2.6; /* times: TLBs nearer than this are none, but one that fills in a strange way */
static const double AROUND = 3, FITS = 0.7; /* times the entries: more lines would not fit the nearest cache */
static const double AS_DRAWN = 0.12, FAR_AS_DRAWN = 0.3; /* of a penalty: so much more or less is another one */
static const double LEAST_ERROR = 0.3, SURE = 0.02, UNSURE = 0.1; /* cycles; of a penalty */
static const double BENT = 8; /* mean square of what the law leaves, in errors */
static const double LAST_NEAR = 200; /* pages: of the walks over few lines more is not told */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.04, [NOISE_HOSTILE] = 0.15 };

/* n pages, and in each as many lines as make `lines` in all, or down to half as many: a power of two, so that they use
 * all sets of a cache alike. Each page's lie behind those of the page before, or all would compete for the same few. On
 * four frames the same few lines serve any number of pages. */
static struct walk pages_walk(const struct paging *paging, enum walk_pages pages, double n, double lines)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = pages };
	long each = 1;

	while (2 * (double)each * n <= lines && 2 * each * LINE <= (long)paging->page)
		each *= 2;
	walk.grid.stride[0] = (uint64_t)(paging->page * paging->group) + (uint64_t)(each * LINE);
	if (pages == WALK_ON_4_FRAMES) {
		each = LINES_OF_EACH;
		walk.grid.stride[0] = (uint64_t)(paging->page * paging->group);
	}
	walk.grid.count[0] = (long)n;
	walk.grid.stride[1] = LINE;
	walk.grid.count[1] = each;
	return walk;
}

static double look(struct lab *lab, const struct walk *walk)
{
	double time = NAN;

	for (int i = 0; i < TRIES && isnan(time) && !timer_over(lab->timer); i++) {
		struct stroll stroll = timing_walk(lab->timer, walk, STEPS);

		if (stroll.status != MACHINE_RAN)
			return NAN;
		time = stroll.ticks / lab->cycle;
	}
	lab->finding.samples += MACHINE_BURST;
	return time;
}

/* In whole rounds of the frames, or some would be touched more often than others. */
static void plan_points(struct paging *paging, double from, double to)
{
	double n = from, last = 0;

	while (n <= to && paging->count < PAGING_POINTS) {
		double pages = round(n / FEWEST) * FEWEST;

		if (pages > last)
			paging->points[paging->count++].bytes = pages;
		last = pages;
		n *= exp2(1.0 / (n < MOST_NEAR ? PER_OCTAVE : FAR_PER_OCTAVE));
	}
}

/* As many pages as make sense, and as there is memory for. */
static double most_pages(const struct lab *lab, const struct paging *paging)
{
	double memory = fmin((double)lab->timer->machine->memory, MOST_MEMORY);

	return walk_frames(paging->pages) ? MOST : fmin(MANY_LINES, memory / (paging->page + FEW_LINES * LINE));
}

static void plan(const struct lab *lab, struct paging *paging)
{
	bool few = paging->pages == WALK_ON_4_FRAMES;
	double most = most_pages(lab, paging);

	paging->count = 0;
	if (!few)
		plan_points(paging, FEWEST, fmin(MOST_NEAR, most));
	paging->near = paging->count;
	if (few || most > MOST_NEAR)
		plan_points(paging, few ? FEWEST : FIRST_FAR, most);
}

static double lines_of(const struct paging *paging, int index)
{
	return index < paging->near || paging->pages == WALK_ON_4_FRAMES ? FEW_LINES : MANY_LINES;
}

/* What fewer lines than at other points save shows where they fill few pages. */
static double look_at(struct lab *lab, const struct paging *paging, int index)
{
	double wanted = lines_of(paging, index), full = paging->page / LINE;
	struct walk walk = pages_walk(paging, paging->pages, paging->points[index].bytes, wanted), fewer, all;
	double lines = (double)(walk.grid.count[0] * walk.grid.count[1]), time = look(lab, &walk);

	if (wanted < MANY_LINES || lines > AS_MANY * wanted)
		return time;
	fewer = pages_walk(paging, paging->pages, round(lines / full), round(lines / full) * full);
	all = pages_walk(paging, paging->pages, wanted / full, wanted);
	return time + look(lab, &all) - look(lab, &fewer);
}

/* The rounds lie outside, so that what changes slowly spreads over all points. */
static bool take_walks(struct lab *lab, struct paging *paging)
{
	static const int rounds_by[] = {
		[NOISE_QUIET] = QUIET_ROUNDS, [NOISE_NOISY] = NOISY_ROUNDS, [NOISE_HOSTILE] = HOSTILE_ROUNDS
	};
	double times[PAGING_POINTS][HOSTILE_ROUNDS];
	bool quiet = lab->timer->noise == NOISE_QUIET;
	int rounds = lab->brief                                   ? QUIET_ROUNDS
		     : quiet && paging->pages != WALK_ON_4_FRAMES ? NOISY_ROUNDS
								  : rounds_by[lab->timer->noise];

	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < paging->count; i++) {
			times[i][round] = look_at(lab, paging, i);
			if (isnan(times[i][round]))
				return false;
		}
	for (int i = 0; i < paging->count; i++) {
		struct curve_point *point = &paging->points[i];
		double least = stat_quantile(times[i], rounds, 0);
		bool near = i < paging->near || paging->pages == WALK_ON_4_FRAMES;

		point->time = quiet ? stat_median(times[i], rounds)
				    : stat_quantile(times[i], rounds, QUICKER[lab->timer->noise]);
		point->error = fmax((near ? ERROR_FLOOR : FAR_FLOOR) * point->time,
				    (stat_median(times[i], rounds) - least) / 2);
		lab_note(lab, i < paging->near ? "cycles by pages, few lines" : "cycles by pages", point->bytes,
			 point->time, "");
	}
	return true;
}

static void add_tlb(struct paging *paging, double entries, double low, double high, double penalty)
{
	if (paging->levels < PAGING_LEVELS)
		paging->tlb[paging->levels++] =
			(struct tlb){ .entries = entries, .low = low, .high = high, .penalty = penalty };
}

/* TLBs with more entries than `from`, up to `to`, that some of the points show. */
static void gather(struct lab *lab, struct paging *paging, int index, int count, double from, double to)
{
	struct curve_point points[PAGING_POINTS];
	struct terms terms;

	/* Terms reach so many bytes. */
	for (int i = 0; i < count; i++) {
		points[i] = paging->points[index + i];
		points[i].bytes *= BYTES;
	}
	terms = terms_fit(points, count, paging->chase, LEAST[lab->timer->noise], 1);
	for (int i = 0; i < terms.count; i++)
		lab_note(lab, "TLB of entries, cycles", terms.term[i].reach / BYTES, terms.term[i].height, "");

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
			high / BYTES * (1 + LAW[lab->timer->noise]), height);
	}
}

static void find_tlbs(struct lab *lab, struct paging *paging)
{
	int near = paging->near;

	paging->levels = 0;
	if (near)
		gather(lab, paging, 0, near, 0, LAST_NEAR);
	gather(lab, paging, near, paging->count - near,
	       paging->levels ? ONE * paging->tlb[paging->levels - 1].entries
	       : near         ? LAST_NEAR / ONE
			      : 0,
	       INFINITY);
}

/* What a load takes that waits for a load, and nothing else, round more pages than the TLB has; those that the TLB
 * above lacks are compared with others that it lacks, too. Where the law's references take much more or less, it is
 * drawing them that suffers (Zen 4: 12 cycles for 7). */
static void correct_penalty(struct lab *lab, struct paging *paging, int depth)
{
	struct tlb *tlb = &paging->tlb[depth];
	double room = depth + 1 < paging->levels ? FITS * tlb[1].entries : most_pages(lab, paging);
	double count = fmin(AROUND * tlb->entries, room), few = depth ? FITS * tlb->entries : FEWEST;
	bool quiet = lab->timer->noise == NOISE_QUIET;
	double penalty = NAN;

	/* On frames of their own more pages are more lines than the nearest cache has. */
	for (int i = 0; i < TOURS && (walk_frames(paging->pages) || count <= FEW_LINES); i++)
		penalty = fmin(penalty,
			       tour_rows(lab, paging, (long)(count / FEWEST) * FEWEST, (long)(few / FEWEST) * FEWEST));
	lab_note(lab, "cycles more, round pages", count, penalty, "");
	/* Beside others the lesser of two is nearer to the truth. */
	if (penalty > 0 && (fabs(penalty / tlb->penalty - 1) > (depth ? FAR_AS_DRAWN : AS_DRAWN) ||
			    (!quiet && penalty < tlb->penalty)))
		tlb->penalty = penalty;
	tlb->error =
		fmax((!quiet || depth || paging->group > paging->sharing ? UNSURE : SURE) * tlb->penalty, LEAST_ERROR);
}

double pages_look(struct lab *lab, const struct paging *paging, enum walk_pages pages, double n)
{
	struct walk walk = pages_walk(paging, pages, n, FEW_LINES);

	return look(lab, &walk);
}

bool pages_survey(struct lab *lab, struct paging *paging)
{
	plan(lab, paging);
	if (!take_walks(lab, paging)) {
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
