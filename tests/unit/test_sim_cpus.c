/* SPDX-License-Identifier: MIT */
/*
 * test_sim_cpus.c - teams on the simulated machine: each task against what the file says, by hand
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "machine_file.h"

/* Four cores of two threads, two to a socket; clocks of 1 GHz, and nothing in the way. */
#define CPUS \
	"[machine]\nfrequency = 1 GHz\ntimer.cost = 0\n[core]\nwidth = 4\nsmt = 2\n" \
	"[op add.i64]\nlatency = 1\ninterval = 1/4\n[op div.i64]\nlatency = 20\ninterval = 20\n" \
	"[cache l1d]\nsize = 32 KiB\nways = 8\nlatency = 4 cycles\n" \
	"[cache l2]\nsize = 256 KiB\nways = 8\nlatency = 12 cycles\nshared = 4\n" \
	"[memory]\nlatency = 100 ns\nsize = 16 MiB\n[noise]\njitter = 0\ntick.rate = 0\n" \
	"[group socket]\ncpus = 4\nlatency = 50 ns\nremote = 70 ns\nremote.bandwidth = 1 GB/s\n" \
	"[cpus]\ncount = 8\nlatency = 200 ns\ncore.latency = 8 ns\nhomes = 0\nslice = 1 ms\n"

enum { MOST = 16 };

struct bench {
	struct machine *machine;
	struct team_member members[MOST];
	struct team_part parts[MOST];
	struct team team;
	struct team_reading reading;
};

static void open_bench(struct bench *bench, const char *text, enum team_task task, int count)
{
	memset(bench, 0, sizeof(*bench));
	bench->machine = open_text(text, 3);
	bench->team = (struct team){ .task = task, .members = bench->members, .count = count, .ns = 1e6 };
	bench->reading.parts = bench->parts;
	for (int i = 0; i < count; i++)
		bench->members[i] = (struct team_member){ .cpu = i, .home = TEAM_ANYWHERE, .length = 1 };
}

static void work(struct bench *bench)
{
	enum machine_status status = bench->machine->ops->team(bench->machine, &bench->team, &bench->reading);

	if (status != MACHINE_RAN)
		fail_msg("%d: %s", status, bench->reading.why);
}

static void close_bench(struct bench *bench)
{
	bench->machine->ops->close(bench->machine);
}

/* ns of a unit of work in the member's first piece. */
static double first(const struct bench *bench, int member)
{
	assert_true(bench->parts[member].count > 0);
	return bench->parts[member].samples[0].ns / (double)bench->members[member].length;
}

static void assert_near(double value, double expected, double share)
{
	if (!(fabs(value - expected) <= share * expected))
		fail_msg("%g, not %g", value, expected);
}

/* A crowd beside a sibling takes twice as long, beside another core it does not; slow CPUs take longer. */
static void test_run(void **state)
{
	char error[128];
	struct nano *crowd =
		nano_parse("for i=1..8 p{i} = p{i} + p0 : i64", NANO_BARRIER_ASM, 64, error, sizeof(error));
	struct bench bench;
	double alone;

	(void)state;
	assert_non_null(crowd);
	open_bench(&bench, CPUS "speed = 1*4 0.5*4\n", TEAM_RUN, 2);
	for (int i = 0; i < 2; i++) {
		bench.members[i].nano = crowd;
		bench.members[i].length = 200;
	}
	bench.members[1].cpu = 2;
	work(&bench);
	alone = first(&bench, 0);
	assert_near(first(&bench, 1), alone, 0.01);
	bench.members[1].cpu = 1;
	work(&bench);
	assert_near(first(&bench, 0), 2 * alone, 0.1);
	assert_near(first(&bench, 1), 2 * alone, 0.1);
	bench.members[1].cpu = 7;
	work(&bench);
	assert_near(first(&bench, 0), alone, 0.01);
	assert_near(first(&bench, 1), 2 * alone, 0.01);
	/* Two that go anywhere find a core each. */
	bench.members[0].cpu = bench.members[1].cpu = TEAM_ANYWHERE;
	work(&bench);
	assert_near(first(&bench, 0), alone, 0.01);
	assert_near(first(&bench, 1), alone, 0.01);
	/* Two on one CPU get half of it each. */
	bench.members[0].cpu = bench.members[1].cpu = 0;
	bench.team.ns = 2e7;
	work(&bench);
	assert_near(bench.parts[0].done + bench.parts[1].done, 2e7 / (alone * 200), 0.02);
	assert_near(bench.parts[0].done, bench.parts[1].done, 0.1);
	close_bench(&bench);
	nano_free(crowd);
}

/* A round is twice the way, by what the two have in common. */
static void test_pass(void **state)
{
	static const struct {
		int a, b;
		double ns;
	} rows[] = { { 0, 1, 8 }, { 0, 2, 50 }, { 3, 1, 50 }, { 0, 4, 200 }, { 7, 3, 200 }, { 6, 7, 8 } };
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS, TEAM_PASS, 2);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bench.members[0].cpu = rows[i].a;
		bench.members[1].cpu = rows[i].b;
		bench.members[0].length = bench.members[1].length = 10;
		work(&bench);
		assert_near(first(&bench, 0) / 2, rows[i].ns, 0.01);
	}
	/* 4 KiB are 64 lines, ten of them under way at once; 64 KiB no longer lie in the first level of the other, but
	 * in the second, which both have. */
	bench.members[0].cpu = 0;
	bench.members[1].cpu = 2;
	bench.team.bytes = 4096;
	work(&bench);
	assert_near(first(&bench, 0) / 2, 50 + 64 * 5.0, 0.01);
	bench.team.bytes = 65536;
	work(&bench);
	assert_near(first(&bench, 0) / 2, 50 + 1024 * 1.2, 0.01);
	close_bench(&bench);
}

/* Numbers that go by cores: 0 and 4 are one. */
static void test_numbers(void **state)
{
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS "numbers = cores\n", TEAM_PASS, 2);
	bench.members[1].cpu = 4;
	work(&bench);
	assert_near(first(&bench, 0) / 2, 8, 0.01);
	bench.members[1].cpu = 1;
	work(&bench);
	assert_near(first(&bench, 0) / 2, 50, 0.01);
	close_bench(&bench);
}

/* Words on one line wait for it, those of one core and those on other lines do not. */
static void test_store(void **state)
{
	struct bench bench;
	double far;

	(void)state;
	open_bench(&bench, CPUS, TEAM_STORE, 2);
	bench.members[1].cpu = 4;
	bench.team.bytes = 64;
	work(&bench);
	far = first(&bench, 0);
	bench.team.bytes = 32;
	work(&bench);
	assert_near(first(&bench, 0), far + 100, 0.01);
	bench.members[1].cpu = 1;
	work(&bench);
	assert_near(first(&bench, 0), far, 0.01);
	close_bench(&bench);
}

/* Three quarters of the second level each: who has one of his own keeps what he walks over, who shares does not. */
static void test_walk(void **state)
{
	struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 3072 } } };
	struct bench bench;
	double alone, beside;

	(void)state;
	open_bench(&bench, CPUS, TEAM_WALK, 2);
	for (int i = 0; i < 2; i++) {
		bench.members[i].walk = &walk;
		bench.members[i].length = 2000;
	}
	bench.members[1].cpu = 4;
	work(&bench);
	alone = first(&bench, 0);
	bench.members[1].cpu = 2;
	bench.team.ns = 2e6;
	work(&bench);
	beside = bench.parts[0].samples[bench.parts[0].count - 1].ns / 2000;
	/* 512 KiB of 384: a third is not there. */
	assert_true(beside > alone + 20 && beside < alone + 45);
	/* Memory that another socket touched first is further away. */
	walk.grid.count[0] = 1 << 16;
	bench.team.count = 1;
	work(&bench);
	alone = first(&bench, 0);
	bench.members[0].home = 5;
	work(&bench);
	assert_near(first(&bench, 0) - alone, 70 * 15.0 / 16, 0.1);
	close_bench(&bench);
}

/* ns a step of CPU 0 over memory of CPU 5's, touched there first or bound there; NaN: refused. */
static double beyond(const char *text, bool bound)
{
	struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 1 << 16 } } };
	struct bench bench;
	double ns = NAN;

	open_bench(&bench, text, TEAM_WALK, 1);
	bench.team.ns = 2e6;
	bench.members[0] = (struct team_member){ .home = 5, .bound = bound, .walk = &walk, .length = 2000 };
	if (bench.machine->ops->team(bench.machine, &bench.team, &bench.reading) == MACHINE_RAN)
		ns = first(&bench, 0);
	close_bench(&bench);
	return ns;
}

/* All memory is the first CPU's, unless it is bound; and it may not be. */
static void test_bound(void **state)
{
	double far = beyond(CPUS, false);

	(void)state;
	assert_near(beyond(CPUS, true), far, 0.01);
	assert_near(beyond(CPUS "touched = first\n", true), far, 0.01);
	assert_near(far - beyond(CPUS "touched = first\n", false), 70 * 15.0 / 16, 0.5);
	assert_true(isnan(beyond(CPUS "binding = refused\n", true)));
	assert_near(beyond(CPUS "binding = refused\n", false), far, 0.01);
}

/* Ten lines of a stream are under way at once; what comes from another socket has to share the way with others. */
static void test_stream(void **state)
{
	struct walk walk = { .order = WALK_STREAM, .stream = WALK_READ, .span = 1 << 20, .vector = 16 };
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS "[op load.i64]\nlatency = 4\ninterval = 0.5\n", TEAM_WALK, 1);
	bench.members[0].walk = &walk;
	bench.members[0].length = 1024;
	work(&bench);
	assert_near(first(&bench, 0), 10, 0.02);
	bench.members[0].home = 5;
	work(&bench);
	assert_near(first(&bench, 0), 64, 0.02);
	bench.team.count = 2;
	bench.members[1] = bench.members[0];
	bench.members[1].cpu = 2;
	work(&bench);
	assert_near(first(&bench, 0), 128, 0.02);
	close_bench(&bench);
}

/* Two thirds of the first level, beside a thread that brings in three times of it at a time: a thread of the same core
 * throws out most of it, one of another core nothing. Short pieces and long ones tell the same. */
static void test_shared_by_threads(void **state)
{
	struct walk mine = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 340 } } };
	struct walk theirs = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 1536 } }, .rush = 1 };
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS, TEAM_WALK, 2);
	bench.members[0].walk = &mine;
	bench.members[1].walk = &theirs;
	for (long length = 100; length <= 1600; length *= 4) {
		double apart, together;

		for (int i = 0; i < 2; i++)
			bench.members[i].length = length;
		bench.members[1].cpu = 2;
		work(&bench);
		apart = bench.parts[0].samples[bench.parts[0].count - 1].ns / (double)length;
		bench.members[1].cpu = 1;
		work(&bench);
		together = bench.parts[0].samples[bench.parts[0].count - 1].ns / (double)length;
		assert_true(together - apart > 0.6 * (12 - 4) && together - apart < 1.1 * (12 - 4));
	}
	close_bench(&bench);
}

/* Gaps are the other's slice; a quota's are longer, and the system says so. */
static void test_watch(void **state)
{
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS, TEAM_WATCH, 2);
	bench.members[1].cpu = 0;
	bench.team.ns = 2e7;
	bench.team.gap = 2e4;
	work(&bench);
	assert_true(bench.parts[0].count >= 8);
	for (int i = 1; i < bench.parts[0].count; i++) {
		assert_near(bench.parts[0].samples[i].ns, 1e6, 0.05);
		assert_true(bench.parts[0].samples[i].switched);
	}
	close_bench(&bench);
	open_bench(&bench, CPUS "quota = 0.25\nperiod = 10 ms\n", TEAM_WATCH, 1);
	bench.team.ns = 1e8;
	bench.team.gap = 2e4;
	work(&bench);
	assert_true(bench.parts[0].count >= 8);
	for (int i = 1; i < bench.parts[0].count; i++)
		assert_near(bench.parts[0].samples[i].ns, 7.5e6, 0.02);
	close_bench(&bench);
}

/* CPUs change places: a pair is near at one time and far at another. */
static void test_migration(void **state)
{
	struct bench bench;
	int near = 0, looks = 200;

	(void)state;
	open_bench(&bench, CPUS "migration = 2 ms\n", TEAM_PASS, 2);
	for (int i = 0; i < looks; i++) {
		work(&bench);
		near += first(&bench, 0) / 2 < 20;
		bench.machine->ops->wait(bench.machine, 5e6);
	}
	/* One seat of seven is its sibling's. */
	assert_true(near > looks / 7 / 3 && near < 3 * looks / 7);
	close_bench(&bench);
}

static void test_blocked(void **state)
{
	struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 1 << 20 } } };
	struct bench bench;

	(void)state;
	open_bench(&bench, CPUS, TEAM_PASS, 2);
	bench.members[1].cpu = 8;
	assert_int_equal(bench.machine->ops->team(bench.machine, &bench.team, &bench.reading), MACHINE_BLOCKED);
	assert_non_null(strstr(bench.reading.why, "no such CPU"));
	bench.team.task = TEAM_WALK;
	bench.members[1].cpu = 1;
	bench.members[0].walk = bench.members[1].walk = &walk;
	assert_int_equal(bench.machine->ops->team(bench.machine, &bench.team, &bench.reading), MACHINE_BLOCKED);
	assert_non_null(strstr(bench.reading.why, "bytes of memory"));
	close_bench(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_pass),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_store),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_watch),
		cmocka_unit_test(test_migration),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_shared_by_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
