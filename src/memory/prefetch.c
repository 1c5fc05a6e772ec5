/* SPDX-License-Identifier: MIT */
/*
 * prefetch.c - prefetchers that learn from the misses of the first level
 *
 * What they bring is there at once: how late a prefetch comes is not simulated.
 */
#include <stdlib.h>
#include <string.h>

#include "prefetch.h"

enum { FOLLOWED = 1 << 16, RISING_LEAST = 3 };

struct scene {
	struct sim_prefetch *prefetch;
	struct sim_hierarchy *hierarchy;
	uint32_t line;
	int shift; /* of an address to its line */
	int page; /* of a line to its page */
};

bool sim_prefetch_start(struct sim_prefetch *prefetch, const struct description *description)
{
	const struct description_memory *memory = &description->memory;

	memset(prefetch, 0, sizeof *prefetch);
	prefetch->next_line = memory->next_line > 0;
	prefetch->adjacent = memory->adjacent > 0;
	prefetch->stride = memory->stride > 0;
	prefetch->temporal = memory->temporal > 0;
	prefetch->stream = (int)memory->stream;
	prefetch->last = SIM_NONE;
	prefetch->into = sim_hierarchy_level(description, memory->into.name, 1);
	prefetch->active = prefetch->into >= 0 && (prefetch->next_line || prefetch->adjacent || prefetch->stride ||
						   prefetch->temporal || prefetch->stream);
	if (!prefetch->temporal)
		return true;
	prefetch->followed = malloc(2 * FOLLOWED * sizeof *prefetch->followed);
	if (prefetch->followed)
		memset(prefetch->followed, 0xff, 2 * FOLLOWED * sizeof *prefetch->followed);
	return prefetch->followed;
}

void sim_prefetch_free(struct sim_prefetch *prefetch)
{
	free(prefetch->followed);
}

static void fetch(const struct scene *scene, uint32_t line)
{
	uint64_t address = (uint64_t)line << scene->shift;

	if (!sim_hierarchy_has(scene->hierarchy, SIM_DATA, address, scene->prefetch->into))
		scene->prefetch->came[sim_hierarchy_load(scene->hierarchy, SIM_DATA, address, scene->prefetch->into)]++;
}

static void fetch_near(const struct scene *scene, int64_t step)
{
	uint32_t line = (uint32_t)(scene->line + step);

	if (line >> scene->page == scene->line >> scene->page)
		fetch(scene, line);
}

static void follow_stream(const struct scene *scene)
{
	struct sim_prefetch *prefetch = scene->prefetch;
	uint32_t page = scene->line >> scene->page;
	struct sim_stream_page *stream = prefetch->streams;

	while (stream < prefetch->streams + SIM_STREAMS && !(stream->rising && stream->page == page))
		stream++;
	if (stream == prefetch->streams + SIM_STREAMS) {
		stream = &prefetch->streams[prefetch->oldest];
		prefetch->oldest = (prefetch->oldest + 1) % SIM_STREAMS;
		stream->page = page;
		stream->rising = 0;
	}
	stream->rising = stream->rising && scene->line > stream->line ? stream->rising + 1 : 1;
	stream->line = scene->line;
	for (int ahead = 1; stream->rising >= RISING_LEAST && ahead <= prefetch->stream; ahead++)
		fetch_near(scene, ahead);
}

static void replay(const struct scene *scene)
{
	struct sim_prefetch *prefetch = scene->prefetch;
	uint32_t *here = prefetch->followed + 2 * (size_t)((scene->line * 0x9e3779b1u) >> 16);

	if (prefetch->last != SIM_NONE) {
		uint32_t *before = prefetch->followed + 2 * (size_t)((prefetch->last * 0x9e3779b1u) >> 16);

		before[0] = prefetch->last;
		before[1] = scene->line;
	}
	if (here[0] == scene->line)
		fetch(scene, here[1]);
}

void sim_prefetch_see(struct sim_prefetch *prefetch, struct sim_hierarchy *hierarchy, uint64_t address, int from,
		      int page_shift)
{
	struct scene scene = { .prefetch = prefetch, .hierarchy = hierarchy };
	int64_t step;

	scene.shift = sim_hierarchy_at(hierarchy, SIM_DATA, prefetch->into)->shift;
	scene.line = (uint32_t)(address >> scene.shift);
	scene.page = page_shift > scene.shift ? page_shift - scene.shift : 0;
	step = prefetch->last == SIM_NONE ? 0 : (int64_t)scene.line - prefetch->last;
	if (prefetch->next_line)
		fetch_near(&scene, 1);
	if (prefetch->adjacent && from > prefetch->into)
		fetch_near(&scene, scene.line & 1 ? -1 : 1);
	if (prefetch->stream)
		follow_stream(&scene);
	if (prefetch->stride && step && step == prefetch->step)
		fetch_near(&scene, step);
	if (prefetch->temporal)
		replay(&scene);
	prefetch->step = step;
	prefetch->last = scene.line;
}
