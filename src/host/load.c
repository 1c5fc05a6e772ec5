/* SPDX-License-Identifier: MIT */
/*
 * load.c - brings compiled nano-benchmarks into this process
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#include "host.h"

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
