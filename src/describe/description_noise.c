/* SPDX-License-Identifier: MIT */
/*
 * description_noise.c - what the presets of [noise] stand for
 */
#include <math.h>

#include "description_keys.h"

static const double preset_terms[][NOISE_TERMS] = {
	/* jitter  tick      preemption  steal     sibling     frequency        ramp   neighbour */
	{ 0.0002, 250, 2e3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 20e6 },
	{ 0.001, 250, 4e3, 2, 2e6, 4, 1e6, 40e6, 160e6, 1, 0.06, 60e6, 0.6, 20e6, 2e6, 20e6 },
	{ 0.01, 250, 4e3, 50, 3e6, 100, 1e6, 300e6, 100e6, 20, 0.3, 25e6, 0.4, 100e6, 2e7, 20e6 },
};

void description_fill_noise(struct description *description)
{
	for (int i = 0; i < NOISE_TERMS; i++)
		if (isnan(description->noise[i]))
			description->noise[i] = preset_terms[(int)description->preset][i];
}
