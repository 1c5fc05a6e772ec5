/* SPDX-License-Identifier: MIT */
/*
 * streams.c - reads, writes and copies stretches of memory with vectors of any width
 *
 * The same loops for each width. What is written is not zero, since some hardware keeps zeros cheaper. A store that
 * goes past the caches has no name in C: where its instruction is not known here, there is none.
 */
#include "streams.h"

static const uint64_t NOT_ZERO = 0x0123456789abcdefu;
static const uint64_t STREAMED = 1; /* no walk's hash: what lies in the arena is of no use to one */

#if defined(__x86_64__)
#define PUSHED() __asm__ volatile("sfence" ::: "memory")
#define PUSH(at, a, b) \
	__asm__ volatile("movntdq %2, %0\n\tmovntdq %3, %1" : "=m"((at)[0]), "=m"((at)[1]) : "x"(a), "x"(b))
#elif defined(__aarch64__)
#define PUSHED() __asm__ volatile("dmb ishst" ::: "memory")
#define PUSH(at, a, b) __asm__ volatile("stnp %q1, %q2, %0" : "=Ump"(*(at)) : "w"(a), "w"(b) : "memory")
#else
#define NO_PUSH
#define PUSHED() ((void)0)
#define PUSH(at, a, b) ((at)[0] = (a), (at)[1] = (b))
#endif
#define WIDTH 16
#define VECTOR vector_16
#define NAME stream_16
#define TARGET
#include "stream_loop.h"

#if defined(__x86_64__)
#define PUSH(at, a, b) \
	__asm__ volatile("vmovntdq %2, %0\n\tvmovntdq %3, %1" : "=m"((at)[0]), "=m"((at)[1]) : "x"(a), "x"(b))
#define WIDTH 32
#define VECTOR vector_32
#define NAME stream_32
#define TARGET __attribute__((target("avx")))
#include "stream_loop.h"

#define PUSH(at, a, b) \
	__asm__ volatile("vmovntdq %2, %0\n\tvmovntdq %3, %1" : "=m"((at)[0]), "=m"((at)[1]) : "v"(a), "v"(b))
#define WIDTH 64
#define VECTOR vector_64
#define NAME stream_64
#define TARGET __attribute__((target("avx512f")))
#include "stream_loop.h"
#endif

typedef void stream_function(const struct walk *walk, const char *source, char *sink, long bytes);

static stream_function *function_for(long vector)
{
#if defined(__x86_64__)
	if (vector == 32)
		return __builtin_cpu_supports("avx") ? stream_32 : NULL;
	if (vector == 64)
		return __builtin_cpu_supports("avx512f") ? stream_64 : NULL;
#endif
	return vector == 16 ? stream_16 : NULL;
}

bool streams_refuse(const struct walk *walk, char *why, size_t size)
{
	const char *lack = function_for(walk->vector) ? NULL : "this CPU does not have vectors of that width";

#ifdef NO_PUSH
	if (walk->past)
		lack = "no store that goes past the caches is known for this kind of CPU";
#endif
	if (lack)
		snprintf(why, size, "%s", lack);
	return lack;
}

void streams_go(struct arena *arena, const struct walk *walk, long steps)
{
	stream_function *go = function_for(walk->vector);
	long length = walk_length(walk), at = arena->gone < length ? arena->gone / WALK_PIECES * WALK_PIECES : 0;

	for (steps = (steps + WALK_PIECES - 1) / WALK_PIECES * WALK_PIECES; steps > 0;) {
		long some = steps < length - at ? steps : length - at;
		char *from = arena->start + at * WALK_PIECE;

		go(walk, from, walk->stream == WALK_COPY ? from + length * WALK_PIECE : from, some * WALK_PIECE);
		steps -= some;
		at = at + some < length ? at + some : 0;
	}
	if (walk->past)
		PUSHED();
	arena->gone = at;
	if (walk->stream != WALK_READ)
		arena->written = STREAMED;
}
