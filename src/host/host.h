/* SPDX-License-Identifier: MIT */
/*
 * host.h - the outside: everything that asks the operating system; nobody else includes system headers
 */
#ifndef XRAY_HOST_H
#define XRAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* --- clock.c: ns from an arbitrary start. host_clock_open chooses between the CPU's counter and the kernel's clock
 * and says which. */
const char *host_clock_open(void);
double host_clock(void);
void host_sleep(double ns);
/* 2026-11-15T09:00:00Z, now or at so many seconds since 1970; from there back, NaN for what is no date. */
void host_date(char *text, size_t size);
void host_date_of(double seconds, char *text, size_t size);
double host_seconds(const char *date);
double host_now(void); /* seconds since 1970 */

/* --- cpu.c: CPUs this process may use, and binding to one. Returns the CPU bound to, or -1. */
int host_cpu_count(void);
int host_cpu_at(int index);
int host_cpu_bind(int cpu);
/* Back to all of them: for children, which inherit a binding. */
void host_cpu_unbind(void);
/* The one with the least going on beside us; leaves the process bound to any of them. */
int host_cpu_quietest(void);

/* --- groups.c: calls visit with the directory of each control group that may limit us, of version 2 or 1. */
void host_groups(const char *controller, void (*visit)(void *context, const char *directory, bool second),
		 void *context);
/* CPUs' worth of time that they grant; INFINITY: no limit. */
double host_cpu_quota(void);

/* --- together.c: work that runs at once. Threads are kept for the next time; all signals are the main thread's. */
enum { HOST_ANYWHERE = -1 };
struct host_crew;
struct host_work {
	void (*work)(void *context, int index);
	void *context;
	const int *cpus; /* of each; HOST_ANYWHERE: where the system sees fit */
	int count;
};
struct host_crew *host_crew_new(void);
void host_crew_free(struct host_crew *crew);
/* Calls work(context, 0), work(context, 1) ... at once, and returns when all have. False, nothing done and a message
 * when a thread cannot be started or put onto its CPU. */
bool host_together(struct host_crew *crew, const struct host_work *work, char *error, size_t size);
/* Of all threads of this process one at a time is alone; the others wait in host_alone_begin. */
void host_alone_begin(void);
void host_alone_end(void);
/* Lets others of this CPU go first. */
void host_yield(void);

/* --- process.c: runs a program without a shell. Output (stdout and stderr together) is cut to size. */
enum host_process { HOST_OK, HOST_MISSING, HOST_FAILED, HOST_TIMEOUT };
struct host_job {
	const char *const *argv;
	const char *temporary; /* where its temporary files go; NULL: where it likes */
	char output[1024];
	enum host_process result;
};
/* Runs the jobs, as many at a time as there are CPUs; each is killed, with its children, after `seconds`. */
void host_run_jobs(struct host_job *jobs, int count, double seconds);

/* --- files.c */
/* The per-user cache directory, made if need be; false and a message when there is none to write to. */
bool host_cache_directory(char *path, size_t size, char *error, size_t error_size);
/* A directory of our own, removed at exit, or before by host_drop_scratch. */
bool host_scratch(char *path, size_t size, char *error, size_t error_size);
void host_drop_scratch(void);
bool host_exists(const char *path);
bool host_make_directory(const char *path, char *error, size_t size); /* fine when it is there, to be written to */
/* Writes beside the path and renames, so a reader sees all or nothing. */
bool host_write_file(const char *path, const char *text, char *error, size_t size);
bool host_rename(const char *from, const char *to);
/* For reading: a plain file of our own user, not too large to be read at once. NULL for anything else. */
FILE *host_open_own(const char *path);

/* --- load.c: compiled code. Only a whole file is a library: one cut short kills whoever touches what it lacks. */
bool host_is_library(const char *path);
void *host_load(const char *path, char *error, size_t size);
void *host_symbol(void *library, const char *name, size_t *bytes);
void host_unload(void *library);

/* --- guard.c: calls work(context) and survives its crash or hang. NULL, or what happened. */
const char *host_guarded(void (*work)(void *context), void *context);
bool host_was_illegal(const char *what); /* that text means an instruction this CPU does not have */

/* --- watch.c: outside evidence about the time between two looks */
struct host_watch {
	long switches;
	int cpu;
};
struct host_watch host_watch_start(void);
bool host_watch_disturbed(const struct host_watch *watch);
/* Ctrl-C and friends set this instead of killing the process. */
void host_catch_interrupts(void);
bool host_interrupted(void);

/* --- counters.c: hardware counters of what this thread does outside of the kernel. Returns a counter that stands
 * still, or -1 and why there is none, with what would help. Starting and stopping -1 does nothing. */
enum host_event { HOST_L1D_MISSES, HOST_LAST_MISSES, HOST_DTLB_MISSES, HOST_L1I_MISSES, HOST_ITLB_MISSES };
int host_counter_open(enum host_event event, char *why, size_t size);
void host_counter_start(int counter);
void host_counter_stop(int counter);
/* All that it has counted. False when that is not all there was: others had the counter for a part of the time. */
bool host_counter_read(int counter, double *count);
void host_counter_close(int counter);

/* --- memory.c: bytes that may be taken without harm to others: a part of what is free, within control groups and
 * limits; swap does not count. */
size_t host_memory_room(void);
/* Touched, zero, aligned for huge pages, which are forbidden, asked for, or left to the system. NULL and a message. */
enum host_pages { HOST_PAGES_BASE, HOST_PAGES_HUGE, HOST_PAGES_PLAIN };
void *host_memory_take(size_t bytes, enum host_pages pages, char *error, size_t size);
/* As many bytes of pages that have but so many frames among them, in turn. The frames are asked for in that order. */
void *host_memory_share(size_t bytes, const size_t *order, size_t frames, char *error, size_t size);
void host_memory_give_back(void *start, size_t bytes);
/* Puts one piece of such memory in the place of another, whose memory is lost. */
bool host_memory_move(void *piece, void *place);
/* Calls work(context); what it touches first is near that CPU by the system. False, not done, a message: it refuses. */
bool host_memory_near(int cpu, void (*work)(void *context), void *context, char *error, size_t size);
/* What lies there is lost, and whoever touches it next gets other frames, near to his CPU. */
void host_memory_renew(void *start, size_t bytes);
enum { HOST_MEMORY_PIECE = 2 << 20 }; /* bytes; it comes in whole ones */

/* Makes all of such memory code, which may be run and not written, and the reverse. False and a message: a
 * system may forbid it. */
bool host_code_run(void *start, size_t bytes, char *error, size_t size);
bool host_code_write(void *start, size_t bytes, char *error, size_t size);

/* --- identity.c */
void host_identity(char *name, char *cpu, char *hypervisor, char *kernel, size_t each);
/* What this computer's answers depend on, as text: processor, microcode, kernel, hypervisor, the CPUs we may use and
 * how they are clocked, huge pages, memory, the compiler. The same after a restart; quick to find out. */
void host_fingerprint(char *text, size_t size);
long host_page_bytes(void);
bool host_is_terminal(int descriptor);
int host_terminal_width(int descriptor); /* columns; 80 where it does not say */
const char *host_environment(const char *name);
/* The first line of a file, without its end; false, and empty text, when there is none. */
bool host_line(const char *path, char *text, size_t size);
/* The value behind the first "key ... : value" of /proc/cpuinfo. */
bool host_cpuinfo(const char *key, char *value, size_t size);

#endif
