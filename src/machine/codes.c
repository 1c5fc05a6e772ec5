/* SPDX-License-Identifier: MIT */
/*
 * codes.c - compiled nano-benchmarks by their number
 */
#include <stdlib.h>

#include "codes.h"

static struct code **slot(struct code **table, size_t slots, uint64_t hash)
{
	size_t at = hash & (slots - 1);

	while (table[at] && table[at]->hash != hash)
		at = (at + 1) & (slots - 1);
	return &table[at];
}

static bool grow(struct codes *codes)
{
	size_t slots = codes->slots ? codes->slots * 2 : 1024;
	struct code **table = calloc(slots, sizeof(*table));

	if (!table)
		return false;
	for (size_t i = 0; i < codes->slots; i++)
		if (codes->table[i])
			*slot(table, slots, codes->table[i]->hash) = codes->table[i];
	free(codes->table);
	codes->table = table;
	codes->slots = slots;
	return true;
}

struct code *codes_find(const struct codes *codes, uint64_t hash)
{
	return codes->slots ? *slot(codes->table, codes->slots, hash) : NULL;
}

struct code *codes_add(struct codes *codes, uint64_t hash)
{
	if (codes->used * 2 >= codes->slots && !grow(codes))
		return NULL;

	struct code **place = slot(codes->table, codes->slots, hash);

	if (*place)
		return *place;
	*place = calloc(1, sizeof(**place));
	if (!*place)
		return NULL;
	(*place)->hash = hash;
	codes->used++;
	return *place;
}

void codes_free(struct codes *codes)
{
	for (size_t i = 0; i < codes->slots; i++)
		free(codes->table[i]);
	free(codes->table);
	*codes = (struct codes){ 0 };
}
