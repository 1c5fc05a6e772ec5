/* SPDX-License-Identifier: MIT */
/*
 * statement.h - one statement as C; private to nano/
 */
#ifndef XRAY_NANO_STATEMENT_H
#define XRAY_NANO_STATEMENT_H

#include <stdio.h>

#include "nano.h"

void statement_constant(FILE *out, const struct nano_node *node);

/* A line, behind its barrier where that is an asm statement. */
void statement_emit(FILE *out, const struct nano *nano, const struct nano_statement *statement);

#endif
