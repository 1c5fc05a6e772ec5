/* SPDX-License-Identifier: MIT */
/*
 * identify.c - asks for the misses of one sequence after the other until one policy is left
 */
#include <math.h>
#include <stdio.h>

#include "ground.h"
#include "policies.h"

enum { MOST_LOST = 3 }; /* sequences that could not be counted */

/* False, and the ground says why, when sequences cannot be counted. */
static bool ask(struct ground *ground, struct inquiry *inquiry)
{
	struct sequence next[ROUND_MOST];
	int count, lost = 0;

	while ((count = inquiry_next(inquiry, next)) > 0)
		for (int i = 0; i < count; i++) {
			double missed, error;

			if (timer_over(ground->lab->timer))
				return true;
			if (!ground_count(ground, &next[i], &missed, &error)) {
				if (++lost == MOST_LOST)
					return false;
				continue;
			}
			inquiry_take(inquiry, &next[i], missed, error);
			lab_note(ground->lab, "misses in a lap, by references of a sequence", next[i].length, missed,
				 "");
		}
	return true;
}

static void say(struct lab *lab, struct policy *policy, const struct verdict *verdict, int ways)
{
	char best[RULE_NAME];

	rule_name(&verdict->rule, ways, best, sizeof(best));
	lab_note(lab, "errors that the nearest policy leaves, by policies left", verdict->left, verdict->off, best);
	lab_note(lab, "cost of a miss, by sequences counted", verdict->tried, verdict->scale, best);
	policy->certainty = verdict->certainty;
	if (verdict->certainty == CERTAIN_RULE) {
		snprintf(policy->name, sizeof(policy->name), "%s", best);
		if (verdict->also[0])
			snprintf(policy->note, sizeof(policy->note), "the same here: %s", verdict->also);
	} else if (verdict->certainty == CERTAIN_MANNER) {
		snprintf(policy->name, sizeof(policy->name), "%s", manner_word(verdict->manner));
		snprintf(policy->note, sizeof(policy->note), "most like %s", best);
	} else if (verdict->left > 1 && verdict->off < INQUIRY_EXPLAINED) {
		snprintf(
			policy->why, sizeof(policy->why),
			"%d policies explain what misses, and no sequence that can be counted here tells them apart; most like %s",
			verdict->left, best);
	} else {
		snprintf(policy->why, sizeof(policy->why),
			 "no policy that is known explains what misses; most like %s, %.1f errors off", best,
			 verdict->off);
	}
}

static struct policy identify(struct ground *ground)
{
	struct policy policy = { .certainty = CERTAIN_NOTHING };
	struct inquiry inquiry;
	struct verdict verdict;

	if (!inquiry_open(&inquiry, &ground->material))
		snprintf(policy.why, sizeof(policy.why), "out of memory");
	else if (!ask(ground, &inquiry))
		snprintf(policy.why, sizeof(policy.why), "%s", ground->why);
	else {
		verdict = inquiry_verdict(&inquiry);
		say(ground->lab, &policy, &verdict, ground->material.ways);
	}
	inquiry_close(&inquiry);
	return policy;
}

static struct policy open_question(const struct ground *ground)
{
	struct policy policy = { .certainty = CERTAIN_NOTHING };

	snprintf(policy.why, sizeof(policy.why), "%s", ground->why);
	return policy;
}

struct policy engine_policy(struct lab *lab, int depth)
{
	struct ground ground;

	return ground_open(&ground, lab, depth) ? identify(&ground) : open_question(&ground);
}

struct policy engine_tlb_policy(struct lab *lab, struct paging *paging)
{
	struct ground ground;

	return ground_open_pages(&ground, lab, paging) ? identify(&ground) : open_question(&ground);
}

void policy_tell(struct lab *lab, const struct policy *policy)
{
	bool named = policy->certainty == CERTAIN_RULE;

	if (policy->certainty == CERTAIN_NOTHING) {
		lab_outcome(lab, UNCLEAR, policy->why);
		return;
	}
	snprintf(lab->finding.note, sizeof(lab->finding.note), "%s", policy->note);
	lab_told(lab, policy->name, named ? 0.95 : 0.8, named ? "random sequences" : "random sequences, by manner");
}
