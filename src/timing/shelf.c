/* SPDX-License-Identifier: MIT */
/*
 * shelf.c - one probe per spec and barrier: parsed once, compiled in batches, measured once
 */
#include <stdio.h>
#include <stdlib.h>

#include "shelf.h"

struct probe_shelf {
	struct shelved *slots; /* open addressing, a power of two */
	size_t size, used;
};

struct probe_shelf *shelf_new(void)
{
	struct probe_shelf *shelf = calloc(1, sizeof(*shelf));

	if (shelf) {
		shelf->size = 4096;
		shelf->slots = calloc(shelf->size, sizeof(*shelf->slots));
	}
	return shelf;
}

void shelf_free(struct probe_shelf *shelf)
{
	if (!shelf)
		return;
	for (size_t i = 0; shelf->slots && i < shelf->size; i++)
		probe_free(shelf->slots[i].probe);
	free(shelf->slots);
	free(shelf);
}

static struct shelved *find(struct probe_shelf *shelf, uint64_t key)
{
	size_t at = key & (shelf->size - 1);

	while (shelf->slots[at].key && shelf->slots[at].key != key)
		at = (at + 1) & (shelf->size - 1);
	return &shelf->slots[at];
}

static bool grow(struct probe_shelf *shelf)
{
	struct probe_shelf bigger = { .size = shelf->size * 2 };

	bigger.slots = calloc(bigger.size, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (size_t i = 0; i < shelf->size; i++)
		if (shelf->slots[i].key)
			*find(&bigger, shelf->slots[i].key) = shelf->slots[i];
	free(shelf->slots);
	shelf->slots = bigger.slots;
	shelf->size = bigger.size;
	return true;
}

struct shelved *shelf_get(struct probe_shelf *shelf, const char *text, enum nano_barrier barrier)
{
	char form[16], error[512] = "";

	if (!shelf || !shelf->slots || (shelf->used * 2 >= shelf->size && !grow(shelf)))
		return NULL;
	snprintf(form, sizeof(form), "|%d", (int)barrier);

	uint64_t key = nano_hash_text(nano_hash_text(NANO_HASH_START, text), form) | 1;
	struct shelved *shelved = find(shelf, key);

	if (shelved->key)
		return shelved;

	struct probe *probe = probe_new(text, barrier, error, sizeof(error));

	if (!probe)
		return NULL;
	*shelved = (struct shelved){ .key = key, .probe = probe };
	shelf->used++;
	return shelved;
}

/* Text order, so that the same wants make the same translation units whatever slots they fell into. */
static int by_text(const void *a, const void *b)
{
	const struct nano *const *left = a, *const *right = b;
	uint64_t x = nano_hash(*left), y = nano_hash(*right);

	return x < y ? -1 : x > y;
}

void shelf_prepare(struct probe_shelf *shelf, struct machine *machine)
{
	const struct nano **set = malloc(sizeof(*set) * (shelf->used + 1));
	int count = 0;

	for (size_t i = 0; set && i < shelf->size; i++) {
		struct shelved *shelved = &shelf->slots[i];

		if (!shelved->wanted)
			continue;
		/* The brief length is in it, too. */
		set[count++] = shelved->probe->full;
		shelved->wanted = false;
	}
	if (count) {
		qsort(set, (size_t)count, sizeof(*set), by_text);
		machine->ops->prepare(machine, set, count);
	}
	free(set);
}

void shelf_forget(struct probe_shelf *shelf)
{
	for (size_t i = 0; i < shelf->size; i++)
		shelf->slots[i].measured = false;
}
