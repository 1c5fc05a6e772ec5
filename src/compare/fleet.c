/* SPDX-License-Identifier: MIT */
/*
 * fleet.c - several machines that ought to be alike: which is not, and in what
 *
 * Of each parameter the finding that most of the others are the same as stands for the fleet, if they are more than
 * half of those that know.
 */
#include <stdlib.h>
#include <string.h>

#include "../report/line.h"
#include "compare.h"

static const struct finding *finding_of(const struct fleet *fleet, int node, const char *name)
{
	return findings_get(fleet->findings[node], name);
}

/* How many of the others it is the same as; all that know are counted in `knowing`. */
static int fellows(const struct fleet *fleet, const struct finding *finding, int *knowing)
{
	int same = 0;

	*knowing = 0;
	for (int i = 0; i < fleet->count; i++) {
		const struct finding *other = finding_of(fleet, i, finding->name);

		if (!other)
			continue;

		enum compare_verdict verdict = compare_findings(finding, other).verdict;

		same += verdict == SAME;
		*knowing += verdict == SAME || verdict == CHANGED;
	}
	return same;
}

/* NULL when there is no majority. */
static const struct finding *usual(const struct fleet *fleet, const char *name)
{
	const struct finding *best = NULL;
	int most = 0, knowing = 0;

	for (int i = 0; i < fleet->count; i++) {
		const struct finding *finding = finding_of(fleet, i, name);
		int all = 0, same = finding ? fellows(fleet, finding, &all) : 0;

		if (same > most) {
			most = same;
			knowing = all;
			best = finding;
		}
	}
	return 2 * most > knowing ? best : NULL;
}

struct naming {
	const char **names;
	const struct finding **usual; /* NULL: no majority */
	int count;
};

static bool is_named(const struct naming *naming, const char *name)
{
	for (int i = 0; i < naming->count; i++)
		if (strcmp(naming->names[i], name) == 0)
			return true;
	return false;
}

static bool name_all(const struct fleet *fleet, struct naming *naming)
{
	size_t most = 1;

	for (int i = 0; i < fleet->count; i++)
		most += (size_t)findings_count(fleet->findings[i]);
	naming->names = calloc(most, sizeof(*naming->names));
	naming->usual = calloc(most, sizeof(*naming->usual));
	if (!naming->names || !naming->usual)
		return false;
	for (int i = 0; i < fleet->count; i++)
		for (int j = 0; j < findings_count(fleet->findings[i]); j++) {
			const char *name = findings_at(fleet->findings[i], j)->name;

			if (is_named(naming, name))
				continue;
			naming->names[naming->count] = name;
			naming->usual[naming->count++] = usual(fleet, name);
		}
	return true;
}

static int put_node(struct line *line, const struct fleet *fleet, const struct naming *naming, int node)
{
	int differs = 0;

	for (int i = 0; i < naming->count; i++) {
		const struct finding *finding = finding_of(fleet, node, naming->names[i]);
		char own[256], others[256], text[640];

		if (!finding || !naming->usual[i] || compare_findings(naming->usual[i], finding).verdict != CHANGED)
			continue;
		if (differs++ == 0)
			fprintf(line->out, "%s\n", fleet->files[node]);
		report_value(finding, own, sizeof(own));
		report_value(naming->usual[i], others, sizeof(others));
		snprintf(text, sizeof(text), "%s, others %s", own, others);
		line->blanks = 2;
		line_put(line, naming->names[i], 30, LEFT, PLAIN);
		line_put_words(line, text, 32, PLAIN);
		line_end(line);
	}
	if (differs)
		fputc('\n', line->out);
	return differs;
}

int compare_fleet(FILE *out, const struct fleet *fleet, const struct report_layout *layout)
{
	struct line line = { .out = out, .colour = layout->colour, .width = layout->width };
	struct naming naming = { 0 };
	int deviants = 0, split = 0;
	bool named = name_all(fleet, &naming);

	for (int i = 0; named && i < fleet->count; i++)
		deviants += put_node(&line, fleet, &naming, i) > 0;
	for (int i = 0; i < naming.count; i++) {
		int knowing = 0;

		for (int j = 0; j < fleet->count && !naming.usual[i]; j++) {
			const struct finding *finding = finding_of(fleet, j, naming.names[i]);

			knowing += finding && (finding->outcome == MEASURED || finding->outcome == ABSENT);
		}
		split += knowing > 1;
	}
	if (named)
		fprintf(out, "%d of %d differ from most; %d parameters compared, %d without a majority\n", deviants,
			fleet->count, naming.count - split, split);
	free(naming.names);
	free(naming.usual);
	return named ? deviants : -1;
}
