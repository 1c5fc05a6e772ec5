/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the simulated memory: what one load costs, given all loads before it; and code, which is fetched
 */
#ifndef XRAY_SIM_MEMORY_H
#define XRAY_SIM_MEMORY_H

#include "../describe/description.h"
#include "../nano/walk.h"

struct sim_memory;

/* Code without jumps but at its end: `plain` instructions of `size` bytes each, then three in `jump` bytes. */
struct sim_straight {
	enum walk_pages pages;
	int arena;
	bool foreseen; /* what leads to its start was, so that the fetcher need not wait for it */
	uint64_t start; /* in the arena */
	uint64_t plain, size, jump;
	/* How far it has run: set to 0 before the first step. */
	uint64_t at; /* bytes */
	uint64_t fetched; /* the line, and one */
	bool decoding; /* the last window had to be decoded */
};

/* Caches that others have already. */
struct sim_sharing {
	struct sim_memory *with[DESCRIPTION_CACHES]; /* whose cache it is, for each of the file; NULL: one of our own */
	double size; /* bytes that an arena may have */
	uint64_t *given; /* of all of them: bytes of physical addresses that are taken */
};

/* NULL when memory ran out. The description must outlive it, and so must those that it shares with. */
struct sim_memory *sim_memory_new(const struct description *description, const struct sim_sharing *sharing,
				  uint64_t seed);
void sim_memory_free(struct sim_memory *memory);

/* Make the arena ready, of data or of code, which is other memory; false when there is no room for another. */
bool sim_memory_arena(struct sim_memory *memory, enum walk_pages pages, int arena);
bool sim_memory_code_arena(struct sim_memory *memory, enum walk_pages pages, int arena);

/* Is there anything that holds code? */
bool sim_memory_has_code(const struct sim_memory *memory);

/* Bytes that an arena may have: [memory] size, and more where pages share frames. */
uint64_t sim_memory_room(const struct sim_memory *memory, enum walk_pages pages);

/* Loads from an arena that is ready; cycles, with translation. The offset must be below that. */
double sim_memory_load(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset);

/* Stores to it at that time, in cycles from any start; cycles that the core waits, since too much is under way. */
double sim_memory_store(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset, double now);

/* References that do not wait for one another: a load beside those of so many chases, WALK_PIECE bytes of a stream, and
 * bytes that the nearest level has for it. Streams say whether anything moved between levels; nobody prefetches: see
 * traffic.h. What they have to do adds up until all of it is done, in so many cycles or in as many as the core needs.
 */
void sim_memory_beside(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset, double chases);
bool sim_memory_stream(struct sim_memory *memory, const struct walk *walk, uint64_t offset, bool written);
void sim_memory_core(struct sim_memory *memory, double bytes);
double sim_memory_traffic(struct sim_memory *memory, double core);

/* Runs straight code from where it is up to `to` bytes from its start: cycles that the fetcher waits, with translation
 * and decoding; not what the instructions themselves take. */
double sim_memory_run(struct sim_memory *memory, struct sim_straight *straight, uint64_t to);

/* Cycles until the jump at the end of straight code is known for one. */
double sim_memory_jump(struct sim_memory *memory, const struct sim_straight *straight);

/* The next load, most likely: gets the host to fetch what will be looked at. Changes nothing. */
void sim_memory_expect(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset);
void sim_memory_expect_code(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset);

/* Cycles of a load that the first level and the first TLB answer, if a lap of nothing but such loads leaves everything
 * as any more of them would but for what neighbours do; else 0. */
double sim_memory_settled(const struct sim_memory *memory);

/* A number that is the same whenever all loads to come will cost the same as they did then. False when there is none:
 * something else than loads changes them. */
bool sim_memory_state(struct sim_memory *memory, uint64_t *state);

/* As many of the nearest level's misses are under way at once when references do not wait for one another. */
double sim_memory_misses(const struct sim_memory *memory);

/* Memory is that much further away than the file has it, cycles, behind a way for so many bytes/s, 0: for all; so many
 * CPUs use it at once, and this one's clock is that fast, relatively. */
void sim_memory_remote(struct sim_memory *memory, double cycles, double bandwidth);
void sim_memory_company(struct sim_memory *memory, int sharers, double speed);

/* What counters would say that see everything: of all events so far. Prefetches' misses count where the file has that
 * they do. */
void sim_memory_events(const struct sim_memory *memory, uint64_t events[WALK_EVENTS]);
/* As much once more, so many times. */
void sim_memory_count(struct sim_memory *memory, const uint64_t events[WALK_EVENTS], uint64_t times);

/* It is that late, ns: pages may have become larger. */
void sim_memory_time(struct sim_memory *memory, double now);

/* From then on, ns on the clock, lets the neighbours work for a while. */
void sim_memory_disturb(struct sim_memory *memory, double from, double ns);

/* Whether there are any. */
bool sim_memory_disturbed(const struct sim_memory *memory);

#endif
