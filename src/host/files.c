/* SPDX-License-Identifier: MIT */
/*
 * files.c - the cache and scratch directories, and files that are written whole or not at all
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static char scratch[PATH_MAX];

static bool make_directories(const char *path)
{
	char part[PATH_MAX];

	/* Only a directory has a "." in it. */
	snprintf(part, sizeof(part), "%s/.", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (access(part, F_OK) < 0 && mkdir(part, 0777) < 0 && errno != EEXIST)
			return false;
		*slash = '/';
	}
	return access(part, W_OK) == 0;
}

bool host_cache_directory(char *path, size_t size, char *error, size_t error_size)
{
	/* Who runs with another's rights is not told by him where to read and write. */
	const char *base = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
	bool by_name = base && base[0] == '/';

	if (!home || !home[0])
		home = "/nonexistent";
	if (by_name)
		snprintf(path, size, "%s/xray", base);
	else
		snprintf(path, size, "%s/.cache/xray", home);
	/* A home is not ours to make, though root could. */
	if ((by_name || access(home, F_OK) == 0) && make_directories(path))
		return true;
	snprintf(error, error_size, "cannot write to the cache directory %s: %s", path, strerror(errno));
	return false;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	return remove(path);
}

void host_drop_scratch(void)
{
	if (scratch[0])
		nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	scratch[0] = '\0';
}

bool host_scratch(char *path, size_t size, char *error, size_t error_size)
{
	const char *base = secure_getenv("TMPDIR");

	if (!scratch[0]) {
		snprintf(scratch, sizeof(scratch), "%s/xray-XXXXXX", base && base[0] ? base : "/tmp");
		if (!mkdtemp(scratch)) {
			snprintf(error, error_size, "cannot make a scratch directory in %s: %s",
				 base && base[0] ? base : "/tmp", strerror(errno));
			scratch[0] = '\0';
			return false;
		}
		atexit(host_drop_scratch);
	}
	snprintf(path, size, "%s", scratch);
	return true;
}

bool host_exists(const char *path)
{
	return access(path, R_OK) == 0;
}

FILE *host_open_own(const char *path)
{
	enum { LARGEST = 64 << 20 };
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat status;
	FILE *stream = NULL;

	if (file < 0)
		return NULL;
	if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	    status.st_size <= LARGEST)
		stream = fdopen(file, "r");
	if (!stream)
		close(file);
	return stream;
}

bool host_write_file(const char *path, const char *text, char *error, size_t size)
{
	char beside[PATH_MAX];

	snprintf(beside, sizeof(beside), "%s.%ld", path, (long)getpid());

	FILE *file = fopen(beside, "w");
	bool written = file && fputs(text, file) >= 0;

	/* A full disk shows at the close. */
	if (file && fclose(file) != 0)
		written = false;
	if (written && rename(beside, path) == 0)
		return true;
	snprintf(error, size, "cannot write %s: %s", path, strerror(errno));
	unlink(beside);
	return false;
}

bool host_rename(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

bool host_make_directory(const char *path, char *error, size_t size)
{
	if (make_directories(path))
		return true;
	snprintf(error, size, "%s: %s", path, strerror(errno));
	return false;
}
