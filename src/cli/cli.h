/* SPDX-License-Identifier: MIT */
/*
 * cli.h - the command line: options, and one function per command
 */
#ifndef XRAY_CLI_H
#define XRAY_CLI_H

#include "../report/report.h"
#include "../session/session.h"

enum exit_status { EXIT_ALL = 0, EXIT_SOME = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct options {
	bool json, evidence, no_cache, verbose, help, version, quick, full;
	const char *machine, *record, *cc, *cflags, *barrier, *csv, *from, *html;
	double budget, memory; /* seconds; bytes, 0 for what can be spared */
	long cpu, seed;
	struct ladder_options ladder; /* S of 0: the paper's */
	const char *command; /* the whole command line, for the report */
	const char *release; /* xray's own version */
	const char *const *words; /* what is left: a command or names */
	int word_count;
};

/* False after a message on stderr. The words point into argv. */
bool options_parse(struct options *options, int argc, char **argv);
void options_print(FILE *out, bool man);

/* An option without its dashes, or a command; what stands behind it, or NULL; one line of help. */
struct cli_word {
	char name[24];
	const char *value, *help;
};
/* The index-th of them; false past the end. The command at 0 is the one without a name. */
bool options_at(int index, struct cli_word *word);
bool cli_verb_at(int index, struct cli_word *word);
enum nano_barrier options_barrier(const struct options *options);

/* The machine the options ask for, recording it if asked to; NULL after a message. */
struct machine *cli_open_machine(const struct options *options);
/* A path in the cache directory; false when there is none. */
bool cli_journal(char *path, size_t size);

/* What --from names, or the last run's journal; false after a message. */
bool cli_saved(const struct options *options, struct report_saved *saved);
/* The report in the forms that were asked for; false after a message. */
bool cli_print(const struct options *options, const struct report_context *context, const struct findings *findings);
int cli_status(const struct findings *findings);
/* What --from names, or those of its findings that words select. */
int cli_show_saved(const struct options *options);

/* Names, prefixes and globs. */
struct cli_names {
	const char *const *names;
	int count;
};
/* What was found by measuring; the context's strings are the run's. */
struct cli_run {
	struct findings *findings; /* those that the names select, without what only they needed */
	struct report_context context;
	bool interrupted;
	struct machine *machine;
	char date[32], noise[160];
};
/* Measures what the names select (all without any), with progress, keeping what is found; false after a message. */
bool cli_run(struct cli_run *run, const struct options *options, const struct cli_names *names);
void cli_run_free(struct cli_run *run);

int cli_measure(const struct options *options);
int cli_export(const struct options *options);
int cli_list(const struct options *options);
int cli_explain(const struct options *options);
int cli_show(const struct options *options);
int cli_time(const struct options *options);
int cli_help(const struct options *options);
/* Prints what a shell (bash, zsh, fish) takes; false for another. */
bool cli_completion(const char *shell);

#endif
