/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - what the micro-benchmarks of contexts share: the same question of different work
 */
#ifndef XRAY_CONTEXTS_H
#define XRAY_CONTEXTS_H

#define CONTEXTS_STORY(work) \
	"Idea     BlackjackBench's: one thread, two, three and so on do the same work, " work ".\n" \
	"         The time of the slowest stays as it is until they have to share something.\n" \
	"Answer   The number before the first step: a thread that takes a quarter longer than such a CPU does alone.\n" \
	"         Threads are put onto CPUs, one of each core first; where all are equally fast the system also puts\n" \
	"         them anywhere, and where that says otherwise it is a range.\n" \
	"Assumes  The system puts threads onto CPUs that are idle.\n" \
	"Fails as a range when it does not."

#define CONTEXTS_NEEDS \
	{ \
		"smp.cpus", "?smp.cores" \
	}

#endif
