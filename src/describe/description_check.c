/* SPDX-License-Identifier: MIT */
/*
 * description_check.c - the memory of a machine file as a whole: what is missing, what does not fit together
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "description_keys.h"

enum { SECTORS_MOST = 32 };

static const double LINES_MOST = 0x1p28;

struct check {
	struct description *description;
	int *at;
	char *wrong;
	size_t size;
};

__attribute__((format(printf, 3, 4))) static bool blame(const struct check *check, int at, const char *format, ...)
{
	va_list arguments;

	*check->at = at;
	va_start(arguments, format);
	vsnprintf(check->wrong, check->size, format, arguments);
	va_end(arguments);
	return false;
}

bool description_power_of_two(double number)
{
	int exponent;

	return frexp(number, &exponent) == 0.5;
}

static bool check_shape(const struct check *check, const struct description_cache *cache)
{
	const char *name = cache->name;
	double lines = cache->size / cache->line, ways = cache->ways > 0 ? cache->ways : lines, sets;

	if (cache->size <= 0)
		return blame(check, cache->at, "size: missing in [cache %s]; allowed: a size such as 32 KiB", name);
	if (cache->ways < 0)
		return blame(check, cache->at, "ways: missing in [cache %s]; allowed: full | a whole number", name);
	if (cache->latency <= 0)
		return blame(check, cache->at, "latency: missing in [cache %s]; allowed: cycles such as 4 cycles",
			     name);
	if (!description_power_of_two(cache->line) || !description_power_of_two(cache->sector) ||
	    cache->sector > cache->line || cache->line / cache->sector > SECTORS_MOST)
		return blame(
			check, cache->at,
			"line, sector: %g and %g bytes in [cache %s]; allowed: powers of two, 1 to %d sectors a line",
			cache->line, cache->sector, name, SECTORS_MOST);
	sets = lines / ways;
	if (cache->victim > 0 && cache->sector < cache->line)
		return blame(check, cache->at, "victim: a buffer in [cache %s]; allowed: where lines are fetched whole",
			     name);
	if (lines != floor(lines) || sets != floor(sets) || lines > LINES_MOST)
		return blame(check, cache->at,
			     "size: %g bytes in [cache %s] are no whole number of sets; allowed: multiples of %g",
			     cache->size, name, cache->line * fmax(cache->ways, 1));
	if (cache->index > 0 && fmod(sets, cache->index) != 0)
		return blame(check, cache->at,
			     "index: %g sets in [cache %s] do not divide into %g slices; allowed: a divisor", sets,
			     name, cache->index);
	return true;
}

static bool blame_exclusive(const struct check *check, const struct description_cache *cache)
{
	return blame(check, cache->at,
		     "inclusion: exclusive or victim in [cache %s]; allowed: below a cache of equal lines",
		     cache->name);
}

/* A cache and the one above it, on the way of data or of code. */
static bool check_order(const struct check *check, const struct description_cache *above,
			const struct description_cache *cache)
{
	if (cache->inclusion >= INCLUSION_EXCLUSIVE && above->line != cache->line)
		return blame_exclusive(check, cache);
	if (above->line > cache->line)
		return blame(check, cache->at, "line: %g bytes in [cache %s]; allowed: no less than in [cache %s], %g",
			     cache->line, cache->name, above->name, above->line);
	if (above->latency > cache->latency)
		return blame(check, cache->at,
			     "latency: %g cycles in [cache %s]; allowed: no less than in [cache %s], %g",
			     cache->latency, cache->name, above->name, above->latency);
	return true;
}

static bool check_caches(const struct check *check)
{
	const struct description_cache *above[] = { [HOLDS_DATA] = NULL, [HOLDS_CODE] = NULL };
	bool shared = false, alone;

	for (int i = 0; i < check->description->cache_count; i++) {
		struct description_cache *cache = &check->description->caches[i];

		if (cache->sector <= 0)
			cache->sector = cache->line;
		if (!check_shape(check, cache))
			return false;
		/* Whose lines it loses would be unknown to the one below. */
		if (shared && cache->holds != HOLDS_BOTH)
			return blame(check, cache->at,
				     "holds: not both in [cache %s]; allowed: both, below a cache that holds both",
				     cache->name);
		shared = cache->holds == HOLDS_BOTH;
		alone = true;
		for (int side = HOLDS_DATA; side <= HOLDS_CODE; side++) {
			if (!((int)cache->holds & side))
				continue;
			if (above[side] && !check_order(check, above[side], cache))
				return false;
			alone = alone && !above[side];
			above[side] = cache;
		}
		if (alone && cache->inclusion >= INCLUSION_EXCLUSIVE)
			return blame_exclusive(check, cache);
	}
	for (int side = HOLDS_DATA; side <= HOLDS_CODE; side++)
		if (above[side] && above[side]->latency > check->description->memory.latency)
			return blame(check, check->description->memory.at,
				     "latency: %g cycles in [memory]; allowed: no less than in [cache %s], %g",
				     check->description->memory.latency, above[side]->name, above[side]->latency);
	return true;
}

static bool check_tlbs(const struct check *check)
{
	for (int i = 0; i < check->description->tlb_count; i++) {
		const struct description_tlb *tlb = &check->description->tlbs[i];

		if (tlb->entries <= 0 || tlb->ways < 0 || tlb->penalty < 0)
			return blame(check, tlb->at, "%s: missing in [tlb %s]; allowed: %s",
				     tlb->entries <= 0 ? "entries"
				     : tlb->ways < 0   ? "ways"
						       : "penalty",
				     tlb->name,
				     tlb->entries <= 0 ? "a whole number"
				     : tlb->ways < 0   ? "full | a whole number"
						       : "cycles");
		if (tlb->ways > 0 && fmod(tlb->entries, tlb->ways) != 0)
			return blame(check, tlb->at,
				     "entries: %g in [tlb %s] are no whole number of sets; allowed: multiples of %g",
				     tlb->entries, tlb->name, tlb->ways);
		if (tlb->index > 0 || (tlb->index < 0 && tlb->coalescing > 1))
			return blame(check, tlb->at,
				     "index: slices, or hash beside coalescing, in [tlb %s]; allowed: mod | hash",
				     tlb->name);
		if (!description_power_of_two(tlb->coalescing))
			return blame(check, tlb->at, "coalescing: %g in [tlb %s]; allowed: powers of two",
				     tlb->coalescing, tlb->name);
	}
	return true;
}

static bool check_level(const struct check *check, const char *key, struct description_level *level)
{
	if (!strcmp(level->name, "none"))
		*level->name = '\0';
	if (!*level->name)
		return true;
	for (int i = 0; i < check->description->cache_count; i++)
		if (!strcmp(check->description->caches[i].name, level->name) &&
		    check->description->caches[i].holds != HOLDS_CODE)
			return true;
	return blame(check, level->at, "%s: '%s' is no cache for data; allowed: none | the name of a [cache] section",
		     key, level->name);
}

static bool check_memory(const struct check *check)
{
	struct description_memory *memory = &check->description->memory;

	if (memory->latency <= 0)
		return blame(check, memory->at,
			     "latency: missing in [memory]; allowed: cycles, or a time such as 90 ns");
	if (!description_power_of_two(memory->page) || (memory->huge > 0 && !description_power_of_two(memory->huge)) ||
	    (memory->host > 0 && !description_power_of_two(memory->host)))
		return blame(check, memory->at,
			     "size, huge, host: %g, %g and %g bytes in [pages]; allowed: powers of two", memory->page,
			     memory->huge, memory->host);
	if (memory->huge > 0 && memory->huge <= memory->page)
		return blame(check, memory->at, "huge: %g bytes in [pages]; allowed: none | more than size, %g",
			     memory->huge, memory->page);
	return check_level(check, "tables", &memory->tables) && check_level(check, "into", &memory->into);
}

bool description_memory_check(struct description *description, int *at, char *wrong, size_t size)
{
	struct check check = { description, at, wrong, size };

	/* Caches in front of nothing are kept for the reader; nothing is ever loaded through them. */
	if (!description->memory.present)
		return true;
	return check_memory(&check) && check_caches(&check) && check_tlbs(&check);
}
