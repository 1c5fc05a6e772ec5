/* SPDX-License-Identifier: MIT */
/*
 * score.c - what walks beside one another say of a cache
 */
#include <math.h>

#include "sharing.h"

/* Scores. Of a cache that both share half of the references miss, or more; beside one who uses another, those that
 * missed before and have further to go now: a tenant on the Zen 4 guest's cores made that 0.2. */
static const double APART = 0.2, TOGETHER = 0.33;
/* Of the references may miss anyway. Those, too, take longer when the next level is thrown over, where there is one. */
static const double OVERFULL = 0.2, LAST_OVERFULL = 0.45;

static const double LATE = 0.5; /* of the pieces are for settling */
static const double QUICK = 0.25; /* others add to a time */

enum { ENOUGH = 3 };

double sharing_pace(const struct team_part *part, long length)
{
	double ns[TEAM_SAMPLES];
	int kept = 0;

	for (int i = (int)(LATE * part->count); i < part->count; i++)
		ns[kept++] = part->samples[i].ns;
	return kept < ENOUGH ? NAN : stat_quantile(ns, kept, QUICK) / (double)length;
}

double sharing_score(const struct sharing_times *times)
{
	double most = times->miss * times->served;

	if (!(most > 0) || !(times->alone - times->hit < (times->last ? LAST_OVERFULL : OVERFULL) * most))
		return NAN;
	return (times->beside - times->alone) / most;
}

bool sharing_denies(double score)
{
	return fabs(score) < APART;
}

enum stat_verdict sharing_verdict(const double *scores, int count, int more)
{
	int yes = 0, no = 0, lost = 0;

	/* Beside somebody it is never quicker: that is a look to forget, too. */
	for (int i = 0; i < count; i++) {
		yes += scores[i] > TOGETHER;
		no += sharing_denies(scores[i]);
		lost += !(scores[i] > -APART);
	}
	more += yes && no;
	more = more > lost ? more : lost;
	return yes >= no + more ? STAT_YES : no >= yes + more ? STAT_NO : STAT_UNDECIDED;
}
