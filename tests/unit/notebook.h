/* SPDX-License-Identifier: MIT */
/*
 * notebook.h - a small notebook written by hand, with all five outcomes, for the tests of the report
 */
#ifndef XRAY_TEST_NOTEBOOK_H
#define XRAY_TEST_NOTEBOOK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/report/report.h"

static const struct report_context CONTEXT = {
	.version = "0.1",
	.date = "2024-05-01T12:00:00Z",
	.host = "bench",
	.cpu = "Intel Xeon 8481C",
	.hypervisor = "kvm",
	.kernel = "Linux 6.1",
	.compiler = "gcc 12.2 -O2",
	.noise = "quiet",
	.command = "xray --json",
	.cpus = 4,
	.cpu_used = 1,
	.page_bytes = 4096,
	.seconds = 6.21,
	.quota = INFINITY,
};

static inline void measured(struct findings *findings, const char *name, const char *unit, const double range[3])
{
	struct finding finding = finding_blank(name, unit);

	finding.outcome = MEASURED;
	finding.low = range[0];
	finding.value = range[1];
	finding.high = range[2];
	finding.confidence = 0.999;
	snprintf(finding.method, sizeof(finding.method), "by hand");
	finding.seconds = 0.31;
	finding.samples = 412;
	findings_put_take(findings, &finding);
}

static inline void other(struct findings *findings, const char *name, enum outcome outcome, const char *reason)
{
	struct finding finding = finding_blank(name, "cycles");

	finding.outcome = outcome;
	snprintf(finding.reason, sizeof(finding.reason), "%s", reason);
	findings_put_take(findings, &finding);
}

static inline void claim(struct findings *findings, const char *name, double value, const char *source)
{
	struct finding finding = *findings_get(findings, name);

	finding.claimed = value;
	snprintf(finding.claimed_source, sizeof(finding.claimed_source), "%s", source);
	findings_put_take(findings, &finding);
}

#define RANGE(low, value, high) ((const double[]){ low, value, high })
#define POINT(value) RANGE(value, value, value)

static inline struct findings *notebook(void)
{
	struct findings *findings = findings_new();
	struct finding noted;

	measured(findings, "cpu.frequency", "Hz", RANGE(3.484e9, 3.491e9, 3.498e9));
	claim(findings, "cpu.frequency", 2.1e9, "cpuid");
	measured(findings, "cache.l1d.size", "bytes", POINT(49152));
	claim(findings, "cache.l1d.size", 49152, "sysfs");
	measured(findings, "cache.l1d.ways", "count", POINT(12));
	measured(findings, "cache.l1d.latency", "cycles", RANGE(4.9, 5.0, 5.6));
	measured(findings, "memory.latency", "ns", RANGE(101, 104.24, 120));
	measured(findings, "cpu.fma.f64", "bool", POINT(1));
	noted = *findings_get(findings, "cpu.fma.f64");
	snprintf(noted.note, sizeof(noted.note), "slower than a multiply and an add");
	findings_put_take(findings, &noted);
	other(findings, "cache.l2.ways", UNCLEAR, "no edge below 2 MiB (hashed index?)");
	other(findings, "cache.l3.size", ABSENT, "memory follows L2");
	other(findings, "smp.cores", BLOCKED, "needs a second CPU");
	other(findings, "tlb.l1d.entries", FAILED, "mmap: Cannot allocate memory");
	measured(findings, "op.add.i32.latency", "cycles", POINT(1));
	measured(findings, "op.add.i32.interval", "cycles", POINT(0.25));
	measured(findings, "op.add.i32.inflight", "count", POINT(4));
	measured(findings, "op.div.i64.latency", "cycles", RANGE(17.5, 18.004, 18.5));
	other(findings, "op.div.i64.interval", UNCLEAR, "depends on the operands");
	other(findings, "op.div.i64.inflight", BLOCKED, "needs op.div.i64.interval");
	other(findings, "op.mul.i64x2.latency", ABSENT, "no such instruction");
	other(findings, "op.mul.i64x2.interval", ABSENT, "no such instruction");
	other(findings, "op.sqrt.f16.latency", ABSENT, "no such instruction");
	measured(findings, "op.call.latency", "ns", POINT(1.5));
	return findings;
}

static inline char *text_of(const struct report_context *context, const struct findings *findings, bool colour)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	report_text(out, context, findings, &(struct report_layout){ .colour = colour, .full = true });
	fclose(out);
	return text;
}

#endif
