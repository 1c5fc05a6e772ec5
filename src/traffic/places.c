/* SPDX-License-Identifier: MIT */
/*
 * places.c - where chases go
 *
 * Places lie page by page, in an order that nothing foresees, and all of a page that are used follow each other, so
 * that translation is looked up once for all of them. Their order within the page differs from page to page: chases
 * that went through their pages in step would all be in one set.
 */
#include <stdlib.h>

#include "traffic.h"

enum { DIGIT = 4 };

/* Of pages whose numbers end alike, as those do that share sets, every result has as many. A plain sum of digits would
 * also say what the number leaves when divided by three, and caches of three times a power of two sets would be filled
 * in places; so every other two digits are taken off. */
static long digits(long page)
{
	long sum = 0;

	for (int i = 0; page > 0; page /= DIGIT, i++)
		sum += page % DIGIT * (i & 2 ? DIGIT - 1 : 1);
	return sum;
}

/* From the middle of a page outwards, to and fro, so that no prefetcher sees one way; the other way round in every
 * other page. */
static long to_and_fro(long index, long each, bool mirrored)
{
	long slot = each / 2 + (index % 2 ? -(index + 1) / 2 : index / 2);

	return mirrored ? each - 1 - slot : slot;
}

uint64_t *traffic_lay(long pages, long line, long apart, long page)
{
	long each = page / apart, *order = malloc(sizeof(*order) * (size_t)(pages + each));
	uint64_t *places = malloc(sizeof(*places) * (size_t)(pages * each));

	if (!places || !order) {
		free(places);
		free(order);
		return NULL;
	}
	walk_shuffle(order, pages);
	walk_shuffle(order + pages, each);
	for (long i = 0; i < pages; i++)
		for (long j = 0; j < each; j++) {
			long slot = pages > 1 ? to_and_fro(j, each, i % 2) : order[pages + j];

			places[i * each + j] = (uint64_t)(order[i] * page + slot * apart +
							  (slot + digits(order[i])) % (apart / line) * line);
		}
	free(order);
	return places;
}
