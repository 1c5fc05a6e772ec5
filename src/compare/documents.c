/* SPDX-License-Identifier: MIT */
/*
 * documents.c - all findings of two documents side by side, and what surrounded them
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool compare_all(struct comparison *comparison, const struct findings *before, const struct findings *after)
{
	size_t most = (size_t)findings_count(before) + (size_t)findings_count(after);

	*comparison = (struct comparison){ .list = calloc(most + 1, sizeof(*comparison->list)) };
	if (!comparison->list)
		return false;
	for (int i = 0; i < findings_count(before); i++) {
		const struct finding *finding = findings_at(before, i);

		comparison->list[comparison->count++] = compare_findings(finding, findings_get(after, finding->name));
	}
	for (int i = 0; i < findings_count(after); i++)
		if (!findings_get(before, findings_at(after, i)->name))
			comparison->list[comparison->count++] = compare_findings(NULL, findings_at(after, i));
	compare_count(comparison);
	return true;
}

void compare_free(struct comparison *comparison)
{
	free(comparison->list);
	*comparison = (struct comparison){ 0 };
}

void compare_count(struct comparison *comparison)
{
	memset(comparison->counts, 0, sizeof(comparison->counts));
	for (int i = 0; i < comparison->count; i++)
		comparison->counts[comparison->list[i].verdict]++;
}

void compare_second_look(struct difference *first, const struct finding *second)
{
	struct difference again = compare_findings(first->before, second);

	if (again.verdict != CHANGED) {
		*first = again;
	} else if (compare_findings(first->after, second).verdict == CHANGED) {
		first->verdict = UNSURE;
		snprintf(first->how, sizeof(first->how), "two looks say two things");
	}
}

static void put_row(struct context_row *rows, int *count, const char *word, const char *before, const char *after)
{
	struct context_row *row = &rows[*count];

	if (strcmp(before, after) == 0)
		return;
	row->word = word;
	snprintf(row->before, sizeof(row->before), "%s", before[0] ? before : "-");
	snprintf(row->after, sizeof(row->after), "%s", after[0] ? after : "-");
	(*count)++;
}

static void put_number(struct context_row *rows, int *count, const char *word, double before, double after)
{
	char texts[2][32] = { "", "" };

	if (isfinite(before) && before > 0)
		snprintf(texts[0], sizeof(texts[0]), "%.10g", before);
	if (isfinite(after) && after > 0)
		snprintf(texts[1], sizeof(texts[1]), "%.10g", after);
	put_row(rows, count, word, texts[0], texts[1]);
}

/* Its word alone: the numbers behind it are never twice the same. */
static void put_noise(struct context_row *rows, int *count, const char *before, const char *after)
{
	size_t length = strcspn(before, " ("), other = strcspn(after, " (");

	if (length != other || strncmp(before, after, length) != 0)
		put_row(rows, count, "noise", before, after);
}

int compare_contexts(const struct report_context *before, const struct report_context *after,
		     struct context_row rows[CONTEXT_ROWS])
{
	int count = 0;

	put_row(rows, &count, "host", before->host, after->host);
	put_row(rows, &count, "date", before->date, after->date);
	put_row(rows, &count, "xray", before->version, after->version);
	put_row(rows, &count, "cpu", before->cpu, after->cpu);
	put_number(rows, &count, "cpus", before->cpus, after->cpus);
	put_number(rows, &count, "quota", before->quota, after->quota);
	put_row(rows, &count, "hypervisor", before->hypervisor, after->hypervisor);
	put_row(rows, &count, "kernel", before->kernel, after->kernel);
	put_row(rows, &count, "compiler", before->compiler, after->compiler);
	put_number(rows, &count, "page bytes", (double)before->page_bytes, (double)after->page_bytes);
	put_noise(rows, &count, before->noise, after->noise);
	return count;
}
