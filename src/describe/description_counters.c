/* SPDX-License-Identifier: MIT */
/*
 * description_counters.c - the counters of a machine file: [counters]
 */
#include "description_keys.h"

#define EVENT(event, name) \
	{ \
		"counters", name, offsetof(struct description, counters.kind[event]), FORM_NUMBER, 0, -1, kinds \
	}
#define COUNTERS(name, member, ...) \
	{ \
		"counters", name, offsetof(struct description, counters.member), FORM_NUMBER, __VA_ARGS__ \
	}

static const struct description_word yes_no[] = { { "yes", 1 }, { "no", 0 }, { NULL, 0 } };
static const struct description_word tlbs[] = { { "nearest", 0 }, { "walks", 1 }, { NULL, 0 } };
static const struct description_word kinds[] = { { "none", COUNTER_NONE },
						 { "exact", COUNTER_EXACT },
						 { "noisy", COUNTER_NOISY },
						 { "double", COUNTER_DOUBLE },
						 { "nothing", COUNTER_NOTHING },
						 { "stuck", COUNTER_STUCK },
						 { "wraps", COUNTER_WRAPS },
						 { "l1d.misses", COUNTER_OTHER + WALK_L1D_MISSES },
						 { "l2.misses", COUNTER_OTHER + WALK_L2_MISSES },
						 { "last.misses", COUNTER_OTHER + WALK_LAST_MISSES },
						 { "dtlb.misses", COUNTER_OTHER + WALK_DTLB_MISSES },
						 { "l1i.misses", COUNTER_OTHER + WALK_L1I_MISSES },
						 { "itlb.misses", COUNTER_OTHER + WALK_ITLB_MISSES },
						 { NULL, 0 } };

static const struct description_key keys[] = {
	EVENT(WALK_L1D_MISSES, "l1d.misses"),         EVENT(WALK_L2_MISSES, "l2.misses"),
	EVENT(WALK_LAST_MISSES, "last.misses"),       EVENT(WALK_DTLB_MISSES, "dtlb.misses"),
	EVENT(WALK_L1I_MISSES, "l1i.misses"),         EVENT(WALK_ITLB_MISSES, "itlb.misses"),
	COUNTERS("overhead", overhead, 0, 1e6, NULL), COUNTERS("noise", noise, 0, 1, NULL),
	COUNTERS("spikes", spikes, 0, 1, NULL),       COUNTERS("multiplexed", multiplexed, 0, 1, NULL),
	COUNTERS("tlbs", walks, 0, -1, tlbs),         COUNTERS("prefetches", prefetches, 0, -1, yes_no),
	COUNTERS("refused", refused, 0, -1, yes_no),  { NULL, NULL, 0, FORM_TEXT, 0, 0, NULL },
};

const struct description_key *description_counters_keys(void)
{
	return keys;
}
