/* SPDX-License-Identifier: MIT */
/*
 * test_record.c - what was recorded comes back bit for bit, and nothing else does
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "recording/recording.h"
#include "machine_file.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const struct question {
	const char *spec; /* NULL: look at the clock and wait */
	long laps;
	int count;
} questions[] = {
	{ "p1 = p1 + p2 : i64", 100, 16 },
	{ "p1 = p1 * p2 : f64", 7, 1 },
	{ NULL, 0, 0 },
	{ "p1 = p1 < p2 : i64", 10, 4 }, /* which the machine lacks */
	{ "p1 = p1 / p2 : f64", 1, 3 },
	{ NULL, 0, 0 },
	{ "p1 = p1 + p2 : i64", 100, 16 },
};

struct answer {
	enum machine_status status;
	struct reading reading;
	double clock;
};

static struct answer ask(struct machine *machine, const struct question *question)
{
	struct answer answer = { 0 };
	char error[256] = "";
	struct nano *nano;

	if (!question->spec) {
		answer.clock = machine->ops->clock(machine);
		machine->ops->wait(machine, 1e6);
		return answer;
	}
	nano = nano_parse(question->spec, NANO_BARRIER_ASM, 8, error, sizeof(error));
	assert_non_null(nano);
	answer.status = machine->ops->run(machine, nano, question->laps, question->count, &answer.reading);
	nano_free(nano);
	return answer;
}

static struct machine *replay_of(const char *path)
{
	char error[512] = "";
	struct machine *machine = recording_replay(path, error, sizeof(error));

	if (!machine)
		fail_msg("%s", error);
	return machine;
}

/* Records the answers to all questions; the noise makes every number an odd one. */
static void record(char *path, size_t size, struct answer *answers)
{
	struct machine *inner = open_text(SMALL_MACHINE("") "[noise]\npreset = hostile\n", 7), *machine;
	char error[512] = "";

	temporary_path(path, size);
	machine = recording_make(inner, path, error, sizeof(error));
	if (!machine)
		fail_msg("%s", error);
	assert_string_equal(machine->identity.name, "Small");
	for (int i = 0; i < COUNT(questions); i++)
		answers[i] = ask(machine, &questions[i]);
	machine->ops->close(machine);
	assert_int_equal(answers[0].status, MACHINE_RAN);
	assert_int_equal(answers[3].status, MACHINE_ABSENT);
}

static void check_same(int i, const struct answer *then, const struct answer *now)
{
	if (then->status != now->status || then->clock != now->clock)
		fail_msg("question %d: status %d, clock %.17g", i, (int)now->status, now->clock);
	if (memcmp(then->reading.ns, now->reading.ns, sizeof(then->reading.ns)) != 0)
		fail_msg("question %d: %.17g ns, not %.17g", i, now->reading.ns[0], then->reading.ns[0]);
	assert_int_equal(then->reading.disturbed, now->reading.disturbed);
	if (then->status == MACHINE_RAN) {
		assert_true(then->reading.value == now->reading.value);
		assert_int_equal(then->reading.spills, now->reading.spills);
	}
	assert_string_equal(then->reading.why, now->reading.why);
}

static void test_replay(void **state)
{
	struct answer answers[COUNT(questions)];
	struct machine *machine;
	char path[512];

	(void)state;
	record(path, sizeof(path), answers);
	machine = replay_of(path);
	assert_string_equal(machine->identity.kind, "recorded");
	assert_string_equal(machine->identity.name, "Small");
	assert_int_equal(machine->identity.cpus, 1);
	for (int i = 0; i < COUNT(questions); i++) {
		struct answer answer = ask(machine, &questions[i]);

		check_same(i, &answers[i], &answer);
	}
	machine->ops->close(machine);
	unlink(path);
}

static void test_other_questions(void **state)
{
	static const struct {
		int line;
		struct question question;
	} rows[] = {
		{ __LINE__, { "p1 = p1 - p2 : i64", 100, 16 } },
		{ __LINE__, { "p1 = p1 + p2 : i64", 101, 16 } },
		{ __LINE__, { "p1 = p1 + p2 : i64", 100, 15 } },
		{ __LINE__, { "p1 = p1 * p2 : f64", 7, 1 } }, /* asked later */
	};
	struct answer answers[COUNT(questions)];
	char path[512];

	(void)state;
	record(path, sizeof(path), answers);
	for (int i = 0; i < COUNT(rows); i++) {
		struct machine *machine = replay_of(path);
		struct answer answer = ask(machine, &rows[i].question);

		if (answer.status != MACHINE_FAULT || !strstr(answer.reading.why, "line 9"))
			fail_msg("row at line %d: status %d, '%s'", rows[i].line, (int)answer.status,
				 answer.reading.why);
		/* And from then on nothing is believed. */
		answer = ask(machine, &questions[1]);
		assert_int_equal(answer.status, MACHINE_FAULT);
		assert_string_not_equal(answer.reading.why, "");
		machine->ops->close(machine);
	}
	/* A look at the clock where a run was recorded, and a run where a look was. */
	struct machine *machine = replay_of(path);

	ask(machine, &questions[2]);
	assert_int_equal(ask(machine, &questions[0]).status, MACHINE_FAULT);
	machine->ops->close(machine);
	unlink(path);
}

static char *content(const char *path, size_t *size)
{
	char *text = malloc(1 << 16);
	FILE *file = fopen(path, "r");

	assert_non_null(text);
	assert_non_null(file);
	*size = fread(text, 1, 1 << 16, file);
	assert_in_range(*size, 500, (1 << 16) - 1);
	fclose(file);
	return text;
}

/* A recording that breaks off is refused, or answers what it still has and faults from there; it never makes an answer
 * up. */
static void test_truncated(void **state)
{
	struct answer answers[COUNT(questions)];
	char path[512], error[512];
	size_t size;

	(void)state;
	record(path, sizeof(path), answers);

	char *text = content(path, &size);

	for (size_t length = 0; length + 1 < size; length += 3) {
		FILE *file = fopen(path, "w");
		struct machine *machine;
		struct answer answer = { 0 };
		int answered = 0;

		assert_non_null(file);
		fwrite(text, 1, length, file);
		fclose(file);
		error[0] = '\0';
		machine = recording_replay(path, error, sizeof(error));
		if (!machine) {
			assert_non_null(strstr(error, path));
			continue;
		}
		for (int i = 0; i < COUNT(questions) && answer.status != MACHINE_FAULT; i++, answered++) {
			answer = ask(machine, &questions[i]);
			if (questions[i].spec && answer.status != MACHINE_FAULT &&
			    memcmp(answer.reading.ns, answers[i].reading.ns, sizeof(answer.reading.ns)) != 0)
				fail_msg("%zu of %zu bytes: answer %d is made up: %.17g ns", length, size, i,
					 answer.reading.ns[0]);
		}
		if (answer.status != MACHINE_FAULT)
			fail_msg("%zu of %zu bytes answer everything", length, size);
		assert_string_not_equal(answer.reading.why, "");
		machine->ops->close(machine);
	}
	free(text);
	unlink(path);
}

static void test_files(void **state)
{
	struct answer answers[COUNT(questions)];
	char path[512], ini[512], error[512] = "";
	struct machine *inner;
	FILE *file;

	(void)state;
	record(path, sizeof(path), answers);
	assert_true(recording_is(path));
	temporary_path(ini, sizeof(ini));
	assert_false(recording_is(ini));
	file = fopen(ini, "w");
	assert_non_null(file);
	fputs(SMALL_MACHINE(""), file);
	fclose(file);
	assert_false(recording_is(ini));
	assert_null(recording_replay(ini, error, sizeof(error)));
	assert_non_null(strstr(error, ini));
	assert_false(recording_is("/nonexistent/recording"));
	assert_false(recording_is("/tmp"));
	assert_null(recording_replay("/nonexistent/recording", error, sizeof(error)));
	assert_non_null(strstr(error, "/nonexistent/recording: No such file"));
	inner = open_text(SMALL_MACHINE(""), 7);
	assert_null(recording_make(inner, "/nonexistent/recording", error, sizeof(error)));
	assert_non_null(strstr(error, "/nonexistent/recording: No such file"));
	inner->ops->close(inner);
	unlink(path);
	unlink(ini);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_other_questions),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
