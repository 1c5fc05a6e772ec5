/* SPDX-License-Identifier: MIT */
/*
 * sheet.h - what a form is written on: where to, from what, and what had to be left out
 *
 * Private to export/.
 */
#ifndef XRAY_SHEET_H
#define XRAY_SHEET_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

struct omission {
	char name[64], why[320];
	bool absent; /* the machine has none: nothing is lacking */
};

struct sheet {
	FILE *out;
	const struct report_context *context;
	const struct findings *findings;
	const struct export_format *format;
	struct omission *omissions;
	int omitted;
	bool lacking; /* something is left out that the machine may have */
	bool useless; /* what was written says nothing */
};

/* --- facts.c */
/* Measured, with a confidence of 0.9 or more, and one number: a count or a size without a range, else within 5 %. */
bool fact_is_sure(const struct finding *finding);
/* The value of a number, 0 or 1 for a bool, when it is sure; otherwise false, and it is omitted with the reason. */
bool sheet_number(struct sheet *sheet, const char *name, double *value);
/* The same, of cache.LEVEL.PROPERTY and the like. */
bool sheet_level(struct sheet *sheet, const char *part, const char *level, const char *property, double *value);
/* The text of a text or tree; NULL when it is omitted. */
const char *sheet_text(struct sheet *sheet, const char *name);
void sheet_omit(struct sheet *sheet, const char *name, const char *why);
/* Which levels of caches of data there are: 1 .. 5; 0 when that is not sure. */
int sheet_levels(struct sheet *sheet);
/* The same, or else how many of them anything was asked of: a level may be known where their number is not. */
int sheet_depth(struct sheet *sheet);
/* l1d, l2 ... */
const char *sheet_level_name(int level);
/* Does the format take a parameter of that name? */
bool sheet_takes(const struct sheet *sheet, const char *name);
/* Of a type (f32, f64) the widest vector that the machine has the operation of, else the scalar: how many lanes, and
 * what the property (latency, interval) is. False, and omitted, when that one is not sure. */
struct widest {
	int lanes;
	double value;
};
bool sheet_widest(struct sheet *sheet, const char *operation, const char *type, const char *property,
		  struct widest *widest);
/* Printable ASCII, whatever it was. */
const char *plain(const char *text, char *room, size_t size);

/* --- groups.c: which CPUs go together */
struct groups {
	int count, groups; /* CPUs, groups of them */
	int *cpus; /* rising */
	int *group; /* of each CPU: the index of the first of its group */
};
/* "0,4 1,5". False when it is none, or memory is short. */
bool groups_read(struct groups *groups, const char *text);
/* The groups of a tree at a depth below the whole; false when it has none there. */
bool groups_of_tree(struct groups *groups, const char *tree, int depth);
/* Every group of `fine` lies in one of `coarse`, and both are of the same CPUs. */
bool groups_within(const struct groups *fine, const struct groups *coarse);
/* Members of the largest. */
int groups_largest(const struct groups *groups);
void groups_free(struct groups *groups);

/* --- one for each form */
void write_header(struct sheet *sheet);
void write_env(struct sheet *sheet);
void write_cmake(struct sheet *sheet);
void write_gcc(struct sheet *sheet);
void write_eigen(struct sheet *sheet);
void write_polly(struct sheet *sheet);
void write_glibc(struct sheet *sheet);
void write_openblas(struct sheet *sheet);
void write_hwloc(struct sheet *sheet);
void write_likwid(struct sheet *sheet);
void write_openmetrics(struct sheet *sheet);
void write_kerncraft(struct sheet *sheet);

#endif
