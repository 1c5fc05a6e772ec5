/* SPDX-License-Identifier: MIT */
/*
 * clock.c - the cheapest clock that keeps time
 *
 * A CPU counter (TSC, CNTVCT, rdtime) costs a few ns where the kernel's clock costs tens, but it is only used when
 * its rate against the kernel's raw clock stays constant; a counter that stops, jumps or follows the core clock is
 * dropped for the kernel's.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "host.h"

static double ns_per_tick; /* 0: the counter is not used */
static uint64_t first_tick;

static double kernel_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#if defined(__x86_64__)
static uint64_t counter(void)
{
	uint32_t low, high;

	/* Fences on both sides: the counter is read after what came before and before what comes after. */
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
static uint64_t counter(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
	return ticks;
}
#elif defined(__riscv)
static uint64_t counter(void)
{
	uint64_t ticks;

	__asm__ volatile("fence\n\trdtime %0\n\tfence" : "=r"(ticks) : : "memory");
	return ticks;
}
#else
static uint64_t counter(void)
{
	return 0;
}
#endif

struct moment {
	double ns; /* of the kernel's clock */
	double ticks;
};

/* Both clocks at once: of several looks the one that took the least time, so that nothing came between. */
static struct moment both_clocks(void)
{
	enum { LOOKS = 8 };
	struct moment moment = { 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < LOOKS; i++) {
		uint64_t before = counter();
		double ns = kernel_clock();
		uint64_t took = counter() - before;

		if (took < least) {
			least = took;
			moment = (struct moment){ ns, (double)before + (double)took / 2 };
		}
	}
	return moment;
}

const char *host_clock_open(void)
{
	enum { WINDOWS = 6 };
	const double window = 1e6, constancy = 2e-4; /* ns; relative: 200 ns of 1 ms */
	double rate[WINDOWS];
	int agreeing = 0;

	ns_per_tick = 0;
	for (int i = 0; i < WINDOWS; i++) {
		struct moment start = both_clocks(), end;

		while (kernel_clock() - start.ns < window)
			;
		end = both_clocks();
		rate[i] = (end.ns - start.ns) / (end.ticks - start.ticks);
	}
	/* An interruption between two reads spoils a window, so the majority decides. */
	for (int i = 0; i < WINDOWS; i++) {
		int near = 0;

		for (int j = 0; j < WINDOWS; j++)
			near += fabs(rate[j] / rate[i] - 1) < constancy;
		if (near > agreeing) {
			agreeing = near;
			ns_per_tick = rate[i];
		}
	}
	if (agreeing <= WINDOWS / 2 || !isfinite(ns_per_tick) || ns_per_tick > 100) {
		ns_per_tick = 0;
		return "kernel clock";
	}
	first_tick = counter();
	return "CPU counter";
}

double host_clock(void)
{
	return ns_per_tick > 0 ? (double)(counter() - first_tick) * ns_per_tick : kernel_clock();
}

void host_sleep(double ns)
{
	struct timespec rest = { .tv_sec = (time_t)(ns / 1e9), .tv_nsec = (long)fmod(ns, 1e9) };

	nanosleep(&rest, NULL);
}

double host_now(void)
{
	return (double)time(NULL);
}

void host_date_of(double seconds, char *text, size_t size)
{
	time_t then = (time_t)seconds;
	struct tm utc;

	if (!gmtime_r(&then, &utc) || strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
		snprintf(text, size, "unknown");
}

void host_date(char *text, size_t size)
{
	host_date_of(host_now(), text, size);
}

double host_seconds(const char *date)
{
	struct tm utc = { 0 };
	const char *end = strptime(date, "%Y-%m-%dT%H:%M:%SZ", &utc);

	return end && !*end ? (double)timegm(&utc) : NAN;
}
