/* SPDX-License-Identifier: MIT */
/*
 * completion.c - what a shell needs to complete xray's words, made from the tables of options and commands
 *
 * Names of parameters are asked of `xray list` when they are wanted: it takes some milliseconds, and is never out of
 * date.
 */
#include <string.h>

#include "../export/export.h"
#include "cli.h"

/* What may stand behind a command or an option; told by what its form calls it. */
enum operand { NOTHING, NAMES, FILES, FOLDERS, CHOICES, ANYTHING };

static bool is_format(const char *value)
{
	return strcmp(value, "FORMAT") == 0;
}

static enum operand operand_of(const char *value)
{
	if (!value || !*value)
		return NOTHING;
	if (strstr(value, "FILE") || strstr(value, ".json"))
		return FILES;
	if (strstr(value, "NAME"))
		return NAMES;
	if (strstr(value, "DIR"))
		return FOLDERS;
	return strchr(value, '|') || is_format(value) ? CHOICES : ANYTHING;
}

static bool command_at(int index, struct cli_word *word)
{
	return cli_verb_at(index + 1, word);
}

/* Prints text that stands in single quotes: `quote` for each of those, a backslash before what else is special. */
static void print_quoted(const char *text, const char *quote, const char *special)
{
	for (; *text; text++)
		if (*text == '\'')
			printf("%s", quote);
		else
			printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/* asm|switch as "asm switch", or all formats of an export. */
static void print_choices(const char *value)
{
	for (int i = 0; is_format(value) && export_at(i); i++)
		printf("%s%s", i ? " " : "", export_at(i)->name);
	for (; !is_format(value) && *value; value++)
		putchar(*value == '|' ? ' ' : *value);
}

static void print_list(bool (*at)(int index, struct cli_word *word), const char *prefix, enum operand wanted, bool all,
		       const char *between)
{
	struct cli_word word;
	bool first = true;

	for (int i = 0; at(i, &word); i++)
		if (all || operand_of(word.value) == wanted) {
			printf("%s%s%s", first ? "" : between, prefix, word.name);
			first = false;
		}
}

/* A line of each that has choices: before its name, between name and choices, after these. */
static void print_chosen(bool (*at)(int index, struct cli_word *word), const char *before, const char *between,
			 const char *after)
{
	struct cli_word word;

	for (int i = 0; at(i, &word); i++)
		if (operand_of(word.value) == CHOICES) {
			printf("%s%s%s", before, word.name, between);
			print_choices(word.value);
			printf("%s\n", after);
		}
}

static void bash(void)
{
	static const char chosen[] = ")\n\t\tmapfile -t COMPREPLY < <(compgen -W '",
			  returned[] = "' -- \"$word\")\n\t\treturn\n\t\t;;";

	puts("# bash completion of xray, made by `xray help bash`\n_xray()\n{\n"
	     "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} names\n\tCOMPREPLY=()\n"
	     "\tcase $before in");
	printf("\t");
	print_list(options_at, "--", FILES, false, " | ");
	printf(")\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n\t\treturn\n\t\t;;\n\t");
	print_list(options_at, "--", FOLDERS, false, " | ");
	puts(")\n\t\tmapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n\t\treturn\n\t\t;;");
	print_chosen(options_at, "\t--", chosen, returned);
	printf("\t");
	print_list(options_at, "--", ANYTHING, false, " | ");
	printf(") return ;;\n\tesac\n\tif [[ $word == -* ]]; then\n\t\tmapfile -t COMPREPLY < <(compgen -W '");
	print_list(options_at, "--", NOTHING, true, " ");
	printf("' -- \"$word\")\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n");
	print_chosen(command_at, "\t", chosen, returned);
	printf("\t''");
	print_list(command_at, " | ", FILES, false, "");
	printf(")\n\t\t[ \"$COMP_CWORD\" -eq 1 ] || mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n\t\t;;\n\t");
	print_list(command_at, "", ANYTHING, false, " | ");
	printf(") [ \"$COMP_CWORD\" -eq 1 ] || return ;;\n\tesac\n\t[ ${#COMPREPLY[@]} -eq 0 ] || return\n"
	       "\tnames=$(\"${COMP_WORDS[0]}\" list 2>/dev/null | cut -d ' ' -f 1)\n"
	       "\t[ \"$COMP_CWORD\" -ne 1 ] || names=\"$names help ");
	print_list(command_at, "", NOTHING, true, " ");
	puts("\"\n\tmapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$word\")\n}\ncomplete -F _xray xray");
}

static const char *zsh_action(enum operand operand)
{
	static const char *const actions[] = {
		"", ":NAME:_xray_names", ":FILE:_files", ":DIR:_files -/", "", ":value:"
	};

	return actions[operand];
}

static void zsh(void)
{
	struct cli_word word;

	puts("#compdef xray\n# zsh completion of xray, made by `xray help zsh`\n"
	     "_xray_names()\n{\n\tlocal -a names\n\tnames=(${(f)\"$(_call_program names xray list 2>/dev/null | cut -d ' ' -f 1)\"})\n"
	     "\tcompadd -a names\n}\n\n_xray_words()\n{\n\tlocal -a commands\n\tcommands=(");
	for (int i = 0; command_at(i, &word); i++) {
		printf("\t\t'%s:", word.name);
		print_quoted(word.help, "'\\''", ":");
		puts("'");
	}
	printf("\t)\n\tif ((CURRENT == 1)); then\n\t\t_describe command commands\n\t\t_xray_names\n\t\treturn\n\tfi\n"
	       "\tcase $words[1] in\n");
	print_chosen(command_at, "\t", ") compadd ", " ;;");
	printf("\t''");
	print_list(command_at, " | ", FILES, false, "");
	printf(") _files ;;\n\t");
	print_list(command_at, "", ANYTHING, false, " | ");
	puts(") ;;\n\t*) _xray_names ;;\n\tesac\n}\n\n_arguments \\");
	for (int i = 0; options_at(i, &word); i++) {
		enum operand operand = operand_of(word.value);

		printf("\t'--%s%s[", word.name, operand == NOTHING ? "" : "=");
		print_quoted(word.help, "'\\''", "[]:");
		printf("]%s", zsh_action(operand));
		if (operand == CHOICES) {
			printf(":value:(");
			print_choices(word.value);
			putchar(')');
		}
		puts("' \\");
	}
	puts("\t'*::word:_xray_words'");
}

static void fish(void)
{
	struct cli_word word;

	puts("# fish completion of xray, made by `xray help fish`\ncomplete -c xray -f");
	for (int i = 0; options_at(i, &word); i++) {
		enum operand operand = operand_of(word.value);

		printf("complete -c xray -l %s%s", word.name,
		       operand == NOTHING                       ? ""
		       : operand == FILES || operand == FOLDERS ? " -r -F"
								: " -x");
		if (operand == CHOICES) {
			printf(" -a '");
			print_choices(word.value);
			putchar('\'');
		}
		printf(" -d '");
		print_quoted(word.help, "\\'", "\\");
		puts("'");
	}
	for (int i = 0; command_at(i, &word); i++) {
		printf("complete -c xray -n __fish_use_subcommand -a %s -d '", word.name);
		print_quoted(word.help, "\\'", "\\");
		puts("'");
		if (operand_of(word.value) == FILES)
			printf("complete -c xray -n '__fish_seen_subcommand_from %s' -F\n", word.name);
	}
	print_chosen(command_at, "complete -c xray -n '__fish_seen_subcommand_from ", "' -a '", "'");
	printf("complete -c xray -n 'not __fish_seen_subcommand_from ");
	print_list(command_at, "", FILES, false, " ");
	putchar(' ');
	print_list(command_at, "", ANYTHING, false, " ");
	putchar(' ');
	print_list(command_at, "", CHOICES, false, " ");
	puts("' -a '(xray list 2>/dev/null | string replace -r \" .*\" \"\")'");
}

bool cli_completion(const char *shell)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(shell, shells[i].name) == 0) {
			shells[i].print();
			return true;
		}
	return false;
}
