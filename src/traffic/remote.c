/* SPDX-License-Identifier: MIT */
/*
 * remote.c - bytes that a CPU of each node reads in a second from the memory of each node
 *
 * Streams over memory of the other node, as far as what one CPU reads of memory goes through.
 */
#include <math.h>
#include <stdio.h>

#include "traffic.h"

enum { STEPS = 4096, BATCHES = 6 }; /* of a piece; of looks, at most */

static const double PAUSE = 3e7; /* ns between two of them: a clock that fell may have risen again */
static const double ALIKE = 0.95; /* of the quickest: it was so twice */

/* bytes/s of a CPU through memory of another's node; NaN: it is not known. Where others slow down CPUs for a while, a
 * rate holds when it was so twice. */
static double look(struct lab *lab, const struct walk *walk, int by, int home, bool bound)
{
	struct team_member member = { teams_cpu(lab, by), teams_cpu(lab, home), bound, NULL, walk, STEPS };
	struct machine *machine = lab->timer->machine;
	bool hostile = lab->timer->noise == NOISE_HOSTILE;
	double least, most = traffic_together(lab, &member, 1, &least), second = hostile ? 0 : most;
	char what[96];

	for (int batch = 1; batch < BATCHES && second < ALIKE * most; batch++) {
		double again;

		machine->ops->wait(machine, PAUSE);
		again = traffic_together(lab, &member, 1, &least);
		second = fmax(second, fmin(most, again));
		most = fmax(most, again);
	}
	most = second < ALIKE * most ? NAN : most;
	snprintf(what, sizeof(what), "memory of CPU %d read by CPU %d, bytes/s", member.home, member.cpu);
	lab_note(lab, what, (double)walk->span, most, "");
	return most;
}

struct matrix *traffic_remote(struct lab *lab, const struct nodes *nodes)
{
	struct matrix *matrix = matrix_new("bytes/s", nodes->count);
	double span = traffic_span_deep(lab, 4, (double)lab->timer->machine->memory / 2 / nodes->count);
	struct walk walk = traffic_walk(WALK_READ, span),
		    near = traffic_walk(WALK_READ, traffic_span(0, lab->hierarchy->level[0].reach, 1));
	struct flow flow = traffic_stream(lab, &near, false);

	walk.vector = flow.vector;
	if (isnan(flow.rate))
		lab_outcome(lab, BLOCKED, flow.why);
	for (int a = 0; matrix && a < nodes->count; a++)
		for (int b = 0; b < nodes->count && !lab->settled; b++)
			matrix->cells[a * nodes->count + b] =
				look(lab, &walk, nodes->cpu[b], nodes->cpu[a], nodes->bound);
	if (!teams_passes_hold(lab))
		lab_outcome(lab, UNCLEAR, COMMON_UNSTABLE);
	return matrix;
}
