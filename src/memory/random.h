/* SPDX-License-Identifier: MIT */
/*
 * random.h - seeded random numbers: the same ones for the same seed, on every machine
 */
#ifndef XRAY_MEMORY_RANDOM_H
#define XRAY_MEMORY_RANDOM_H

#include <stdint.h>

struct sim_random {
	uint64_t state[4];
};

/* One step of a counter, mixed: makes seeds from seeds. */
uint64_t sim_random_mix(uint64_t *state);
void sim_random_seed(struct sim_random *random, uint64_t seed);
uint64_t sim_random_next(struct sim_random *random);
double sim_random_unit(struct sim_random *random); /* 0 <= x < 1 */

#endif
