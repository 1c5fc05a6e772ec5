/* SPDX-License-Identifier: MIT */
/*
 * pages.h - translation as walks see it: the size of a page, and the TLBs that know some of them
 */
#ifndef XRAY_PAGES_PAGES_H
#define XRAY_PAGES_PAGES_H

#include <math.h>

#include "../curve/terms.h"
#include "../engine/engine.h"

enum { PAGING_LEVELS = 4, PAGING_POINTS = 96 };

/* What two touches a power of two apart tell: up to a page they share a translation. */
struct page_size {
	double bytes; /* 0: nothing was seen */
	int trial; /* that showed it: another kind of memory can be seen by the same */
	char why[160]; /* when nothing was */
};

/* One TLB. */
struct tlb {
	double entries, low, high; /* by the law */
	double penalty, error; /* cycles that a page costs which it lacks, and the next one has */
	struct tlb_sets {
		bool tried, found;
		bool scattered; /* no stride that there is memory for leads to them */
		bool hashed; /* the ways were found, and no stride that leads to the sets */
		double ways, sets;
		double low, high; /* ways, where they were not counted one by one; 0: they were */
		double neighbours; /* pages: aligned groups of so many lie in one set */
		char why[160]; /* when not found */
	} sets;
};

struct paging {
	enum machine_status status; /* of the walks */
	char why[256];
	struct page_size seen; /* by pairs of touches */
	double system; /* bytes, as the operating system hands them out */
	double page; /* bytes: what one entry of a TLB stands for when frames lie in no order */
	double sharing; /* neighbours that share an entry when their frames lie in a row; 1: none do */
	double group; /* one of so many neighbours is walked over: they lie in one set, and more of them may */
	long apart; /* and of those one in so many: 1 but where it is asked what that makes different */
	int parted; /* from this TLB on, the nearest being 1, pages of a group lie in several sets, of which one page of
		       each fills some alone; 0: none is like that */
	enum walk_pages pages; /* that the walks are taken on */
	struct curve_point points[PAGING_POINTS]; /* cycles a step, by the number of pages */
	int count, near; /* the first `near` of them over fewer lines than the rest; 0: all over as many */
	struct tlb tlb[PAGING_LEVELS];
	int levels;
	double tables; /* pages from which on page tables leave a cache; INFINITY: they do not show */
	double misfit; /* of the law: mean square of what it does not explain, in errors */
	bool bent; /* it does not explain the times */
	double chase; /* cycles a step of a chain of pointers in the nearest cache */
};

/* Of base pages. Walks once; later calls return the same, which the owner of the lab frees. Never NULL. */
struct paging *engine_paging(struct lab *lab);
/* Of huge pages, after that. Without TLBs where they are no larger, or do not show. */
struct paging *engine_huge_paging(struct lab *lab);
/* Once both are known: does a translation cover more where huge pages are asked for? */
bool paging_is_huge(const struct lab *lab);

/* Do pages, one of each `group` neighbours, fill the sets alike? Else the law sees another number of entries: when a
 * set does not hold whole groups of them, or when more are left out than lie in one set. */
bool paging_is_even(const struct tlb_sets *sets, double group);

/* Sets of the TLB `depth`; tries once. Those of the TLBs above are tried, too. */
const struct tlb_sets *engine_tlb_sets(struct lab *lab, struct paging *paging, int depth);

/* Pages until they lie on the same memory again; 0: each has its own. The system's pages share frames, and may be
 * several to the hardware. */
static inline long paging_frames(const struct paging *paging)
{
	return (long)walk_frames(paging->pages) * (long)fmax(1, paging->system / paging->page);
}

/* --- promotion.c */
struct promotion {
	enum stat_verdict larger; /* are plain pages larger than base pages? */
	double after; /* ns of use; 0: from the first touch on */
};
struct promotion engine_promotion(struct lab *lab);

/* --- size.c */
struct page_size pages_size(struct lab *lab, enum walk_pages pages);
struct page_size pages_size_by(struct lab *lab, enum walk_pages pages, int trial);

/* --- survey.c: walks over more and more pages of the kind and size that are given, and the TLBs they show. False, and
 * the status, when they do not run. */
bool pages_survey(struct lab *lab, struct paging *paging);
/* Two TLBs of about as many entries hold more between them than either does, and are one to the law. Do the walks
 * follow that of a nearest TLB of `entries`, and another not far behind it, as well as they follow what was found? */
bool pages_allow_for(const struct lab *lab, const struct paging *paging, double entries);
/* Cycles that a penalty may be more by the law: if there are more entries, walks over up to `last` pages show a smaller
 * part of it. INFINITY: they may show next to nothing. */
double pages_penalty_more(const struct tlb *tlb, double last);

/* --- points.c */
enum {
	PAGES_FEWEST = 4, /* one on each frame */
	PAGES_FEW_LINES = 256 /* the nearest cache holds as many */
};
/* Walks over more and more pages of the kind and size that are given: its points. False when they do not run. */
bool pages_points(struct lab *lab, struct paging *paging);
/* Pages up to which the walks over few lines tell of TLBs alone: the nearest cache may not hold as many lines. */
double pages_last_near(struct lab *lab, const struct paging *paging);
/* As many pages as make sense, and as there is memory for. */
double pages_most(const struct lab *lab, const struct paging *paging);
/* Cycles a step of a look at n such pages, of another kind. */
double pages_look(struct lab *lab, const struct paging *paging, enum walk_pages pages, double n);
/* The same with memory of their own, over as many lines as pages on four frames have. */
double pages_look_own(struct lab *lab, const struct paging *paging, double n);
/* The same of its own kind, over as many lines as the walks over many pages. */
double pages_look_far(struct lab *lab, const struct paging *paging, double n);
/* The same over so many neighbours of each group, as many pages in all, and a line of each. */
double pages_look_groups(struct lab *lab, const struct paging *paging, double n, long neighbours);
/* The same over few lines, with as many stores to other pages between the loads. */
double pages_look_beside_stores(struct lab *lab, const struct paging *paging, double loads, double stores);

/* --- stores.c: do stores take entries of the TLB `depth` from loads? */
enum stat_verdict engine_tlb_stores(struct lab *lab, int depth);

/* --- tables.c: is what seems to be a TLB of so many entries, behind one of `before`, that page tables leave a cache?
 * `height` is what it costs, cycles. */
bool tables_explain(struct lab *lab, const struct paging *paging, double entries, double height, double before);
/* Where one page of each group is walked over: do the tables of twice as many pages take more because of that? */
bool tables_crowd(struct lab *lab, const struct paging *paging, double entries);

/* --- neighbours.c: a TLB whose entries may stand for several neighbours looks for all of them in one set */
/* Pages that neighbours must lie apart not to compete for a set that does not hold them all; 1 where they do not. */
long neighbours_apart(struct lab *lab, const struct paging *paging);
/* The first TLB, the nearest being 1, that has room for more pages where groups of them are whole; 0: none has. */
int neighbours_part(struct lab *lab, const struct paging *paging);

/* --- tour.c: what a step round some pages takes */
/* The page that is walked over of a group of neighbours: not always the same, for the frames' sake. */
long tour_page(const struct paging *paging, long unit);
/* Pages that the nearest TLB holds for certain, and that lie on all frames, or on as many parts of them as it can hold.
 */
long tour_few(const struct paging *paging);
/* Cycles a step round `pages` takes more than one round `others`, as little as was seen. NaN when they do not run. */
double tour_difference(struct lab *lab, const struct paging *paging, const long *pages, long count, const long *others,
		       long other_count);
/* The same of `count` pages in a row, and of as many places in a few pages. */
double tour_rows(struct lab *lab, const struct paging *paging, long count, long few);

#endif
