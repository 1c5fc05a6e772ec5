/* SPDX-License-Identifier: MIT */
/*
 * stream_loop.h - the loops of one width of vectors; included by streams.c for each, with WIDTH, TARGET and NAME
 *
 * Volatile, so that every load and store is made, and as wide as it is written here.
 */
typedef uint64_t VECTOR __attribute__((vector_size(WIDTH), may_alias));

#define FOUR(DO, i) DO(i) DO((i) + 2) DO((i) + 4) DO((i) + 6)
#define READ(i) \
	(void)from[i]; \
	(void)from[(i) + 1];
#define WRITE(i) \
	to[i] = value; \
	to[(i) + 1] = value;
#define COPY(i) \
	to[i] = from[i]; \
	to[(i) + 1] = from[(i) + 1];
#define PUSH_VALUE(i) PUSH(to + (i), value, value);
#define PUSH_COPY(i) PUSH(to + (i), from[i], from[(i) + 1]);
#define LOOP(DO) \
	for (const char *end = source + bytes; source < end; source += sizeof(VECTOR) * 8) { \
		FOUR(DO, 0) \
		from += 8; \
		to += 8; \
	}

TARGET static void NAME(const struct walk *walk, const char *source, char *sink, long bytes)
{
	const volatile VECTOR *from = (const volatile VECTOR *)(const void *)source;
	volatile VECTOR *to = (volatile VECTOR *)(void *)sink;
	VECTOR value = (VECTOR){ 0 } + NOT_ZERO;

	if (walk->stream == WALK_READ)
		LOOP(READ)
	else if (walk->stream == WALK_WRITE && !walk->past)
		LOOP(WRITE)
	else if (walk->stream == WALK_COPY && !walk->past)
		LOOP(COPY)
	else if (walk->stream == WALK_WRITE)
		LOOP(PUSH_VALUE)
	else
		LOOP(PUSH_COPY)
}

#undef WIDTH
#undef TARGET
#undef NAME
#undef VECTOR
#undef PUSH
#undef FOUR
#undef READ
#undef WRITE
#undef COPY
#undef PUSH_VALUE
#undef PUSH_COPY
#undef LOOP
