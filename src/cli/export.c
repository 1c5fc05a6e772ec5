/* SPDX-License-Identifier: MIT */
/*
 * export.c - xray export FORMAT: from a kept document, or from what is measured for it
 */
#include <stdlib.h>

#include "../export/export.h"
#include "../host/host.h"
#include "cli.h"

static void print_formats(FILE *out)
{
	for (int i = 0; export_at(i); i++)
		fprintf(out, "%-12s %s\n%-12s   %s\n", export_at(i)->name, export_at(i)->what, "", export_at(i)->use);
}

static const char *name_at(int index)
{
	return export_at(index) ? export_at(index)->name : NULL;
}

static int unknown(const char *name)
{
	fprintf(stderr, "xray: no format is named '%s'; the nearest is '%s' (xray export lists all)\n", name,
		catalogue_nearest(name, name_at));
	return EXIT_USAGE;
}

static int write(const struct export_format *format, const struct report_context *context,
		 const struct findings *findings)
{
	struct export_job job = { .out = stdout, .talk = stderr, .context = context, .findings = findings };

	return export_write(format, &job) == EXPORT_WHOLE ? EXIT_ALL : EXIT_SOME;
}

static bool is_in_catalogue(const char *pattern)
{
	for (int i = 0; catalogue_at(i); i++)
		if (plan_selects(pattern, catalogue_at(i)->name))
			return true;
	return false;
}

static int measure(const struct export_format *format, const struct options *options)
{
	const char *known[32];
	char error[512] = "out of memory";
	struct plan plan;
	struct cli_run run;
	int count = 0, status = EXIT_USAGE;

	for (const char *const *pattern = format->names; *pattern && count < 32; pattern++)
		if (is_in_catalogue(*pattern))
			known[count++] = *pattern;
	if (!plan_make(&plan, known, count, cli_effort(options), error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return EXIT_USAGE;
	}
	if (cli_run_open(&run, options)) {
		struct findings *found = cli_run_measure(&run, &plan, options->budget);

		if (found)
			status = write(format, &run.context, found);
		else
			fprintf(stderr, "xray: %s\n", error);
		if (run.interrupted)
			status = EXIT_INTERRUPTED;
		findings_free(found);
		cli_run_close(&run);
	}
	plan_free(&plan);
	return status;
}

static int convert(const struct export_format *format, const struct options *options)
{
	struct report_saved saved;
	int status;

	if (!cli_saved(options, &saved))
		return EXIT_USAGE;
	status = write(format, &saved.context, saved.findings);
	report_saved_free(&saved);
	return status;
}

int cli_export(const struct options *options)
{
	if (options->word_count == 1) {
		print_formats(stdout);
		return EXIT_ALL;
	}
	if (options->word_count > 2) {
		fprintf(stderr, "xray: export needs one FORMAT (xray export lists all)\n");
		return EXIT_USAGE;
	}

	const struct export_format *format = export_find(options->words[1]);

	if (!format)
		return unknown(options->words[1]);
	return options->from ? convert(format, options) : measure(format, options);
}
