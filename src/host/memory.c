/* SPDX-License-Identifier: MIT */
/*
 * memory.c - memory from the operating system: how much may be taken, stretches of it on small or huge pages, and such
 * as may be run
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

static const double SHARE = 0.25; /* of what is free: measuring must not push others out */
static const size_t HUGE_PAGE = HOST_MEMORY_PIECE; /* alignment only: what pages there are is measured */

/* A number from a file; SIZE_MAX when there is none ("max"). */
static size_t number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long long value;
	size_t result = SIZE_MAX;

	if (!file)
		return SIZE_MAX;
	if (fscanf(file, "%llu", &value) == 1)
		result = (size_t)value;
	fclose(file);
	return result;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Room in one control group of version 2 or 1; swap does not count. */
static size_t group_room(const char *directory, const char *limit_name, const char *used_name)
{
	char path[512];
	size_t limit, used;

	snprintf(path, sizeof(path), "%s/%s", directory, limit_name);
	limit = number_in(path);
	if (limit == SIZE_MAX)
		return SIZE_MAX;
	snprintf(path, sizeof(path), "%s/%s", directory, used_name);
	used = number_in(path);
	return used < limit ? limit - used : 0;
}

static void limit(void *context, const char *directory, bool second)
{
	size_t *room = context;

	*room = least(*room, second ? group_room(directory, "memory.max", "memory.current")
				    : group_room(directory, "memory.limit_in_bytes", "memory.usage_in_bytes"));
}

static size_t groups_room(void)
{
	size_t room = SIZE_MAX;

	host_groups("memory", limit, &room);
	return room;
}

static size_t free_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[256];
	unsigned long long kilobytes = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes ? (size_t)kilobytes * 1024 : (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t host_memory_room(void)
{
	struct rlimit limit;
	size_t room = (size_t)(SHARE * (double)free_memory()), group = groups_room();

	/* A group is there to be used up, but a program with nothing left is killed: besides walks of data there are
	 * those of code, teams, and a compiler. */
	if (group != SIZE_MAX)
		room = least(room, group / 3);
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		room = least(room, (size_t)limit.rlim_cur / 4);
	return room;
}

/* Where nothing was before, if there is room: what remembers addresses knows nothing of it. NULL leaves it to the
 * kernel. */
static void *fresh_address(size_t length)
{
#if UINTPTR_MAX > UINT32_MAX
	static uintptr_t next = (uintptr_t)1 << 44;
	void *fresh;

	memcpy(&fresh, &next, sizeof(fresh));
	next += length;
	return fresh;
#else
	(void)length;
	return NULL;
#endif
}

void *host_memory_take(size_t bytes, enum host_pages pages, char *error, size_t size)
{
	size_t length = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	char *all = mmap(fresh_address(length + HUGE_PAGE), length + HUGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (all == MAP_FAILED) {
		snprintf(error, size, "%zu bytes: %s", length, strerror(errno));
		return NULL;
	}

	size_t skip = (HUGE_PAGE - (size_t)all % HUGE_PAGE) % HUGE_PAGE;
	char *start = all + skip;

	if (skip)
		munmap(all, skip);
	if (HUGE_PAGE > skip)
		munmap(start + length, HUGE_PAGE - skip);
	/* Refused or unknown is fine: what came of it is measured, not believed. */
	if (pages != HOST_PAGES_PLAIN)
		madvise(start, length, pages == HOST_PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	/* Touched here and now, so that neither page faults nor the kernel's zero page are measured. */
	for (size_t i = 0; i < length; i += 4096)
		start[i] = 1;
	memset(start, 0, length);
	if (pages == HOST_PAGES_HUGE)
		madvise(start, length, MADV_COLLAPSE);
	return start;
}

/* A file that is no program: with vm.memfd_noexec at 2 a system allows no other, and older ones do not know the flag.
 * Its pages may be run all the same, unless the system says otherwise when that is asked for. */
static int file_in_memory(void)
{
	int file = memfd_create("xray", MFD_CLOEXEC | MFD_NOEXEC_SEAL);

	return file < 0 && errno == EINVAL ? memfd_create("xray", MFD_CLOEXEC) : file;
}

/* A file of so many pages in memory, each written once. -1 and errno when there is none. */
static int few_frames(const size_t *order, size_t frames, size_t page)
{
	int file = file_in_memory();
	char *all = file < 0 || ftruncate(file, (off_t)(frames * page)) < 0
			    ? MAP_FAILED
			    : mmap(NULL, frames * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (all == MAP_FAILED) {
		if (file >= 0)
			close(file);
		return -1;
	}
	for (size_t i = 0; i < frames; i++)
		memset(all + order[i] * page, 0, page);
	munmap(all, frames * page);
	return file;
}

void *host_memory_share(size_t bytes, const size_t *order, size_t frames, char *error, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), piece = frames * page;
	size_t length = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	int file = few_frames(order, frames, page);
	char *start = file < 0 ? MAP_FAILED
			       : mmap(fresh_address(length), length, PROT_NONE,
				      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	bool mapped = start != MAP_FAILED;

	for (size_t at = 0; mapped && at < length; at += piece)
		mapped = mmap(start + at, piece < length - at ? piece : length - at, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED;
	if (!mapped)
		snprintf(error, size, "%zu bytes of pages that share frames: %s", length, strerror(errno));
	if (!mapped && start != MAP_FAILED)
		munmap(start, length);
	if (file >= 0)
		close(file);
	return mapped ? start : NULL;
}

void host_memory_give_back(void *start, size_t bytes)
{
	munmap(start, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

bool host_memory_move(void *piece, void *place)
{
	return mremap(piece, HUGE_PAGE, HUGE_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED;
}

void host_memory_renew(void *start, size_t bytes)
{
	madvise(start, bytes, MADV_DONTNEED);
}

/* Whole pieces, as memory comes: a huge page of which only a part changed would be split. */
static bool protect(void *start, size_t bytes, int what)
{
	return mprotect(start, (bytes + HOST_MEMORY_PIECE - 1) / HOST_MEMORY_PIECE * HOST_MEMORY_PIECE, what) == 0;
}

bool host_code_write(void *start, size_t bytes, char *error, size_t size)
{
	bool done = protect(start, bytes, PROT_READ | PROT_WRITE);

	if (!done)
		snprintf(error, size, "memory with code in it cannot be written again: %s", strerror(errno));
	return done;
}

/* All addresses are named, though some may share memory: an instruction cache may know it by each of them. */
bool host_code_run(void *start, size_t bytes, char *error, size_t size)
{
	bool done = protect(start, bytes, PROT_READ | PROT_EXEC);

	if (done)
		__builtin___clear_cache((char *)start, (char *)start + bytes);
	else
		snprintf(error, size, "this system does not let memory be run that was written: %s", strerror(errno));
	return done;
}
