/* SPDX-License-Identifier: MIT */
/*
 * tlb.c - what the micro-benchmarks of translation share
 */
#include "micro.h"

static const double NEARLY = 1.5, FEW = 16;

/* Data's, then code's. */
bool tlb_instance(int index, struct subject *subject)
{
	static const struct subject subjects[] = { { .level = "l1d", .depth = 0 },
						   { .level = "l2d", .depth = 1 },
						   { .level = "l3d", .depth = 2 },
						   { .level = "l1i", .depth = 0, .code = true },
						   { .level = "l2i", .depth = 1, .code = true } };

	if (index >= (int)(sizeof(subjects) / sizeof(subjects[0])))
		return false;
	*subject = subjects[index];
	return true;
}

bool tlb_data_instance(int index, struct subject *subject)
{
	return tlb_instance(index, subject) && !subject->code;
}

static const struct paging *paged_side(struct lab *lab, bool code)
{
	const struct paging *paging;

	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return NULL;
	}
	paging = code ? engine_code_paging(lab) : engine_paging(lab);
	if (paging->status == MACHINE_RAN)
		return paging;
	lab_outcome(lab, BLOCKED, paging->why);
	return NULL;
}

const struct paging *paged(struct lab *lab)
{
	return paged_side(lab, false);
}

const struct tlb_sets *tlb_sets(struct lab *lab, const struct subject *subject)
{
	return subject->code ? engine_code_tlb_sets(lab, subject->depth)
			     : engine_tlb_sets(lab, lab->paging, subject->depth);
}

/* Beside others a step may go under: on Emerald Rapids a second TLB of 2048 entries did in one run of four. */
static bool may_be_hidden(const struct lab *lab, const struct subject *subject)
{
	return subject->code && subject->depth > 0 && lab->timer->noise != NOISE_QUIET;
}

/* Where pages have memory of their own walks go no farther than some TLBs have entries. */
static bool may_be_beyond(const struct paging *paging, const struct subject *subject)
{
	return !subject->code && !walk_frames(paging->pages);
}

const struct tlb *tlb_level(struct lab *lab, const struct subject *subject)
{
	const struct paging *paging = paged_side(lab, subject->code);

	if (!paging)
		return NULL;
	if (subject->code)
		code_paging_note(lab, paging);
	if (paging->bent)
		lab_outcome(lab, UNCLEAR, "the times of random references do not follow the law");
	if (paging->levels == 0)
		lab_outcome(lab, UNCLEAR, "no walk over many pages was slower than one over few");
	if (paging->parted && subject->depth + 1 >= paging->parted)
		lab_outcome(
			lab, UNCLEAR,
			"neighbours lie in one set of the nearest TLB, which does not hold them, and in several of a "
			"further one");
	if (subject->depth < paging->levels && !lab->settled)
		return &paging->tlb[subject->depth];
	if (may_be_hidden(lab, subject))
		lab_outcome(lab, UNCLEAR, "no such TLB was seen, but the noise may hide one");
	else if (may_be_beyond(paging, subject))
		lab_outcome(lab, UNCLEAR,
			    "pages may not share frames, and walks over others are too short for large TLBs");
	else
		lab_outcome(lab, ABSENT, "there is no such TLB");
	return NULL;
}

/* What a core shares with its other half others take entries of: beside them there may be a few more. */
void tlb_counted(struct lab *lab, const struct tlb_sets *sets, double times)
{
	double count = sets->ways * times;
	double more = lab->timer->noise == NOISE_QUIET ? 0 : floor(count / FEW);

	if (sets->low > 0)
		lab_measured(lab, count, sets->low * times, sets->high * times, sets->low < sets->high ? 0.8 : 0.95,
			     "stride law");
	else
		lab_measured(lab, count, count, count + more, more > 0 ? 0.85 : 0.99, "compact sequences");
}

/* Beside others a bend among the first few pages may be theirs; further out they matter less than what a miss costs. */
void tlb_by_law(struct lab *lab, const struct tlb *tlb, int depth)
{
	double counted = tlb->sets.ways * tlb->sets.sets;

	bool near = counted > tlb->entries / NEARLY && counted < tlb->entries * NEARLY;

	/* The nearest one's sets are counted one by one; what contradicts them is no count. */
	if (depth == 0 && (lab->timer->noise != NOISE_QUIET || (counted > 0 && !near)))
		lab_outcome(lab, UNCLEAR, tlb->sets.why);
	else if (near)
		/* Two TLBs of about as many entries hold more between them than either does. */
		lab_measured(lab, round(tlb->entries), fmin(floor(tlb->low), counted), fmax(ceil(tlb->high), counted),
			     0.7, "resident-set law");
	else
		lab_measured(lab, round(tlb->entries), floor(tlb->low), ceil(tlb->high), 0.85, "resident-set law");
}
