/* SPDX-License-Identifier: MIT */
/*
 * expression.c - the right-hand side of a statement: C's operators and their precedence, then types
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "expression.h"

struct infix {
	const char *token;
	enum nano_op op;
	int precedence;
};

/* Longer tokens first, so that << is not read as <. */
static const struct infix infixes[] = {
	{ "<<", NANO_SHIFT, 5 }, { "<", NANO_CMP, 4 }, { "|", NANO_OR, 1 },  { "^", NANO_XOR, 2 }, { "&", NANO_AND, 3 },
	{ "+", NANO_ADD, 6 },    { "-", NANO_SUB, 6 }, { "*", NANO_MUL, 7 }, { "/", NANO_DIV, 7 },
};

int expression_add(struct parser *parser, struct nano_node node)
{
	struct nano *nano = parser->nano;

	if (nano->node_count == EXPRESSION_MAX_NODES) {
		parser_fail(parser, "the spec is too long");
		return -1;
	}
	if (node.kind == NANO_VARIABLE)
		nano->variables[node.variable].used = true;
	nano->nodes[nano->node_count] = node;
	return nano->node_count++;
}

static bool starts_statement(const char *at)
{
	while (isspace((unsigned char)*at) || *at == '*')
		at++;
	if (*at++ != 'p')
		return false;
	if (*at == '{')
		at += strcspn(at, "}") + (strchr(at, '}') != NULL);
	while (isdigit((unsigned char)*at))
		at++;
	while (isspace((unsigned char)*at))
		at++;
	return at[0] == '=' && at[1] != '=';
}

static const struct infix *next_infix(struct parser *parser, int least)
{
	parser_skip(parser);
	for (size_t i = 0; i < sizeof(infixes) / sizeof(infixes[0]); i++) {
		const struct infix *infix = &infixes[i];

		if (strncmp(parser->at, infix->token, strlen(infix->token)) != 0)
			continue;
		if (infix->precedence < least || (infix->op == NANO_OR && starts_statement(parser->at + 1)))
			return NULL;
		parser->at += strlen(infix->token);
		return infix;
	}
	return NULL;
}

static int parse_from(struct parser *parser, int least);

static int parse_call(struct parser *parser, enum nano_op op, int operands)
{
	struct nano_node node = { .kind = NANO_OPERATION, .op = op, .operands = operands };

	if (!parser_accept(parser, "("))
		return parser_fail(parser, "expected '('") - 1;
	if (++parser->depth > EXPRESSION_MAX_DEPTH)
		return parser_fail(parser, "too many parentheses") - 1;
	for (int i = 0; i < operands; i++) {
		if (i && !parser_accept(parser, ","))
			return parser_fail(parser, "expected ','") - 1;
		node.operand[i] = parse_from(parser, 0);
		if (node.operand[i] < 0)
			return -1;
	}
	parser->depth--;
	if (!parser_accept(parser, ")"))
		return parser_fail(parser, "expected ')'") - 1;
	return expression_add(parser, node);
}

static int parse_operand(struct parser *parser)
{
	double number = 0;

	if (parser_accept(parser, "(")) {
		if (++parser->depth > EXPRESSION_MAX_DEPTH)
			return parser_fail(parser, "too many parentheses") - 1;

		int inner = parse_from(parser, 0);

		parser->depth--;
		if (inner >= 0 && !parser_accept(parser, ")"))
			return parser_fail(parser, "expected ')'") - 1;
		return inner;
	}
	if (parser_accept_word(parser, "sqrt"))
		return parse_call(parser, NANO_SQRT, 1);
	if (parser_accept_word(parser, "fma"))
		return parse_call(parser, NANO_FMA, 3);

	bool load = parser_accept(parser, "*");
	int variable = parser_variable(parser);

	if (variable >= 0) {
		int node = expression_add(parser, (struct nano_node){ .kind = NANO_VARIABLE, .variable = variable });

		if (!load || node < 0)
			return node;
		return expression_add(
			parser, (struct nano_node){
					.kind = NANO_OPERATION, .op = NANO_LOAD, .operands = 1, .operand = { node } });
	}
	if (!load && parser_number(parser, &number))
		return expression_add(parser, (struct nano_node){ .kind = NANO_CONSTANT, .constant = number });
	return parser_fail(parser, "expected a variable, a number, *pN, sqrt(...), fma(...) or '('") - 1;
}

/* Precedence climbing: operators that bind at least as tightly as `least`. */
static int parse_from(struct parser *parser, int least)
{
	int left = parse_operand(parser);

	while (left >= 0) {
		const struct infix *infix = next_infix(parser, least);

		if (!infix)
			return left;
		int right = parse_from(parser, infix->precedence + 1);

		if (right < 0)
			return -1;
		left = expression_add(parser, (struct nano_node){ .kind = NANO_OPERATION,
								  .op = infix->op,
								  .operands = 2,
								  .operand = { left, right } });
	}
	return left;
}

int expression_parse(struct parser *parser)
{
	return parse_from(parser, 0);
}

static bool fits(enum nano_op op, enum nano_class class)
{
	switch (op) {
	case NANO_LOAD:
	case NANO_STORE:
		return true;
	case NANO_SQRT:
	case NANO_FMA:
		return class == NANO_FLOAT;
	case NANO_AND:
	case NANO_OR:
	case NANO_XOR:
	case NANO_SHIFT:
		return class == NANO_INT;
	default:
		return class != NANO_POINTER;
	}
}

static const struct nano_type *known_type(const struct nano *nano, int index)
{
	const struct nano_node *node = &nano->nodes[index];

	if (node->kind == NANO_VARIABLE)
		return nano->variables[node->variable].type;
	if (node->kind == NANO_CONSTANT || node->op == NANO_LOAD)
		return NULL;
	for (int i = 0; i < node->operands; i++) {
		const struct nano_type *type = known_type(nano, node->operand[i]);

		if (type)
			return type;
	}
	return NULL;
}

static bool is_zero(const struct nano *nano, const struct nano_node *node)
{
	if (node->kind == NANO_CONSTANT)
		return node->constant == 0;
	return node->kind == NANO_VARIABLE && !nano->variables[node->variable].assigned &&
	       nano->variables[node->variable].value == 0;
}

bool expression_in_range(const struct nano_type *type, double value)
{
	if (type->class != NANO_INT)
		return true;

	double bound = type->lane_bytes == 8 ? 0x1p63 : 0x1p31;

	return value == floor(value) && value >= -bound && value < bound;
}

static bool check_address(struct parser *parser, int index)
{
	struct nano_node *node = &parser->nano->nodes[index];

	node->type = parser->nano->variables[node->variable].type;
	return node->type->class == NANO_POINTER ||
	       parser_fail(parser, "only a variable of type ptr can be followed with '*'");
}

static bool check(struct parser *parser, int index, const struct nano_type *wanted)
{
	struct nano *nano = parser->nano;
	struct nano_node *node = &nano->nodes[index];

	node->type = wanted;
	if (node->kind == NANO_CONSTANT) {
		if (wanted->class == NANO_POINTER)
			return parser_fail(parser, "a number is not a ptr");
		return wanted->class != NANO_INT || expression_in_range(wanted, node->constant) ||
		       parser_fail(parser, "a number does not fit its type");
	}
	if (node->kind == NANO_VARIABLE)
		return nano->variables[node->variable].type == wanted ||
		       parser_fail(parser, "operands and target of a statement must have one type");
	if (!fits(node->op, wanted->class))
		return parser_fail(parser, "that operation does not exist for that type");
	if (node->op == NANO_LOAD)
		return check_address(parser, node->operand[0]);
	if (node->op == NANO_DIV && wanted->class == NANO_INT && is_zero(nano, &nano->nodes[node->operand[1]]))
		return parser_fail(parser, "the statement divides by zero");
	for (int i = 0; i < node->operands; i++)
		if (!check(parser, node->operand[i], wanted))
			return false;
	return true;
}

bool expression_check(struct parser *parser, const struct nano_statement *statement)
{
	struct nano *nano = parser->nano;

	if (statement->target >= 0)
		return check(parser, statement->root, nano->variables[statement->target].type);

	struct nano_node *store = &nano->nodes[statement->root];
	const struct nano_type *type = known_type(nano, store->operand[1]);

	if (!type)
		return parser_fail(parser, "cannot tell the type of what is stored");
	store->type = type;
	return check_address(parser, store->operand[0]) && check(parser, store->operand[1], type);
}
