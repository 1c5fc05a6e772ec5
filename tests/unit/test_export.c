/* SPDX-License-Identifier: MIT */
/*
 * test_export.c - what is sure enough for another program, groups of CPUs, and what a form says of the rest
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/export/sheet.h"
#include "notebook.h"

static const struct {
	int line;
	const char *unit;
	double low, value, high, confidence;
	bool sure;
} doubts[] = {
	{ __LINE__, "bytes", 64, 64, 64, 0.99, true },     { __LINE__, "bytes", 64, 64, 64, 0.9, true },
	{ __LINE__, "bytes", 64, 64, 64, 0.89, false },    { __LINE__, "bytes", 64, 64, 64, NAN, false },
	{ __LINE__, "bytes", 64, 64, 128, 0.99, false },   { __LINE__, "count", 7, 8, 8, 0.99, false },
	{ __LINE__, "bytes", NAN, 64, NAN, 0.99, false },  { __LINE__, "bytes", 64, NAN, 64, 0.99, false },
	{ __LINE__, "cycles", 3.85, 4, 4.15, 0.99, true }, { __LINE__, "cycles", 3.7, 4, 4.1, 0.99, false },
	{ __LINE__, "cycles", 3.9, 4, 4.3, 0.99, false },  { __LINE__, "Hz", 3e9, 3e9, 3e9, 0.999, true },
	{ __LINE__, "bool", 0, 0, 0, 0.9, true },          { __LINE__, "bool", 1, 1, 1, 0.85, false },
	{ __LINE__, "matrix", 5, 5, 5, 0.99, false },
};

static void test_sure(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		struct finding finding = finding_blank("x", doubts[i].unit);

		finding.low = doubts[i].low;
		finding.value = doubts[i].value;
		finding.high = doubts[i].high;
		finding.confidence = doubts[i].confidence;
		finding.outcome = UNCLEAR;
		assert_false(fact_is_sure(&finding));
		finding.outcome = MEASURED;
		if (fact_is_sure(&finding) != doubts[i].sure)
			fail_msg("line %d", doubts[i].line);
	}
}

static const struct {
	int line;
	const char *text;
	int depth; /* of a tree; 0: a text */
	int count, groups, largest; /* no CPUs: it is none */
	const char *group; /* of each CPU */
} divisions[] = {
	{ __LINE__, "0", 0, 1, 1, 1, "0" },
	{ __LINE__, "0,1", 0, 2, 1, 2, "00" },
	{ __LINE__, "0,4 1,5 2", 0, 5, 3, 2, "01201" },
	{ __LINE__, "5,1 0", 0, 3, 2, 2, "011" },
	{ __LINE__, "", 0, 0, 0, 0, "" },
	{ __LINE__, "none", 0, 0, 0, 0, "" },
	{ __LINE__, "0,0", 0, 0, 0, 0, "" },
	{ __LINE__, "0 1 0", 0, 0, 0, 0, "" },
	{ __LINE__, "0-3 4-7", 0, 0, 0, 0, "" },
	{ __LINE__, "[0,1]", 1, 0, 0, 0, "" },
	{ __LINE__, "[[0,2],[1,3]]", 1, 4, 2, 2, "0101" },
	{ __LINE__, "[[0,2],[1,3]]", 2, 0, 0, 0, "" },
	{ __LINE__, "[[[0,1],[2,3]],[[4,5],[6,7]]]", 1, 8, 2, 4, "00004444" },
	{ __LINE__, "[[[0,1],[2,3]],[[4,5],[6,7]]]", 2, 8, 4, 2, "00224466" },
	{ __LINE__, "[[0,1],2,3]", 1, 4, 3, 2, "0023" },
	{ __LINE__, "[[[0,1],2],3]", 2, 4, 3, 2, "0023" },
	{ __LINE__, "[3,[0,1]]", 1, 3, 2, 2, "002" },
	{ __LINE__, "[[0,1],[2", 1, 0, 0, 0, "" },
};

static void test_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++) {
		struct groups groups;
		bool read = divisions[i].depth ? groups_of_tree(&groups, divisions[i].text, divisions[i].depth)
					       : groups_read(&groups, divisions[i].text);

		if (read != (divisions[i].count > 0) || groups.count != divisions[i].count ||
		    groups.groups != divisions[i].groups || groups_largest(&groups) != divisions[i].largest)
			fail_msg("line %d: %d CPUs, %d groups", divisions[i].line, groups.count, groups.groups);
		for (int j = 0; j < groups.count; j++)
			if (groups.group[j] != divisions[i].group[j] - '0')
				fail_msg("line %d: group %d of %d", divisions[i].line, groups.group[j], j);
		groups_free(&groups);
	}
}

static bool within(const char *fine, const char *coarse)
{
	struct groups one, other;
	bool result;

	assert_true(groups_read(&one, fine) && groups_read(&other, coarse));
	result = groups_within(&one, &other);
	groups_free(&one);
	groups_free(&other);
	return result;
}

static void test_within(void **state)
{
	(void)state;
	assert_true(within("0,1 2,3", "0,1 2,3"));
	assert_true(within("0,1 2,3", "0,1,2,3"));
	assert_true(within("0 1 2,3", "0,1 2,3"));
	assert_false(within("0,1,2,3", "0,1 2,3"));
	assert_false(within("0,1 2,3", "0,2 1,3"));
	assert_false(within("0,1", "0,1 2"));
	assert_false(within("0,1", "0,2"));
}

/* What a form says, and what it says beside that. */
struct said {
	char *text, *talk;
	enum export_result result;
};

static struct said say(const char *name, const struct findings *findings)
{
	struct said said = { 0 };
	size_t size[2];
	struct export_job job = { .out = open_memstream(&said.text, &size[0]),
				  .talk = open_memstream(&said.talk, &size[1]),
				  .context = &CONTEXT,
				  .findings = findings };

	assert_non_null(export_find(name));
	said.result = export_write(export_find(name), &job);
	fclose(job.out);
	fclose(job.talk);
	return said;
}

static void forget(struct said *said)
{
	free(said->text);
	free(said->talk);
}

static void test_flags(void **state)
{
	struct findings *findings = findings_new();
	struct said said;

	(void)state;
	said = say("gcc", findings);
	assert_string_equal(said.text, "");
	assert_int_equal(said.result, EXPORT_PART);
	assert_non_null(strstr(said.talk, "left out: cache.l2.size: was not measured"));
	forget(&said);

	measured(findings, "cache.l1d.size", "bytes", POINT(49152));
	measured(findings, "cache.l1d.line", "bytes", POINT(64));
	measured(findings, "cache.l2.size", "bytes", RANGE(1e6, 1.1e6, 1.2e6));
	measured(findings, "line.destructive", "bytes", POINT(128));
	measured(findings, "line.constructive", "bytes", POINT(128));
	claim(findings, "cache.l2.size", 4711, "sysfs");
	said = say("gcc", findings);
	assert_string_equal(said.text, "--param=l1-cache-size=48 --param=l1-cache-line-size=64 "
				       "--param=destructive-interference-size=128\n");
	assert_int_equal(said.result, EXPORT_PART);
	assert_non_null(strstr(said.talk, "cache.l2.size: unsure: from 1000000 to 1200000 bytes"));
	assert_non_null(strstr(said.talk, "line.constructive: more than cache.l1d.line"));
	forget(&said);

	measured(findings, "cache.l2.size", "bytes", POINT(2097152));
	measured(findings, "line.constructive", "bytes", POINT(64));
	other(findings, "memory.parallelism", ABSENT, "in order");
	said = say("gcc", findings);
	assert_int_equal(said.result, EXPORT_WHOLE);
	assert_string_equal(said.talk, "xray: this machine has no memory.parallelism\n");
	forget(&said);
	measured(findings, "cache.l1d.size", "bytes", POINT(11000));
	said = say("gcc", findings);
	assert_non_null(strstr(said.talk, "cache.l1d.size: no whole number of KiB"));
	forget(&said);
	findings_free(findings);
}

static void test_polly(void **state)
{
	struct findings *findings = findings_new();
	struct said said;

	(void)state;
	other(findings, "op.fma.f64x8.latency", ABSENT, "no such instruction");
	other(findings, "op.fma.f64x8.interval", ABSENT, "no such instruction");
	measured(findings, "op.fma.f64x4.latency", "cycles", RANGE(3.98, 4.02, 4.1));
	measured(findings, "op.fma.f64x4.interval", "cycles", RANGE(0.49, 0.5, 0.51));
	said = say("polly", findings);
	assert_string_equal(said.text, "-mllvm -polly-target-latency-vector-fma=4 "
				       "-mllvm -polly-target-vector-register-bitwidth=256 "
				       "-mllvm -polly-target-throughput-vector-fma=2\n");
	forget(&said);
	/* What is wider and not known is not replaced by what is narrower. */
	other(findings, "op.fma.f64x8.latency", UNCLEAR, "times do not tell");
	measured(findings, "op.fma.f64x4.interval", "cycles", POINT(2));
	said = say("polly", findings);
	assert_string_equal(said.text, "");
	assert_non_null(strstr(said.talk, "op.fma.f64x8.latency: unclear: times do not tell"));
	forget(&said);
	findings_free(findings);
}

static void test_eigen(void **state)
{
	struct findings *findings = findings_new();
	struct said said;

	(void)state;
	measured(findings, "cache.l2.size", "bytes", POINT(262144));
	said = say("eigen", findings);
	assert_string_equal(said.text, "-DEIGEN_DEFAULT_L2_CACHE_SIZE=262144\n");
	forget(&said);
	measured(findings, "cache.levels", "count", POINT(2));
	said = say("eigen", findings);
	assert_string_equal(said.text, "-DEIGEN_DEFAULT_L2_CACHE_SIZE=262144 -DEIGEN_DEFAULT_L3_CACHE_SIZE=262144\n");
	forget(&said);
	measured(findings, "cache.l1d.size", "bytes", POINT(32768));
	said = say("eigen", findings);
	assert_string_equal(said.text, "-DEIGEN_DEFAULT_L1_CACHE_SIZE=32768 -DEIGEN_DEFAULT_L2_CACHE_SIZE=262144 "
				       "-DEIGEN_DEFAULT_L3_CACHE_SIZE=262144 -DEIGEN_NO_CPUID\n");
	assert_int_equal(said.result, EXPORT_WHOLE);
	forget(&said);
	findings_free(findings);
}

/* The first level stands where nobody knows how many there are. */
static void test_depth(void **state)
{
	struct findings *findings = findings_new();
	struct finding sharing = finding_blank("cache.l1d.sharing", "text");
	struct said said;

	(void)state;
	measured(findings, "cache.levels", "count", RANGE(2, 3, 4));
	measured(findings, "cache.l1d.size", "bytes", POINT(32768));
	measured(findings, "cache.l1d.ways", "count", POINT(8));
	measured(findings, "cache.l1d.line", "bytes", POINT(64));
	other(findings, "cache.l2.size", UNCLEAR, "no edge");
	other(findings, "cache.l3.size", ABSENT, "memory follows L2");
	sharing.outcome = MEASURED;
	sharing.value = sharing.low = sharing.high = 1;
	sharing.confidence = 0.95;
	sharing.text = strdup("0 1");
	findings_put_take(findings, &sharing);
	said = say("likwid", findings);
	assert_non_null(strstr(said.text, "\ncpuid_topology cacheLevels 1 size = 32768\n"));
	assert_non_null(strstr(said.text, "\ncpuid_topology numCacheLevels = 1\n"));
	assert_non_null(strstr(said.text, "# left out: cache.levels: unsure: from 2 to 4 count"));
	assert_int_equal(said.result, EXPORT_PART);
	forget(&said);
	said = say("hwloc", findings);
	assert_non_null(strstr(said.text, "<object type=\"L1Cache\""));
	assert_null(strstr(said.text, "<object type=\"L2Cache\""));
	forget(&said);
	said = say("kerncraft", findings);
	assert_non_null(strstr(said.text, "\n- level: L1\n  cache per group: {sets: 64, ways: 8, cl_size: 64}\n"));
	assert_null(strstr(said.text, "level: L2"));
	forget(&said);
	findings_free(findings);
}

/* Text of others ends no comment, no line and no string. */
static void test_hostile(void **state)
{
	struct report_context context = CONTEXT;
	struct findings *findings = findings_new();
	char *text = NULL;
	size_t size;
	struct export_job job = { .context = &context, .findings = findings, .talk = stderr };
	static const char *const forms[] = { "header", "kerncraft", "openmetrics" };

	(void)state;
	context.host = context.cpu = "a*/b \"c\\\" /*d\n&<e>\xFF";
	other(findings, "cache.l1d.size", UNCLEAR, "*/ #error \"\n\"} 1\n");
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		job.out = open_memstream(&text, &size);
		assert_int_equal(export_write(export_find(forms[i]), &job), EXPORT_PART);
		fclose(job.out);
		assert_null(strchr(text, '\xFF'));
		if (i == 0) {
			/* One comment: it begins once and ends once. */
			assert_ptr_equal(strstr(text, "/*"), text);
			assert_null(strstr(text + 2, "/*"));
			assert_null(strstr(strstr(text, "*/") + 2, "*/"));
			assert_null(strstr(text, "\n#error"));
		} else if (i == 1) {
			assert_non_null(strstr(text, "model name: \"a*/b \\\"c\\\\\\\" /*d &<e>?\"\n"));
		} else {
			assert_non_null(strstr(text, "cpu=\"a*/b \\\"c\\\\\\\" /*d &<e>?\""));
			assert_non_null(strstr(text, "reason=\"*/ #error \\\" \\\"} 1 \"} 1\n"));
		}
		free(text);
	}
	findings_free(findings);
}

/* Each form, from nothing and from five outcomes: a result, no crash. */
static void test_all(void **state)
{
	struct findings *none = findings_new(), *some = notebook();

	(void)state;
	for (int i = 0; export_at(i); i++) {
		struct said empty = say(export_at(i)->name, none), full = say(export_at(i)->name, some);

		assert_true(empty.result != EXPORT_WHOLE || !strstr(empty.text, "left out"));
		assert_true(full.result != EXPORT_WHOLE);
		assert_ptr_equal(export_find(export_at(i)->name), export_at(i));
		forget(&empty);
		forget(&full);
	}
	assert_null(export_find("nothing"));
	findings_free(none);
	findings_free(some);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sure),    cmocka_unit_test(test_groups), cmocka_unit_test(test_within),
		cmocka_unit_test(test_flags),   cmocka_unit_test(test_polly),  cmocka_unit_test(test_eigen),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_depth),  cmocka_unit_test(test_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
