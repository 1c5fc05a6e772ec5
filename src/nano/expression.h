/* SPDX-License-Identifier: MIT */
/*
 * expression.h - reading and checking the right-hand sides of a spec's statements; private to nano/
 */
#ifndef XRAY_NANO_EXPRESSION_H
#define XRAY_NANO_EXPRESSION_H

#include "nano.h"

enum { EXPRESSION_MAX_NODES = 8 * NANO_MAX_STATEMENTS, EXPRESSION_MAX_DEPTH = 64 };

struct parser {
	const char *text, *at;
	struct nano *nano;
	bool counting; /* inside 'for', where i has a value */
	int depth; /* of parentheses */
	long i;
	char *error;
	size_t size;
};

/* Writes the message and a caret under the place; always false, so it can be returned. */
bool parser_fail(struct parser *parser, const char *message);
void parser_skip(struct parser *parser);
bool parser_accept(struct parser *parser, const char *token);
bool parser_accept_word(struct parser *parser, const char *word);
bool parser_integer(struct parser *parser, long *value);
/* A finite number. */
bool parser_number(struct parser *parser, double *value);
/* p7 or p{i+1}: the index, or -1 with nothing consumed but spaces. */
int parser_variable(struct parser *parser);

/* The root's index, or -1 after a failure. */
int expression_parse(struct parser *parser);
int expression_add(struct parser *parser, struct nano_node node);

/* Can a variable of the type hold it? Whole numbers only; a float holds what it can of any. */
bool expression_in_range(const struct nano_type *type, double value);

/* Gives every node of the statement its type; false when types or operations do not fit. */
bool expression_check(struct parser *parser, const struct nano_statement *statement);

#endif
