/* SPDX-License-Identifier: MIT */
/*
 * inquiry.c - which rule explains the misses that were counted
 *
 * What was counted comes from times, so it has a scale of its own: what a miss costs depends on what else is under way.
 * Each suspect is given the scale that suits it best, within bounds. Errors have long tails: one sequence that was
 * disturbed shall not acquit or convict.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inquiry.h"

enum { ALIKE_TRIES = 200, FREEDOM = 4, SCALES = 41, FEWEST = 6, FEW = 8 };

static const double LEAST_ERROR = 0.25; /* misses in a lap */
static const double PER_MISS = 0.03; /* what a miss costs is not always the same */
static const double LEAD = 20, OUT = 60; /* nats */
static const double SCALE_LEAST = 0.7, SCALE_MOST = 1.5, SCALE_OFF = 0.08;
static const double HARDLY = 2.2, FAR_OFF = 6; /* errors: of a rule's manner, and of any */
static const double SHARP = 1; /* misses */
static const double MEAN_OFF = 0.25; /* misses in a lap: means of what chance does agree as nearly as this */

static void suspect(struct inquiry *inquiry, int at, const struct rule *rule)
{
	inquiry->suspects[at] = (struct suspect){ .rule = *rule, .manner = rule_manner(rule, inquiry->material.ways) };
}

bool inquiry_open(struct inquiry *inquiry, const struct material *material)
{
	struct rule rules[RULES_MOST];

	*inquiry = (struct inquiry){ .material = *material, .random = 88172645463325252u };
	inquiry->count = rules_list(material->ways, rules);
	inquiry->suspects = calloc(RULES_MOST, sizeof(*inquiry->suspects));
	inquiry->predictions = calloc((size_t)RULES_MOST * TRIALS_MOST, sizeof(*inquiry->predictions));
	if (!inquiry->count || !inquiry->suspects || !inquiry->predictions)
		return false;
	for (int i = 0; i < inquiry->count; i++)
		suspect(inquiry, i, &rules[i]);
	return true;
}

void inquiry_close(struct inquiry *inquiry)
{
	free(inquiry->suspects);
	free(inquiry->predictions);
}

static struct prediction *predicted(const struct inquiry *inquiry, int suspect, int trial)
{
	return &inquiry->predictions[(size_t)suspect * TRIALS_MOST + (size_t)trial];
}

static double error_of(const struct trial *trial, double misses)
{
	return fmax(LEAST_ERROR, fmax(trial->error, PER_MISS * misses));
}

static double outside(double value, double low, double high)
{
	return value < low ? low - value : value > high ? value - high : 0;
}

static double score_with(const struct inquiry *inquiry, int suspect, double scale)
{
	double score = -0.5 * pow(log(scale) / SCALE_OFF, 2);

	for (int i = 0; i < inquiry->tried; i++) {
		const struct trial *trial = &inquiry->trials[i];
		const struct prediction *expected = predicted(inquiry, suspect, i);
		double error = error_of(trial, scale * expected->high),
		       off = outside(trial->missed, scale * expected->low, scale * expected->high) / error;

		/* Who allows for much explains little. */
		score -= (FREEDOM + 1) / 2.0 * log(1 + off * off / FREEDOM) +
			 log(1 + scale * (expected->high - expected->low) / error);
	}
	return score;
}

static void weigh(struct inquiry *inquiry, int who)
{
	struct suspect *suspect = &inquiry->suspects[who];

	suspect->off = suspect->sharp = 0;
	for (int i = 0; i < inquiry->tried; i++) {
		const struct trial *trial = &inquiry->trials[i];
		const struct prediction *expected = predicted(inquiry, who, i);
		double low = suspect->scale * expected->low, high = suspect->scale * expected->high;

		suspect->off +=
			fmin(FAR_OFF, outside(trial->missed, low, high) / error_of(trial, high)) / inquiry->tried;
		suspect->sharp += high - low < SHARP;
	}
}

static void judge(struct inquiry *inquiry)
{
	double best = -INFINITY;

	for (int i = 0; i < inquiry->count; i++) {
		struct suspect *suspect = &inquiry->suspects[i];

		if (suspect->acquitted)
			continue;
		suspect->score = -INFINITY;
		for (int j = 0; j < SCALES; j++) {
			double scale = SCALE_LEAST * pow(SCALE_MOST / SCALE_LEAST, (double)j / (SCALES - 1)),
			       score = score_with(inquiry, i, scale);

			if (score > suspect->score) {
				suspect->score = score;
				suspect->scale = scale;
			}
		}
		weigh(inquiry, i);
		best = fmax(best, suspect->score);
	}
	for (int i = 0; i < inquiry->count; i++)
		inquiry->suspects[i].acquitted = inquiry->suspects[i].score < best - OUT;
}

int inquiry_best(const struct inquiry *inquiry)
{
	int best = 0;

	for (int i = 1; i < inquiry->count; i++)
		if (inquiry->suspects[i].score > inquiry->suspects[best].score)
			best = i;
	return best;
}

/* Those that explain nearly as much as the best does; how many. */
int inquiry_left(const struct inquiry *inquiry, int who[RULES_MOST])
{
	double best = inquiry->suspects[inquiry_best(inquiry)].score;
	int n = 0;

	for (int i = 0; i < inquiry->count; i++) {
		const struct suspect *suspect = &inquiry->suspects[i];
		/* Who predicts little, and that rightly, is less likely and not refuted. */
		bool explains = inquiry->tried && suspect->off < INQUIRY_EXPLAINED && !suspect->acquitted &&
				suspect->rule.rare < 0;

		if (suspect->score > best - LEAD || explains)
			who[n++] = i;
	}
	return n;
}

double inquiry_apart(const struct prediction *one, const struct prediction *other)
{
	double gap = fmax(one->low - other->high, other->low - one->high);

	return gap > (one->by_chance || other->by_chance ? MEAN_OFF : 0)
		       ? gap / fmax(LEAST_ERROR, PER_MISS * fmax(one->high, other->high))
		       : 0;
}

void inquiry_take(struct inquiry *inquiry, const struct sequence *sequence, double missed, double error)
{
	int at = inquiry->tried;

	if (at == TRIALS_MOST || !isfinite(missed))
		return;
	inquiry->trials[at] = (struct trial){ *sequence, missed, error };
	for (int i = 0; i < inquiry->count; i++)
		if (!inquiry->suspects[i].acquitted)
			*predicted(inquiry, i, at) =
				sequence_predict(sequence, &inquiry->suspects[i].rule, inquiry->material.ways);
	inquiry->tried++;
	judge(inquiry);
}

bool inquiry_widen(struct inquiry *inquiry)
{
	struct rule rules[RULES_MOST];
	int who[RULES_MOST], n = inquiry_left(inquiry, who), before = inquiry->count;

	/* Where there would be no name anyway it takes nothing to prevent one. */
	if (inquiry->widened || !inquiry->tried || n > FEW ||
	    inquiry->suspects[inquiry_best(inquiry)].off >= INQUIRY_EXPLAINED)
		return false;
	inquiry->widened = true;
	for (int i = 0; i < n; i++)
		inquiry->count = rules_add_rare(&inquiry->suspects[who[i]].rule, rules, inquiry->count);
	for (int i = before; i < inquiry->count; i++) {
		suspect(inquiry, i, &rules[i]);
		for (int j = 0; j < inquiry->tried; j++)
			*predicted(inquiry, i, j) =
				sequence_predict(&inquiry->trials[j].sequence, &rules[i], inquiry->material.ways);
	}
	judge(inquiry);
	return inquiry->count > before;
}

/* Do both miss as often whatever comes? */
static bool is_alike(struct inquiry *inquiry, const struct rule *one, const struct rule *other)
{
	for (int i = 0; i < ALIKE_TRIES; i++) {
		struct sequence sequence;
		struct prediction first, second;

		sequence_draw(&sequence, &inquiry->material, &inquiry->random);
		first = sequence_predict(&sequence, one, inquiry->material.ways);
		second = sequence_predict(&sequence, other, inquiry->material.ways);
		if (inquiry_apart(&first, &second) > 0)
			return false;
	}
	return true;
}

static void name_also(char *also, size_t size, const struct rule *rule, int ways)
{
	char name[RULE_NAME];
	size_t used = strlen(also);

	rule_name(rule, ways, name, sizeof(name));
	if (used + strlen(name) + 3 < size)
		snprintf(also + used, size - used, "%s%s", used ? ", " : "", name);
}

/* All that are left are of one manner. */
static bool is_one_manner(const struct inquiry *inquiry, const int *who, int n)
{
	for (int i = 1; i < n; i++)
		if (inquiry->suspects[who[i]].manner != inquiry->suspects[who[0]].manner)
			return false;
	return true;
}

static bool are_alike(struct inquiry *inquiry, const int *who, int n)
{
	for (int i = 1; i < n; i++)
		if (!is_alike(inquiry, &inquiry->suspects[who[0]].rule, &inquiry->suspects[who[i]].rule))
			return false;
	return true;
}

struct verdict inquiry_verdict(struct inquiry *inquiry)
{
	int who[RULES_MOST] = { 0 }, n, best;
	struct verdict verdict = { .certainty = CERTAIN_NOTHING };
	const struct suspect *suspect;

	if (inquiry->tried < FEWEST)
		return verdict;
	n = inquiry_left(inquiry, who);
	best = inquiry_best(inquiry);
	suspect = &inquiry->suspects[best];
	if (suspect->off < INQUIRY_EXPLAINED && suspect->sharp >= INQUIRY_SHARP && are_alike(inquiry, who, n)) {
		verdict.certainty = CERTAIN_RULE;
		best = who[0];
	} else if (suspect->off < HARDLY && is_one_manner(inquiry, who, n)) {
		verdict.certainty = CERTAIN_MANNER;
	}
	verdict.rule = inquiry->suspects[best].rule;
	verdict.manner = inquiry->suspects[best].manner;
	verdict.scale = suspect->scale;
	verdict.off = suspect->off;
	verdict.left = n;
	verdict.tried = inquiry->tried;
	for (int i = 0; i < n; i++)
		if (who[i] != best)
			name_also(verdict.also, sizeof(verdict.also), &inquiry->suspects[who[i]].rule,
				  inquiry->material.ways);
	return verdict;
}
