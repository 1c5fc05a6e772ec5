/* SPDX-License-Identifier: MIT */
/*
 * cache.h - what the micro-benchmarks of caches share
 */
#ifndef XRAY_MICRO_CACHE_H
#define XRAY_MICRO_CACHE_H

#include "../engine/hierarchy.h"
#include "micro.h"

/* The instances of a family over levels: l1d, l2, ... */
bool cache_instance(int index, struct subject *subject);

/* The hierarchy; NULL, and the finding settled, when it could not be walked. */
const struct hierarchy *explored(struct lab *lab);

/* The subject's level; NULL, and the finding settled, when there is none. */
const struct level *cache_level(struct lab *lab, const struct subject *subject);

#endif
