/* SPDX-License-Identifier: MIT */
/*
 * measure.c - xray [NAME...]: measures, shows progress, keeps what it finds as it finds it, prints the report
 */
#include <stdlib.h>

#include "../claims/claims.h"
#include "../host/host.h"
#include "../library/context.h"
#include "cli.h"

static bool stop(void *context)
{
	(void)context;
	return host_interrupted();
}

/* One document a line, so that a crash or a full disk loses the line being written and no other. */
static void found(void *context, const struct finding *finding)
{
	struct cli_run *run = context;
	struct findings *one = findings_new();

	if (one && run->journal) {
		struct finding copy = finding_copy(finding);

		findings_put_take(one, &copy);
		report_line(run->journal, &run->context, one);
	}
	findings_free(one);
}

static void progress(void *context, const struct entry *entry, int done, int total, double left)
{
	progress_step(&((struct cli_run *)context)->progress, entry, done, total, left);
}

static void noted(void *context, const struct finding *finding, const struct evidence *evidence)
{
	progress_note(&((struct cli_run *)context)->progress, finding, evidence);
}

enum effort cli_effort(const struct options *options)
{
	return options->quick ? EFFORT_QUICK : options->full ? EFFORT_FULL : EFFORT_DEFAULT;
}

bool cli_run_open(struct cli_run *run, const struct options *options)
{
	char journal[4096];

	*run = (struct cli_run){ .options = options, .progress = progress_new(options->verbose) };
	host_catch_interrupts();
	host_date(run->date, sizeof(run->date));
	run->machine = cli_open_machine(options);
	if (!run->machine)
		return false;
	run->real = strcmp(run->machine->identity.kind, "real") == 0;
	run->journal =
		run->real && !options->no_cache && cli_journal(journal, sizeof(journal)) ? fopen(journal, "w") : NULL;
	run->context = context_of(&run->machine->identity, options->release, options->command, run->date);
	return true;
}

struct findings *cli_run_measure(struct cli_run *run, struct plan *plan, double budget)
{
	const struct options *options = run->options;
	struct session_hooks hooks = { run, progress, found, run->real ? claims_of : NULL, stop, noted };
	struct session_options session = { .barrier = options_barrier(options),
					   .budget = budget,
					   .ladder = options->ladder,
					   .patient = options->full,
					   .brief = options->quick && plan_is_quick(plan) };
	struct session_result result = session_run(run->machine, plan, &session, &hooks);
	struct findings *shown = plan_asked(plan, result.findings);

	progress_end(&run->progress);
	snprintf(run->noise, sizeof(run->noise), "%s", result.noise);
	run->context.noise = run->noise;
	snprintf(run->counters, sizeof(run->counters), "%s", result.counters);
	run->context.counters = findings_get(shown, "counter.events") ? NULL : run->counters;
	run->context.seconds = isnan(run->context.seconds) ? result.seconds : run->context.seconds + result.seconds;
	run->interrupted = result.interrupted;
	findings_free(result.findings);
	return shown;
}

void cli_run_close(struct cli_run *run)
{
	struct findings *none = findings_new();

	/* The lines so far were written before the noise and the time of the whole run were known. */
	if (run->journal && none)
		report_line(run->journal, &run->context, none);
	if (run->journal)
		fclose(run->journal);
	findings_free(none);
	if (run->machine)
		run->machine->ops->close(run->machine);
}

int cli_measure(const struct options *options)
{
	struct plan plan;
	struct cli_run run;
	char error[512] = "out of memory";
	int status = EXIT_USAGE;

	if (options->from)
		return cli_show_saved(options);
	if (!plan_make(&plan, options->words, options->word_count, cli_effort(options), error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return EXIT_USAGE;
	}
	if (cli_can_write(options) && cli_run_open(&run, options)) {
		struct findings *shown = cli_run_measure(&run, &plan, options->budget);
		bool printed = cli_print(options, &run.context, shown);

		status = run.interrupted ? EXIT_INTERRUPTED : !printed ? EXIT_SOME : cli_status(shown);
		findings_free(shown);
		cli_run_close(&run);
	}
	plan_free(&plan);
	return status;
}
