/* SPDX-License-Identifier: MIT */
/*
 * description_memory.h - what a machine file says of its memory, and of the code that is fetched from there
 */
#ifndef XRAY_DESCRIPTION_MEMORY_H
#define XRAY_DESCRIPTION_MEMORY_H

#include <stdbool.h>

#include "description_cpus.h"

enum { DESCRIPTION_CACHES = 8, DESCRIPTION_TLBS = 12 };

enum policy_kind { POLICY_LRU, POLICY_FIFO, POLICY_RANDOM, POLICY_TREE, POLICY_NRU, POLICY_AGES };

/* Which line of a set goes. POLICY_AGES is srrip and the qlru family: every line has an age of 0 to 3, 3 goes. */
struct description_policy {
	enum policy_kind kind;
	int hit3, hit2; /* age after a hit at age 3 and 2; 0 after one at 1 and 0 */
	int insert, rare; /* age of a new line, and in one case of 16; -1: never another */
	int replace, update; /* the digits behind R and U */
	bool miss_only; /* ages are brought up to 3 before a line goes, not after every access */
};

/* Bits: what holds both holds data, and holds code. */
enum description_holds { HOLDS_DATA = 1, HOLDS_CODE = 2, HOLDS_BOTH = HOLDS_DATA | HOLDS_CODE };
enum description_inclusion { INCLUSION_NONE, INCLUSION_INCLUSIVE, INCLUSION_EXCLUSIVE, INCLUSION_VICTIM };
enum description_use { USED_BY_BOTH, USED_BY_LOADS, USED_BY_STORES };
enum description_frames { FRAMES_CONTIGUOUS, FRAMES_RANDOM, FRAMES_COLOURED };

/* The name of a cache, and the line where it was given; empty: none. */
struct description_level {
	char name[24];
	int at;
};

struct description_cache {
	char name[24];
	int at; /* line of the file */
	struct description_policy policy;
	double size, line, sector; /* bytes; a sector of 0 is a line */
	double ways; /* 0: full; below 0: not given */
	double latency; /* cycles */
	double index; /* 0: mod; -1: hash; else the slices */
	double inclusion, holds;
	double through, allocate; /* what stores do */
	double victim; /* lines that a buffer behind it keeps of what it lost; 0: none */
	double bandwidth; /* bytes a cycle between it and the level above; 0: not given */
	struct description_row shared; /* CPUs that each serves; more than one lets neighbours in */
	double misses; /* under way at once, 0: not given */
};

struct description_tlb {
	char name[24];
	int at;
	struct description_policy policy;
	double entries, ways, penalty, coalescing;
	double pages; /* sizes of the pages it holds, powers of two, added; 0: all */
	double index; /* 0: mod; -1: hash; else the slices */
	double covers; /* bytes of addresses of an entry that saves part of a page walk; 0: it holds pages */
	double holds;
	double use; /* loads, stores or both look there */
};

struct description_memory {
	bool present;
	int at;
	double latency; /* cycles */
	double size;
	double bandwidth, misses; /* bytes/s; under way at once; 0: no limit */
	double page, huge, host; /* bytes; 0: none */
	double promotion; /* ns after which plain pages are huge ones; 0: never */
	double frames, colours;
	struct description_level tables, into;
	double next_line, adjacent, stream, stride, temporal;
};

/* How code is laid out, and what running it costs beside fetching it. */
struct description_code {
	int at;
	double nop, longest; /* bytes of the shortest and of the longest instruction that does nothing; 0: as usual */
	double add, jump; /* bytes of an addition, and of what ends a place */
	double mispredict; /* cycles */
	double branches, branch_ways, branch_penalty; /* entries, 0: no limit; 0: full; cycles */
	double next_line, straight;
};

/* A cache of decoded code in front of the first level. */
struct description_uops {
	bool present;
	int at;
	struct description_policy policy;
	double entries, ways, each, penalty; /* below 0: not given; ways 0: full */
	double window; /* bytes of code of an entry; 0: entries are packed; below 0: not given */
	double most; /* entries of a window; 0: no limit */
};

#endif
