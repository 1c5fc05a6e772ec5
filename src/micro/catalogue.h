/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h - the catalogue: what can be measured, by name; included by micro.h, which says what its parts are
 */
#ifndef XRAY_MICRO_CATALOGUE_H
#define XRAY_MICRO_CATALOGUE_H

/* One line of the catalogue. */
struct entry {
	char name[64];
	const struct micro *micro;
	struct subject subject;
};

/* All instances of all micro-benchmarks, in the list's order; NULL past the end. */
const struct entry *catalogue_at(int index);
const struct entry *catalogue_find(const char *name);
int catalogue_count(void);
/* Where catalogue_at has that name; -1: nowhere. */
int catalogue_place(const char *name);
/* The index-th need of an entry as a name; false past the end. */
bool catalogue_need(const struct entry *entry, int index, char *name, size_t size, bool *optional);
/* Of the words that `at` knows (NULL past the end), or else of the names here, the one most like this. */
const char *catalogue_nearest(const char *name, const char *(*at)(int index));

#endif
