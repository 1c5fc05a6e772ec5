/* SPDX-License-Identifier: MIT */
/*
 * spec.c - from the text of a spec to statements over typed variables
 *
 * The grammar is in nano.h's head and docs/spec.md. '|' both separates statements, as in X-Ray's <S1|S2|...|Sn>,
 * and is C's bitwise or; it separates when what follows is the start of an assignment.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

static bool parse_statement(struct parser *parser)
{
	struct nano *nano = parser->nano;

	if (nano->count == NANO_MAX_STATEMENTS)
		return parser_fail(parser, "too many statements");

	struct nano_statement *statement = &nano->statements[nano->count];

	*statement = (struct nano_statement){ .first_node = nano->node_count, .target = -1 };

	bool store = parser_accept(parser, "*");
	int variable = parser_variable(parser);

	if (variable < 0)
		return parser_fail(parser, "expected a statement such as p1 = p1 + p2");
	if (!parser_accept(parser, "="))
		return parser_fail(parser, "expected '='");
	int root = expression_parse(parser);

	if (root < 0)
		return false;
	if (store) {
		int address = expression_add(parser, (struct nano_node){ .kind = NANO_VARIABLE, .variable = variable });

		root = expression_add(parser, (struct nano_node){ .kind = NANO_OPERATION,
								  .op = NANO_STORE,
								  .operands = 2,
								  .operand = { address, root } });
	} else if (root >= 0 && nano->nodes[root].kind != NANO_OPERATION) {
		return parser_fail(parser, "a statement needs an operation");
	} else {
		statement->target = variable;
		nano->variables[variable].assigned = true;
	}
	statement->root = root;
	nano->count++;
	return root >= 0;
}

static bool parse_sequence(struct parser *parser)
{
	do {
		if (!parse_statement(parser))
			return false;
	} while (parser_accept(parser, "|"));
	return true;
}

/* [for i=A..B] S1 | S2 | ...: the sequence is read again for each i. */
static bool parse_body(struct parser *parser)
{
	if (!parser_accept_word(parser, "for"))
		return parse_sequence(parser);
	if (!parser_accept_word(parser, "i") || !parser_accept(parser, "="))
		return parser_fail(parser, "expected i=FIRST..LAST after 'for'");

	long first = 0, last = 0;

	if (!parser_integer(parser, &first) || !parser_accept(parser, "..") || !parser_integer(parser, &last))
		return parser_fail(parser, "expected i=FIRST..LAST after 'for'");
	if (last < first || last - first >= NANO_MAX_STATEMENTS)
		return parser_fail(parser, "that range is empty or too long");

	const char *body = parser->at;

	parser->counting = true;
	for (parser->i = first; parser->i <= last; parser->i++) {
		parser->at = body;
		if (!parse_sequence(parser))
			return false;
	}
	parser->counting = false;
	return true;
}

static const struct nano_type *parse_type(struct parser *parser)
{
	parser_skip(parser);

	size_t length = 0;

	while (isalnum((unsigned char)parser->at[length]))
		length++;

	const struct nano_type *type = nano_type_find(parser->at, length);

	if (type)
		parser->at += length;
	return type;
}

/* : TYPE {, pN TYPE} */
static bool parse_types(struct parser *parser)
{
	struct nano *nano = parser->nano;

	if (!parser_accept(parser, ":"))
		return parser_fail(parser, "expected an operator, or ':' and a type such as f64");

	const struct nano_type *common = parse_type(parser);

	if (!common)
		return parser_fail(parser, "expected a type: i32 i64 f32 f64, a vector of them such as f32x4, or ptr");
	for (int i = 0; i < NANO_MAX_VARIABLES; i++)
		nano->variables[i].type = common;
	while (parser_accept(parser, ",")) {
		int variable = parser_variable(parser);
		const struct nano_type *type = variable < 0 ? NULL : parse_type(parser);

		if (!type)
			return parser_fail(parser, "expected a variable and its type, such as p0 ptr");
		nano->variables[variable].type = type;
	}
	return true;
}

/* where pN=VALUE {, pN=VALUE}; p* stands for all of them, so it goes first. */
static bool parse_values(struct parser *parser)
{
	if (!parser_accept_word(parser, "where"))
		return true;
	do {
		bool all = parser_accept(parser, "p*");
		int variable = all ? 0 : parser_variable(parser);
		double value = 0;

		if (variable < 0 || !parser_accept(parser, "=") || !parser_number(parser, &value))
			return parser_fail(parser, "expected a start value, such as p2=1.25");
		parser->nano->variables[variable].value = value;
		for (int i = 0; all && i < NANO_MAX_VARIABLES; i++)
			parser->nano->variables[i].value = value;
	} while (parser_accept(parser, ","));
	return true;
}

/* A session holds thousands of nano-benchmarks; the parser's roomy arrays are cut to what was used. */
static void shrink(struct nano *nano)
{
	void *statements = realloc(nano->statements, (size_t)nano->count * sizeof(*nano->statements));
	void *nodes = realloc(nano->nodes, (size_t)nano->node_count * sizeof(*nano->nodes));
	void *variables = realloc(nano->variables, (size_t)nano->variable_count * sizeof(*nano->variables));

	if (statements)
		nano->statements = statements;
	if (nodes)
		nano->nodes = nodes;
	if (variables)
		nano->variables = variables;
}

static bool finish(struct parser *parser)
{
	struct nano *nano = parser->nano;

	parser_skip(parser);
	if (*parser->at)
		return parser_fail(parser, "expected the end of the spec, ',' or 'where'");
	for (int i = 0; i < NANO_MAX_VARIABLES; i++)
		if (nano->variables[i].used || nano->variables[i].assigned)
			nano->variable_count = i + 1;
	for (int i = 0; i < nano->variable_count; i++)
		if (!expression_in_range(nano->variables[i].type, nano->variables[i].value))
			return parser_fail(parser, "a start value does not fit its type");
	for (int i = 0; i < nano->count; i++)
		if (!expression_check(parser, &nano->statements[i]))
			return false;
	nano->whole = nano_body(nano);
	shrink(nano);
	return true;
}

static char *canonical(const char *text)
{
	char *copy = malloc(strlen(text) + 1), *end = copy;

	if (!copy)
		return NULL;
	for (const char *at = text; *at; at++) {
		if (!isspace((unsigned char)*at))
			*end++ = *at;
		else if (end > copy && end[-1] != ' ')
			*end++ = ' ';
	}
	while (end > copy && end[-1] == ' ')
		end--;
	*end = '\0';
	return copy;
}

struct nano *nano_parse(const char *text, enum nano_barrier barrier, int unroll, char *error, size_t size)
{
	struct nano *nano = calloc(1, sizeof(*nano));

	if (!nano)
		return NULL;
	*nano = (struct nano){ .text = canonical(text),
			       .barrier = barrier,
			       .unroll = unroll,
			       .statements = calloc(NANO_MAX_STATEMENTS, sizeof(*nano->statements)),
			       .nodes = calloc(EXPRESSION_MAX_NODES, sizeof(*nano->nodes)),
			       .variables = calloc(NANO_MAX_VARIABLES, sizeof(*nano->variables)) };
	if (!nano->text || !nano->statements || !nano->nodes || !nano->variables) {
		nano_free(nano);
		return NULL;
	}
	for (int i = 0; i < NANO_MAX_VARIABLES; i++)
		nano->variables[i].value = 1;

	struct parser parser = { .text = nano->text, .at = nano->text, .nano = nano, .error = error, .size = size };

	if (!parse_body(&parser) || !parse_types(&parser) || !parse_values(&parser) || !finish(&parser)) {
		nano_free(nano);
		return NULL;
	}
	return nano;
}

void nano_free(struct nano *nano)
{
	if (!nano)
		return;
	free(nano->text);
	free(nano->statements);
	free(nano->nodes);
	free(nano->variables);
	free(nano);
}

int nano_body(const struct nano *nano)
{
	return (nano->unroll + nano->count - 1) / nano->count * nano->count;
}

int nano_count_op(const struct nano *nano, enum nano_op op)
{
	int in_sequence = 0;

	for (int i = 0; i < nano->node_count; i++)
		in_sequence += nano->nodes[i].kind == NANO_OPERATION && nano->nodes[i].op == op;
	return in_sequence * (nano->whole / nano->count);
}

void nano_pair(struct nano *brief, struct nano *full)
{
	if (full->barrier == NANO_BARRIER_NONE)
		return;
	brief->whole = full->whole = nano_body(full);
	brief->optional = full->optional = nano_body(full) - nano_body(brief);
}

uint64_t nano_hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
	return hash;
}

uint64_t nano_hash(const struct nano *nano)
{
	char form[48];

	snprintf(form, sizeof(form), "|%d|%d", (int)nano->barrier, nano->unroll);
	return nano_hash_text(nano_hash_text(NANO_HASH_START, nano->text), form);
}

uint64_t nano_code(const struct nano *nano)
{
	char form[48];

	snprintf(form, sizeof(form), "|%d|%d-%d", (int)nano->barrier, nano->whole, nano->optional);
	return nano_hash_text(nano_hash_text(NANO_HASH_START, nano->text), form);
}
