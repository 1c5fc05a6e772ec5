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
	*kept = (struct kept){ .findings = findings_new() };
	return kept->findings != NULL;
}

void kept_close(struct kept *kept)
{
	findings_free(kept->findings);
	free(kept->dates);
	*kept = (struct kept){ 0 };
}

static int place_of(const struct kept *kept, const char *name)
{
	int count = findings_count(kept->findings);

	for (int i = 0; i < count; i++)
		if (strcmp(findings_at(kept->findings, i)->name, name) == 0)
			return i;
	return count;
}

bool kept_put(struct kept *kept, const struct finding *finding, double date)
{
	int place = place_of(kept, finding->name);
	struct finding bare = *finding;

	if (place >= kept->room) {
		int room = kept->room ? 2 * kept->room : 64;
		double *dates = realloc(kept->dates, (size_t)room * sizeof(*dates));

		if (!dates)
			return false;
		kept->dates = dates;
		kept->room = room;
	}
	bare.evidence_count = 0;
	bare = finding_copy(&bare);
	findings_put_take(kept->findings, &bare);
	kept->dates[place] = date;
	return place < findings_count(kept->findings);
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
	return (size_t)snprintf(path, size, "%s/findings-%016" PRIx64 "-%s.jsonl", directory, fingerprint, efforts[effort]) <
	       size;
}

static bool is_ours(const struct finding *finding)
{
	const struct entry *entry = catalogue_find(finding->name);

	return entry && strcmp(entry->micro->unit, finding->unit) == 0;
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

			if (is_ours(finding) && !findings_get(kept->findings, finding->name))
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

	for (int i = first; same && i < findings_count(kept->findings); i++)
		if (kept->dates[i] == kept->dates[first] && !written[i]) {
			struct finding copy = finding_copy(findings_at(kept->findings, i));

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
	int count = findings_count(kept->findings);
	bool *written = calloc((size_t)count + 1, sizeof(*written)), done = written != NULL;
	char *text = NULL, error[256];
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; out && done && i < count; i++)
		if (!written[i])
			done = write_date(out, kept, i, written, *context);
	if (out && fclose(out) == 0 && done)
		host_write_file(path, text, error, sizeof(error));
	free(text);
	free(written);
}
