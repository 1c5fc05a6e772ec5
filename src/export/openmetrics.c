/* SPDX-License-Identifier: MIT */
/*
 * openmetrics.c - gauges for a monitoring system, which keeps them over time
 *
 * What watches a fleet can do with a range, so here, and only here, unsure numbers stand, too: each number has its ends
 * and its confidence beside it. Readers of the older text format, such as node_exporter's, take the same text: it has
 * gauges alone, and escapes nothing that the two escape differently.
 */
#include "sheet.h"

/* What is to be known of one finding: its family is one metric, and what varies within the family is in labels. */
struct series {
	char family[80], labels[128];
	const char *unit; /* as OpenMetrics says it; empty for none */
	double scale;
};

static const struct scale {
	const char *unit, *metric;
	double scale;
} scales[] = {
	{ "bytes", "bytes", 1 },   { "Hz", "hertz", 1 },
	{ "ns", "seconds", 1e-9 }, { "bytes/s", "bytes_per_second", 1 },
	{ "cycles", "cycles", 1 }, { "count", "", 1 },
	{ "bool", "", 1 },
};

enum { SCALES = sizeof(scales) / sizeof(scales[0]) };

/* Writes the parts of a name behind one another: bandwidth.all -> _bandwidth_all. */
static void join(char *family, size_t size, const char *parts)
{
	size_t used = strlen(family);

	snprintf(family + used, size - used, "_%s", parts);
	for (char *c = family + used; *c; c++)
		if (*c == '.')
			*c = '_';
}

/* cache.l1d.size -> xray_cache_size_bytes, level="l1d"; cpu.fma.f64 -> xray_cpu_fma, type="f64". False for what is no
 * number. */
static bool name_series(const struct finding *finding, struct series *series)
{
	const struct scale *scale = scales;
	const char *second = strchr(finding->name, '.'), *third = second ? strchr(second + 1, '.') : NULL;
	bool level = strncmp(finding->name, "cache.", 6) == 0 || strncmp(finding->name, "tlb.", 4) == 0;
	bool type = strncmp(finding->name, "cpu.", 4) == 0;

	while (scale < scales + SCALES && strcmp(scale->unit, finding->unit) != 0)
		scale++;
	if (scale == scales + SCALES || !second)
		return false;
	*series = (struct series){ .family = "xray", .unit = scale->metric, .scale = scale->scale };
	if (!third || (!level && !type)) {
		join(series->family, sizeof(series->family), finding->name);
		return true;
	}

	int first = (int)(second - finding->name), middle = (int)(third - second - 1);
	char start[64];

	snprintf(start, sizeof(start), "%.*s", level ? first : first + 1 + middle, finding->name);
	join(series->family, sizeof(series->family), start);
	if (level) {
		join(series->family, sizeof(series->family), third + 1);
		snprintf(series->labels, sizeof(series->labels), "level=\"%.*s\"", middle, second + 1);
	} else {
		snprintf(series->labels, sizeof(series->labels), "type=\"%s\"", third + 1);
	}
	return true;
}

enum side { VALUE, LOW, HIGH, CONFIDENCE, SIDES };

static const char *const endings[SIDES] = { "", "_low", "_high", "_confidence" };

static double side_of(const struct finding *finding, enum side side)
{
	const double sides[SIDES] = { finding->value, finding->low, finding->high, finding->confidence };

	return sides[side];
}

static bool is_same(const struct series *one, const struct series *other)
{
	return strcmp(one->family, other->family) == 0 && strcmp(one->unit, other->unit) == 0;
}

static void put_head(FILE *out, const char *name, const char *unit, const char *help)
{
	fprintf(out, "# TYPE %s gauge\n", name);
	if (unit[0])
		fprintf(out, "# UNIT %s %s\n", name, unit);
	fprintf(out, "# HELP %s %s\n", name, help);
}

/* One side of all findings of the family of the one at `first`; samples of a family stand together. */
static void put_family(struct sheet *sheet, int first, enum side side)
{
	static const char *const helps[SIDES] = { "The value that xray measured.", "The least it may be.",
						  "The most it may be.", "How sure xray is, up to 1." };
	struct series head = { 0 }, series = { 0 };
	char name[128];

	if (!name_series(findings_at(sheet->findings, first), &head))
		return;

	const char *unit = side == CONFIDENCE ? "ratio" : head.unit;

	snprintf(name, sizeof(name), "%s%s%s%s", head.family, endings[side], unit[0] ? "_" : "", unit);
	put_head(sheet->out, name, unit, helps[side]);
	for (int i = first; i < findings_count(sheet->findings); i++) {
		const struct finding *finding = findings_at(sheet->findings, i);
		double value = side_of(finding, side);

		if (finding->outcome != MEASURED || !sheet_takes(sheet, finding->name) ||
		    !name_series(finding, &series) || !is_same(&series, &head) || !isfinite(value))
			continue;
		fprintf(sheet->out, "%s%s%s%s %.9g\n", name, series.labels[0] ? "{" : "", series.labels,
			series.labels[0] ? "}" : "", side == CONFIDENCE ? value : value * series.scale);
	}
}

/* Has an earlier finding brought the family, or is there nothing to say? */
static bool is_settled(struct sheet *sheet, int index)
{
	const struct finding *finding = findings_at(sheet->findings, index);
	struct series own, other;

	if (finding->outcome != MEASURED || !sheet_takes(sheet, finding->name) || !name_series(finding, &own))
		return true;
	for (int i = 0; i < index; i++) {
		const struct finding *earlier = findings_at(sheet->findings, i);

		if (earlier->outcome == MEASURED && sheet_takes(sheet, earlier->name) && name_series(earlier, &other) &&
		    is_same(&own, &other))
			return true;
	}
	return false;
}

static void put_label(FILE *out, const char *name, const char *value)
{
	char room[512];

	fprintf(out, "%s=\"", name);
	for (value = plain(value, room, sizeof(room)); *value; value++)
		fprintf(out, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	fputc('"', out);
}

static void put_omissions(struct sheet *sheet)
{
	bool begun = false;

	for (int i = 0; i < findings_count(sheet->findings); i++) {
		const struct finding *finding = findings_at(sheet->findings, i);

		if (finding->outcome == MEASURED || !sheet_takes(sheet, finding->name))
			continue;
		if (!begun)
			put_head(sheet->out, "xray_unmeasured", "",
				 "What xray could not tell, or the machine has none of.");
		begun = true;
		sheet->lacking = sheet->lacking || finding->outcome != ABSENT;
		fputs("xray_unmeasured{", sheet->out);
		put_label(sheet->out, "name", finding->name);
		fputc(',', sheet->out);
		put_label(sheet->out, "outcome", outcome_word(finding->outcome));
		fputc(',', sheet->out);
		put_label(sheet->out, "reason", finding->reason);
		fputs("} 1\n", sheet->out);
	}
}

void write_openmetrics(struct sheet *sheet)
{
	put_head(sheet->out, "xray_measurement", "", "Who measured, where and when; always 1.");
	fputs("xray_measurement{", sheet->out);
	put_label(sheet->out, "version", sheet->context->version);
	fputc(',', sheet->out);
	put_label(sheet->out, "host", sheet->context->host);
	fputc(',', sheet->out);
	put_label(sheet->out, "cpu", sheet->context->cpu);
	fputc(',', sheet->out);
	put_label(sheet->out, "date", sheet->context->date);
	fputs("} 1\n", sheet->out);
	for (int i = 0; i < findings_count(sheet->findings); i++)
		for (enum side side = VALUE; !is_settled(sheet, i) && side < SIDES; side++)
			put_family(sheet, i, side);
	put_omissions(sheet);
	fputs("# EOF\n", sheet->out);
}
