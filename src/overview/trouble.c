/* SPDX-License-Identifier: MIT */
/*
 * trouble.c - what could not be told, why, and what to do; what others claim to be different
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "overview.h"

enum { SHOWN = 4, MOST_REMEDIES = 8 };

static bool is_trouble(const struct finding *finding)
{
	return finding->outcome != MEASURED && finding->outcome != ABSENT;
}

/* Waits only for another finding, which is in trouble itself and says why. */
static bool waits(const struct finding *finding)
{
	const char *need = finding->reason + strlen("needs ");

	/* Names have dots in them; a second CPU has none. */
	return finding->outcome == BLOCKED && strncmp(finding->reason, "needs ", 6) == 0 &&
	       memchr(need, '.', strcspn(need, " "));
}

/* The same reason but for its numbers? */
static bool alike(const struct finding *one, const struct finding *other)
{
	const char *a = one->reason, *b = other->reason;

	if (one->outcome != other->outcome || waits(one) || waits(other))
		return one->outcome == other->outcome && waits(one) == waits(other);
	while (*a && *b) {
		while (isdigit((unsigned char)*a) || *a == '.')
			a++;
		while (isdigit((unsigned char)*b) || *b == '.')
			b++;
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return *a == *b;
}

static bool is_first(const struct findings *findings, int index)
{
	for (int i = 0; i < index; i++)
		if (is_trouble(findings_at(findings, i)) &&
		    alike(findings_at(findings, i), findings_at(findings, index)))
			return false;
	return true;
}

static void put_kind(struct line *line, const struct findings *findings, int first)
{
	const struct finding *finding = findings_at(findings, first);
	char text[96];
	int count = 0;

	line->blanks = 2;
	line_put(line, outcome_word(finding->outcome), 9, LEFT, line_paint(finding->outcome));
	for (int i = first; i < findings_count(findings); i++) {
		const struct finding *other = findings_at(findings, i);

		if (!is_trouble(other) || !alike(finding, other))
			continue;
		if (++count <= SHOWN) {
			line->blanks += count > 1;
			line_put_words(line, other->name, 11, PLAIN);
		}
	}
	if (count > SHOWN) {
		snprintf(text, sizeof(text), " and %d more", count - SHOWN);
		line_put_words(line, text, 11, PLAIN);
	}
	line->blanks = 0;
	line_put(line, ":", 0, LEFT, PLAIN);
	line->blanks = 1;
	line_put_words(line,
		       waits(finding) ? (count > 1 ? "each needs one that is not known" : finding->reason)
				      : finding->reason,
		       11, PLAIN);
	line_end(line);
}

const char *trouble_remedy(const struct finding *finding)
{
	static const char quiet[] =
		"something else is running: try again in a quiet moment, with --full (which waits longer), "
		"or on another CPU with --cpu N";
	static const char room[] = "let it take more memory: --memory BYTES";
	static const struct {
		const char *words, *remedy;
	} remedies[] = {
		{ "budget", "give it more time: --budget SECONDS" },
		{ "something else uses", quiet },
		{ "somebody else", quiet },
		{ "others use", quiet },
		{ "others may use", quiet },
		{ "beside others", quiet },
		{ "noise", quiet },
		{ "undisturbed", quiet },
		{ "worth of time", "the system gave less than the CPUs it shows: look for a quota or for other work" },
		{ "compiler", "install gcc or clang, or name one with --cc CC" },
		{ "second CPU", "let it use more than one CPU (taskset, cpuset)" },
		{ "memory enough", room },
		{ "there is memory for", room },
		{ "memory may be beyond", room },
	};

	for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++)
		if (is_trouble(finding) && strstr(finding->reason, remedies[i].words))
			return remedies[i].remedy;
	return NULL;
}

static void put_remedies(struct line *line, const struct findings *findings)
{
	const char *told[MOST_REMEDIES] = { NULL };
	int count = 0;

	for (int i = 0; i < findings_count(findings) && count < MOST_REMEDIES; i++) {
		const char *remedy = trouble_remedy(findings_at(findings, i));

		for (int j = 0; j < count && remedy; j++)
			if (strcmp(told[j], remedy) == 0)
				remedy = NULL;
		if (!remedy)
			continue;
		told[count++] = remedy;
		line->blanks = 2;
		line_put(line, "to do", 9, LEFT, PLAIN);
		line_put_words(line, remedy, 11, PLAIN);
		line_end(line);
	}
}

static bool put_claims(struct line *line, const struct findings *findings)
{
	bool any = false;

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		char text[256];

		/* Rows say it themselves. */
		if (finding->outcome != MEASURED || !isfinite(finding->claimed) || finding_agrees(finding) ||
		    (!type_has(finding->name) && !level_has(&level_caches, finding->name) &&
		     !level_has(&level_tlbs, finding->name)))
			continue;
		line->blanks = 2;
		line_put(line, "claimed", 9, LEFT, YELLOW);
		report_value(finding, text, sizeof(text));
		line_put(line, finding->name, 0, LEFT, PLAIN);
		line->blanks = 1;
		line_put(line, text, 0, LEFT, PLAIN);
		line->blanks = 1;
		line_put_claim(line, finding);
		line_end(line);
		any = true;
	}
	return any;
}

bool trouble_put(struct line *line, const struct findings *findings)
{
	bool any = put_claims(line, findings);

	for (int i = 0; i < findings_count(findings); i++)
		if (is_trouble(findings_at(findings, i)) && is_first(findings, i)) {
			put_kind(line, findings, i);
			any = true;
		}
	put_remedies(line, findings);
	return any;
}
