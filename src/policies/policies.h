/* SPDX-License-Identifier: MIT */
/*
 * policies.h - which line of a set goes when one must: what a cache does, told by timing alone
 */
#ifndef XRAY_POLICIES_POLICIES_H
#define XRAY_POLICIES_POLICIES_H

#include "../pages/pages.h"
#include "../sets/hierarchy.h"
#include "inquiry.h"

struct policy {
	enum certainty certainty;
	char name[RULE_NAME]; /* the rule's, or a manner's word */
	char note[160]; /* which others would do the same; may be empty */
	char why[200]; /* where nothing is certain */
};

/* Of the level's sets, which must be known. */
struct policy engine_policy(struct lab *lab, int depth);
/* Of those of the nearest TLB. */
struct policy engine_tlb_policy(struct lab *lab, struct paging *paging);
/* Settles the finding. */
void policy_tell(struct lab *lab, const struct policy *policy);

#endif
