/* SPDX-License-Identifier: MIT */
/*
 * units.h - how a number in a base unit is written for a person
 *
 * Private to report/.
 */
#ifndef XRAY_UNITS_H
#define XRAY_UNITS_H

#include "../findings/findings.h"

#include <stddef.h>

struct units_form {
	double divisor;
	const char *word; /* may be empty */
	int decimals;
	bool as_needed; /* no zeros at their end */
};

/* The form that suits a value of this unit. */
struct units_form units_choose(const char *unit, double value);

/* The same for a measured value: no digits that its interval has no say about. */
struct units_form units_of_finding(const struct finding *finding);

/* The number alone; the word is the form's. */
void units_number(const struct units_form *form, double value, char *text, size_t size);

/* The unit of the number: of the cells for a matrix, a count for text and tree. */
const char *units_of(const struct finding *finding);

/* Is the value a text or a tree, and its number only a count of what is in it? */
bool units_worded(const struct finding *finding);

/* "± 0.2 %", "[3.90 .. 4.60]" in the value's own form, or empty when the interval is a point or not known. Of a
 * matrix the range of its cells. */
void units_interval(const struct finding *finding, char *text, size_t size);

/* The literal of the same spelling; NULL when it is none of the contract's units. */
const char *units_literal(const char *word);

#endif
