/* SPDX-License-Identifier: MIT */
/*
 * load.c - brings compiled nano-benchmarks into this process
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

bool host_is_library(const char *path)
{
	FILE *file = fopen(path, "re");
	ElfW(Ehdr) head;
	bool whole = false;

	if (!file)
		return false;
	/* The table of sections is what linkers write last. */
	if (fread(&head, sizeof(head), 1, file) == 1 && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
	    fseek(file, 0, SEEK_END) == 0)
		whole = head.e_shoff + (size_t)head.e_shnum * head.e_shentsize <= (size_t)ftell(file);
	fclose(file);
	return whole;
}

void *host_load(const char *path, char *error, size_t size)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		snprintf(error, size, "%s", dlerror());
	return library;
}

void *host_symbol(void *library, const char *name, size_t *bytes)
{
	void *address = dlsym(library, name);
	Dl_info info;
	const ElfW(Sym) *symbol = NULL;

	*bytes = 0;
	if (address && dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
		*bytes = symbol->st_size;
	return address;
}

void host_unload(void *library)
{
	dlclose(library);
}
