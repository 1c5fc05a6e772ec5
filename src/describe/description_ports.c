/* SPDX-License-Identifier: MIT */
/*
 * description_ports.c - which ports an operation runs on, from "p2 p3 p7 + p4" or "p0 + divider for 4"
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description_keys.h"

static const double LONGEST = 1e5; /* cycles */

struct reader {
	struct description *description;
	const char *at; /* what is left to read */
};

/* A name, a number or a plus; its length, 0 at the end. */
static int token(struct reader *reader)
{
	int length = 0;

	reader->at += strspn(reader->at, " \t");
	while (isalnum((unsigned char)reader->at[length]) || (reader->at[length] && strchr("._/", reader->at[length])))
		length++;
	return length ? length : *reader->at != '\0';
}

/* Number of the port of that name, a new one where it is the first time; -1: no room, or not a name. */
static int port(struct description *description, const char *name, int length)
{
	if (length >= DESCRIPTION_PORT_NAME || !isalpha((unsigned char)name[0]))
		return -1;
	for (int i = 0; i < description->port_count; i++)
		if (!strncmp(description->ports[i], name, (size_t)length) && !description->ports[i][length])
			return i;
	if (description->port_count == DESCRIPTION_PORTS)
		return -1;
	memcpy(description->ports[description->port_count], name, (size_t)length);
	return description->port_count++;
}

static const char *read_cycles(struct reader *reader, struct description_part *part)
{
	char *end;

	token(reader);
	part->cycles = strtod(reader->at, &end);
	if (end != reader->at && *end == '/') {
		double below = strtod(end + 1, &end);

		part->cycles = below > 0 ? part->cycles / below : 0;
	}
	if (end == reader->at || !(part->cycles >= 0.01 && part->cycles <= LONGEST))
		return "for: 0.01 to 1e5 cycles";
	reader->at = end;
	return NULL;
}

/* One part: names, then "for CYCLES" or not. NULL, or what is wrong. */
static const char *read_part(struct reader *reader, struct description_part *part)
{
	int length;

	part->cycles = 1;
	while ((length = token(reader)) > 0 && *reader->at != '+') {
		if (part->count && length == 3 && !strncmp(reader->at, "for", 3)) {
			reader->at += length;

			const char *wrong = read_cycles(reader, part);

			return wrong                                     ? wrong
			       : token(reader) > 0 && *reader->at != '+' ? "nothing but + behind the cycles"
									 : NULL;
		}

		int number = port(reader->description, reader->at, length);

		if (number < 0)
			return "at most 32 ports, names of letters and digits with a letter first, 11 at most";
		for (int i = 0; i < part->count; i++)
			if (part->ports[i] == number)
				return "each port once in a part";
		part->ports[part->count++] = number;
		reader->at += length;
	}
	return part->count ? NULL : "a port on either side of +";
}

const char *description_read_ports(struct description *description, struct description_op *op)
{
	struct reader reader = { description, op->ports };

	if (op->interval > 0 || op->interval_small > 0 || op->units > 0 || *op->pool)
		return "ports or interval, units and pool, not both";
	do {
		const char *wrong;

		if (op->part_count == DESCRIPTION_PARTS)
			return "at most 4 parts";
		wrong = read_part(&reader, &op->parts[op->part_count++]);
		if (wrong)
			return wrong;
		token(&reader);
	} while (*reader.at++ == '+');
	return NULL;
}
