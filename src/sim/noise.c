/* SPDX-License-Identifier: MIT */
/*
 * noise.c - seeded disturbances on a virtual clock
 *
 * A run is integrated piece by piece: from one change of the clock, the sibling or the scheduler to the next.
 */
#include <math.h>

#include "noise.h"

enum { RAMP_STEPS = 64 };

static const double NOTICED = 0.8; /* share of preemptions that leave a trace in getrusage */

/* Twelve uniform numbers make a normal one that is good to 3 sigma and never leaves 6. */
static double normal(struct sim_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += sim_random_unit(random);
	return sum;
}

static double around(struct sim_random *random, double mean)
{
	return -log(1 - sim_random_unit(random)) * mean;
}

static double after(struct sim_noise *noise, enum sim_stream stream, double rate)
{
	return rate > 0 ? noise->now + around(&noise->streams[stream], 1e9 / rate) : INFINITY;
}

static double term(const struct sim_noise *noise, enum noise_term which)
{
	return noise->description->noise[which];
}

/* Brings the clock's and the sibling's state up to now. */
static void settle(struct sim_noise *noise)
{
	struct sim_random *siblings = &noise->streams[STREAM_SIBLING], *steps = &noise->streams[STREAM_FREQUENCY];

	while (noise->sibling_change <= noise->now) {
		noise->sibling = !noise->sibling;
		noise->sibling_change +=
			around(siblings, term(noise, noise->sibling ? NOISE_SIBLING_ON : NOISE_SIBLING_OFF)) + 1;
	}
	for (;;) {
		if (noise->step_end <= noise->now) {
			noise->next_step = noise->step_end + around(steps, 1e9 / term(noise, NOISE_FREQUENCY_STEPS));
			noise->step_end = INFINITY;
			noise->speed = 1;
		} else if (noise->next_step <= noise->now) {
			noise->speed = 1 - term(noise, NOISE_FREQUENCY_SPREAD) * sim_random_unit(steps);
			noise->step_end = noise->next_step + term(noise, NOISE_FREQUENCY_DWELL) + 1;
			noise->next_step = INFINITY;
		} else {
			return;
		}
	}
}

void sim_noise_start(struct sim_noise *noise, const struct description *description, uint64_t seed)
{
	double tick = description->noise[NOISE_TICK_RATE], on = description->noise[NOISE_SIBLING_ON],
	       off = description->noise[NOISE_SIBLING_OFF];

	*noise = (struct sim_noise){ .description = description, .speed = 1, .step_end = INFINITY, .busy = 1 };
	for (int i = 0; i < STREAMS; i++) {
		uint64_t mixed = seed + (uint64_t)i * 0xd1342543de82ef95u;

		sim_random_seed(&noise->streams[i], sim_random_mix(&mixed));
	}
	noise->next_tick = tick > 0 ? sim_random_unit(&noise->streams[STREAM_TICK]) * 1e9 / tick : INFINITY;
	noise->next_preemption = after(noise, STREAM_PREEMPTION, term(noise, NOISE_PREEMPTION_RATE));
	noise->next_steal = after(noise, STREAM_STEAL, term(noise, NOISE_STEAL_RATE));
	noise->next_step = after(noise, STREAM_FREQUENCY, term(noise, NOISE_FREQUENCY_STEPS));
	noise->sibling_change = INFINITY;
	if (on > 0) {
		noise->sibling = sim_random_unit(&noise->streams[STREAM_SIBLING]) < on / (on + off);
		noise->sibling_change =
			off > 0 ? around(&noise->streams[STREAM_SIBLING], noise->sibling ? on : off) : INFINITY;
	}
}

double sim_noise_clock(struct sim_noise *noise)
{
	double quantum = noise->description->timer_quantum, read = floor(noise->now / quantum) * quantum;

	noise->now += noise->description->timer_cost;
	return read;
}

/* When the quota of this period is used up. */
static double next_stop(const struct sim_noise *noise)
{
	const struct description_cpus *cpus = &noise->description->cpus;

	if (!(cpus->quota > 0 && cpus->quota < noise->busy))
		return INFINITY;
	return noise->now - fmod(noise->now, cpus->period) + cpus->period * cpus->quota / noise->busy;
}

/* Lets everything happen that takes the CPU away now; true when it leaves a trace. */
static bool suffer(struct sim_noise *noise)
{
	bool noticed = false;

	if (next_stop(noise) <= noise->now) {
		noise->now += noise->description->cpus.period - fmod(noise->now, noise->description->cpus.period);
		noticed = true;
	}
	if (noise->next_preemption <= noise->now) {
		noise->now += around(&noise->streams[STREAM_PREEMPTION], term(noise, NOISE_PREEMPTION_LENGTH));
		noise->next_preemption = after(noise, STREAM_PREEMPTION, term(noise, NOISE_PREEMPTION_RATE));
		noticed = sim_random_unit(&noise->streams[STREAM_NOTICED]) < NOTICED;
	}
	if (noise->next_steal <= noise->now) {
		noise->now += around(&noise->streams[STREAM_STEAL], term(noise, NOISE_STEAL_LENGTH));
		noise->next_steal = after(noise, STREAM_STEAL, term(noise, NOISE_STEAL_RATE));
	}
	if (noise->next_tick <= noise->now) {
		double period = 1e9 / term(noise, NOISE_TICK_RATE);

		noise->now += term(noise, NOISE_TICK_LENGTH);
		noise->next_tick += period * (floor((noise->now - noise->next_tick) / period) + 1);
	}
	return noticed;
}

static double ramp(const struct sim_noise *noise, double *until)
{
	double start = term(noise, NOISE_RAMP_START), time = term(noise, NOISE_RAMP_TIME);
	double step = time > 0 ? floor(noise->ran / time * RAMP_STEPS) : RAMP_STEPS;

	*until = INFINITY;
	if (step >= RAMP_STEPS)
		return 1;
	*until = noise->now + fmax(1, (step + 1) / RAMP_STEPS * time - noise->ran);
	return start + (1 - start) * step / RAMP_STEPS;
}

bool sim_noise_run(struct sim_noise *noise, struct sim_work work)
{
	double jitter = 1 + term(noise, NOISE_JITTER) * normal(&noise->streams[STREAM_JITTER]);
	double left = work.alone + work.fixed > 0 ? 1 : 0; /* share of the work */
	bool noticed = false;

	while (left > 0) {
		double until, speed, piece, next;

		noticed |= suffer(noise);
		settle(noise);
		speed = noise->description->frequency / 1e9 * noise->speed * ramp(noise, &until);
		speed = 1 / (work.fixed + (noise->sibling ? work.shared : work.alone) / speed) / fmax(jitter, 0.05);
		next = fmin(fmin(noise->next_tick, noise->next_preemption),
			    fmin(noise->next_steal, noise->sibling_change));
		next = fmin(fmin(next, until), fmin(noise->next_step, noise->step_end));
		next = fmin(next, next_stop(noise));
		piece = fmax(0, fmin(left / speed, next - noise->now));
		noise->ran += piece;
		if (left / speed <= piece) {
			noise->now += piece;
			break;
		}
		left -= piece * speed;
		noise->now = fmax(next, noise->now);
	}
	return noticed;
}

void sim_noise_wait(struct sim_noise *noise, double ns)
{
	if (!(ns > 0))
		return;
	noise->now += ns;
	if (noise->next_preemption <= noise->now)
		noise->next_preemption = after(noise, STREAM_PREEMPTION, term(noise, NOISE_PREEMPTION_RATE));
	if (noise->next_steal <= noise->now)
		noise->next_steal = after(noise, STREAM_STEAL, term(noise, NOISE_STEAL_RATE));
	if (noise->next_tick <= noise->now) {
		double period = 1e9 / term(noise, NOISE_TICK_RATE);

		noise->next_tick += period * (floor((noise->now - noise->next_tick) / period) + 1);
	}
	settle(noise);
}
