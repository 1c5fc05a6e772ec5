/* SPDX-License-Identifier: MIT */
/*
 * axis.c - from values to places, and round values to write beside them
 */
#include <math.h>
#include <string.h>

#include "../report/report.h"
#include "plot.h"

struct axis axis_over(const double *values, int count, double factor, const char *unit)
{
	struct axis axis = { .low = INFINITY, .high = -INFINITY, .unit = unit };

	for (int i = 0; i < count; i++) {
		axis.low = fmin(axis.low, values[i]);
		axis.high = fmax(axis.high, values[i]);
	}
	axis.octaves = axis.low > 0 && axis.high / axis.low > factor;
	return axis;
}

double axis_place(const struct axis *axis, double value)
{
	if (!(axis->high > axis->low))
		return value == axis->low ? 0.5 : NAN;
	if (axis->octaves)
		return value > 0 ? log(value / axis->low) / log(axis->high / axis->low) : NAN;
	return (value - axis->low) / (axis->high - axis->low);
}

/* Powers of two, each, each second, each third of them. */
static int ticks_in_octaves(const struct axis *axis, int most, double ticks[AXIS_TICKS])
{
	int first = (int)ceil(log2(axis->low) - 1e-9), last = (int)floor(log2(axis->high) + 1e-9), step = 1, count = 0;

	while ((last - first) / step + 1 > most)
		step++;
	for (int power = first; power <= last; power += step)
		ticks[count++] = ldexp(1, power);
	return count;
}

static int ticks_in_steps(const struct axis *axis, int most, double ticks[AXIS_TICKS])
{
	double raw = (axis->high - axis->low) / most, ten = pow(10, floor(log10(raw))), step = ten, first;
	static const double rounds[] = { 1, 2, 5, 10, 20 };
	int count = 0;

	for (int i = 0; i < 5; i++) {
		step = rounds[i] * ten;
		if (floor(axis->high / step) - ceil(axis->low / step) + 1 <= most)
			break;
	}
	first = ceil(axis->low / step - 1e-9);
	for (int i = 0; i < most && (first + i) * step <= axis->high * (1 + 1e-9) + step * 1e-9; i++)
		ticks[count++] = (first + i) * step;
	return count;
}

int axis_ticks(const struct axis *axis, int most, double ticks[AXIS_TICKS])
{
	most = most < AXIS_TICKS ? most : AXIS_TICKS;
	if (most < 1 || !isfinite(axis->low) || !isfinite(axis->high))
		return 0;
	ticks[0] = axis->low;
	if (!(axis->high > axis->low))
		return 1;
	if (axis->octaves && axis->high / axis->low >= 4)
		return ticks_in_octaves(axis, most, ticks);
	return ticks_in_steps(axis, most, ticks);
}

void axis_write(const struct axis *axis, double value, char *text, size_t size)
{
	struct finding finding = finding_blank("", axis->unit[0] ? axis->unit : "count");

	finding.outcome = MEASURED;
	finding.value = value;
	if (axis->unit[0])
		report_value(&finding, text, size);
	else
		snprintf(text, size, "%.6g", fabs(value) < 1e-12 * (axis->high - axis->low) ? 0 : value);
}
