/* SPDX-License-Identifier: MIT */
/*
 * saved.h - what surrounded the findings of a document that was kept
 */
#ifndef XRAY_REPORT_SAVED_H
#define XRAY_REPORT_SAVED_H

#include <jansson.h>

#include "report.h"

/* Strings are the document's; what it does not say is empty, no limit or NaN. */
struct report_context saved_context(const json_t *document);

#endif
