/* SPDX-License-Identifier: MIT */
/*
 * progress.c - how far a run is: one line on stderr that redraws, on terminals only; with --verbose, what is decided
 */
#include "../host/host.h"
#include "cli.h"

enum { BAR = 20, LINE = 256 };

struct progress progress_new(bool verbose)
{
	const char *kind = host_environment("TERM");

	return (struct progress){ .terminal = host_is_terminal(2) && (!kind || strcmp(kind, "dumb") != 0),
				  .verbose = verbose };
}

static void write_left(double seconds, char text[48])
{
	if (isnan(seconds))
		text[0] = '\0';
	else if (seconds < 100)
		snprintf(text, 48, "  %.0f s left", fmax(1, ceil(seconds)));
	else if (seconds < 6000)
		snprintf(text, 48, "  %.0f min left", ceil(seconds / 60));
	else
		snprintf(text, 48, "  %.1f h left", seconds / 3600);
}

bool cli_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (int i = 0; i < 3; i++) {
		const char *locale = host_environment(names[i]);

		/* The first that says something counts. */
		if (locale && locale[0])
			return strstr(locale, "UTF-8") || strstr(locale, "utf8");
	}
	return false;
}

/* Eighths of a column, as the part done grows; whole ones of another sign where those cannot be shown. */
static void write_bar(double part, char text[4 * BAR + 1])
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int done = (int)(part * BAR * 8);
	size_t used = 0;

	bool utf8 = cli_is_utf8();

	for (int i = 0; i < done / 8; i++)
		used += (size_t)snprintf(text + used, 4, "%s", utf8 ? "█" : "#");
	used += (size_t)snprintf(text + used, 4, "%s", utf8 || done % 8 == 0 ? eighths[done % 8] : "-");
	for (int i = (done + 7) / 8; i < BAR; i++)
		used += (size_t)snprintf(text + used, 2, " ");
}

/* The name gives way where the terminal is narrow, and the bar after it. */
static void draw(struct progress *progress, const char *name, double part, const char *left)
{
	int width = host_terminal_width(2) - 1, rest = width - 6 - (int)strlen(left);
	bool bar = rest >= BAR + 8, colour = !host_environment("NO_COLOR");
	char blocks[4 * BAR + 1] = "";

	rest -= bar ? BAR + 3 : 0;
	if (bar)
		write_bar(part, blocks);
	fputs("\r\033[K", stderr);
	if (bar)
		fprintf(stderr, "%s%s%s  ", colour ? "\033[36m" : "", blocks, colour ? "\033[0m" : "");
	fprintf(stderr, "%3.0f %%%s", 100 * part, left);
	if (rest > 2)
		fprintf(stderr, "  %.*s", rest - 2, name);
	fflush(stderr);
	progress->drawn = true;
}

void progress_step(struct progress *progress, const struct entry *entry, int done, int total, double left)
{
	char name[LINE], time[48];

	if (!progress->terminal)
		return;
	if (entry)
		snprintf(name, sizeof(name), "%s", entry->name);
	else
		snprintf(name, sizeof(name), "compiling for %d parameters", total);
	write_left(left, time);
	draw(progress, name, total > 0 ? (double)done / total : 0, time);
}

void progress_end(struct progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
}

void progress_note(struct progress *progress, const struct finding *finding, const struct evidence *evidence)
{
	char value[LINE];

	if (!progress->verbose)
		return;
	progress_end(progress);
	fprintf(stderr, "%s: ", finding->name);
	if (!evidence) {
		report_value(finding, value, sizeof(value));
		fprintf(stderr, "%s%s%s%s%s\n", outcome_word(finding->outcome),
			finding->outcome == MEASURED ? " " : ": ",
			finding->outcome == MEASURED ? value : finding->reason, finding->method[0] ? ", by " : "",
			finding->method);
		return;
	}
	fputs(evidence->what, stderr);
	if (isfinite(evidence->x))
		fprintf(stderr, ", %.6g", evidence->x);
	if (isfinite(evidence->value))
		fprintf(stderr, ": %.4g", evidence->value);
	fprintf(stderr, "%s%s\n", evidence->verdict[0] ? ", " : "", evidence->verdict);
}
