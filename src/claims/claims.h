/* SPDX-License-Identifier: MIT */
/*
 * claims.h - what CPUID, sysfs or the kernel say about a parameter: shown beside the measured value, never used for it
 */
#ifndef XRAY_CLAIMS_H
#define XRAY_CLAIMS_H

#include <stdbool.h>

/* False: nobody says anything. */
bool claims_of(const char *parameter, double *value, const char **source);

/* --- system.c: cache.levels, cache.LEVEL.PROPERTY or line.constructive */
bool claim_of_cache(const char *parameter, double *value);
/* numa.nodes. */
bool claim_of_nodes(const char *parameter, double *value);
/* page.size, page.huge or page.promotion. */
bool claim_of_pages(const char *parameter, double *value, const char **source);

#endif
