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
	const char *command, *release; /* the whole command line and xray's version, for the report */
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
bool cli_load(const char *path, struct report_saved *saved);
/* Whether the report can go where it is to go, asked before anything is measured; false after a message. */
bool cli_can_write(const struct options *options);
/* The report in the forms that were asked for; false after a message. */
bool cli_print(const struct options *options, const struct report_context *context, const struct findings *findings);
int cli_status(const struct findings *findings);
/* For stdout: its width and colours, and whether all is to be shown. */
struct report_layout cli_layout(const struct options *options);
/* What --from names, or those of its findings that words select. */
int cli_show_saved(const struct options *options);

/* --- progress.c: talk on stderr while measuring: a line that redraws where that is a terminal, and lines that stay. */
struct progress {
	bool terminal, verbose, drawn;
};
struct progress progress_new(bool verbose);
/* As in session_hooks. */
void progress_step(struct progress *progress, const struct entry *entry, int done, int total, double left);
void progress_note(struct progress *progress, const struct finding *finding, const struct evidence *evidence);
void progress_end(struct progress *progress);

/* Does the locale take more than ASCII? */
bool cli_is_utf8(void);

/* --- measure.c: a machine, and what is measured on it */
struct cli_run {
	const struct options *options;
	struct machine *machine;
	bool real, interrupted;
	FILE *journal;
	struct progress progress;
	struct report_context context;
	char date[32], noise[160], counters[256];
};
/* False after a message. */
bool cli_run_open(struct cli_run *run, const struct options *options);
/* What was asked for, in the catalogue's order; may be called again. */
struct findings *cli_run_measure(struct cli_run *run, struct plan *plan, double budget);
void cli_run_close(struct cli_run *run);
enum effort cli_effort(const struct options *options);

int cli_measure(const struct options *options);
int cli_list(const struct options *options);
int cli_explain(const struct options *options);
int cli_diff(const struct options *options);
int cli_verify(const struct options *options);
int cli_export(const struct options *options);
int cli_show(const struct options *options);
int cli_time(const struct options *options);
int cli_help(const struct options *options);
/* Prints what a shell (bash, zsh, fish) takes; false for another. */
bool cli_completion(const char *shell);

#endif
