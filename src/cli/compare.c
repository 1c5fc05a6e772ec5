/* SPDX-License-Identifier: MIT */
/*
 * compare.c - xray diff and xray verify: documents beside each other, and a document beside this machine
 */
#include <stdlib.h>

#include "../compare/compare.h"
#include "cli.h"

/* Those of a document's findings that names select, all of them without names; NULL without memory. */
static struct findings *selection(const struct findings *all, const char *const *names, int count)
{
	struct findings *chosen = findings_new();

	for (int i = 0; chosen && i < findings_count(all); i++) {
		bool wanted = count == 0;

		for (int j = 0; j < count; j++)
			wanted = wanted || plan_selects(names[j], findings_at(all, i)->name);
		if (wanted) {
			struct finding copy = finding_copy(findings_at(all, i));

			findings_put_take(chosen, &copy);
		}
	}
	return chosen;
}

static bool print_compared(const struct options *options, const struct compared *compared)
{
	struct report_layout layout = cli_layout(options);

	if (!options->json) {
		compare_text(stdout, compared, &layout);
		return true;
	}
	return compare_json(stdout, compared);
}

/* Documents that were read, and what of each is compared. */
struct documents {
	const char **files;
	struct report_saved *saved;
	struct findings **findings;
	const char **names; /* what the findings shall be called */
	int count, name_count;
};

static bool is_name(const char *word)
{
	for (int i = 0; catalogue_at(i); i++)
		if (plan_selects(word, catalogue_at(i)->name))
			return true;
	return false;
}

/* Words that select a parameter are names, all others are files. */
static bool read_documents(const struct options *options, struct documents *documents)
{
	size_t most = (size_t)options->word_count + 1;

	*documents = (struct documents){ .files = calloc(most, sizeof(*documents->files)),
					 .saved = calloc(most, sizeof(*documents->saved)),
					 .findings = calloc(most, sizeof(struct findings *)),
					 .names = calloc(most, sizeof(*documents->names)) };
	if (!documents->files || !documents->saved || !documents->findings || !documents->names)
		return false;
	for (int i = 1; i < options->word_count; i++)
		if (is_name(options->words[i]))
			documents->names[documents->name_count++] = options->words[i];
		else
			documents->files[documents->count++] = options->words[i];
	if (documents->count < 2) {
		fprintf(stderr, "xray: diff needs two documents at least, as xray --json prints them\n");
		return false;
	}
	for (int i = 0; i < documents->count; i++) {
		if (!cli_load(documents->files[i], &documents->saved[i]))
			return false;
		documents->findings[i] =
			selection(documents->saved[i].findings, documents->names, documents->name_count);
		if (!documents->findings[i])
			return false;
	}
	return true;
}

static void free_documents(struct documents *documents)
{
	for (int i = 0; i < documents->count && documents->saved && documents->findings; i++) {
		report_saved_free(&documents->saved[i]);
		findings_free(documents->findings[i]);
	}
	free(documents->files);
	free(documents->saved);
	free(documents->findings);
	free(documents->names);
}

static int print_fleet(const struct options *options, const struct documents *documents)
{
	struct fleet fleet = { documents->files, (const struct findings *const *)documents->findings,
			       documents->count };
	struct report_layout layout = cli_layout(options);

	if (options->json) {
		fprintf(stderr, "xray: diff --json takes two documents, not %d\n", documents->count);
		return EXIT_USAGE;
	}
	return compare_fleet(stdout, &fleet, &layout) < 0 ? EXIT_SOME : EXIT_ALL;
}

int cli_diff(const struct options *options)
{
	struct documents documents;
	struct comparison comparison = { 0 };
	int status = EXIT_USAGE;

	if (read_documents(options, &documents)) {
		struct compared compared = { .files = { documents.files[0], documents.files[1] },
					     .contexts = { &documents.saved[0].context, &documents.saved[1].context },
					     .comparison = &comparison,
					     .full = options->full || documents.name_count > 0 };

		if (documents.count > 2)
			status = print_fleet(options, &documents);
		else if (compare_all(&comparison, documents.findings[0], documents.findings[1]))
			status = print_compared(options, &compared) ? EXIT_ALL : EXIT_SOME;
	}
	compare_free(&comparison);
	free_documents(&documents);
	return status;
}

/* A plan of those of the findings that are known, changed ones only or all; false when there are none. Names that this
 * xray does not know, as another version's document may have, are left out. */
static bool plan_known(struct plan *plan, const struct comparison *comparison, enum compare_verdict verdict)
{
	const char **names = calloc((size_t)comparison->count + 1, sizeof(*names));
	char error[512];
	int count = 0;
	bool made;

	for (int i = 0; names && i < comparison->count; i++) {
		const struct finding *before = comparison->list[i].before;

		if (before && comparison->list[i].verdict == verdict && catalogue_find(before->name))
			names[count++] = before->name;
	}
	made = count > 0 && plan_make(plan, names, count, EFFORT_DEFAULT, error, sizeof(error));
	free(names);
	return made;
}

/* What changed is looked at once more: a moment's unrest is not there twice. False without memory. */
static bool look_again(struct cli_run *run, struct comparison *comparison, struct findings **second)
{
	struct plan plan;

	*second = NULL;
	if (comparison->counts[CHANGED] == 0 || run->interrupted || !plan_known(&plan, comparison, CHANGED))
		return true;
	*second = cli_run_measure(run, &plan, fmax(0, run->options->budget - run->context.seconds));
	plan_free(&plan);
	if (!*second)
		return false;
	for (int i = 0; i < comparison->count; i++) {
		struct difference *difference = &comparison->list[i];
		const struct finding *again =
			difference->verdict == CHANGED ? findings_get(*second, difference->before->name) : NULL;

		if (again)
			compare_second_look(difference, again);
	}
	compare_count(comparison);
	return true;
}

/* Half of what was known has to be known again, or nothing was verified. */
static int verdict_status(const struct comparison *comparison)
{
	const int *counts = comparison->counts;
	int lost = counts[UNSURE] + counts[ONLY_BEFORE], compared = counts[SAME] + counts[CHANGED];

	return counts[CHANGED] == 0 && compared > 0 && compared >= lost ? EXIT_ALL : EXIT_SOME;
}

static int print_verified(const struct options *options, const struct report_context *contexts[2],
			  struct comparison *comparison)
{
	struct compared compared = { .files = { options->words[1], options->from ? options->from : "now" },
				     .contexts = { contexts[0], contexts[1] },
				     .comparison = comparison,
				     .full = options->full };

	return print_compared(options, &compared) ? verdict_status(comparison) : EXIT_SOME;
}

static int verify_from(const struct options *options, const struct report_context *context,
		       const struct findings *baseline)
{
	struct report_saved now;
	struct comparison comparison = { 0 };
	int status = EXIT_USAGE;

	if (!cli_load(options->from, &now))
		return EXIT_USAGE;

	struct findings *chosen = selection(now.findings, options->words + 2, options->word_count - 2);
	const struct report_context *contexts[] = { context, &now.context };

	if (chosen && compare_all(&comparison, baseline, chosen))
		status = print_verified(options, contexts, &comparison);
	compare_free(&comparison);
	findings_free(chosen);
	report_saved_free(&now);
	return status;
}

static int verify_here(const struct options *options, const struct report_context *context,
		       const struct findings *baseline)
{
	struct findings *none = findings_new(), *first = NULL, *second = NULL;
	struct comparison comparison = { 0 };
	struct cli_run run;
	struct plan plan;
	int status = EXIT_USAGE;
	bool planned = none && compare_all(&comparison, baseline, none) && plan_known(&plan, &comparison, ONLY_BEFORE);

	compare_free(&comparison);
	if (!planned) {
		fprintf(stderr, "xray: %s holds nothing that xray %s measures\n", options->words[1], options->release);
	} else if (cli_run_open(&run, options)) {
		const struct report_context *contexts[] = { context, &run.context };

		first = cli_run_measure(&run, &plan, options->budget);
		status = EXIT_SOME;
		if (first && compare_all(&comparison, baseline, first) && look_again(&run, &comparison, &second))
			status = print_verified(options, contexts, &comparison);
		if (run.interrupted)
			status = EXIT_INTERRUPTED;
		compare_free(&comparison);
		findings_free(second);
		findings_free(first);
		cli_run_close(&run);
	}
	if (planned)
		plan_free(&plan);
	findings_free(none);
	return status;
}

int cli_verify(const struct options *options)
{
	struct report_saved saved;
	struct findings *baseline;
	int status = EXIT_USAGE;

	if (options->word_count < 2) {
		fprintf(stderr, "xray: verify needs a BASELINE, a document as xray --json prints it\n");
		return EXIT_USAGE;
	}
	for (int i = 2; i < options->word_count; i++)
		if (!is_name(options->words[i])) {
			fprintf(stderr, "xray: no parameter is named '%s'; the nearest is '%s' (xray list shows all)\n",
				options->words[i], catalogue_nearest(options->words[i], NULL));
			return EXIT_USAGE;
		}
	if (!cli_load(options->words[1], &saved))
		return EXIT_USAGE;
	baseline = selection(saved.findings, options->words + 2, options->word_count - 2);
	if (baseline)
		status = options->from ? verify_from(options, &saved.context, baseline)
				       : verify_here(options, &saved.context, baseline);
	findings_free(baseline);
	report_saved_free(&saved);
	return status;
}
