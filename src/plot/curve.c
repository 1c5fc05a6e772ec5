/* SPDX-License-Identifier: MIT */
/*
 * curve.c - the evidence that a finding is drawn from
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

/* Several findings are read off one curve, which is kept with one of them. The first row whose pattern fits, and whose
 * curve there is, counts. */
static const struct source {
	const char *pattern, *from, *what;
} sources[] = {
	{ "cache.l1i.straight", "cache.l1i.straight", "cycles of a case" },
	{ "cache.l1i.[sr]*", "cache.l1i.size", "cycles of a jump, by bytes" },
	{ "cache.l*.code", "cache.l1i.size", "cycles of a jump, by bytes" },
	{ "cache.levels", "cache.levels", "cycles by bytes" },
	{ "cache.l*.size", "cache.levels", "cycles by bytes" },
	{ "cache.l*.reach", "cache.levels", "cycles by bytes" },
	{ "cache.l*.latency", "cache.levels", "cycles by bytes" },
	{ "memory.latency", "cache.levels", "cycles by bytes" },
	{ "page.size", "page.size", "ns a touch takes more" },
	{ "page.huge", "page.huge", "ns a touch takes more" },
	{ "tlb.l*d.huge", "page.huge", "cycles by pages" },
	{ "tlb.l*d.*", "page.size", "cycles by pages" },
	{ "tlb.l*i.*", "tlb.l1i.entries", "cycles a jump takes more, by pages" },
	{ "tlb.l*i.*", "tlb.l2i.entries", "cycles a jump takes more, by pages" },
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_usable(const struct evidence *point)
{
	return isfinite(point->x) && isfinite(point->value);
}

static int by_x(const void *one, const void *other)
{
	const struct evidence *left = one, *right = other;

	if (left->x != right->x)
		return left->x > right->x ? 1 : -1;
	return (left->value > right->value) - (left->value < right->value);
}

static bool has_words(const struct finding *finding, const char *what)
{
	for (int i = 0; i < finding->evidence_count; i++)
		if (is_usable(&finding->evidence[i]) && strcmp(finding->evidence[i].what, what) == 0)
			return true;
	return false;
}

/* Copies the points with these words, or where there are none, whose words begin so, in order; how many have an x of
 * their own. */
static int gather(const struct finding *finding, const char *what, struct evidence *points, int *distinct)
{
	bool whole = has_words(finding, what);
	int count = 0;

	*distinct = 0;
	for (int i = 0; i < finding->evidence_count; i++) {
		const char *words = finding->evidence[i].what;

		if (is_usable(&finding->evidence[i]) && (whole ? strcmp(words, what) == 0 : begins(words, what)))
			points[count++] = finding->evidence[i];
	}
	qsort(points, (size_t)count, sizeof(*points), by_x);
	for (int i = 0; i < count; i++)
		*distinct += i == 0 || points[i].x != points[i - 1].x;
	return count;
}

/* The words of the evidence with most x of their own. */
static const char *longest(const struct finding *finding, struct evidence *points)
{
	const char *best = NULL;
	int most = 0;

	for (int i = 0; i < finding->evidence_count; i++) {
		const char *what = finding->evidence[i].what;
		int distinct;

		if (i > 0 && strcmp(what, finding->evidence[i - 1].what) == 0)
			continue;
		gather(finding, what, points, &distinct);
		if (distinct > most) {
			most = distinct;
			best = what;
		}
	}
	return best;
}

static bool take(struct curve *curve, const struct finding *from, const char *what, struct evidence *points)
{
	int distinct, count = gather(from, what, points, &distinct);

	if (distinct < CURVE_LEAST)
		return false;
	curve->x = calloc((size_t)distinct, sizeof(*curve->x));
	curve->y = calloc((size_t)distinct, sizeof(*curve->y));
	if (!curve->x || !curve->y) {
		curve_free(curve);
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (i > 0 && points[i].x == points[i - 1].x)
			continue;
		curve->x[curve->count] = points[i].x;
		curve->y[curve->count++] = points[i].value;
	}
	snprintf(curve->what, sizeof(curve->what), "%s", points[0].what);
	return true;
}

/* What x counts, by the evidence's words. */
static void read_words(struct curve *curve, const struct finding *finding)
{
	static const char *const counted[] = { "ways", "threads", "pages", "copies", "in the loop" };
	bool bytes = strstr(curve->what, "bytes") || strstr(curve->what, "stride") || strstr(curve->what, "shift") ||
		     strstr(curve->what, "gap");

	curve->unit = bytes && !strstr(curve->what, "pages by") ? "bytes" : "";
	curve->marked = curve->unit[0] && strcmp(finding->unit, "bytes") == 0;
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]) && !curve->unit[0]; i++)
		if (strcmp(finding->unit, "count") == 0 && strstr(curve->what, counted[i]))
			curve->marked = true;
	/* The ways of a TLB are no number of pages that are walked over. */
	if (curve->from && strstr(finding->name, ".ways"))
		curve->marked = false;
}

static const double NEAR = 16; /* times the answer, up and down, is what is drawn of a long curve */

enum { ENOUGH = 12 };

/* A step of a few cycles does not show beside memory: of a curve that several answers are read off, the part about this
 * one. */
static void narrow(struct curve *curve, double value)
{
	int first = 0, last = curve->count;

	while (first < last && curve->x[first] < value / NEAR)
		first++;
	while (last > first && curve->x[last - 1] > value * NEAR)
		last--;
	if (last - first < ENOUGH)
		return;
	curve->count = last - first;
	memmove(curve->x, curve->x + first, (size_t)curve->count * sizeof(*curve->x));
	memmove(curve->y, curve->y + first, (size_t)curve->count * sizeof(*curve->y));
}

bool curve_of(struct curve *curve, const struct findings *findings, const struct finding *finding)
{
	int most = finding->evidence_count;
	struct evidence *points;
	bool found = false;

	*curve = (struct curve){ .unit = "" };
	for (int i = 0; i < findings_count(findings); i++)
		most = (int)fmax(most, findings_at(findings, i)->evidence_count);
	points = calloc((size_t)most + 1, sizeof(*points));
	for (size_t i = 0; points && i < sizeof(sources) / sizeof(sources[0]) && !found; i++) {
		const struct finding *from = findings_get(findings, sources[i].from);

		if (fnmatch(sources[i].pattern, finding->name, 0) != 0 || !from)
			continue;
		found = take(curve, from, sources[i].what, points);
		curve->from = found && from != finding && strcmp(from->name, finding->name) != 0 ? from->name : NULL;
	}
	if (points && !found) {
		const char *what = longest(finding, points);

		found = what && take(curve, finding, what, points);
	}
	if (found)
		read_words(curve, finding);
	if (found && curve->from && curve->marked && finding->outcome == MEASURED)
		narrow(curve, finding->value);
	free(points);
	return found;
}

void curve_free(struct curve *curve)
{
	free(curve->x);
	free(curve->y);
	curve->x = curve->y = NULL;
	curve->count = 0;
}
