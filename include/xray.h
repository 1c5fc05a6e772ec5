/* SPDX-License-Identifier: MIT */
/*
 * xray.h - what a machine really gives a program, measured, for programs that want to know: libxray
 *
 * Open a handle, measure by name, look at the findings, close. Names are those of `xray list`; what is found is kept on
 * disk, so that the next program that asks gets the answer at once. See libxray(3).
 *
 *	struct xray *xray;
 *	const char *names[] = { "cache.l1d.size", "cache.l1d.line" };
 *
 *	if (xray_open(NULL, &xray) != XRAY_OK || xray_measure(xray, names, 2) != XRAY_OK)
 *		fprintf(stderr, "%s\n", xray_message(xray));
 *	printf("%.0f bytes\n", xray_value(xray, "cache.l1d.size", 32768));
 *	xray_close(xray);
 *
 * The library prints nothing, ends no program, changes no signal's disposition, and leaves the calling thread's CPUs,
 * signal mask, locale and floating-point environment as they were. This computer is measured in a child process, which
 * is gone when the call returns.
 *
 * A handle is used by one thread at a time; several threads may each use their own at once. Of handles that measure
 *this computer, one does so at a time and the others of the process wait, since they would disturb one another.
 */
#ifndef XRAY_H
#define XRAY_H

#include <stddef.h>

#define XRAY_VERSION "0.1.0"
#define XRAY_VERSION_NUMBER 100 /* 10000 * major + 100 * minor + patch */

#if defined(__GNUC__)
#define XRAY_API __attribute__((visibility("default")))
#else
#define XRAY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct xray;

enum xray_status {
	XRAY_OK = 0, /* what was found is another matter: each finding has its outcome */
	XRAY_NO_MEMORY,
	XRAY_BAD_OPTION, /* a value that is not allowed, or a CPU that this process may not use */
	XRAY_BAD_MACHINE, /* the machine file cannot be read, or says what is not allowed */
	XRAY_UNKNOWN_NAME, /* no parameter has that name; the message tells the nearest */
	XRAY_STOPPED, /* the progress callback said so; what was found before is there */
	XRAY_BROKEN /* the measuring process could not be started, died or hung */
};

enum xray_outcome {
	XRAY_MEASURED, /* there is a value */
	XRAY_UNCLEAR, /* it ran and cannot tell */
	XRAY_ABSENT, /* the machine has none */
	XRAY_BLOCKED, /* something it needs was not measured, or is not there: a compiler, a second CPU, time */
	XRAY_FAILED /* a defect or a fault */
};

enum xray_effort { XRAY_USUAL, XRAY_QUICK, XRAY_FULL }; /* as the command's --quick and --full */

enum xray_cache {
	XRAY_CACHE_USE, /* measure what is not kept, or too old, and keep it */
	XRAY_CACHE_ONLY, /* never measure: what is not kept is blocked */
	XRAY_CACHE_RENEW, /* measure all anew and keep it */
	XRAY_CACHE_NONE /* neither read nor write findings or compiled code */
};

/* Begin with XRAY_OPTIONS_INIT, so that fields of later versions get their defaults. Strings are copied. */
struct xray_options {
	size_t size; /* of this struct, as the program was compiled */
	const char *machine; /* a machine file or a recording, which are simulated; NULL: this computer */
	long seed; /* of a simulated machine; below 0: the file's */
	int cpu; /* to run on; below 0: the quietest */
	enum xray_effort effort;
	double budget; /* seconds that a call may measure; 0: no bound. What does not fit is blocked. */
	enum xray_cache cache; /* of this computer's findings; simulated machines have none */
	double max_age; /* seconds that a kept finding is good for; 0: 30 days */
};
#define XRAY_OPTIONS_INIT \
	{ \
		sizeof(struct xray_options), NULL, -1, -1, XRAY_USUAL, 0, XRAY_CACHE_USE, 0 \
	}

/* Numbers are in base units (bytes, Hz, cycles, ns, bytes/s, count, bool) and NaN where there is none; strings are
 * never NULL but for text, and empty where there is nothing to say. Later versions may add fields at the end. */
struct xray_finding {
	const char *name, *unit;
	enum xray_outcome outcome;
	/* XRAY_MEASURED: the value lies between low and high with that confidence (0 to 1). A bool is 0 or 1; of a text
	 * or tree the number of groups or levels, of a matrix the median cell. */
	double value, low, high, confidence;
	const char *text; /* units text and tree ("[[0,1],[2,3]]"): the value; else NULL */
	int matrix_size; /* unit matrix: rows and columns; else 0 */
	const int *matrix_labels; /* the CPU or node of each */
	const double *matrix_cells; /* row by row; NaN: not measured */
	const char *matrix_unit;
	const char *reason; /* why it is not measured */
	const char *note; /* a remark beside a value */
	const char *method;
	double claimed; /* what CPUID or the kernel say, never used for the value */
	const char *claimed_source;
	int agrees; /* 1: the claim agrees with the value */
	double seconds; /* that measuring took */
	double age; /* seconds since it was measured */
};

/* Opens a handle; NULL means the defaults. A machine file is read here, this computer is not touched. There is a handle
 * for every status but XRAY_NO_MEMORY, for its message; close it, too. */
XRAY_API enum xray_status xray_open(const struct xray_options *options, struct xray **handle);

/* Closes it and all that came from it. NULL is fine. */
XRAY_API void xray_close(struct xray *handle);

/* Measures what names select: parameters, prefixes (cache.l1d) or globs (op.*.f64.latency); everything when count is 0.
 * Findings add to those of earlier calls. What the handle or the cache knows is not measured again. */
XRAY_API enum xray_status xray_measure(struct xray *handle, const char *const *names, int count);

/* The finding of that very name; NULL when no call asked for it. Good until the handle measures again or is closed. */
XRAY_API const struct xray_finding *xray_find(const struct xray *handle, const char *name);

/* The measured value of that name, `otherwise` where there is none. */
XRAY_API double xray_value(const struct xray *handle, const char *name, double otherwise);

/* Calls visit for each finding that the name, prefix or glob selects (NULL: for all), in the catalogue's order. It ends
 * at a result other than 0, which it returns. The callback must not measure with this handle or close it. */
XRAY_API int xray_visit(const struct xray *handle, const char *pattern,
			int (*visit)(void *context, const struct xray_finding *finding), void *context);

/* From now on `progress` is called, in the thread that measures, before each step: name is what is measured (NULL:
 * compiling), done of total steps are behind, and the rest takes about so many seconds (NaN: unknown). Another result
 * than 0 ends the call with XRAY_STOPPED. NULL: nobody is called. */
XRAY_API void xray_on_progress(struct xray *handle,
			       int (*progress)(void *context, const char *name, int done, int total,
					       double seconds_left),
			       void *context);

/* What the last call with this handle complained about; empty after XRAY_OK. Of NULL: that memory ran out. */
XRAY_API const char *xray_message(const struct xray *handle);

/* measured, unclear, absent, blocked, failed. */
XRAY_API const char *xray_outcome_word(enum xray_outcome outcome);

/* XRAY_VERSION of the library that runs. */
XRAY_API const char *xray_version(void);

#ifdef __cplusplus
}
#endif

#endif
