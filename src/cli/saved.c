/* SPDX-License-Identifier: MIT */
/*
 * saved.c - reports of what was found: just now, or by a run whose document was kept
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "../overview/overview.h"
#include "cli.h"

enum { PLAIN_WIDTH = 100, NARROWEST = 40 }; /* columns where nobody says how many there are; and that are believed */

bool cli_load(const char *path, struct report_saved *saved)
{
	char error[4608];

	if (report_load_saved(saved, path, error, sizeof(error)))
		return true;
	fprintf(stderr, "xray: %s\n", error);
	return false;
}

bool cli_saved(const struct options *options, struct report_saved *saved)
{
	char journal[4096];
	const char *path = options->from;

	if (!path && cli_journal(journal, sizeof(journal)) && host_exists(journal))
		path = journal;
	if (!path) {
		fprintf(stderr,
			"xray: nothing was measured yet; run xray first, or name a document with --from FILE\n");
		return false;
	}
	return cli_load(path, saved);
}

bool cli_can_write(const struct options *options)
{
	char error[512];

	if (options->csv && !host_make_directory(options->csv, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return false;
	}
	if (options->html && strcmp(options->html, "-") != 0) {
		FILE *page = fopen(options->html, "ae");

		if (!page) {
			fprintf(stderr, "xray: %s: %s\n", options->html, strerror(errno));
			return false;
		}
		fclose(page);
	}
	return true;
}

static bool print_html(const char *path, const struct report_context *context, const struct findings *findings)
{
	FILE *out = fopen(path, "w");
	bool written = out && report_html(out, context, findings);

	if (out && fclose(out) != 0)
		written = false;
	if (!written)
		fprintf(stderr, "xray: %s: the page could not be written\n", path);
	return written;
}

bool cli_print(const struct options *options, const struct report_context *context, const struct findings *findings)
{
	char error[512];
	bool printed = true;

	if (options->csv && !report_csv(options->csv, findings, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		printed = false;
	}
	if (options->html && strcmp(options->html, "-") == 0)
		return report_html(stdout, context, findings) && printed;
	if (options->html && !print_html(options->html, context, findings))
		printed = false;
	if (options->json) {
		printed = report_json(stdout, context, findings, options->evidence) && printed;
	} else {
		struct report_layout layout = cli_layout(options);

		/* What was asked for by name is not left out. */
		layout.full = layout.full || options->word_count > 0;
		if (layout.full || !overview_suits(findings))
			report_text(stdout, context, findings, &layout);
		else
			overview_text(stdout, context, findings, &layout);
	}
	return printed;
}

struct report_layout cli_layout(const struct options *options)
{
	bool terminal = host_is_terminal(1);
	const char *said = host_environment("COLUMNS");
	long columns = terminal ? host_terminal_width(1) : said ? strtol(said, NULL, 10) : PLAIN_WIDTH;

	return (struct report_layout){ .colour = terminal && !host_environment("NO_COLOR"),
				       .full = options->full,
				       .width =
					       columns >= NARROWEST && columns < INT_MAX ? (int)columns : PLAIN_WIDTH };
}

int cli_status(const struct findings *findings)
{
	for (int i = 0; i < findings_count(findings); i++) {
		enum outcome outcome = findings_at(findings, i)->outcome;

		if (outcome != MEASURED && outcome != ABSENT)
			return EXIT_SOME;
	}
	return EXIT_ALL;
}

/* False after a message: a word that selects nothing. */
static bool select_into(struct findings *chosen, const struct options *options, const struct findings *all)
{
	for (int i = 0; i < options->word_count; i++) {
		bool known = false;

		for (int j = 0; j < findings_count(all); j++)
			known = known || plan_selects(options->words[i], findings_at(all, j)->name);
		if (!known) {
			fprintf(stderr, "xray: %s holds nothing named '%s'\n", options->from, options->words[i]);
			return false;
		}
	}
	for (int j = 0; j < findings_count(all); j++) {
		bool chosen_one = options->word_count == 0;

		for (int i = 0; i < options->word_count; i++)
			chosen_one = chosen_one || plan_selects(options->words[i], findings_at(all, j)->name);
		if (chosen_one) {
			struct finding copy = finding_copy(findings_at(all, j));

			findings_put_take(chosen, &copy);
		}
	}
	return true;
}

int cli_show_saved(const struct options *options)
{
	struct report_saved saved;
	struct findings *chosen;
	int status = EXIT_USAGE;

	if (!cli_can_write(options) || !cli_saved(options, &saved))
		return EXIT_USAGE;
	chosen = findings_new();
	if (chosen && select_into(chosen, options, saved.findings))
		status = cli_print(options, &saved.context, chosen) ? cli_status(chosen) : EXIT_SOME;
	findings_free(chosen);
	report_saved_free(&saved);
	return status;
}
