/* SPDX-License-Identifier: MIT */
/*
 * segments.c - plateaus of walks that go round the pages of more and more memory
 *
 * BlackjackBench's caches (Danalis et al., 2013): a walk takes all lines of a page in random order before it goes on to
 * the next, so that a TLB misses once in a page and no prefetcher knows what comes. Going round, it takes the time of
 * the nearest level that holds all of it, and QT clusters of these times are the levels. Unlike the law of random
 * references it depends on the policy, the index and the frames. They blur where a level ends, and do not change how
 * long a load takes on either side: it is a second opinion on how many levels there are.
 */
#include <math.h>
#include <stdlib.h>

#include "levels.h"

enum { LOOKS = 3, FEWEST = 3, ALIGNED = 64 << 10 }; /* bytes: whole pages */

static const double SMALLEST = 512, MOST = 64 << 20; /* bytes: more takes long to lay out */
static const double ENOUGH = 3, BEYOND = 4; /* times the last reach: to see memory; no level is expected further out */
static const double PER_OCTAVE = 6, FINE = 4 << 20; /* sizes, half as many beyond so many bytes */
static const double GOLDEN = 0.618034;
static const double WIDTH = 0.25, FINE_WIDTH = 0.12; /* of a cluster, relative */
static const double ENDS_BY = 1.5; /* times the reach: sizes are few, and a plateau is wide */
static const double UNFORESEEN = 0.5; /* of what the law says that memory takes */
static const double SAME_TIME = 0.15; /* of a level's */
static const double HOLDS = 1.5; /* the largest size of a plateau, by the smallest */

static void shuffle(uint64_t *places, long count, uint64_t *random)
{
	for (long i = count - 1; i > 0; i--) {
		*random = *random * 6364136223846793005u + 1442695040888963407u;

		long j = (long)((unsigned __int128)*random * (uint64_t)(i + 1) >> 64);
		uint64_t kept = places[i];

		places[i] = places[j];
		places[j] = kept;
	}
}

/* Another order in each page: one order for all is a habit that a prefetcher could learn. */
void segments_places(uint64_t *places, long count, long each, uint64_t apart, uint64_t base)
{
	long pages = (count + each - 1) / each, *order = stat_scratch((size_t)pages, sizeof(*order)), n = 0;
	uint64_t random = 88172645463325252u;

	walk_shuffle(order, pages);
	for (long i = 0; i < pages; i++) {
		long first = order[i] * each, end = first + each < count ? first + each : count;

		for (long j = first; j < end; j++)
			places[n + j - first] = base + (uint64_t)j * apart;
		shuffle(places + n, end - first, &random);
		n += end - first;
	}
	free(order);
}

/* A run of sizes in one cluster, but for single ones that were disturbed. */
static int run_end(const int *cluster_of, int count, int first)
{
	int end = first + 1;

	for (int i = end; i < count && i <= end + 1; i++)
		if (cluster_of[i] == cluster_of[first])
			end = i + 1;
	return end;
}

static int members(const int *cluster_of, int first, int end)
{
	int n = 0;

	for (int i = first; i < end; i++)
		n += cluster_of[i] == cluster_of[first];
	return n;
}

static double latency(const struct segments *segments, const int *cluster_of, int first, int end)
{
	double times[SEGMENTS_POINTS];
	int n = 0;

	for (int i = first; i < end; i++)
		if (cluster_of[i] == cluster_of[first])
			times[n++] = segments->points[i].time;
	return stat_median(times, n);
}

/* Noise may cut one plateau in two, and between them is no step then. */
static void add_plateau(struct segments *segments, double time, double reach, double width)
{
	struct plateau *plateau = &segments->plateau[segments->plateaus];

	if (segments->plateaus && time <= (1 + width) * plateau[-1].latency)
		plateau[-1].reach = reach;
	else if (segments->plateaus < SEGMENTS_PLATEAUS)
		segments->plateau[segments->plateaus++] = (struct plateau){ .latency = time, .reach = reach };
}

/* Between two levels times rise from size to size, and no cluster holds there for long. */
static void decide(struct segments *segments, double width)
{
	double times[SEGMENTS_POINTS];
	int cluster_of[SEGMENTS_POINTS];

	segments->plateaus = 0;
	for (int i = 0; i < segments->count; i++)
		times[i] = segments->points[i].time;
	stat_qt_clusters(times, segments->count, width, cluster_of);
	for (int first = 0, end; first < segments->count; first = end) {
		double reach;

		end = run_end(cluster_of, segments->count, first);
		reach = segments->points[end - 1].bytes;
		if (cluster_of[first] >= 0 && members(cluster_of, first, end) >= FEWEST &&
		    reach >= HOLDS * segments->points[first].bytes)
			add_plateau(segments, latency(segments, cluster_of, first, end), reach, width);
	}
}

void segments_decide(struct segments *segments)
{
	decide(segments, WIDTH);
}

void segments_decide_finely(struct segments *segments)
{
	decide(segments, FINE_WIDTH);
}

/* What disturbs a walk adds to its time. */
static double quickest(struct lab *lab, const struct walk *walk)
{
	double time = NAN;

	for (int i = 0; i < (lab->timer->noise == NOISE_QUIET ? 1 : LOOKS); i++)
		time = fmin(time, engine_walk(lab, walk, 1));
	return time;
}

/* Each size lies elsewhere: which frames compete for a set is a matter of luck where they fall as chance will, and the
 * same luck at one size after the other would be a plateau. */
static uint64_t base_of(double bytes, double most, int index)
{
	return (uint64_t)(fmod(index * GOLDEN, 1) * fmax(0, most - bytes) / ALIGNED) * ALIGNED;
}

static double next_size(double bytes, double last)
{
	double sparser = (bytes < FINE ? 1 : 2) * (bytes < BEYOND * last ? 1 : 2);

	return bytes * exp2(sparser / PER_OCTAVE);
}

/* A TLB misses once in a page: little of a step, but where lines are long a page has few. */
static double time_of(struct lab *lab, const struct walk *walk, double bytes, double in_page)
{
	return quickest(lab, walk) - hierarchy_translation(lab->hierarchy, bytes) / in_page;
}

static double largest_of(const struct hierarchy *hierarchy)
{
	return fmin(hierarchy->most, MOST);
}

static double last_of(const struct hierarchy *hierarchy)
{
	return hierarchy->levels ? hierarchy->level[hierarchy->levels - 1].reach : 0;
}

void segments_take(struct lab *lab, double apart, struct segments *segments)
{
	double last = last_of(lab->hierarchy), largest = largest_of(lab->hierarchy);
	uint64_t *places = malloc((size_t)(largest / apart + 1) * sizeof(*places));
	double in_page = floor(fmax(lab->hierarchy->page, apart) / apart);
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places };
	double bytes = SMALLEST;

	segments->count = segments->plateaus = 0;
	segments->apart = apart;
	while (places && bytes <= largest && segments->count < SEGMENTS_POINTS && !timer_over(lab->timer)) {
		walk.count = (long)(bytes / apart);
		segments_places(places, walk.count, (long)in_page, (uint64_t)apart,
				base_of(bytes, largest, segments->count));
		segments->points[segments->count++] =
			(struct curve_point){ .bytes = (double)walk.count * apart,
					      .time = time_of(lab, &walk, bytes, in_page) };
		/* The smallest sizes may differ by less than a place. */
		while ((long)(bytes / apart) == walk.count)
			bytes = next_size(bytes, last);
	}
	free(places);
	if (!timer_over(lab->timer))
		segments_decide(segments);
}

/* A walk round its places may leave a level long before it is full, but the next plateau ends beyond it. Of places
 * further apart than its lines the nearest level holds as much more; further out lines may be as short, or as long as
 * that: `further` times as much is allowed for. */
static int agreeing(const struct hierarchy *hierarchy, const struct segments *segments, double further)
{
	double sparse = fmax(1, segments->apart / hierarchy->line);
	int same = 0;

	while (same < hierarchy->levels && same + 1 < segments->plateaus &&
	       segments->plateau[same].reach <= ENDS_BY * (same ? further : sparse) * hierarchy->level[same].reach &&
	       segments->plateau[same + 1].reach >= hierarchy->level[same].reach)
		same++;
	return same == hierarchy->levels && segments->plateaus == same + 1 ? HIERARCHY_ALL : same;
}

/* Whether some plateau takes what the level does; the last one is memory's. Of a line's places all but one are hits,
 * unless they lie a line apart. */
static bool takes_as_long(const struct segments *segments, double latency)
{
	for (int i = 0; i + 1 < segments->plateaus; i++)
		if (fabs(segments->plateau[i].latency - latency) < SAME_TIME * latency)
			return true;
	for (int i = 0; i + 1 < segments->sparse_count; i++)
		if (fabs(segments->sparse[i] - latency) < SAME_TIME * latency)
			return true;
	return false;
}

/* The first level that agrees, and may yet be two, or half of one: where they are not as many as plateaus, or terms
 * were put together to it. Then times must agree, too. */
static int first_doubtful(const struct lab *lab, const struct segments *segments, int agreed)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	int i = 0;

	if (lab->timer->noise != NOISE_QUIET)
		return HIERARCHY_ALL;
	while (i < hierarchy->levels && i < agreed &&
	       (agreed == HIERARCHY_ALL || takes_as_long(segments, hierarchy->level[i].latency)) &&
	       (!hierarchy->level[i].merged || i + 1 == hierarchy->levels ||
		takes_as_long(segments, hierarchy->level[i + 1].latency)))
		i++;
	return i < agreed ? i : HIERARCHY_ALL;
}

const struct segments *engine_segments(struct lab *lab)
{
	const struct hierarchy *hierarchy = engine_hierarchy(lab);
	struct segments *segments = &lab->hierarchy->segments, sparse;
	double last = last_of(hierarchy), largest = largest_of(hierarchy);
	int agreed;

	/* Of memory itself enough must be seen to call it a plateau. */
	if (segments->tried || lab->brief || hierarchy->status != MACHINE_RAN || largest < ENOUGH * last ||
	    largest < SMALLEST)
		return segments;
	segments->tried = true;
	segments_take(lab, hierarchy->far_apart, segments);
	agreed = agreeing(hierarchy, segments, 1);
	if ((agreed == HIERARCHY_ALL && first_doubtful(lab, segments, agreed) >= hierarchy->levels) ||
	    hierarchy->far_apart >= LONG_LINE)
		return segments;
	/* Of a long line's places all but one are hits, and hide how long a miss takes. But places that far apart do
	 * not fill hashed sets. */
	sparse = *segments;
	segments_take(lab, LONG_LINE, &sparse);
	if (agreed < HIERARCHY_ALL && agreeing(hierarchy, &sparse, 1) == HIERARCHY_ALL)
		*segments = sparse;
	else
		while (segments->sparse_count < sparse.plateaus) {
			segments->sparse[segments->sparse_count] = sparse.plateau[segments->sparse_count].latency;
			segments->sparse_count++;
		}
	return segments;
}

bool engine_segments_see_memory(struct lab *lab)
{
	const struct segments *segments = engine_segments(lab);

	return segments->plateaus > 0 &&
	       segments->plateau[segments->plateaus - 1].latency > UNFORESEEN * lab->hierarchy->memory;
}

int engine_segments_agree(struct lab *lab)
{
	const struct segments *segments = engine_segments(lab);
	int agreed = agreeing(lab->hierarchy, segments, 1), doubtful = first_doubtful(lab, segments, agreed);

	return doubtful < lab->hierarchy->levels ? doubtful : agreed;
}

bool engine_segments_end_as_levels(struct lab *lab)
{
	const struct segments *segments = engine_segments(lab);

	return agreeing(lab->hierarchy, segments, fmax(1, segments->apart / lab->hierarchy->line)) == HIERARCHY_ALL;
}
