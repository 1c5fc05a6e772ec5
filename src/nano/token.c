/* SPDX-License-Identifier: MIT */
/*
 * token.c - the words of a spec: names, numbers, variable indices computed from i
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

bool parser_fail(struct parser *parser, const char *message)
{
	if (parser->size && !parser->error[0])
		snprintf(parser->error, parser->size, "bad spec: %s\n  %s\n  %*s^", message, parser->text,
			 (int)(parser->at - parser->text), "");
	return false;
}

void parser_skip(struct parser *parser)
{
	while (isspace((unsigned char)*parser->at))
		parser->at++;
}

bool parser_accept(struct parser *parser, const char *token)
{
	size_t length = strlen(token);

	parser_skip(parser);
	if (strncmp(parser->at, token, length) != 0)
		return false;
	parser->at += length;
	return true;
}

bool parser_accept_word(struct parser *parser, const char *word)
{
	const char *before = parser->at;

	if (parser_accept(parser, word) && !isalnum((unsigned char)*parser->at))
		return true;
	parser->at = before;
	return false;
}

bool parser_integer(struct parser *parser, long *value)
{
	char *end = NULL;

	parser_skip(parser);
	if (!isdigit((unsigned char)*parser->at))
		return false;
	*value = strtol(parser->at, &end, 10);
	parser->at = end;
	return *value <= 1000000;
}

bool parser_number(struct parser *parser, double *value)
{
	char *end = NULL;

	parser_skip(parser);
	if (!isdigit((unsigned char)*parser->at) && *parser->at != '-' && *parser->at != '.')
		return false;
	*value = strtod(parser->at, &end);
	if (end == parser->at || !isfinite(*value))
		return false;
	parser->at = end;
	return true;
}

static bool index_sum(struct parser *parser, long *value);

static bool index_factor(struct parser *parser, long *value)
{
	if (parser_accept(parser, "(")) {
		bool read = ++parser->depth <= EXPRESSION_MAX_DEPTH && index_sum(parser, value) &&
			    parser_accept(parser, ")");

		parser->depth--;
		return read;
	}
	if (parser_accept_word(parser, "i")) {
		*value = parser->i;
		return parser->counting;
	}
	return parser_integer(parser, value);
}

static bool index_product(struct parser *parser, long *value)
{
	if (!index_factor(parser, value))
		return false;
	for (;;) {
		long right = 0;
		char sign = '\0';

		if (parser_accept(parser, "*"))
			sign = '*';
		else if (parser_accept(parser, "/"))
			sign = '/';
		else if (parser_accept(parser, "%"))
			sign = '%';
		else
			return true;
		if (!index_factor(parser, &right) || (sign != '*' && right == 0))
			return false;
		*value = sign == '*' ? *value * right : sign == '/' ? *value / right : *value % right;
		if (labs(*value) > 1000000)
			return false;
	}
}

static bool index_sum(struct parser *parser, long *value)
{
	if (!index_product(parser, value))
		return false;
	for (;;) {
		long right = 0;
		bool minus = parser_accept(parser, "-");

		if (!minus && !parser_accept(parser, "+"))
			return true;
		if (!index_product(parser, &right))
			return false;
		*value += minus ? -right : right;
	}
}

int parser_variable(struct parser *parser)
{
	const char *before = parser->at;
	long index = -1;

	if (parser_accept(parser, "p")) {
		bool computed = *parser->at == '{';
		bool read =
			computed ? parser_accept(parser, "{") && index_sum(parser, &index) && parser_accept(parser, "}")
				 : isdigit((unsigned char)*parser->at) && parser_integer(parser, &index);

		if (read && index >= 0 && index < NANO_MAX_VARIABLES)
			return (int)index;
		parser_fail(parser, "that is not a variable: p0, p1, ... or p{i+1} inside 'for'");
	}
	parser->at = before;
	return -1;
}
