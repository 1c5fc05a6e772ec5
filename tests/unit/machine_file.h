/* SPDX-License-Identifier: MIT */
/*
 * machine_file.h - small machine files for the tests that measure simulated machines
 */
#ifndef XRAY_TEST_MACHINE_FILE_H
#define XRAY_TEST_MACHINE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/sim.h"

/* A quiet core with room for several chains of everything but cmp, which it lacks. */
#define SMALL_MACHINE(more) \
	"[machine]\nname = Small\nfrequency = 2 GHz\n" more "\n[core]\nwidth = 4\n" \
	"[op add,sub,xor.i*]\nlatency = 1\ninterval = 1/4\n" \
	"[op mul.i*]\nlatency = 3\n" \
	"[op add.f*]\nlatency = 4\ninterval = 1/2\n" \
	"[op mul.f*]\nlatency = 5\ninterval = 1/2\n" \
	"[op div.f64]\nlatency = 17\ninterval = 7\n" \
	"[op load.*]\nlatency = 5\ninterval = 1/2\n"

static void temporary_path(char *path, size_t size)
{
	const char *directory = getenv("TMPDIR");
	int file;

	snprintf(path, size, "%s/xray-test-XXXXXX", directory ? directory : "/tmp");
	file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
}

static struct machine *open_text(const char *text, long seed)
{
	char path[512], error[512] = "";
	struct machine *machine;
	FILE *file;

	temporary_path(path, sizeof(path));
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	machine = sim_open(path, seed, error, sizeof(error));
	unlink(path);
	if (!machine)
		fail_msg("%s", error);
	return machine;
}

#endif
