/* SPDX-License-Identifier: MIT */
/*
 * sequences.h - references to the lines of one set, over and over, and how many of them a rule misses
 */
#ifndef XRAY_POLICIES_SEQUENCES_H
#define XRAY_POLICIES_SEQUENCES_H

#include "rules.h"

enum { SEQUENCE_MOST = 256 };

struct sequence {
	int lines, length;
	uint8_t line[SEQUENCE_MOST];
};

/* What sequences may be made of. */
struct material {
	int ways;
	int visits; /* most references to one line in a lap */
	int lines; /* at most; more than ways */
	int gap; /* references to others at least between two to one line */
};

/* A random one, of more lines than ways; every line is referred to. */
void sequence_draw(struct sequence *sequence, const struct material *material, uint64_t *random);
/* So many lines in turn. */
void sequence_round(struct sequence *sequence, int lines);

/* Misses in a lap once it has settled: where several ends are possible, the fewest and the most. */
struct prediction {
	double low, high;
	bool by_chance; /* both are the mean, as far as that was told */
};
struct prediction sequence_predict(const struct sequence *sequence, const struct rule *rule, int ways);
/* The same from fewer states to begin with: sooner, and an end may be missed. */
struct prediction sequence_guess(const struct sequence *sequence, const struct rule *rule, int ways);

/* What a rule does, in a word: lru-like, fifo-like, random-like, nru-like, scan-resistant. */
enum manner { MANNER_LRU, MANNER_FIFO, MANNER_RANDOM, MANNER_NRU, MANNER_SCAN, MANNERS };
enum manner rule_manner(const struct rule *rule, int ways);
const char *manner_word(enum manner manner);

#endif
