/* SPDX-License-Identifier: MIT */
/*
 * counter.h - what the micro-benchmarks that read counters share; a part of micro.h
 */
#ifndef XRAY_MICRO_COUNTER_H
#define XRAY_MICRO_COUNTER_H

#include "../common/common.h"
#include "../counters/counters.h"

struct subject;

/* --- counter.c: caches of which misses may be counted: l1d, l2, last, l1i; of data alone; and TLBs: l1d, l1i. */
bool counter_cache_instance(int index, struct subject *subject);
bool counter_data_instance(int index, struct subject *subject);
bool counter_tlb_instance(int index, struct subject *subject);
bool counter_data_tlb_instance(int index, struct subject *subject);
/* The event that tells of it; WALK_NO_EVENT, and the finding settled, when no counter of it is to be trusted. */
enum walk_event counter_of_cache(struct lab *lab, const struct subject *subject);
enum walk_event counter_of_tlb(struct lab *lab, const struct subject *subject);
/* Settles the finding: what most votes say, times so much, and whether times say so, too. */
void counter_told(struct lab *lab, const struct voted *voted, double times);
/* Whether times say so, too, of a finding that is settled. */
void counter_compare(struct lab *lab);

#endif
