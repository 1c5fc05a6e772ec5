/* SPDX-License-Identifier: MIT */
/*
 * description_cpus.h - what a machine file says of its CPUs: they lie in a row, and neighbours are cores and groups
 */
#ifndef XRAY_DESCRIPTION_CPUS_H
#define XRAY_DESCRIPTION_CPUS_H

enum { DESCRIPTION_ROW = 8, DESCRIPTION_GROUPS = 6 };

/* Numbers for one after the other, each so many times; then again from the first. */
struct description_row {
	double values[DESCRIPTION_ROW];
	int times[DESCRIPTION_ROW];
	int count;
};

enum description_numbers { NUMBERS_THREADS, NUMBERS_CORES, NUMBERS_MIXED };

enum description_touched { TOUCHED_NEAR, TOUCHED_FIRST };
enum description_binding { BINDING_OBEYED, BINDING_REFUSED };

struct description_group {
	char name[24];
	int at; /* line of the file */
	struct description_row cpus;
	double latency, remote; /* ns; below 0: not given; 0: no memory of its own */
	double remote_bandwidth; /* bytes/s; 0: no limit */
};

struct description_cpus {
	double count;
	double numbers, touched, binding;
	struct description_row speed;
	double latency, core_latency; /* ns */
	double homes; /* relative */
	double slice, period, migration; /* ns; 0: never */
	double quota; /* CPUs; 0: none */
	struct description_group groups[DESCRIPTION_GROUPS]; /* smallest first */
	int group_count;
};

/* A row of one number. */
struct description_row description_row_of(double value);

double description_row_at(const struct description_row *row, int index);

/* Of sizes one after the other: the stretch that `place` lies in, counted from 0. */
int description_row_part(const struct description_row *sizes, int place);

double description_row_largest(const struct description_row *row);

#endif
