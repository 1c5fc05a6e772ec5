/* SPDX-License-Identifier: MIT */
/*
 * builtin.c - runs while xray is built: the C of the nano-benchmarks that xray carries with it
 *
 * Which ones these are nobody writes down: the timer and the micro-benchmarks that do without a compiler are asked what
 * they want, by a machine that listens and runs nothing.
 *
 *     builtin PART PARTS    the C of one part of them
 *     builtin flags         what the compiler has to be told
 */
#include <stdlib.h>

#include "../src/micro/micro.h"

enum { MOST = 2048 };

struct listener {
	struct machine machine;
	struct nano *heard[MOST];
	int count;
};

/* A copy, since the set goes when its owner does; two owners may want the same. */
static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct listener *listener = (struct listener *)machine;
	char error[256];

	for (int i = 0; i < count; i++) {
		bool known = listener->count == MOST;

		for (int j = 0; j < listener->count && !known; j++)
			known = nano_code(listener->heard[j]) == nano_code(set[i]);

		struct nano *copy =
			known ? NULL : nano_parse(set[i]->text, set[i]->barrier, set[i]->unroll, error, sizeof(error));

		if (copy) {
			copy->whole = set[i]->whole;
			copy->optional = set[i]->optional;
			listener->heard[listener->count++] = copy;
		}
	}
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	(void)machine;
	(void)nano;
	(void)laps;
	(void)count;
	*reading = (struct reading){ .spills = -1 };
	return MACHINE_BLOCKED;
}

static double read_clock(struct machine *machine)
{
	(void)machine;
	return 0;
}

static void listen_to_micros(struct timer *timer, enum nano_barrier barrier, bool all)
{
	struct lab lab;

	lab_open(&lab, timer, NULL, barrier);
	for (int i = 0; catalogue_at(i); i++) {
		const struct micro *micro = catalogue_at(i)->micro;

		if (micro->builtin || (all && micro->want))
			micro->want(&lab, &catalogue_at(i)->subject);
	}
	lab_prepare(&lab);
	lab_close(&lab);
}

int main(int argc, char **argv)
{
	static const struct machine_ops ops = { .prepare = prepare, .run = run, .clock = read_clock };
	static struct listener listener = { .machine = { .ops = &ops } };
	struct timer timer;
	char why[256];

	for (int i = 0; argc == 2 && nano_flags[i]; i++)
		printf("%s ", nano_flags[i]);
	if (argc != 3)
		return argc == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
	timer_open(&timer, &listener.machine, 0, why, sizeof(why));
	listen_to_micros(&timer, NANO_BARRIER_ASM, true);
	listen_to_micros(&timer, NANO_BARRIER_SWITCH, false);
	timer_close(&timer);

	long part = strtol(argv[1], NULL, 10), parts = strtol(argv[2], NULL, 10);
	long first = part * listener.count / parts, end = (part + 1) * listener.count / parts;
	char *text = nano_emit((const struct nano *const *)listener.heard + first, (int)(end - first));

	if (text)
		fputs(text, stdout);
	free(text);
	for (int i = 0; i < listener.count; i++)
		nano_free(listener.heard[i]);
	return text && listener.count < MOST && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
