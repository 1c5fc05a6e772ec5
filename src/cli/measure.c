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

static bool stop(void *context)
{
	(void)context;
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

static struct report_context describe(const struct machine_identity *identity, const struct options *options,
				      const char *date)
{
	return (struct report_context){ .version = options->release,
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

static bool open_run(struct cli_run *run, struct plan *plan, const struct options *options,
		     const struct cli_names *names)
{
	enum effort effort = options->quick ? EFFORT_QUICK : options->full ? EFFORT_FULL : EFFORT_DEFAULT;
	char error[512] = "out of memory";

	*run = (struct cli_run){ 0 };
	if (!plan_make(plan, names->names, names->count, effort, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return false;
	}
	host_catch_interrupts();
	host_date(run->date, sizeof(run->date));
	run->machine = cli_open_machine(options);
	if (!run->machine)
		plan_free(plan);
	return run->machine;
}

bool cli_run(struct cli_run *run, const struct options *options, const struct cli_names *names)
{
	struct plan plan;
	char journal[4096];

	if (!open_run(run, &plan, options, names))
		return false;

	bool real = strcmp(run->machine->identity.kind, "real") == 0;
	struct view view = { .options = options,
			     .terminal = host_is_terminal(2),
			     .journal = real && !options->no_cache && cli_journal(journal, sizeof(journal))
						? fopen(journal, "w")
						: NULL,
			     .context = describe(&run->machine->identity, options, run->date) };
	struct session_hooks hooks = { &view, progress, found, real ? claims_of : NULL, stop };
	struct session_options session = { .barrier = options_barrier(options),
					   .budget = options->budget,
					   .ladder = options->ladder,
					   .patient = options->full,
					   .brief = options->quick && plan_is_quick(&plan) };
	struct session_result result = session_run(run->machine, &plan, &session, &hooks);

	run->findings = plan_asked(&plan, result.findings);
	run->interrupted = result.interrupted;
	snprintf(run->noise, sizeof(run->noise), "%s", result.noise);
	view.context.noise = run->noise;
	view.context.seconds = result.seconds;
	run->context = view.context;
	if (view.terminal)
		fputs("\r\033[K", stderr);
	end_journal(&view);
	findings_free(result.findings);
	plan_free(&plan);
	return true;
}

void cli_run_free(struct cli_run *run)
{
	findings_free(run->findings);
	if (run->machine)
		run->machine->ops->close(run->machine);
	*run = (struct cli_run){ 0 };
}

int cli_measure(const struct options *options)
{
	struct cli_names names = { options->words, options->word_count };
	struct cli_run run;
	char error[512];
	int status;

	if (options->from)
		return cli_show_saved(options);
	if (options->csv && !host_make_directory(options->csv, error, sizeof(error))) {
		fprintf(stderr, "xray: %s\n", error);
		return EXIT_USAGE;
	}
	if (!cli_run(&run, options, &names))
		return EXIT_USAGE;

	bool printed = cli_print(options, &run.context, run.findings);

	status = run.interrupted ? EXIT_INTERRUPTED : !printed ? EXIT_SOME : cli_status(run.findings);
	cli_run_free(&run);
	return status;
}
