/* SPDX-License-Identifier: MIT */
/*
 * main.c - which command was asked for
 */
#include "cli/cli.h"

static const struct {
	const char *name;
	int (*run)(const struct options *options);
} commands[] = {
	{ "list", cli_list }, { "explain", cli_explain }, { "show", cli_show },     { "time", cli_time },
	{ "diff", cli_diff }, { "verify", cli_verify },   { "export", cli_export },
};

static const char *joined(int argc, char **argv, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < argc && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", i ? argv[i] : "xray");
	return text;
}

static int run(const struct options *options)
{
	if (options->version) {
		puts("xray " XRAY_VERSION);
		return EXIT_ALL;
	}
	if (options->help || (options->word_count && strcmp(options->words[0], "help") == 0))
		return cli_help(options);
	for (size_t i = 0; options->word_count && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(options->words[0], commands[i].name) == 0)
			return commands[i].run(options);
	return cli_measure(options);
}

int main(int argc, char **argv)
{
	struct options options;
	char command[1024];
	int status;

	joined(argc, argv, command, sizeof(command));
	if (!options_parse(&options, argc, argv))
		return EXIT_USAGE;
	options.command = command;
	options.release = XRAY_VERSION;
	status = run(&options);
	/* A disk may be full before all is on it. */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "xray: the output could not be written\n");
		status = status == EXIT_ALL ? EXIT_SOME : status;
	}
	return status;
}
