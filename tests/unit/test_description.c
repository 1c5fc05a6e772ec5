/* SPDX-License-Identifier: MIT */
/*
 * test_description.c - machine files: values, units, precedence of [op] sections, and what a bad line is told
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/description.h"
#include "sim/sim.h"

#define HEAD "[machine]\nfrequency = 2 GHz\n"

static struct description *read_text(const char *text, const char *noise, char *error, size_t size)
{
	char path[] = "/tmp/xray-description-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct description *description;

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	description = description_read(path, noise, error, size);
	unlink(path);
	return description;
}

static void test_values(void **state)
{
	static const char text[] =
		"\xef\xbb\xbf[machine]\n name = A machine\nfrequency = 2.5 GHz\nseed=7\ntimer.quantum = 2 us\n"
		"compiler = no\n[core]\nwidth = 3\nwindow = in-order\nspill = 2 ns\nsmt=2\n"
		"registers.int = 5\nregisters.f64 = 8\nregisters.int = 6\n[cache L1]\nsize = 32 KiB\n"
		"[noise]\njitter = 0.5e-1\npreset = cloud\n[op add.*]\nlatency = 1/4\n";
	char error[512] = "";
	struct description *d = read_text(text, NULL, error, sizeof error);

	(void)state;
	assert_string_equal(error, "");
	assert_non_null(d);
	assert_string_equal(d->name, "A machine");
	assert_true(d->frequency == 2.5e9 && d->seed == 7 && d->timer_quantum == 2000 && d->timer_cost == 20);
	assert_true(d->compiler == 0 && d->core.width == 3 && d->core.window == 0 &&
		    description_row_at(&d->core.smt, 0) == 2);
	assert_true(d->core.spill == 5);
	assert_int_equal(d->register_keys, 2);
	assert_true(d->registers[0].count == 6);
	assert_true(d->noise[NOISE_JITTER] == 0.05 && d->noise[NOISE_STEAL_RATE] == 4);
	assert_int_equal(d->op_count, 1);
	assert_true(d->ops[0].latency == 0.25 && d->ops[0].interval == 1);
	description_free(d);
}

/* Times and cycles stand for one another, a TLB may hold several sizes of pages, blanks are no part of a name. */
static void test_spellings(void **state)
{
	static const char text[] =
		"[ machine ]\nfrequency = 2 GHz\ntimer.cost = 60 cycles\n[noise]\ntimer.quantum = 40 ns\n"
		"[cache l1d ]\nsize = 32KiB\nways = 8\nlatency = 2 ns\nbandwidth = 100 GB/s\n"
		"[cache l2]\nsize = 1.25 MiB\nways = 20 # of them\nlatency = 14 cycles\nbandwidth = 32 bytes/cycle\n"
		"[memory]\nlatency = 90 ns\nbandwidth = 8 bytes/cycle\n[prefetch]\nstream = yes\n"
		"[tlb l1d]\nentries = 64\nways = full\npenalty = 7\npages = 4 KiB, 2 MiB\n"
		"[group x]\ncpus = 2\nlatency = 80 cycles\n";
	char error[512] = "";
	struct description *d = read_text(text, NULL, error, sizeof error);

	(void)state;
	assert_string_equal(error, "");
	assert_true(d->timer_cost == 30 && d->timer_quantum == 40 && d->cpus.groups[0].latency == 40);
	assert_string_equal(d->caches[0].name, "l1d");
	assert_true(d->caches[0].latency == 4 && d->caches[0].bandwidth == 50 && d->caches[1].bandwidth == 32);
	assert_true(d->memory.latency == 180 && d->memory.bandwidth == 16e9 && d->memory.stream == 4);
	assert_true(d->tlbs[0].pages == 4096 + 2097152);
	description_free(d);
}

static void test_holds(void **state)
{
	static const struct {
		const char *name;
		enum description_holds holds;
	} rows[] = {
		{ "l1i", HOLDS_CODE },      { "L1I", HOLDS_CODE },     { "l1i-huge", HOLDS_CODE },
		{ "itlb", HOLDS_CODE },     { "il1", HOLDS_CODE },     { "icache", HOLDS_CODE },
		{ "l1 code", HOLDS_CODE },  { "i-cache", HOLDS_CODE }, { "l1-instructions", HOLDS_CODE },
		{ "l1d", HOLDS_DATA },      { "l1", HOLDS_DATA },      { "dtlb2", HOLDS_DATA },
		{ "L1D-huge", HOLDS_DATA }, { "l1.5d", HOLDS_DATA },   { "l2 data", HOLDS_DATA },
		{ "l2", HOLDS_BOTH },       { "unified", HOLDS_BOTH }, { "shared", HOLDS_BOTH },
		{ "stlb", HOLDS_BOTH },     { "llc", HOLDS_BOTH },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char error[512] = "", text[256];
		struct description *d;

		snprintf(text, sizeof text, HEAD "[tlb %s]\nentries = 4\nways = 4\npenalty = 7\n", rows[i].name);
		d = read_text(text, NULL, error, sizeof error);
		if (!d || d->tlbs[0].holds != rows[i].holds)
			fail_msg("[tlb %s]: %g %s", rows[i].name, d ? d->tlbs[0].holds : 0, error);
		description_free(d);
	}
}

/* CPUs of uneven cores, in groups. */
static void test_cpus(void **state)
{
	static const char text[] =
		HEAD "[core]\nsmt = 2*2 1*4\n[cpus]\ncount = 8\nnumbers = cores\nspeed = 1*4 0.5*4\nquota = 0.5\n"
		     "[group cluster]\ncpus = 2*2 4\nlatency = 30 ns\n[group socket]\ncpus = 8\nlatency = 60 ns\n";
	static const int core[] = { 0, 0, 1, 1, 2, 3, 4, 5 }, cluster[] = { 0, 0, 1, 1, 2, 2, 2, 2 };
	char error[512] = "";
	struct description *d = read_text(text, NULL, error, sizeof error);

	(void)state;
	assert_string_equal(error, "");
	assert_true(d->cpus.count == 8 && d->cpus.quota == 0.5 && d->cpus.group_count == 2 && d->cpus.slice == 4e6);
	assert_true(d->cpus.groups[1].latency == 60 && d->cpus.groups[1].remote == 0);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(description_row_part(&d->core.smt, i), core[i]);
		assert_int_equal(description_row_part(&d->cpus.groups[0].cpus, i), cluster[i]);
		assert_true(description_row_at(&d->cpus.speed, i) == (i < 4 ? 1 : 0.5));
	}
	/* It goes on from the first. */
	assert_true(description_row_at(&d->cpus.speed, 9) == 1);
	assert_true(description_row_largest(&d->core.smt) == 2);
	description_free(d);
}

static void test_defaults(void **state)
{
	char error[512];
	struct description *d = read_text(HEAD, "hostile", error, sizeof error);

	(void)state;
	assert_non_null(d);
	assert_true(isinf(d->core.window) && d->core.width == 4 && d->core.spill == 5 && d->compiler == 1 &&
		    d->seed == 1);
	assert_true(d->noise[NOISE_JITTER] == 0.01);
	description_free(d);
}

static void test_precedence(void **state)
{
	static const char text[] =
		HEAD "[op *.*]\nlatency=9\n[op add.*]\nlatency=8\n[op *.i64]\nlatency=7\n[op add.f32]\nlatency=1\n"
		     "[op mul.*]\npresent=no\n[op mul.f64]\nlatency=4\ninterval=0.5\npool=fp\n"
		     "[op sub,div.f32,f64x*]\nlatency=3\ninterval=1/3\npool=fp\n[op load.ptr]\nlatency=5\n"
		     "[op cmp.i32]\nlatency=2\n[op cmp.i32]\nlatency=6\n";
	static const struct {
		int line;
		const char *op, *type;
		double latency; /* 0: absent */
		int units;
	} rows[] = {
		{ __LINE__, "xor", "i32", 9, 1 },   { __LINE__, "add", "i64", 7, 1 }, { __LINE__, "add", "f64", 8, 1 },
		{ __LINE__, "add", "f32", 1, 1 },   { __LINE__, "mul", "i32", 0, 0 }, { __LINE__, "mul", "f64", 4, 3 },
		{ __LINE__, "sub", "f64x2", 3, 3 }, { __LINE__, "sub", "f64", 9, 1 }, { __LINE__, "load", "ptr", 5, 1 },
		{ __LINE__, "store", "ptr", 7, 1 }, { __LINE__, "cmp", "i32", 6, 1 }, { __LINE__, "mul", "i64", 0, 0 },
	};
	char error[512];
	struct description *d = read_text(text, NULL, error, sizeof error);

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct description_op *op = description_find(d, rows[i].op, rows[i].type);

		if (op ? op->latency != rows[i].latency || description_units(d, op) != rows[i].units
		       : rows[i].latency != 0)
			fail_msg("row at line %d: latency %g", rows[i].line, op ? op->latency : 0);
	}
	description_free(d);
}

static void test_errors(void **state)
{
	static const struct {
		int line;
		const char *text, *message;
	} rows[] = {
		{ __LINE__, "", ": no [machine] section" },
		{ __LINE__, "[machine]\nname = x\n", ": [machine] frequency: missing" },
		{ __LINE__, "name = x\n", ":1: name: outside of any section" },
		{ __LINE__, HEAD "[caches]\n", ":3: [caches]: unknown section; allowed: machine, core" },
		{ __LINE__, HEAD "[cache]\nsize=1\n", ":3: [cache]: allowed: [cache NAME]" },
		{ __LINE__, HEAD "[core x]\n", ":3: [core]: allowed: [core]" },
		{ __LINE__, HEAD "\n[core]\nwith = 3\n", ":5: with: unknown key in [core]; allowed: width" },
		{ __LINE__, HEAD "[core]\nwidth = many\n", ":4: width: 'many' is not understood; allowed: a number" },
		{ __LINE__, HEAD "[core]\nwidth = 1e3\n",
		  ":4: width: '1e3' is out of range; allowed: a number, 0.1 to 64" },
		{ __LINE__, HEAD "[core]\nwidth = nan\n", "is not understood" },
		{ __LINE__, HEAD "[core]\nwidth = 0x4\n", "is not understood" },
		{ __LINE__, HEAD "[core]\nwidth = 4 ns\n", "wrong unit" },
		{ __LINE__, HEAD "[core]\nwindow = inorder\n", "allowed: in-order | unlimited | a whole number" },
		{ __LINE__, HEAD "[core]\nwindow = 1.5\n", "out of range" },
		{ __LINE__, HEAD "[core]\nregisters.ints = 5\n", ":4: registers.ints: unknown register file" },
		{ __LINE__, HEAD "[core]\nregisters.int = 0\n", ":4: registers.int: '0' is out of range" },
		{ __LINE__, HEAD "compiler = maybe\n", ":3: compiler: 'maybe' is not understood; allowed: yes | no" },
		{ __LINE__, HEAD "[noise]\npreset = loud\n", "allowed: quiet | cloud | hostile" },
		{ __LINE__, HEAD "[op add]\nlatency = 1\n", ":3: [op add]: not an operation" },
		{ __LINE__, HEAD "[op plus.i64]\nlatency = 1\n", ":3: [op plus.i64]: unknown operation" },
		{ __LINE__, HEAD "[op add.i65]\nlatency = 1\n", ":3: [op add.i65]: unknown type" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = p0 + \n", ":3: ports: 'p0 +' in [op add.i64]" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = p0 p0\n", "allowed: each port once in a part" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = p0 for 0\n", "allowed: for: 0.01 to 1e5 cycles" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = p0 for 2 p1\n",
		  "nothing but + behind the cycles" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = 0p\n", "with a letter first" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\nports = a+b+c+d+e\n", "allowed: at most 4 parts" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1\ninterval = 2\nports = p0\n",
		  "allowed: ports or interval, units and pool, not both" },
		{ __LINE__, HEAD "[op add.i64]\ninterval = 1\n", ":3: latency: missing in [op add.i64]" },
		{ __LINE__, HEAD "[op add.i64]\nlatency = 1/0\n", "is not understood" },
		{ __LINE__, HEAD "[op add.i64]\npool =\n", "does not fit" },
		{ __LINE__, HEAD "[op add.i64]\n\nlatency\n", ":5: not a line of a machine file" },
		{ __LINE__, HEAD "[core]\nsmt = 2*\n", ":4: smt: '2*' is not understood; allowed: a row of whole" },
		{ __LINE__, HEAD "[core]\nsmt = 2x3\n", "of 1 to 16" },
		{ __LINE__, HEAD "[core]\nsmt = 99\n", "is not understood" },
		{ __LINE__, HEAD "[core]\nsmt = 1.5\n",
		  ":4: smt: '1.5' is not understood; allowed: a row of whole numbers" },
		{ __LINE__, HEAD "[core]\nsmt = 1 1 1 1 1 1 1 1 1\n", "is not understood" },
		{ __LINE__, HEAD "[cpus]\ncount = 0\n", "out of range" },
		{ __LINE__, HEAD "[group x]\nlatency = 1 ns\n", ":3: cpus: missing in [group x]" },
		{ __LINE__, HEAD "[group x]\ncpus = 2\n", ":3: latency: missing in [group x]" },
		{ __LINE__, HEAD "[cpus]\ncount=6\n[group x]\ncpus=2\nlatency=1\n[group y]\ncpus=3\nlatency=2\n",
		  ":8: cpus: those of [group y] cut a smaller group or a core in two" },
		{ __LINE__, "[core]\nspill = 3 ns\n" HEAD,
		  ":2: spill: '3 ns' has a wrong unit, or one that needs [machine] frequency above" },
		{ __LINE__,
		  HEAD "[cache a]\nsize=1 KiB\nways=1\nlatency=4\n[cache b]\nsize=4 KiB\nways=1\nlatency=3\n"
		       "[memory]\nlatency=9\n",
		  ":7: latency: 3 cycles in [cache b]; allowed: no less than in [cache a], 4" },
		{ __LINE__, HEAD "[cache a]\nsize=1 KiB\nways=1\nlatency=4\n[memory]\nlatency=1 ns\n",
		  ":7: latency: 2 cycles in [memory]; allowed: no less than in [cache a], 4" },
		{ __LINE__, HEAD "[core\nwidth = 3\n", ":3: no ] behind the name of a section" },
		{ __LINE__, HEAD "[group x]\ncpus=2\nlatency=1\n[group x]\n", ":6: [group x]: described twice" },
		{ __LINE__, HEAD "[code]\nnop=4\nnop.longest=2\n", ":3: nop.longest: 2 in [code]; allowed: no less" },
		{ __LINE__, HEAD "[tlb x]\npages = 4 KiB 3 MiB\n", "is not understood; allowed: all | powers of two" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char error[512] = "";
		struct description *d = read_text(rows[i].text, NULL, error, sizeof error);

		if (d || !strstr(error, rows[i].message) || strchr(error, '\n'))
			fail_msg("row at line %d: '%s'", rows[i].line, error);
	}
}

static void test_files(void **state)
{
	char error[512], line[400], text[500];

	(void)state;
	assert_null(description_read("/nonexistent/machine.ini", NULL, error, sizeof error));
	assert_string_equal(error, "/nonexistent/machine.ini: No such file or directory");
	assert_null(description_read("/tmp", NULL, error, sizeof error));
	assert_string_equal(error, "/tmp: Is a directory");
	memset(line, 'x', sizeof line);
	snprintf(text, sizeof text, "%s; %.*s\n", HEAD, (int)sizeof line, line);
	assert_null(read_text(text, NULL, error, sizeof error));
	assert_non_null(strstr(error, ":3: line too long"));
	assert_null(read_text(HEAD, "loud", error, sizeof error));
	assert_non_null(strstr(error, "noise: 'loud' is not understood; allowed: quiet | cloud | hostile"));
}

static void test_suffix(void **state)
{
	char error[512], path[] = "/tmp/xray-suffix-XXXXXX", with[64];
	FILE *file = fdopen(mkstemp(path), "w");
	struct machine *machine;

	(void)state;
	assert_non_null(file);
	fputs(HEAD "name = Suffix\n", file);
	fclose(file);
	snprintf(with, sizeof with, "%s?noise=cloud", path);
	machine = sim_open(with, -1, error, sizeof error);
	assert_non_null(machine);
	assert_string_equal(machine->identity.kind, "simulated");
	assert_string_equal(machine->identity.name, "Suffix");
	machine->ops->close(machine);
	snprintf(with, sizeof with, "%s?noise=", path);
	assert_null(sim_open(with, -1, error, sizeof error));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),     cmocka_unit_test(test_cpus),      cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_precedence), cmocka_unit_test(test_errors),    cmocka_unit_test(test_files),
		cmocka_unit_test(test_suffix),     cmocka_unit_test(test_spellings), cmocka_unit_test(test_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
