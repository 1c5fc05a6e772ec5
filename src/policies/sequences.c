/* SPDX-License-Identifier: MIT */
/*
 * sequences.c - random references to one set, and what a rule makes of them
 */
#include "sequences.h"

enum {
	BEFORE = 6, /* references to each way */
	STARTS = 4,
	MORE_STARTS = 12, /* where it matters */
	SETTLE = 16, /* laps */
	LOOKED_AT = 16,
	BY_CHANCE = 60, /* where chance has a part */
	SHORTEST = 12,
	PER_WAY = 4, /* references */
	TRIES = 200,
	MANY_STARTS = 40
};

static uint64_t draw(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random >> 11;
}

static int below(uint64_t *random, int most)
{
	return (int)(draw(random) % (uint64_t)most);
}

void sequence_round(struct sequence *sequence, int lines)
{
	sequence->lines = sequence->length = lines;
	for (int i = 0; i < lines; i++)
		sequence->line[i] = (uint8_t)i;
}

/* Is it long enough ago that the line was referred to, going round? */
static bool is_free(const struct sequence *sequence, int at, int line, int gap)
{
	int first = at < gap ? 0 : at - gap;

	for (int i = first; i < at; i++)
		if (sequence->line[i] == line)
			return false;
	/* The end lies next to the beginning. */
	for (int i = 0; i < gap - (sequence->length - 1 - at); i++)
		if (i < at && sequence->line[i] == line)
			return false;
	return true;
}

/* Lines that are near come again sooner than others do, now more and now less so. */
static int pick(const struct sequence *sequence, const struct material *material, int at, const int *visits, int recent,
		uint64_t *random)
{
	int line = 0;

	for (int i = 0; i < TRIES; i++) {
		int back = 1 + below(random, material->ways);

		line = below(random, sequence->lines);
		if (at >= back && below(random, 8) < recent)
			line = sequence->line[at - back];
		if (visits[line] < material->visits && is_free(sequence, at, line, material->gap))
			return line;
	}
	return -1;
}

static int least(int one, int other)
{
	return one < other ? one : other;
}

/* Lines that come once a lap, in a row, leave little of what was before: most policies then end in one way. */
static int draw_fresh(const struct material *material, int lines, uint64_t *random)
{
	int fresh = below(random, 2) ? material->ways + below(random, 1 + material->ways / 2) : 0;

	return least(fresh, material->lines - lines);
}

/* False when some line had to come too often, or too soon. */
static bool try_to_draw(struct sequence *sequence, const struct material *material, uint64_t *random)
{
	int ways = material->ways, visits[RULE_LINES] = { 0 }, recent = below(random, 6), used = 0, fresh;

	sequence->lines = least(ways + 1 + below(random, 2 + ways / 2), material->lines);
	sequence->length = PER_WAY * ways + below(random, ways);
	if (sequence->length < SHORTEST)
		sequence->length = SHORTEST + below(random, SHORTEST);
	sequence->length = least(sequence->length, material->visits * sequence->lines * 3 / 4);
	if (sequence->length < sequence->lines)
		sequence->length = sequence->lines;
	for (int i = 0; i < sequence->length; i++) {
		int line = pick(sequence, material, i, visits, recent, random);

		if (line < 0)
			return false;
		sequence->line[i] = (uint8_t)line;
		visits[line]++;
	}
	/* Those that never came do not count. */
	for (int i = 0; i < sequence->lines; i++)
		visits[i] = visits[i] ? used++ : -1;
	for (int i = 0; i < sequence->length; i++)
		sequence->line[i] = (uint8_t)visits[sequence->line[i]];
	fresh = draw_fresh(material, used, random);
	for (int i = 0; i < fresh; i++)
		sequence->line[sequence->length++] = (uint8_t)used++;
	sequence->lines = used;
	return used > ways;
}

void sequence_draw(struct sequence *sequence, const struct material *material, uint64_t *random)
{
	while (!try_to_draw(sequence, material, random))
		;
}

/* A state that references to these lines and others may have left. */
static void begin(struct model *model, const struct sequence *sequence, const struct rule *rule, int ways, int start)
{
	uint64_t random = 88172645463325252u + (uint64_t)start * 1000003;

	model_start(model, rule, ways, (uint64_t)start + 1);
	for (int i = 0; start && i < BEFORE * ways; i++) {
		int line = below(&random, sequence->lines + ways);

		for (int again = 0; again <= below(&random, 3) / 2; again++)
			model_refer(model, line);
	}
}

static int lap(struct model *model, const struct sequence *sequence)
{
	int missed = 0;

	for (int i = 0; i < sequence->length; i++)
		missed += !model_refer(model, sequence->line[i]);
	return missed;
}

static bool is_by_chance(const struct rule *rule)
{
	return rule->kind == RULE_RANDOM || rule->rare >= 0;
}

/* A rule without chance comes round to a state that it had before; what follows repeats. */
static double settled(struct model *model, const struct sequence *sequence)
{
	struct model before = *model;
	int missed = 0, laps = 0, mark = 1;

	for (int i = 1; i <= SETTLE; i++) {
		missed += lap(model, sequence);
		laps++;
		if (model_same(&before, model))
			return (double)missed / laps;
		if (i == mark) {
			before = *model;
			missed = laps = 0;
			mark *= 2;
		}
	}
	missed = 0;
	laps = is_by_chance(&model->rule) ? BY_CHANCE : LOOKED_AT;
	for (int i = 0; i < laps; i++)
		missed += lap(model, sequence);
	return (double)missed / laps;
}

static struct prediction predict(const struct sequence *sequence, const struct rule *rule, int ways, int starts)
{
	int most = is_by_chance(rule) ? STARTS : starts;
	struct prediction prediction = { sequence->length, 0, is_by_chance(rule) };
	double sum = 0;

	for (int start = 0; start < STARTS || (start < most && prediction.high > prediction.low); start++) {
		struct model model;
		double missed;

		begin(&model, sequence, rule, ways, start);
		missed = settled(&model, sequence);
		sum += missed;
		prediction.low = missed < prediction.low ? missed : prediction.low;
		prediction.high = missed > prediction.high ? missed : prediction.high;
	}
	if (prediction.by_chance)
		prediction.low = prediction.high = sum / STARTS;
	return prediction;
}

struct prediction sequence_guess(const struct sequence *sequence, const struct rule *rule, int ways)
{
	return predict(sequence, rule, ways, STARTS);
}

struct prediction sequence_predict(const struct sequence *sequence, const struct rule *rule, int ways)
{
	return predict(sequence, rule, ways, MORE_STARTS);
}

/* Of lines that were used twice and are there, those that outlive as many others, and one more, as there are ways. A
 * rule that lets none in at all is beyond harm. */
static double outlived(const struct rule *rule, int ways)
{
	int kept = ways > 4 ? ways / 4 : 1, there = 0, left = 0;
	struct sequence any = { .lines = 2 * ways + 2 };

	for (int start = 1; start <= MANY_STARTS; start++) {
		struct model model;

		begin(&model, &any, rule, ways, start);
		for (int i = 0; i < 2 * kept; i++)
			model_refer(&model, i % kept);
		for (int i = 0; i < kept; i++)
			there += model.where[i] >= 0;
		for (int i = 0; i <= ways; i++)
			model_refer(&model, 3 * ways + 2 + i);
		for (int i = 0; i < kept; i++)
			left += model.where[i] >= 0;
	}
	return there ? (double)left / there : 1;
}

enum manner rule_manner(const struct rule *rule, int ways)
{
	struct sequence one_more;

	if (rule->kind == RULE_FIFO)
		return MANNER_FIFO;
	if (rule->kind == RULE_RANDOM)
		return MANNER_RANDOM;
	if (outlived(rule, ways) >= 0.5)
		return MANNER_SCAN;
	sequence_round(&one_more, ways + 1);
	return sequence_predict(&one_more, rule, ways).low > 0.9 * (ways + 1) ? MANNER_LRU : MANNER_NRU;
}

const char *manner_word(enum manner manner)
{
	static const char *const words[MANNERS] = { "lru-like", "fifo-like", "random-like", "nru-like",
						    "scan-resistant" };

	return words[manner];
}
