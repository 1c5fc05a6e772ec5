/* SPDX-License-Identifier: MIT */
/*
 * shown.c - findings as the outside sees them
 */
#include "handle.h"

/* The two lists of words are one. */
_Static_assert((int)XRAY_MEASURED == (int)MEASURED && (int)XRAY_UNCLEAR == (int)UNCLEAR &&
		       (int)XRAY_ABSENT == (int)ABSENT && (int)XRAY_BLOCKED == (int)BLOCKED &&
		       (int)XRAY_FAILED == (int)FAILED,
	       "outcomes in xray.h and findings.h");

static struct xray_finding show(const struct finding *finding, double age)
{
	bool measured = finding->outcome == MEASURED;
	const struct matrix *matrix = measured ? finding->matrix : NULL;

	return (struct xray_finding){ .name = finding->name,
				      .unit = finding->unit,
				      .outcome = (enum xray_outcome)finding->outcome,
				      .value = measured ? finding->value : NAN,
				      .low = measured ? finding->low : NAN,
				      .high = measured ? finding->high : NAN,
				      .confidence = measured ? finding->confidence : NAN,
				      .text = measured ? finding->text : NULL,
				      .matrix_size = matrix ? matrix->size : 0,
				      .matrix_labels = matrix ? matrix->labels : NULL,
				      .matrix_cells = matrix ? matrix->cells : NULL,
				      .matrix_unit = matrix ? matrix->unit : "",
				      .reason = measured ? "" : finding->reason,
				      .note = finding->note,
				      .method = finding->method,
				      .claimed = finding->claimed,
				      .claimed_source = finding->claimed_source,
				      .agrees = finding_agrees(finding),
				      .seconds = finding->seconds,
				      .age = isfinite(age) ? fmax(0, age) : NAN };
}

bool shown_renew(struct xray *handle, double now)
{
	const struct kept *kept = &handle->kept;

	if (!handle->shown)
		handle->shown = calloc((size_t)kept->count, sizeof(*handle->shown));
	for (int i = 0; handle->shown && i < kept->count; i++)
		if (kept->findings[i])
			handle->shown[i] = show(kept->findings[i], now - kept->dates[i]);
	return handle->shown != NULL;
}
