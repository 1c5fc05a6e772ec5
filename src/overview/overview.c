/* SPDX-License-Identifier: MIT */
/*
 * overview.c - a long report on one screen
 */
#include "overview.h"

#include <math.h>
#include <string.h>

enum { FEW = 20 };

static const char LEGEND[] =
	"Times without a unit are cycles. = as claimed, ! not as claimed, ~ an interval, ? not known. "
	"More: xray NAME, xray explain NAME, --full, --html FILE.";

bool overview_suits(const struct findings *findings)
{
	return findings_count(findings) > FEW;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Measured, and in none of the tables. */
static bool is_row(const struct finding *finding)
{
	return finding->outcome == MEASURED && !type_has(finding->name) && !level_has(&level_caches, finding->name) &&
	       !level_has(&level_tlbs, finding->name);
}

static bool of_core(const struct findings *findings, const struct finding *finding)
{
	(void)findings;
	return is_row(finding) && (begins(finding->name, "cpu.") || begins(finding->name, "op."));
}

static bool of_caches(const struct findings *findings, const struct finding *finding)
{
	(void)findings;
	return is_row(finding) &&
	       (begins(finding->name, "cache.") || begins(finding->name, "line.") || begins(finding->name, "memory."));
}

static bool of_pages(const struct findings *findings, const struct finding *finding)
{
	(void)findings;
	return is_row(finding) && (begins(finding->name, "page.") || begins(finding->name, "tlb."));
}

static bool of_the_rest(const struct findings *findings, const struct finding *finding)
{
	return is_row(finding) && !of_core(findings, finding) && !of_caches(findings, finding) &&
	       !of_pages(findings, finding);
}

static void end_part(struct line *line, bool any)
{
	if (any)
		fputc('\n', line->out);
}

void overview_text(FILE *out, const struct report_context *context, const struct findings *findings,
		   const struct report_layout *layout)
{
	struct line line = { .out = out, .colour = layout->colour, .width = layout->width, .brief = true };
	struct report_context short_one = *context;
	char noise[160];
	bool any;

	/* The clock's grain and cost are for who looks closely. */
	snprintf(noise, sizeof(noise), "%s", context->noise ? context->noise : "");
	if (strchr(noise, ';'))
		snprintf(strchr(noise, ';'), 2, ")");
	short_one.noise = noise;
	context_put(&line, &short_one);
	any = rows_put(&line, findings, of_core);
	any = type_put(&line, findings) || any;
	end_part(&line, any);
	any = level_put(&line, &level_caches, findings);
	any = rows_put(&line, findings, of_caches) || any;
	end_part(&line, any);
	any = level_put(&line, &level_tlbs, findings);
	any = rows_put(&line, findings, of_pages) || any;
	end_part(&line, any);
	end_part(&line, rows_put(&line, findings, of_the_rest));
	end_part(&line, trouble_put(&line, findings));
	summary_put(&line, findings, context);
	line_put_words(&line, LEGEND, 0, PLAIN);
	line_end(&line);
}
