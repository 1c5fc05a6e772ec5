/* SPDX-License-Identifier: MIT */
/*
 * test_kept.c - what the library keeps: for how long it is believed, and to a file and back
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "../../src/host/child.h"
#include "../../src/host/host.h"
#include "../../src/library/kept.h"

static const double NOW = 1.7e9, DAY = 86400;

static void ages(void **state)
{
	static const struct {
		int line;
		enum outcome outcome;
		double age, max_age; /* days */
		bool good;
	} rows[] = {
		{ __LINE__, MEASURED, 0, 30, true },         { __LINE__, MEASURED, 30, 30, true },
		{ __LINE__, MEASURED, 31, 30, false },       { __LINE__, MEASURED, 0.5, 0.1, false },
		{ __LINE__, MEASURED, -0.5, 30, true },      { __LINE__, MEASURED, -2, 30, false },
		{ __LINE__, MEASURED, INFINITY, 30, false }, { __LINE__, MEASURED, 1e4, INFINITY, true },
		{ __LINE__, ABSENT, 29, 30, true },          { __LINE__, UNCLEAR, 0.9, 30, true },
		{ __LINE__, UNCLEAR, 1.1, 30, false },       { __LINE__, UNCLEAR, 0.9, 0.5, false },
		{ __LINE__, BLOCKED, 0.9, 30, true },        { __LINE__, BLOCKED, 2, 30, false },
		{ __LINE__, FAILED, 0, 30, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct finding finding = finding_blank("cpu.frequency", "Hz");

		finding.outcome = rows[i].outcome;
		if (kept_good(&finding, NOW - rows[i].age * DAY, NOW, rows[i].max_age * DAY) != rows[i].good)
			fail_msg("line %d", rows[i].line);
	}
}

static struct finding measured(const char *name, const char *unit, double value)
{
	struct finding finding = finding_blank(name, unit);

	finding.outcome = MEASURED;
	finding.value = finding.low = finding.high = value;
	finding.confidence = 0.9;
	return finding;
}

static void places(void **state)
{
	struct finding first = measured("cpu.frequency", "Hz", 1e9), other = measured("cpu.frequency", "Hz", 2e9);
	struct finding unknown = measured("no.such", "Hz", 1);
	struct evidence point = { .what = "a chain" };
	int place = catalogue_place("cpu.frequency");
	struct kept kept;

	(void)state;
	assert_true(kept_open(&kept));
	assert_false(kept_put(&kept, &unknown, NOW));
	first.evidence = &point;
	first.evidence_count = 1;
	assert_true(kept_put(&kept, &first, NOW));
	assert_int_equal(kept.findings[place]->evidence_count, 0);
	assert_true(kept_put(&kept, &other, NOW + 1));
	assert_true(kept.findings[place]->value == 2e9 && kept.dates[place] == NOW + 1);
	kept_close(&kept);
}

/* Two dates, a text, a matrix, a reason: each comes back as it was, and what is there already stays. */
static void there_and_back(void **state)
{
	struct report_context context = { .version = "0",
					  .date = "",
					  .host = "",
					  .cpu = "",
					  .hypervisor = "",
					  .kernel = "",
					  .compiler = "",
					  .noise = "",
					  .command = "",
					  .seconds = NAN,
					  .quota = INFINITY };
	struct finding clock = measured("cpu.frequency", "Hz", 3.5e9), tree = measured("comm.tree", "tree", 2),
		       matrix = measured("comm.latency", "matrix", 50), size = finding_blank("cache.l1d.size", "bytes"),
		       newer = measured("cpu.frequency", "Hz", 3.6e9);
	char path[] = "/tmp/xray-kept-XXXXXX";
	struct kept kept, back;
	int file = mkstemp(path), place;

	(void)state;
	assert_true(file >= 0);
	close(file);
	tree.text = "[[0,1],[2,3]]";
	matrix.matrix = matrix_new("ns", 2);
	matrix.matrix->cells[1] = matrix.matrix->cells[2] = 50;
	size.outcome = UNCLEAR;
	snprintf(size.reason, sizeof(size.reason), "a neighbour");
	assert_true(kept_open(&kept) && kept_open(&back));
	assert_true(kept_put(&kept, &clock, NOW) && kept_put(&kept, &tree, NOW + 5) && kept_put(&kept, &matrix, NOW) &&
		    kept_put(&kept, &size, NOW + 5));
	kept_store(&kept, path, &context);
	assert_true(kept_put(&back, &newer, NOW + 9));
	kept_load(&back, path);

	place = catalogue_place("cpu.frequency");
	assert_true(back.findings[place]->value == 3.6e9 && back.dates[place] == NOW + 9);
	place = catalogue_place("comm.tree");
	assert_string_equal(back.findings[place]->text, tree.text);
	assert_true(back.dates[place] == NOW + 5);
	place = catalogue_place("comm.latency");
	assert_true(back.findings[place]->matrix->cells[1] == 50 && isnan(back.findings[place]->matrix->cells[0]));
	assert_true(back.dates[place] == NOW);
	place = catalogue_place("cache.l1d.size");
	assert_int_equal(back.findings[place]->outcome, UNCLEAR);
	assert_string_equal(back.findings[place]->reason, "a neighbour");
	assert_null(back.findings[catalogue_place("cpu.fma.f64")]);

	matrix_free(matrix.matrix);
	kept_close(&kept);
	kept_close(&back);
	unlink(path);
}

static void dates(void **state)
{
	char text[32];

	(void)state;
	host_date_of(NOW, text, sizeof(text));
	assert_string_equal(text, "2023-11-14T22:13:20Z");
	assert_true(host_seconds(text) == NOW);
	assert_true(isnan(host_seconds("")) && isnan(host_seconds("2023-11-14")) &&
		    isnan(host_seconds("2023-11-14T22:13:20Z and more")));
}

static void catalogue(void **state)
{
	(void)state;
	for (int i = 0; catalogue_at(i); i++)
		assert_int_equal(catalogue_place(catalogue_at(i)->name), i);
	assert_null(catalogue_at(catalogue_count()));
	assert_int_equal(catalogue_place(""), -1);
	assert_int_equal(catalogue_place("zzz"), -1);
}

/* Nothing of ours runs twice, and a child's death, words and silence are told apart. */
static void say(void *context, int output)
{
	const char *how = context;

	assert_int_equal(write(output, "ab", 2), 2);
	if (how[0] == 'd')
		abort();
	if (how[0] == 's')
		while (!host_interrupted())
			host_sleep(1e6);
}

static void children(void **state)
{
	struct host_child child;
	char bytes[8], why[64];

	(void)state;
	assert_true(host_child_start(&child, say, "well"));
	assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 2);
	assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 0);
	assert_null(host_child_end(&child, why, sizeof(why)));
	assert_true(host_child_start(&child, say, "dies"));
	assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 2);
	assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 0);
	assert_string_equal(host_child_end(&child, why, sizeof(why)), "it was killed by signal 6");
	for (int at_once = 0; at_once < 2; at_once++) {
		assert_true(host_child_start(&child, say, "silent"));
		assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 2);
		assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 0.01), -1);
		host_child_stop(&child, at_once);
		assert_int_equal(host_child_read(&child, bytes, sizeof(bytes), 60), 0);
		assert_true((host_child_end(&child, why, sizeof(why)) != NULL) == (at_once == 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ages),  cmocka_unit_test(places),    cmocka_unit_test(there_and_back),
		cmocka_unit_test(dates), cmocka_unit_test(catalogue), cmocka_unit_test(children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
