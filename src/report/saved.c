/* SPDX-License-Identifier: MIT */
/*
 * saved.c - the context of a document that json.c wrote
 */
#include "saved.h"

#include <math.h>

static const char *text(const json_t *object, const char *key)
{
	const char *string = json_string_value(json_object_get(object, key));

	return string ? string : "";
}

static double number(const json_t *object, const char *key, double otherwise)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}

struct report_context saved_context(const json_t *document)
{
	const json_t *context = json_object_get(document, "context");

	return (struct report_context){
		.version = text(json_object_get(document, "tool"), "version"),
		.date = text(context, "date"),
		.host = text(context, "host"),
		.cpu = text(context, "cpu"),
		.hypervisor = text(context, "hypervisor"),
		.kernel = text(context, "kernel"),
		.compiler = text(context, "compiler"),
		.noise = text(context, "noise"),
		.command = text(context, "command"),
		.cpus = (int)number(context, "cpus", 0),
		.cpu_used = (int)number(context, "pinned", -1),
		.page_bytes = (long)number(json_object_get(context, "pages"), "base", 0),
		.seconds = number(context, "seconds", NAN),
		.quota = number(context, "quota", INFINITY),
	};
}
