/* SPDX-License-Identifier: MIT */
/*
 * sim.h - the simulated machine: a peer of the real one behind the same seam
 */
#ifndef XRAY_SIM_H
#define XRAY_SIM_H

#include "../machine/machine.h"

/* A simulated machine from a description (docs/machine-file.md). "FILE?noise=cloud" replaces the file's noise preset.
 * NULL and "file:line: ..." on a bad file. seed < 0 takes the file's own. */
struct machine *sim_open(const char *path, long seed, char *error, size_t size);

#endif
