/* SPDX-License-Identifier: MIT */
/*
 * surroundings.c - puts the thread's locale and floating-point environment aside, and back
 */
#include "surroundings.h"

void surroundings_enter(struct surroundings *surroundings)
{
	surroundings->ours = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	surroundings->theirs = surroundings->ours ? uselocale(surroundings->ours) : (locale_t)0;
	fegetenv(&surroundings->floats);
	fesetenv(FE_DFL_ENV);
}

void surroundings_leave(struct surroundings *surroundings)
{
	fesetenv(&surroundings->floats);
	if (!surroundings->ours)
		return;
	uselocale(surroundings->theirs);
	freelocale(surroundings->ours);
}
