/* SPDX-License-Identifier: MIT */
/*
 * spec.c - xray show and xray time: a nano-benchmark of the user's own
 */
#include <stdlib.h>

#include "../host/host.h"
#include "cli.h"

enum { SHOWN_UNROLL = 8, SHOWN_SKIPPED = 4 };

/* NULL after a message. */
static struct nano *the_nano(const struct options *options)
{
	char error[1024] = "";
	struct nano *nano = NULL;

	if (options->word_count != 2)
		fprintf(stderr, "xray: %s needs one SPEC in quotes, such as 'p1 = p1 * p2 : f64'\n", options->words[0]);
	else
		nano = nano_parse(options->words[1], options_barrier(options), SHOWN_UNROLL, error, sizeof(error));
	if (error[0])
		fprintf(stderr, "xray: %s\n", error);
	return nano;
}

/* A spec is timed in two lengths, which are one loop; so is what is shown. */
static void show_as_timed(const struct options *options, struct nano *nano)
{
	char error[1024] = "";
	struct nano *brief = nano_parse(options->words[1], options_barrier(options), SHOWN_UNROLL - SHOWN_SKIPPED,
					error, sizeof(error));

	if (brief)
		nano_pair(brief, nano);
	nano_free(brief);
}

static int exit_for(enum machine_status status, const char *why)
{
	static const enum outcome outcomes[] = { MEASURED, ABSENT, BLOCKED, BLOCKED, FAILED };

	if (status == MACHINE_RAN)
		return EXIT_ALL;
	fprintf(stderr, "xray: %s: %s\n", outcome_word(outcomes[status]), why);
	return EXIT_SOME;
}

int cli_show(const struct options *options)
{
	struct nano *nano = the_nano(options);
	char why[256] = "";

	if (!nano)
		return EXIT_USAGE;
	show_as_timed(options, nano);
	if (options->machine) {
		fprintf(stderr, "xray: show compiles for this machine; --machine has no code to show\n");
		nano_free(nano);
		return EXIT_USAGE;
	}

	struct machine *machine = cli_open_machine(options);
	const struct nano *const set[] = { nano };
	char *source = nano_emit(set, 1);
	int status = EXIT_USAGE;

	if (machine && source) {
		printf("spec: %s\n\n%s\nloop, as %s compiled it:\n", nano->text, source, machine->identity.compiler);
		status = exit_for(machine_real_show(machine, nano, stdout, why, sizeof(why)), why);
	}
	free(source);
	if (machine)
		machine->ops->close(machine);
	nano_free(nano);
	return status;
}

static int print_time(struct lab *lab, const char *spec)
{
	/* Cycles need the core's clock, which a machine may not tell; ns do not. */
	lab_start(lab, "cpu.frequency", "Hz");
	catalogue_find("cpu.frequency")->micro->run(lab, &(struct subject){ 0 });
	lab_finish(lab);
	lab_start(lab, "time", "ns");

	struct estimate estimate = lab_try(lab, spec, lab->barrier, NAN);

	if (estimate.status == MACHINE_RAN) {
		double half = (estimate.high - estimate.low) / 2 / estimate.ticks * 100;

		printf("%.4g ns", estimate.ns);
		if (isfinite(lab->cycle))
			printf("  %.2f cycles", cycles(lab, estimate.ticks));
		printf("  per statement, ± %.1f %% over %d rounds%s\n", half, estimate.rounds,
		       estimate.shared ? "; something else uses this core" : "");
	}
	free(lab->finding.evidence);
	return exit_for(estimate.status, estimate.why);
}

int cli_time(const struct options *options)
{
	struct nano *nano = the_nano(options);
	char why[256] = "";

	if (!nano)
		return EXIT_USAGE;
	nano_free(nano);
	host_catch_interrupts();

	struct machine *machine = cli_open_machine(options);

	if (!machine)
		return EXIT_USAGE;

	struct timer timer;
	struct findings *findings = findings_new();
	struct lab lab;
	enum machine_status status = timer_open(&timer, machine, 1e9, why, sizeof(why));

	/* A spec that happens to be built in is no exception: what --cc makes of it was asked. */
	if (status == MACHINE_RAN && why[0])
		status = MACHINE_BLOCKED;
	lab_open(&lab, &timer, findings, options_barrier(options));

	int result = status == MACHINE_RAN ? print_time(&lab, options->words[1]) : exit_for(status, why);

	lab_close(&lab);
	findings_free(findings);
	timer_close(&timer);
	machine->ops->close(machine);
	return result;
}
