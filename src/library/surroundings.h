/* SPDX-License-Identifier: MIT */
/*
 * surroundings.h - what a program may have set for its thread and would change our answers; private to library/
 */
#ifndef XRAY_LIBRARY_SURROUNDINGS_H
#define XRAY_LIBRARY_SURROUNDINGS_H

#include <fenv.h>
#include <locale.h>

struct surroundings {
	locale_t theirs, ours;
	fenv_t floats;
};

/* A decimal point that is one, and arithmetic that rounds to nearest and does not trap. */
void surroundings_enter(struct surroundings *surroundings);
/* As it was. */
void surroundings_leave(struct surroundings *surroundings);

#endif
