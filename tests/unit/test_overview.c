/* SPDX-License-Identifier: MIT */
/*
 * test_overview.c - a long report on one screen
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/overview/overview.h"
#include "notebook.h"

static const char GOLDEN[] = "xray 0.1   Intel Xeon 8481C   gcc 12.2 -O2   cpu 1 pinned   noise: quiet\n"
			     "\n"
			     "  cpu.frequency    3.49 GHz  ± 0.2 %  DISAGREES 2.10 GHz (cpuid)\n"
			     "  op.call.latency  1.50 ns\n"
			     "  cpu.fma             yes (f64)\n"
			     "  cpu.registers       14 (i32 i64)   16 (f32)\n"
			     "\n"
			     "  latency/interval     i32   i64\n"
			     "  add               1/0.25\n"
			     "  div                       18/?\n"
			     "\n"
			     "  cache  size      ways  latency\n"
			     "  l1d    48 KiB =  12 !  5.00 ~\n"
			     "  l2               ?\n"
			     "  memory.latency  104.2 ns  [101.0 .. 120.0]\n"
			     "\n"
			     "  tlb  entries\n"
			     "  l1d  ?\n"
			     "\n"
			     "  claimed  cache.l1d.ways 12 DISAGREES 8 (sysfs)\n"
			     "  unclear  cache.l2.ways: no edge below 2 MiB (hashed index?)\n"
			     "  blocked  smp.cores: needs a second CPU\n"
			     "  failed   tlb.l1d.entries: mmap: Cannot allocate memory\n"
			     "  unclear  op.div.i64.interval: depends on the operands\n"
			     "  blocked  op.div.i64.inflight: needs op.div.i64.interval\n"
			     "  to do    let it use more than one CPU (taskset, cpuset)\n"
			     "\n"
			     "14 measured, 2 unclear, 1 failed, 4 absent, 2 blocked   6.2 s\n"
			     "details: xray explain cache.l2.ways\n";

static char *overview_of(const struct findings *findings, int width)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	overview_text(out, &CONTEXT, findings, &(struct report_layout){ .width = width });
	fclose(out);
	return text;
}

static void golden(void **state)
{
	struct findings *findings = notebook();
	char *text;

	(void)state;
	claim(findings, "cache.l1d.ways", 8, "sysfs");
	measured(findings, "cpu.registers.i32", "count", POINT(14));
	measured(findings, "cpu.registers.i64", "count", POINT(14));
	measured(findings, "cpu.registers.f32", "count", POINT(16));
	assert_true(overview_suits(findings));
	text = overview_of(findings, 80);
	if (strncmp(text, GOLDEN, strlen(GOLDEN)) != 0)
		assert_string_equal(text, GOLDEN);
	free(text);
	findings_free(findings);
}

/* No line is wider than the terminal, down to a narrow one; no name is hidden that is in trouble. */
static void widths(void **state)
{
	struct findings *findings = notebook();

	(void)state;
	for (int width = 64; width <= 200; width += 17) {
		char *text = overview_of(findings, width);

		assert_non_null(strstr(text, "cache.l2.ways"));
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if (line_columns(line) > width)
				fail_msg("%d columns of %d: %s", line_columns(line), width, line);
		free(text);
	}
	findings_free(findings);
}

static void cells(void **state)
{
	static const struct {
		int line;
		const char *unit;
		double range[3], claimed;
		const char *cell;
	} rows[] = {
		{ __LINE__, "bytes", { 32768, 32768, 32768 }, NAN, "32 KiB" },
		{ __LINE__, "bytes", { 32768, 32768, 32768 }, 32768, "32 KiB =" },
		{ __LINE__, "bytes", { 32768, 32768, 32768 }, 65536, "32 KiB !" },
		{ __LINE__, "bytes", { 16384, 32768, 65536 }, 65536, "32 KiB ~=" },
		{ __LINE__, "cycles", { 3.99, 4, 4.01 }, NAN, "4.00" },
		{ __LINE__, "cycles", { 3, 4, 5 }, NAN, "4.00 ~" },
		{ __LINE__, "bool", { 1, 1, 1 }, NAN, "yes" },
	};
	struct finding finding = finding_blank("cache.l1d.size", "bytes");
	char text[64];

	(void)state;
	finding.outcome = UNCLEAR;
	level_cell(&finding, text, sizeof(text));
	assert_string_equal(text, "?");
	finding.outcome = ABSENT;
	level_cell(&finding, text, sizeof(text));
	assert_string_equal(text, "-");
	finding.outcome = MEASURED;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		finding.unit = rows[i].unit;
		finding.low = rows[i].range[0];
		finding.value = rows[i].range[1];
		finding.high = rows[i].range[2];
		finding.claimed = rows[i].claimed;
		level_cell(&finding, text, sizeof(text));
		if (strcmp(text, rows[i].cell) != 0)
			fail_msg("row at line %d: '%s'", rows[i].line, text);
	}
}

static void remedies(void **state)
{
	static const struct {
		int line;
		enum outcome outcome;
		const char *reason, *part; /* NULL: none */
	} rows[] = {
		{ __LINE__, BLOCKED, "budget: no time was left for it", "--budget" },
		{ __LINE__, UNCLEAR, "two speeds: something else uses this core", "--full" },
		{ __LINE__, UNCLEAR, "there is not memory enough for walks that overfill it", "--memory" },
		{ __LINE__, UNCLEAR, "two touches cost the same", NULL },
		{ __LINE__, ABSENT, "memory enough", NULL },
	};
	struct finding finding = finding_blank("x", "count");

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *remedy;

		finding.outcome = rows[i].outcome;
		snprintf(finding.reason, sizeof(finding.reason), "%s", rows[i].reason);
		remedy = trouble_remedy(&finding);
		if (!remedy != !rows[i].part || (remedy && !strstr(remedy, rows[i].part)))
			fail_msg("row at line %d: %s", rows[i].line, remedy ? remedy : "none");
	}
}

/* The same reason but for its numbers is told once. */
static void together(void **state)
{
	struct findings *findings = findings_new();
	char name[32], reason[64], *text;

	(void)state;
	for (int i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), "x.l%d", i);
		snprintf(reason, sizeof(reason), "takes %d.%d cycles", 10 * i, i);
		other(findings, name, UNCLEAR, reason);
	}
	text = overview_of(findings, 100);
	assert_non_null(strstr(text, "  unclear  x.l0 x.l1 x.l2 x.l3 and 3 more: takes 0.0 cycles\n"));
	assert_null(strstr(text, "x.l4"));
	free(text);
	findings_free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),   cmocka_unit_test(widths),   cmocka_unit_test(cells),
		cmocka_unit_test(remedies), cmocka_unit_test(together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
