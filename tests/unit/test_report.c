/* SPDX-License-Identifier: MIT */
/*
 * test_report.c - the face: text for a person
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "notebook.h"

static const char GOLDEN[] =
	"xray 0.1   Intel Xeon 8481C   gcc 12.2 -O2   cpu 1 pinned   noise: quiet\n"
	"\n"
	"  cpu.frequency         3.49 GHz     ± 0.2 %           DISAGREES 2.10 GHz (cpuid)\n"
	"  cache.l1d.size          48 KiB                       = 48 KiB (sysfs)\n"
	"  cache.l1d.ways          12\n"
	"  cache.l1d.latency     5.00 cycles  [4.90 .. 5.60]\n"
	"  memory.latency       104.2 ns      [101.0 .. 120.0]\n"
	"  cpu.fma.f64            yes                           slower than a multiply and an add\n"
	"  cache.l2.ways      unclear                           no edge below 2 MiB (hashed index?)\n"
	"  cache.l3.size       absent                           memory follows L2\n"
	"  smp.cores          blocked                           needs a second CPU\n"
	"  tlb.l1d.entries     failed                           mmap: Cannot allocate memory\n"
	"\n"
	"  operation    latency   interval  in flight   (times in cycles)\n"
	"  add.i32         1.00       0.25          4\n"
	"  div.i64        18.00    unclear    blocked\n"
	"  call         1.50 ns          -          -\n"
	"  op.div.i64.interval unclear: depends on the operands\n"
	"  op.div.i64.inflight blocked: needs op.div.i64.interval\n"
	"  absent: mul.i64x2, sqrt.f16\n"
	"\n"
	"11 measured, 2 unclear, 1 failed, 4 absent, 2 blocked   6.2 s      details: xray explain cache.l2.ways\n";

static void golden_text(void **state)
{
	struct findings *findings = notebook();
	char *text = text_of(&CONTEXT, findings, false);

	(void)state;
	assert_string_equal(text, GOLDEN);
	free(text);
	findings_free(findings);
}

static void colour_only_adds_escapes(void **state)
{
	struct findings *findings = notebook();
	char *text = text_of(&CONTEXT, findings, true);
	size_t kept = 0;

	(void)state;
	assert_non_null(strstr(text, "\033[1m3.49\033[0m GHz"));
	assert_non_null(strstr(text, "\033[33munclear\033[0m"));
	assert_non_null(strstr(text, "\033[31mfailed\033[0m"));
	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '\033')
			i += strcspn(text + i, "m");
		else
			text[kept++] = text[i];
	}
	text[kept] = '\0';
	assert_string_equal(text, GOLDEN);
	free(text);
	findings_free(findings);
}

static void empty_notebook(void **state)
{
	struct report_context bare = { .cpu_used = -1, .version = "0.1", .cpu = "" };
	struct findings *findings = findings_new();
	char *text = text_of(&bare, findings, false);

	(void)state;
	assert_string_equal(text, "xray 0.1\n\n0 measured, 0 unclear, 0 failed   0.0 s\n");
	free(text);
	findings_free(findings);
}

static void values(void **state)
{
	static const struct {
		int line;
		const char *unit;
		double value;
		const char *text;
	} rows[] = {
		{ __LINE__, "Hz", 3.49e9, "3.49 GHz" },
		{ __LINE__, "Hz", 800e6, "800.00 MHz" },
		{ __LINE__, "cycles", 4, "4.00 cycles" },
		{ __LINE__, "cycles", 99.5, "99.50 cycles" },
		{ __LINE__, "cycles", 100, "100.0 cycles" },
		{ __LINE__, "count", 16, "16" },
		{ __LINE__, "count", 131072, "131072" },
		{ __LINE__, "count", 3.97, "3.97" },
		{ __LINE__, "bool", 0, "no" },
		{ __LINE__, "bool", 1, "yes" },
		{ __LINE__, "bytes", 0, "0 B" },
		{ __LINE__, "bytes", 64, "64 B" },
		{ __LINE__, "bytes", 32768, "32 KiB" },
		{ __LINE__, "bytes", 1280 * 1024, "1.25 MiB" },
		{ __LINE__, "bytes", 1088 * 1024, "1088 KiB" },
		{ __LINE__, "bytes", 27345678, "26.08 MiB" },
		{ __LINE__, "bytes", 0x1p34, "16 GiB" },
		{ __LINE__, "ns", 0.2865, "0.286 ns" },
		{ __LINE__, "ns", 14.2, "14.20 ns" },
		{ __LINE__, "ns", 4e6, "4.00 ms" },
		{ __LINE__, "bytes/s", 12.3e9, "12.30 GB/s" },
	};
	struct finding finding = finding_blank("x", "count");
	char text[64];

	(void)state;
	report_value(&finding, text, sizeof(text));
	assert_string_equal(text, "failed");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		finding = finding_blank("x", rows[i].unit);
		finding.outcome = MEASURED;
		finding.value = rows[i].value;
		report_value(&finding, text, sizeof(text));
		if (strcmp(text, rows[i].text) != 0)
			fail_msg("row at line %d: '%s'", rows[i].line, text);
	}
}

static void evidence_table(void **state)
{
	struct evidence points[] = {
		{ .what = "chase 8", .x = 8, .value = 4.004, .low = 4, .high = 4.02, .verdict = "fits" },
		{ .what = "chase 16", .x = NAN, .value = 1200.4, .low = NAN, .high = NAN },
	};
	struct finding finding = finding_blank("cache.l1d.ways", "count");
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	report_evidence(out, &finding);
	finding.evidence = points;
	finding.evidence_count = 2;
	report_evidence(out, &finding);
	fclose(out);
	assert_string_equal(text, "  no evidence was kept\n"
				  "  tried     x  value  interval     taken for\n"
				  "  chase 8   8   4.00  [4 .. 4.02]  fits\n"
				  "  chase 16      1200\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_text),    cmocka_unit_test(colour_only_adds_escapes),
		cmocka_unit_test(empty_notebook), cmocka_unit_test(values),
		cmocka_unit_test(evidence_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
