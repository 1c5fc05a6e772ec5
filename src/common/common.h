/* SPDX-License-Identifier: MIT */
/*
 * common.h - what CPUs have in common: caches, memory, and blocks that go from one to another
 */
#ifndef XRAY_COMMON_H
#define XRAY_COMMON_H

#include "../teams/teams.h"
#include "sharing.h"

#define COMMON_UNSTABLE "unstable: CPUs are not where they were before"

/* --- bandwidth.c: bytes/s between CPUs of which pairs are on all levels of the tree, in blocks of so many bytes. NULL,
 * and the finding settled, when that cannot be measured. */
struct matrix *common_bandwidth(struct lab *lab, double *bytes);

/* --- footprints.c: which CPUs share a cache of the hierarchy's level. False, and the finding settled, when that cannot
 * be told. The caller frees sharing->group either way. */
bool common_caches(struct lab *lab, int depth, struct sharing *sharing);

/* --- memories.c: nodes of memory, for a machine whose hierarchy is known; NULL, and the finding settled, when they
 * cannot be told. */
const struct nodes *common_nodes(struct lab *lab);

#endif
