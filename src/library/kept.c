/* SPDX-License-Identifier: MIT */
/*
 * kept.c - a notebook with dates, and the file it is kept in
 */
#include <inttypes.h>

#include "../host/host.h"
#include "kept.h"

static const double DAY = 86400;

bool kept_open(struct kept *kept)
{
	int count = catalogue_count();

	*kept = (struct kept){ .findings = calloc((size_t)count, sizeof(*kept->findings)),
			       .dates = calloc((size_t)count, sizeof(*kept->dates)),
			       .count = count };
	if (kept->findings && kept->dates)
		return true;
	kept_close(kept);
	return false;
}

static void drop(struct finding *finding)
{
	if (!finding)
		return;
	free(finding->text);
	matrix_free(finding->matrix);
	free(finding);
}

void kept_close(struct kept *kept)
{
	for (int i = 0; kept->findings && i < kept->count; i++)
		drop(kept->findings[i]);
	free(kept->findings);
	free(kept->dates);
	*kept = (struct kept){ 0 };
}

bool kept_put(struct kept *kept, const struct finding *finding, double date)
{
	int place = catalogue_place(finding->name);
	struct finding *copy = place < 0 ? NULL : malloc(sizeof(*copy)), bare = *finding;

	if (!copy)
		return false;
	bare.evidence_count = 0;
	*copy = finding_copy(&bare);
	drop(kept->findings[place]);
	kept->findings[place] = copy;
	kept->dates[place] = date;
	return true;
}

bool kept_good(const struct finding *finding, double date, double now, double max_age)
{
	bool lasting = finding->outcome == MEASURED || finding->outcome == ABSENT;
	double age = now - date;

	/* A clock may be set back a little; a date from the far future is none. */
	return finding->outcome != FAILED && age >= -DAY && age <= (lasting ? max_age : fmin(max_age, DAY));
}

bool kept_path(uint64_t fingerprint, enum effort effort, char *path, size_t size)
{
	static const char *const efforts[] = { "quick", "usual", "full" };
	char directory[4096], error[256];

	if (!host_cache_directory(directory, sizeof(directory), error, sizeof(error)))
		return false;
	return (size_t)snprintf(path, size, "%s/findings-%016" PRIx64 "-%s.jsonl", directory, fingerprint,
				efforts[effort]) < size;
}

void kept_load(struct kept *kept, const char *path)
{
	FILE *file = host_open_own(path);
	struct report_saved saved;
	char why[256];

	while (file && report_load_next(file, &saved, why, sizeof(why))) {
		double date = host_seconds(saved.context.date);

		for (int i = 0; isfinite(date) && i < findings_count(saved.findings); i++) {
			const struct finding *finding = findings_at(saved.findings, i);
			int place = catalogue_place(finding->name);

			if (place >= 0 && !kept->findings[place] &&
			    strcmp(catalogue_at(place)->micro->unit, finding->unit) == 0)
				kept_put(kept, finding, date);
		}
		report_saved_free(&saved);
	}
	if (file)
		fclose(file);
}

/* Those of one date as a document; marks them as written. */
static bool write_date(FILE *out, const struct kept *kept, int first, bool *written, struct report_context context)
{
	struct findings *same = findings_new();
	char date[32];
	bool done;

	for (int i = first; same && i < kept->count; i++)
		if (kept->findings[i] && kept->dates[i] == kept->dates[first] && !written[i]) {
			struct finding copy = finding_copy(kept->findings[i]);

			findings_put_take(same, &copy);
			written[i] = true;
		}
	host_date_of(kept->dates[first], date, sizeof(date));
	context.date = date;
	done = same && report_line(out, &context, same);
	findings_free(same);
	return done;
}

void kept_store(const struct kept *kept, const char *path, const struct report_context *context)
{
	bool *written = calloc((size_t)kept->count, sizeof(*written)), done = written != NULL;
	char *text = NULL, error[256];
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; out && done && i < kept->count; i++)
		if (kept->findings[i] && !written[i])
			done = write_date(out, kept, i, written, *context);
	if (out && fclose(out) == 0 && done)
		host_write_file(path, text, error, sizeof(error));
	free(text);
	free(written);
}
