/* SPDX-License-Identifier: MIT */
/*
 * quarters.c - the memory of a team
 */
#include <stdlib.h>

#include "../host/host.h"
#include "quarters.h"

enum { PLACES = 64, WORDS = 2 * QUARTERS_LINE };

void quarters_leave(struct quarters *quarters, uint64_t most)
{
	uint64_t kept = 0;

	for (int i = 0; i < quarters->count; i++) {
		quarters->list[i].taken = false;
		kept += walker_bytes(quarters->list[i].walker);
	}
	if (kept <= most)
		return;
	for (int i = 0; i < quarters->count; i++)
		walker_close(quarters->list[i].walker);
	quarters->count = 0;
}

struct walker *quarters_take(struct quarters *quarters, int home, bool bound)
{
	struct quarter *more;

	for (int i = 0; i < quarters->count; i++)
		if (quarters->list[i].home == home && quarters->list[i].bound == bound && !quarters->list[i].taken) {
			quarters->list[i].taken = true;
			return quarters->list[i].walker;
		}
	more = realloc(quarters->list, sizeof(*more) * (size_t)(quarters->count + 1));
	if (!more)
		return NULL;
	quarters->list = more;
	more += quarters->count;
	*more = (struct quarter){ walker_open(), home, bound, true };
	quarters->count += more->walker ? 1 : 0;
	return more->walker;
}

/* A page for each place and then some: their lines have other homes. */
static uint64_t step(void)
{
	return (uint64_t)host_page_bytes() + WORDS;
}

bool quarters_share(struct quarters *quarters, uint64_t bytes, char *why, size_t size)
{
	uint64_t needed = (PLACES + 1) * step() + bytes;

	if (needed > quarters->bytes) {
		if (quarters->common)
			host_memory_give_back(quarters->common, quarters->bytes);
		quarters->common = host_memory_take(needed, HOST_PAGES_BASE, why, size);
		quarters->bytes = quarters->common ? needed : 0;
	}
	if (quarters->common)
		host_memory_renew(quarters->common, quarters->bytes);
	return quarters->common != NULL;
}

char *quarters_word(const struct quarters *quarters, int place)
{
	return quarters->common + (uint64_t)(place % PLACES) * step();
}

char *quarters_block(const struct quarters *quarters)
{
	return quarters_word(quarters, PLACES - 1) + step();
}

void quarters_touch(struct quarters *quarters, uint64_t bytes)
{
	char *end = quarters_block(quarters) + bytes;

	for (char *at = quarters->common; at < end; at += host_page_bytes())
		*(volatile char *)at = 0;
}

void quarters_close(struct quarters *quarters)
{
	for (int i = 0; i < quarters->count; i++)
		walker_close(quarters->list[i].walker);
	free(quarters->list);
	if (quarters->common)
		host_memory_give_back(quarters->common, quarters->bytes);
}
