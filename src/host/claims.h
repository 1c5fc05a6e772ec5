/* SPDX-License-Identifier: MIT */
/*
 * claims.h - what the kernel says about caches and pages; private to host/
 */
#ifndef XRAY_HOST_CLAIMS_H
#define XRAY_HOST_CLAIMS_H

#include <stdbool.h>

/* cache.levels, cache.LEVEL.PROPERTY or line.constructive. */
bool claim_of_cache(const char *parameter, double *value);
/* numa.nodes. */
bool claim_of_nodes(const char *parameter, double *value);
/* page.size, page.huge or page.promotion. */
bool claim_of_pages(const char *parameter, double *value, const char **source);

#endif
