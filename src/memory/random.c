/* SPDX-License-Identifier: MIT */
/*
 * random.c - seeded random numbers
 */
#include "random.h"

uint64_t sim_random_mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

void sim_random_seed(struct sim_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = sim_random_mix(&seed);
}

/* xoshiro256** of Blackman and Vigna. */
uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double sim_random_unit(struct sim_random *random)
{
	return (double)(sim_random_next(random) >> 11) * 0x1p-53;
}
