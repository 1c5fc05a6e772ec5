/* SPDX-License-Identifier: MIT */
/*
 * catalogue.c - xray list, xray explain, help and the man page: all of it said by the catalogue and the option table
 */
#include "../host/host.h"
#include "../plot/plot.h"
#include "../report/report.h"
#include "cli.h"

static const struct verb {
	const char *form, *help;
} verbs[] = {
	{ "xray [NAME...]",
	  "measure: a parameter, a prefix (cpu.registers) or a glob (op.*.f64.latency); all without names" },
	{ "xray list [NAME...]", "the catalogue: name, unit, meaning, needs" },
	{ "xray explain NAME", "idea, answer, assumptions and, after a run, the evidence" },
	{ "xray diff A.json B.json [NAME...]", "what changed between two machines or two days; of more, who differs" },
	{ "xray verify BASELINE.json [NAME...]", "measure again what a kept document holds; exit 1 where it changed" },
	{ "xray show SPEC", "the generated C of a nano-benchmark and its compiled loop" },
	{ "xray export FORMAT", "the findings as another program takes them; without FORMAT, which there are" },
	{ "xray time SPEC", "time a nano-benchmark of your own, such as 'p1 = p1 * p2 : f64'" },
	{ "xray help man|bash|zsh|fish", "the manual page; what these shells need to complete xray's words" },
};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

static bool selected(const struct options *options, const char *name)
{
	for (int i = 1; i < options->word_count; i++)
		if (plan_selects(options->words[i], name))
			return true;
	return options->word_count == 1;
}

static int unknown(const char *name)
{
	fprintf(stderr, "xray: no parameter is named '%s'; the nearest is '%s' (xray list shows all)\n", name,
		catalogue_nearest(name, NULL));
	return EXIT_USAGE;
}

int cli_list(const struct options *options)
{
	for (int i = 1; i < options->word_count; i++) {
		bool known = false;

		for (int j = 0; catalogue_at(j); j++)
			known = known || plan_selects(options->words[i], catalogue_at(j)->name);
		if (!known)
			return unknown(options->words[i]);
	}
	for (int i = 0; catalogue_at(i); i++) {
		const struct entry *entry = catalogue_at(i);
		char need[64];
		bool optional, first = true;

		if (!selected(options, entry->name))
			continue;
		printf("%-28s %-7s %s", entry->name, entry->micro->unit, entry->micro->what);
		for (int j = 0; catalogue_need(entry, j, need, sizeof(need), &optional); j++)
			if (!optional) {
				printf("%s%s", first ? "  (needs " : ", ", need);
				first = false;
			}
		puts(first ? "" : ")");
	}
	return EXIT_ALL;
}

enum { MANY_POINTS = 40, WIDEST_PLOT = 120 };

/* Drawn, where that says more than numbers; and the numbers, where they are few or asked for. */
static void explain_points(const struct options *options, const struct findings *findings,
			   const struct finding *finding)
{
	struct report_layout layout = cli_layout(options);
	int width = layout.width < WIDEST_PLOT ? layout.width : WIDEST_PLOT;
	bool drawn = plot_draw(stdout, findings, finding, width, cli_is_utf8());

	if (drawn && finding->evidence_count > 0)
		putchar('\n');
	if (drawn && finding->evidence_count > MANY_POINTS && !options->full)
		printf("  %d points in all: xray explain %s --full lists them, --csv DIR keeps them\n",
		       finding->evidence_count, finding->name);
	else if (!drawn || finding->evidence_count > 0)
		report_evidence(stdout, finding);
}

/* False after a message. */
static bool explain_evidence(const struct options *options, const char *name)
{
	char journal[4096], value[256];
	struct report_saved saved = { 0 };
	bool kept = options->from || (cli_journal(journal, sizeof(journal)) && host_exists(journal));

	if (kept && !cli_saved(options, &saved))
		return false;

	const struct finding *finding = kept ? findings_get(saved.findings, name) : NULL;

	if (!finding) {
		printf("\nNot measured %s: xray %s measures it.\n", options->from ? "there" : "yet", name);
	} else {
		report_value(finding, value, sizeof(value));
		printf("\n%s, %s: %s%s%s\n", saved.context.cpu, saved.context.date, outcome_word(finding->outcome),
		       finding->outcome == MEASURED ? ", " : ": ",
		       finding->outcome == MEASURED ? value : finding->reason);
		report_shape(stdout, finding, host_is_terminal(1) && !host_environment("NO_COLOR"));
		explain_points(options, saved.findings, finding);
	}
	report_saved_free(&saved);
	return true;
}

int cli_explain(const struct options *options)
{
	if (options->word_count != 2) {
		fprintf(stderr, "xray: explain needs one NAME\n");
		return EXIT_USAGE;
	}

	const struct entry *entry = catalogue_find(options->words[1]);

	if (!entry)
		return unknown(options->words[1]);
	printf("%s - %s (%s)\n\n%s\n", entry->name, entry->micro->what, entry->micro->unit, entry->micro->story);
	return explain_evidence(options, entry->name) ? EXIT_ALL : EXIT_USAGE;
}

static void print_man(const char *version)
{
	printf(".TH XRAY 1 \"\" \"xray %s\"\n.SH NAME\nxray \\- measures what a machine really gives a program\n.SH SYNOPSIS\n",
	       version);
	for (int i = 0; i < VERBS; i++)
		printf(".TP\n.B %s\n%s\n", verbs[i].form, verbs[i].help);
	puts(".SH DESCRIPTION\nTimes small generated programs and decides from the times alone. Each finding has one of five\n"
	     "outcomes: measured, unclear, absent, blocked, failed. What CPUID or the kernel claim is shown beside it and never\n"
	     "used for it.\n.SH OPTIONS");
	options_print(stdout, true);
	puts(".SH PARAMETERS");
	for (int i = 0; catalogue_at(i); i++)
		if (i == 0 || catalogue_at(i)->micro != catalogue_at(i - 1)->micro)
			printf(".TP\n.B %s\n%s, in %s\n", catalogue_at(i)->micro->name, catalogue_at(i)->micro->what,
			       catalogue_at(i)->micro->unit);
	puts(".SH EXIT STATUS\n0 everything asked was measured or is absent; 1 something is not; 2 the command was wrong;\n"
	     "130 interrupted, with what was found printed. diff: 0 when all could be read. verify: 1 when something changed,\n"
	     "or when more is not known now than could be compared.");
}

bool cli_verb_at(int index, struct cli_word *word)
{
	if (index >= VERBS)
		return false;

	const char *form = verbs[index].form + strlen("xray "), *blank = strchr(form, ' ');

	*word = (struct cli_word){ .value = blank ? blank + 1 : form, .help = verbs[index].help };
	if (blank)
		snprintf(word->name, sizeof(word->name), "%.*s", (int)(blank - form), form);
	return true;
}

int cli_help(const struct options *options)
{
	for (int i = 0; i < options->word_count; i++) {
		if (strcmp(options->words[i], "man") == 0) {
			print_man(options->release);
			return EXIT_ALL;
		}
		if (cli_completion(options->words[i]))
			return EXIT_ALL;
	}
	printf("xray %s measures what a machine really gives a program.\n\n", options->release);
	for (int i = 0; i < VERBS; i++)
		printf("  %-27s %s\n", verbs[i].form, verbs[i].help);
	putchar('\n');
	options_print(stdout, false);
	return EXIT_ALL;
}
