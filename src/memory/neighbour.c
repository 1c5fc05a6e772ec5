/* SPDX-License-Identifier: MIT */
/*
 * neighbour.c - others' lines in shared caches
 */
#include <math.h>

#include "neighbour.h"
#include "translation.h"

static const double NO_TIME = 1; /* ns that sums of times may be off */

/* What is borrowed they disturb already. */
static bool reaches(const struct sim_hierarchy *hierarchy, int level)
{
	return hierarchy->levels[level]->shared && !hierarchy->borrowed[level];
}

void sim_neighbour_start(struct sim_neighbour *neighbour, const struct description *description,
			 struct sim_hierarchy *hierarchy, uint64_t seed)
{
	double lines = 0;

	*neighbour = (struct sim_neighbour){ .description = description, .hierarchy = hierarchy };
	for (int i = 0; i < hierarchy->count; i++)
		if (reaches(hierarchy, i))
			lines = fmax(lines,
				     (double)hierarchy->levels[i]->cache.sets * hierarchy->levels[i]->cache.ways);
	neighbour->most = 8 * lines;
	neighbour->present = lines > 0 && description->noise[NOISE_NEIGHBOUR_RATE] > 0;
	sim_random_seed(&neighbour->random, seed);
}

static void intrude(struct sim_neighbour *neighbour)
{
	uint64_t address =
		SIM_FOREIGN / 2 + (sim_random_next(&neighbour->random) >> 32) * (SIM_FOREIGN / 2 - 1) / UINT32_MAX;

	for (int i = 0; i < neighbour->hierarchy->count; i++)
		if (reaches(neighbour->hierarchy, i))
			sim_hierarchy_intrude(neighbour->hierarchy, address, i);
}

void sim_neighbour_work(struct sim_neighbour *neighbour, double from, double ns)
{
	const double *noise = neighbour->description->noise;
	double end;

	if (!neighbour->present)
		return;
	end = from + ns;
	if (fabs(from - neighbour->seen) > NO_TIME)
		ns = end - neighbour->seen;
	neighbour->seen = fmax(neighbour->seen, end);
	while (ns > 0) {
		double piece = fmin(ns, neighbour->left);

		if (neighbour->working)
			neighbour->owed += 2 * noise[NOISE_NEIGHBOUR_RATE] * piece / 1e9;
		neighbour->left -= piece;
		ns -= piece;
		if (neighbour->left > 0)
			continue;
		neighbour->working = !neighbour->working;
		neighbour->left = 1 - log(1 - sim_random_unit(&neighbour->random)) * noise[NOISE_NEIGHBOUR_PERIOD];
	}
	neighbour->owed = fmin(neighbour->owed, neighbour->most);
	while (neighbour->owed >= 1) {
		intrude(neighbour);
		neighbour->owed -= 1;
	}
}
