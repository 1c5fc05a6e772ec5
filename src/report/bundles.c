/* SPDX-License-Identifier: MIT */
/*
 * bundles.c - a text of several parts as a table, one line for each: so many of these with so many of those
 */
#include <string.h>

#include "shapes.h"

bool bundles_put(struct line *line, const struct finding *finding)
{
	const char *part = finding->text, *end;
	char text[256];

	if (finding->outcome != MEASURED || strcmp(finding->unit, "text") != 0 || !part || !strstr(part, "; "))
		return false;
	line_put(line, finding->name, 0, LEFT, PLAIN);
	line_end(line);
	for (; part; part = end ? end + 2 : NULL) {
		end = strstr(part, "; ");
		snprintf(text, sizeof(text), "%.*s", end ? (int)(end - part) : (int)strlen(part), part);
		line->blanks = 2;
		line_put(line, text, 0, LEFT, PLAIN);
		line_end(line);
	}
	return true;
}
