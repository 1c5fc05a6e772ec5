/* SPDX-License-Identifier: MIT */
/*
 * measure.c - xray [NAME...]: measures, shows progress, keeps what it finds as it finds it, prints the report
 */
#include <stdlib.h>

#include "../claims/claims.h"
#include "../host/host.h"
#include "cli.h"

struct view {
	const struct options *options;
	bool terminal;
	FILE *journal;
	struct report_context context;
};

static bool stop(void)
{
	return host_interrupted();
}

static void progress(void *context, const struct entry *entry, int done, int total, double left)
{
	struct view *view = context;

	if (!view->terminal)
		return;
	if (!entry)
		fprintf(stderr, "\r\033[Kcompiling for %d parameters", total);
	else if (isnan(left))
		fprintf(stderr, "\r\033[K%4d/%d  %s", done + 1, total, entry->name);
	else
		fprintf(stderr, "\r\033[K%4d/%d  %s  %.0f s left", done + 1, total, entry->name, left);
	fflush(stderr);
}

/* One document a line, so that a crash or a full disk loses the line being written and no other. */
static void found(void *context, const struct finding *finding)
{
	struct view *view = context;
	struct findings *one = findings_new();

	if (view->options->verbose)
		fprintf(stderr, "%s %s %s\n", finding->name, outcome_word(finding->outcome), finding->reason);
	if (one && view->journal) {
		struct finding copy = finding_copy(finding);

		findings_put_take(one, &copy);
		report_line(view->journal, &view->context, one);
	}
	findings_free(one);
}

/* The findings that were asked for, in the catalogue's order, without those that only others needed. */
static struct findings *asked(const struct plan *plan, struct findings *all)
{
	struct findings *shown = findings_new();

	for (int i = 0; catalogue_at(i) && shown; i++)
		for (int j = 0; j < plan->count; j++) {
			const struct step *step = &plan->steps[j];
			const struct finding *finding = findings_get(all, step->entry->name);

			if (step->entry != catalogue_at(i) || !step->asked || !finding)
				continue;

			struct finding copy = finding_copy(finding);

			findings_put_take(shown, &copy);
		}
	return shown;
}

static struct report_context describe(const struct machine_identity *identity, const struct options *options,
				      const char *version, const char *date)
{
	return (struct report_context){ .version = version,
					.date = date,
					.host = identity->name,
					.cpu = identity->cpu,
					.hypervisor = identity->hypervisor,
					.kernel = identity->kernel,
					.compiler = identity->compiler,
					.noise = "",
					.command = options->command,
					.cpus = identity->cpus,
					.cpu_used = identity->cpu_used,
					.page_bytes = identity->page_bytes,
					.seconds = NAN,
					.quota = identity->quota };
}

/* The lines so far were written before the noise and the time of the whole run were known. */
static void end_journal(struct view *view)
{
	struct findings *none = findings_new();

	if (view->journal && none)
		report_line(view->journal, &view->context, none);
	if (view->journal)
		fclose(view->journal);
	findings_free(none);
}

int cli_measure(const struct options *options, const char *version)
{
	struct plan plan;
	char error[512] = "out of memory", date[32], journal[4096];
	enum effort effort = options->quick ? EFFORT_QUICK : options->full ? EFFORT_FULL : EFFORT_DEFAULT;

	if (options->from)
		return cli_show_saved(options);
	if (!plan_make(&plan, options->words, options->word_count, effort, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return EXIT_USAGE;
	}
	host_catch_interrupts();
	host_date(date, sizeof(date));

	if (options->csv && !host_make_directory(options->csv, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		plan_free(&plan);
		return EXIT_USAGE;
	}

	struct machine *machine = cli_open_machine(options);

	if (!machine) {
		plan_free(&plan);
		return EXIT_USAGE;
	}

	bool real = strcmp(machine->identity.kind, "real") == 0;
	struct view view = { .options = options,
			     .terminal = host_is_terminal(2),
			     .journal = real && !options->no_cache && cli_journal(journal, sizeof(journal))
						? fopen(journal, "w")
						: NULL,
			     .context = describe(&machine->identity, options, version, date) };
	struct session_hooks hooks = { &view, progress, found, real ? claims_of : NULL };
	struct session_options session = { .barrier = options_barrier(options),
					   .budget = options->budget,
					   .ladder = options->ladder,
					   .stop = stop,
					   .patient = options->full,
					   .brief = options->quick && plan_is_quick(&plan) };
	struct session_result result = session_run(machine, &plan, &session, &hooks);
	struct findings *shown = asked(&plan, result.findings);

	view.context.noise = result.noise;
	view.context.counters = findings_get(shown, "counter.events") ? NULL : result.counters;
	view.context.seconds = result.seconds;
	if (view.terminal)
		fputs("\r\033[K", stderr);

	bool printed = cli_print(options, &view.context, shown);
	int status = result.interrupted ? EXIT_INTERRUPTED : !printed ? EXIT_SOME : cli_status(shown);

	end_journal(&view);
	findings_free(shown);
	findings_free(result.findings);
	plan_free(&plan);
	machine->ops->close(machine);
	return status;
}
