/* SPDX-License-Identifier: MIT */
/*
 * test_sim_code.c - walks of code on the simulated machine, and the code sections of a machine file
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "machine_file.h"
#include "describe/description.h"

/* A nanosecond is a cycle; a step that waits for nothing takes BARE: the jump, and three instructions of four. */
#define HEAD "[machine]\nfrequency = 1 GHz\ntimer.cost = 0\n[noise]\njitter = 0\ntick.rate = 0\n[core]\nwidth = 4\n"
#define MEMORY "[memory]\nlatency = 104\nsize = 16 MiB\n"
#define L1I(more) "[cache l1i]\nsize = 8 KiB\nways = 4\nlatency = 4\n" more
#define L1D "[cache l1d]\nsize = 2 KiB\nways = 4\nlatency = 4\n"
#define L2(more) "[cache l2]\nsize = 32 KiB\nways = 8\nlatency = 14\n" more
#define SMALL HEAD MEMORY L1I("")
#define BARE 15.75

static double mean(struct machine *machine, const struct walk *walk, long steps)
{
	struct reading reading;
	double sum = 0;
	enum machine_status status = machine->ops->walk(machine, walk, steps, MACHINE_BURST, &reading);

	if (status != MACHINE_RAN)
		fail_msg("%d: %s", status, reading.why);
	for (int i = 0; i < MACHINE_BURST; i++)
		sum += reading.ns[i];
	return sum / MACHINE_BURST / (double)steps;
}

static struct walk places(long count, uint64_t stride, long body)
{
	return (struct walk){ .order = WALK_RANDOM,
			      .code = true,
			      .body = body,
			      .arena = 1,
			      .grid = { .stride = { stride }, .count = { count } } };
}

/* What a step of the walk waits for on the machine of that file, beyond what any step takes. */
static double waits(const char *text, const struct walk *walk)
{
	struct machine *machine = open_text(text, -1);
	double instructions = walk->body > 9 ? (double)walk->body - 9 : 0, ns = mean(machine, walk, 4000);

	machine->ops->close(machine);
	return ns - BARE - instructions / 4;
}

/* Steps of walks of which every cost is known. */
static void test_costs(void **state)
{
	static const char windows[] = HEAD MEMORY "[cache l1i]\nsize = 1 KiB\nways = 4\nlatency = 4\n[uops]\n"
						  "entries = 256\nways = 8\nwindow = 32\neach = 6\nmost = 3\n"
						  "penalty = 7\n";
	static const char trace[] =
		HEAD MEMORY "[uops]\nentries = 32\nways = 4\nwindow = none\neach = 6\npenalty = 7\n";
	static const char branches[] = HEAD MEMORY "[cache l2]\nsize = 1 MiB\nways = 8\nlatency = 4\n"
						   "[code]\nbranches = 256\nbranch.ways = 4\nbranch.penalty = 8\n";
	static const char tlb[] = HEAD MEMORY "[cache l2]\nsize = 64 KiB\nways = full\nlatency = 4\n"
					      "[tlb l1i]\nentries = 16\nways = full\npenalty = 10\n"
					      "[tlb l1d]\nentries = 1\nways = full\npenalty = 99\n";
	const struct {
		int line;
		const char *text;
		long count;
		uint64_t stride;
		long body;
		double cycles, within;
	} rows[] = {
		/* As many lines as the cache has are there, of as many as are drawn from. */
		{ __LINE__, SMALL, 128, 64, 0, 0, 0 },
		{ __LINE__, SMALL, 512, 16, 0, 0, 0 },
		{ __LINE__, SMALL, 256, 64, 0, 50, 2 },
		{ __LINE__, SMALL, 512, 64, 0, 75, 2 },
		{ __LINE__, SMALL "policy = random\n", 256, 64, 0, 50, 2 },
		{ __LINE__, SMALL "policy = tree-plru\n", 512, 64, 0, 75, 2 },
		{ __LINE__, SMALL, 4, 2048, 0, 0, 0 },
		{ __LINE__, SMALL, 5, 2048, 0, 20, 2 },
		{ __LINE__, SMALL, 5, 2048 + 64, 0, 0, 0 },
		{ __LINE__, SMALL "line = 16\n", 512, 16, 0, 0, 0 },
		{ __LINE__, SMALL "line = 16\n", 1024, 16, 0, 50, 2 },
		/* 96 bytes are two lines, from the middle of one three. */
		{ __LINE__, SMALL, 128, 128, 96, 100, 3 },
		{ __LINE__, SMALL, 1000, 128, 96, 2 * 100 * 0.936, 3 },
		{ __LINE__, SMALL "[code]\nnext-line = yes\n", 1000, 4096, 128, 100, 1 },
		{ __LINE__, SMALL "[code]\nnext-line = yes\n", 1000, 4096, 192, 200, 2 },
		{ __LINE__, SMALL "[code]\nstraight = yes\n", 1000, 4096, 192, 100, 1 },
		{ __LINE__, SMALL, 1000, 4096, 192, 300, 3 },
		{ __LINE__, HEAD MEMORY L2(""), 512, 64, 0, 0, 0 },
		{ __LINE__, HEAD MEMORY L1D L1I("") L2(""), 512, 64, 0, 7.5, 0.2 },
		{ __LINE__, HEAD MEMORY L1I("ways = full\n") L2("ways = full\ninclusion = exclusive\n"), 640, 64, 0, 8,
		  0.2 },
		{ __LINE__, HEAD MEMORY L1D L1I("ways = full\n") L2("ways = full\ninclusion = exclusive\n"), 640, 64, 0,
		  8, 0.2 },
		{ __LINE__, tlb, 16, 4096 + 64, 0, 0, 0 },
		{ __LINE__, tlb, 32, 4096 + 64, 0, 5, 0.3 },
		{ __LINE__, branches, 256, 16, 0, 0, 0 },
		{ __LINE__, branches, 512, 16, 0, 4, 0.2 },
		{ __LINE__, branches, 8, 16 * 64, 0, 4, 0.2 },
		/* Ten micro-ops are two entries; of windows 64 bytes apart every other set has some. */
		{ __LINE__, windows, 64, 64, 16, 0, 0 },
		{ __LINE__, windows, 128, 32, 16, 0, 0 },
		{ __LINE__, windows, 1000, 32, 16, 0.872 * 7 + (1 - 0.016 - 0.128) * 100, 3 },
		/* Those with more than 18 are never kept, and so the first level has to do. */
		{ __LINE__, windows, 16, 64, 24, 0, 0 },
		{ __LINE__, windows, 16, 64, 25, 7, 0 },
		{ __LINE__, windows, 32, 64, 25, 57, 2 },
		{ __LINE__, trace, 16, 32, 16, 0, 0 },
		{ __LINE__, trace, 32, 32, 16, 3.5, 0.2 },
		{ __LINE__, trace, 8, 64, 28, 0, 0 },
		{ __LINE__, trace, 16, 64, 28, 3.5, 0.2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct walk walk = places(rows[i].count, rows[i].stride, rows[i].body);
		double cycles = waits(rows[i].text, &walk);

		if (fabs(cycles - rows[i].cycles) > rows[i].within + 0.01)
			fail_msg("row at line %d: %g cycles, not %g", rows[i].line, cycles, rows[i].cycles);
	}
}

/* A cache that does nothing but find the oldest: what the simulated one is compared with. */
struct oldest {
	int sets, ways;
	uint64_t tags[512];
	long used[512];
};

static bool held(struct oldest *cache, uint64_t line, long now)
{
	int first = (int)(line % (uint64_t)cache->sets) * cache->ways, victim = first;

	for (int i = first; i < first + cache->ways; i++) {
		if (cache->used[i] && cache->tags[i] == line) {
			cache->used[i] = now;
			return true;
		}
		if (cache->used[i] < cache->used[victim])
			victim = i;
	}
	cache->tags[victim] = line;
	cache->used[victim] = now;
	return false;
}

/* Cycles that a jump which waits for hot data waits more among so many places than at one. */
static double waits_more(const char *text, struct walk walk, long count)
{
	double alone;

	walk.grid.count[0] = 1;
	alone = waits(text, &walk);
	walk.grid.count[0] = count;
	return waits(text, &walk) - alone;
}

/* Hot data and code take room from each other in a level that both share, as a cache of both in turn would have it; and
 * what leaves an inclusive one leaves the first level of code, too. */
static void test_shared(void **state)
{
	static struct oldest reference = { .sets = 64, .ways = 8 };
	struct walk walk = places(256, 64, 0);
	double found, expected = 14;

	(void)state;
	assert_true(fabs(waits(HEAD MEMORY L2(""), &walk)) < 0.01);
	walk.has_hot = true;
	walk.hot = (struct walk_grid){ .stride = { 64 }, .count = { 768 } };
	srand(1);
	for (long turn = 1; turn <= 400000; turn++) {
		uint64_t line = turn % 2 ? (uint64_t)(rand() % 256) : 1 << 20 | (uint64_t)(rand() % 768);
		bool hit = held(&reference, line, turn);

		if (turn > 100000 && !hit)
			expected += 90 / 150000.0;
	}
	found = waits(HEAD MEMORY L2(""), &walk);
	if (fabs(found - expected) > 2)
		fail_msg("%g cycles, not %g", found, expected);
	/* Split, nobody disturbs anybody; and nothing but inclusion reaches from the second level into the first. */
	assert_true(fabs(waits_more(HEAD MEMORY L1D L2("holds = code\n"), walk, 256)) < 1);
	assert_true(waits_more(HEAD MEMORY L1D L1I("") L2("inclusion = inclusive\n"), walk, 64) >
		    waits_more(HEAD MEMORY L1D L1I("") L2(""), walk, 64) + 5);
}

/* The same for a TLB: eight pages of data and eight of code fit, sixteen of each do not. */
static void test_shared_tlb(void **state)
{
	static const char text[] = HEAD MEMORY "[cache l2]\nsize = 64 KiB\nways = full\nlatency = 4\n"
					       "[tlb l1]\nentries = 16\nways = full\npenalty = 10\nholds = both\n";
	struct walk walk = places(8, 4096 + 64, 0);

	(void)state;
	walk.has_hot = true;
	walk.hot = (struct walk_grid){ .stride = { 4096 + 64 }, .count = { 8 } };
	/* The load itself takes four cycles. */
	assert_true(fabs(waits(text, &walk) - 4) < 0.01);
	walk.hot.count[0] = walk.grid.count[0] = 16;
	assert_true(fabs(waits(text, &walk) - 4 - 2 * 5) < 0.5);
	walk.hot.count[0] = 1;
	walk.grid.count[0] = 15;
	assert_true(fabs(waits(text, &walk) - 4) < 0.01);
	/* From the end of a page into the next: both are translated. */
	walk = places(16, 8192, 64);
	walk.grid.base = 4096 - 32;
	assert_true(fabs(waits(text, &walk) - 10) < 0.5);
}

/* Code is other memory than data of the same number; its pages may share frames, which the TLB does not see. */
static void test_arenas(void **state)
{
	static const char text[] =
		SMALL "[tlb l1i]\nentries = 32\nways = full\npenalty = 10\n[pages]\nframes = random\n";
	struct machine *machine = open_text(text, -1);
	struct walk walk = places(64, 4096, 0), data = { .order = WALK_RANDOM, .arena = 1 };

	(void)state;
	walk.pages = WALK_ON_4_FRAMES;
	assert_true(fabs(mean(machine, &walk, 4000) - BARE - 5) < 0.5);
	walk.grid.count[0] = 4096;
	assert_true(fabs(mean(machine, &walk, 4000) - BARE - 10) < 0.2);
	data.grid = (struct walk_grid){ .stride = { 64 }, .count = { 64 } };
	assert_true(fabs(mean(machine, &data, 1000) - 16 - 104) < 0.01);
	machine->ops->close(machine);
}

/* Lines that a ladder of that many bytes waits for in a lap, once it has gone round. */
static double missed(long bytes)
{
	static struct oldest cache;
	long now = 0, count = 0;

	memset(&cache, 0, sizeof cache);
	cache.sets = 32;
	cache.ways = 4;
	for (int lap = 0; lap < 20; lap++)
		for (long at = 0; at < bytes; at += 64)
			count += !held(&cache, (uint64_t)(at / 64), ++now) && lap >= 10;
	return (double)count / 10;
}

static void test_ladder(void **state)
{
	static const char core[] = "[op add.i64]\nlatency = 1\ninterval = 0.5\n";
	static const long lengths[] = { 1, 10, 100, 340, 341, 342, 400, 500, 700, 2000 };
	char text[1024];

	(void)state;
	snprintf(text, sizeof text, "%s%s", SMALL, core);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct machine *machine = open_text(text, -1);
		struct walk walk = { .order = WALK_LADDER, .code = true, .count = lengths[i], .body = 8 };
		struct reading reading;
		double bytes = 24.0 * (double)lengths[i] + 9;
		double lap = 4.0 * (double)lengths[i] + 0.75 + 100 * missed((long)bytes);
		double found = mean(machine, &walk, lengths[i] * 20) * (double)lengths[i];

		if (fabs(found - lap) > 0.01)
			fail_msg("%ld cases: %g cycles, not %g", lengths[i], found, lap);
		machine->ops->walk(machine, &walk, 10, 1, &reading);
		assert_true(reading.value == bytes);
		machine->ops->close(machine);
	}
}

/* Cut up into stretches that are no laps, a ladder takes what it takes in one go. Traces hold 192 micro-ops. */
static void test_ladder_goes_on(void **state)
{
	static const char text[] = HEAD MEMORY
		"[uops]\nentries = 32\nways = 4\nwindow = none\neach = 6\npenalty = 7\n[code]\nstraight = yes\n";
	static const struct {
		long cases;
		double cycles;
	} rows[] = { { 27, 0 }, { 60, 7 } };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct machine *machine = open_text(text, -1);
		struct walk walk = { .order = WALK_LADDER, .code = true, .count = rows[i].cases, .body = 7 };
		double sum = 0;

		for (int turn = 0; turn < 27; turn++)
			sum += mean(machine, &walk, 20) / 27;
		sum -= 7.0 / 4 + 0.75 / (double)rows[i].cases;
		if (fabs(sum - rows[i].cycles) > 0.01)
			fail_msg("%ld cases: %g cycles, not %g", rows[i].cases, sum, rows[i].cycles);
		machine->ops->close(machine);
	}
}

static void test_instructions(void **state)
{
	struct machine *machine = open_text(SMALL "[code]\nnop = 4\njump = 12\nmispredict = 30\n", -1);
	struct walk walk = places(4, 64, 40);
	struct reading reading;

	(void)state;
	assert_int_equal(machine->ops->walk(machine, &walk, 100, 1, &reading), MACHINE_RAN);
	assert_true(reading.value == 10 && reading.ns[0] == 100 * (30 + 2.5));
	walk.body = 0;
	assert_int_equal(machine->ops->walk(machine, &walk, 100, 1, &reading), MACHINE_RAN);
	assert_true(reading.value == 3 && reading.ns[0] == 100 * (30 + 0.75));
	machine->ops->close(machine);
}

/* The same file and seed give the same readings, bit for bit; another seed gives others. */
static void test_repeats(void **state)
{
	static const char text[] = "[machine]\nfrequency = 1 GHz\n" L1D L1I("policy = random\n") L2("shared = 4\n")
		MEMORY "[tlb l1i]\nentries = 16\nways = 4\npenalty = 9\npolicy = random\n"
		       "[pages]\nframes = random\ntables = l2\n[noise]\npreset = cloud\n"
		       "[uops]\nentries = 64\nways = 8\nwindow = 32\neach = 6\npenalty = 7\n"
		       "[code]\nbranches = 64\nnext-line = yes\n";
	struct walk walks[] = { places(1024, 64, 20), { .order = WALK_LADDER, .code = true, .count = 900, .body = 9 } };
	struct machine *machines[] = { open_text(text, 1), open_text(text, 1), open_text(text, 2) };
	struct reading readings[3];

	(void)state;
	walks[0].has_hot = true;
	walks[0].hot = (struct walk_grid){ .stride = { 64 }, .count = { 700 } };
	for (int turn = 0; turn < 6; turn++) {
		for (int i = 0; i < 3; i++)
			machines[i]->ops->walk(machines[i], &walks[turn % 2], 500, MACHINE_BURST, &readings[i]);
		assert_memory_equal(readings[0].ns, readings[1].ns, sizeof readings[0].ns);
		assert_memory_not_equal(readings[0].ns, readings[2].ns, sizeof readings[0].ns);
	}
	for (int i = 0; i < 3; i++)
		machines[i]->ops->close(machines[i]);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *text, *why;
		struct walk walk;
	} rows[] = {
		{ HEAD MEMORY L1D, "the file describes no code", { .order = WALK_RANDOM, .code = true } },
		{ HEAD L1I(""), "the file describes no memory", { .order = WALK_RANDOM, .code = true } },
		{ SMALL, "no code runs like that", { .order = WALK_CYCLE, .code = true, .count = 1 } },
		{ SMALL, "no code runs like that", { .order = WALK_RANDOM, .code = true, .rush = 9 } },
		{ SMALL, "a walk without places", { .order = WALK_LADDER, .code = true, .body = 4 } },
		{ SMALL, "a ladder without cases", { .order = WALK_LADDER, .code = true, .count = 4 } },
		{ SMALL,
		  "no room for a ladder this long",
		  { .order = WALK_LADDER, .code = true, .count = 1 << 20, .body = 16 } },
		{ SMALL,
		  "no room for the hot places",
		  { .order = WALK_RANDOM, .code = true, .has_hot = true, .hot = { .base = 16 << 20 } } },
		{ SMALL,
		  "the walk needs 16777232 bytes of memory, and there are 16777216",
		  { .order = WALK_RANDOM, .code = true, .grid = { .base = 16 << 20 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct walk walk = rows[i].walk;
		static const uint64_t place = 0;
		struct machine *machine = open_text(rows[i].text, -1);
		struct reading reading;

		walk.places = &place;
		assert_int_equal(machine->ops->walk(machine, &walk, 10, 1, &reading), MACHINE_BLOCKED);
		assert_string_equal(reading.why, rows[i].why);
		machine->ops->close(machine);
	}
}

static void test_errors(void **state)
{
	static const char uops[] = HEAD "[uops]\nentries = 64\nways = 8\nwindow = 32\neach = 6\npenalty = 7\n";
	static const struct {
		int line;
		const char *more, *message;
	} rows[] = {
		{ __LINE__, "[code]\njump = 17\n", "jump: '17' is out of range; allowed: a whole number, 3 to 16" },
		{ __LINE__, "[code]\nnop = 0\n", "nop: '0' is out of range" },
		{ __LINE__, "[code]\nnops = 1\n",
		  "nops: unknown key in [code]; allowed: nop, nop.longest, add, jump," },
		{ __LINE__, "[code]\nstraight = 1\n", "straight: '1' is not understood; allowed: yes | no" },
		{ __LINE__, "[code]\nbranches = 10\nbranch.ways = 4\n", ":15: branches: 10 in [code] are no whole" },
		{ __LINE__, "window = 48\n", ":9: window: 48 bytes in [uops]; allowed: none | a power of two" },
		{ __LINE__, "entries = 65\n", ":9: entries: 65 in [uops] are no whole number of sets" },
		{ __LINE__, "size = 65\n",
		  "size: unknown key in [uops]; allowed: entries, ways, policy, window, each" },
		{ __LINE__, "[uop]\n", "[uop]: unknown section; allowed: machine, core, op, noise, pages, cache" },
		{ __LINE__, MEMORY L2("") L1I(""), "holds: not both in [cache l1i]; allowed: both, below" },
		{ __LINE__, MEMORY L1D L1I("line = 128\n") L2(""), "line: 64 bytes in [cache l2]; allowed: no less" },
		{ __LINE__, MEMORY L1D L1I("line = 32\n") L2("inclusion = exclusive\n"),
		  "inclusion: exclusive or victim in [cache l2]; allowed: below a cache of equal lines" },
	};
	char text[1024], path[512];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char error[512] = "";
		FILE *file;

		snprintf(text, sizeof text, "%s%s", uops, rows[i].more);
		temporary_path(path, sizeof path);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(text, file);
		fclose(file);
		if (description_read(path, NULL, error, sizeof error) || !strstr(error, rows[i].message))
			fail_msg("row at line %d: '%s'", rows[i].line, error);
		unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs),        cmocka_unit_test(test_shared),
		cmocka_unit_test(test_shared_tlb),   cmocka_unit_test(test_arenas),
		cmocka_unit_test(test_ladder),       cmocka_unit_test(test_ladder_goes_on),
		cmocka_unit_test(test_instructions), cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_refusals),     cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
