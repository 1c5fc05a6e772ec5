/* SPDX-License-Identifier: MIT */
/*
 * code_lab.h - a lab on a simulated instruction side, of which a test may write down what its engine starts from
 */
#ifndef XRAY_TEST_CODE_LAB_H
#define XRAY_TEST_CODE_LAB_H

#include "memory_lab.h"
#include "code/code.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* 128 KiB of code are looked at: as many as the small caches here need, in brief. */
#define CODE_MEMORY "[memory]\nsize = 1 MiB\n"

static void code_open(struct memory_lab *bench, const char *text)
{
	static const struct memory_level none[MEMORY_LEVELS] = { { 0 } };

	memory_open(bench, none, text, 1);
	bench->timer.machine->identity.page_bytes = 4096;
	bench->lab.findings = findings_new();
	bench->lab.brief = true;
}

/* No TLBs. */
static inline void code_know_pages(struct memory_lab *bench)
{
	struct paging *paging = calloc(1, sizeof(*paging));

	assert_non_null(paging);
	*paging = (struct paging){
		.status = MACHINE_RAN, .system = 4096, .page = 4096, .sharing = 1, .group = 1, .pages = WALK_ON_1_FRAME
	};
	bench->lab.code_paging = paging;
}

/* One cache of so many bytes. */
static inline void code_know(struct memory_lab *bench, double reach, double height)
{
	struct coding *coding = calloc(1, sizeof(*coding));

	assert_non_null(coding);
	code_know_pages(bench);
	coding->status = MACHINE_RAN;
	coding->levels = 1;
	coding->level[0] = (struct code_level){ .reach = reach, .low = reach, .high = reach, .height = height };
	bench->lab.coding = coding;
}

static void code_close(struct memory_lab *bench)
{
	free(bench->lab.coding);
	free(bench->lab.code_paging);
	findings_free(bench->lab.findings);
	memory_close(bench);
}

#endif
