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
static inline uint64_t sim_random_mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline uint64_t sim_random_rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static inline void sim_random_seed(struct sim_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = sim_random_mix(&seed);
}

/* xoshiro256** of Blackman and Vigna. */
static inline uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t *s = random->state, result = sim_random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = sim_random_rotate(s[3], 45);
	return result;
}

/* 0 <= x < 1 */
static inline double sim_random_unit(struct sim_random *random)
{
	return (double)(sim_random_next(random) >> 11) * 0x1p-53;
}

#endif
