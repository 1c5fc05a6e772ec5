# xray. `make` builds build/xray and libxray (build/lib). V=1 shows commands, CC=clang works; SAN=1 adds ASan and UBSan
# (build/san), TSAN=1 ThreadSanitizer (build/tsan); make tidy DEEP=1.
VERSION := $(shell sed -n 's/^\#define XRAY_VERSION "\(.*\)"/\1/p' include/xray.h)

ifeq ($(origin CC),default)
CC = gcc
endif
BUILD = build$(if $(SAN),/san)$(if $(TSAN),/tsan)
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
CFLAGS ?= $(if $(TSAN),-O1 -g1,-O2 -g)
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
PKG_CONFIG = pkg-config
PACKAGES = hwloc jansson inih capstone

# Position independent, and nothing but the API to be seen from outside: all of it is part of libxray, too.
FLAGS = -std=gnu11 -D_GNU_SOURCE= -fPIC -fvisibility=hidden $(WARNINGS) $(SANITIZE) -I$(BUILD) -Iinclude \
	$(shell $(PKG_CONFIG) --cflags $(PACKAGES)) $(CFLAGS) $(CPPFLAGS)
LIBS = $(shell $(PKG_CONFIG) --libs $(PACKAGES))
ifdef SAN
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifdef TSAN
# gcc then takes for possible what it knows better without.
SANITIZE = -fsanitize=thread -Wno-error
endif
FLAGS := $(FLAGS)
LIBS := $(LIBS)

SOURCES = $(sort $(wildcard src/*.c src/*/*.c))
HEADERS = $(wildcard src/*/*.h include/*.h)
# ThreadSanitizer is for the library, which has no use for these rooms.
OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/main.c $(if $(TSAN),$(addprefix src/,cli/% export/% compare/% \
	overview/% plot/%)),$(SOURCES)))
NANOS = $(foreach part,0 1 2 3,$(BUILD)/nanos-$(part).o)
TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
TIDY = $(patsubst %.c,$(BUILD)/tidy/%.ok,$(SOURCES) tools/builtin.c)
# The rooms that say what is built in; a program of their own while we build.
THINKING = $(filter $(foreach room,nano findings statistics curve timing engine pages sets copies levels policies code teams common counters ports traffic micro,$(BUILD)/src/$(room)/%),$(OBJECTS))

# libxray: whatever the functions of xray.h need, and nothing else to be seen of it.
API = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/library/*.c))
SONAME = libxray.so.$(firstword $(subst ., ,$(VERSION)))
LIBXRAY = $(addprefix $(BUILD)/lib/libxray,.so .a .pc -config.cmake -config-version.cmake)

# $(call say,CC) prints a short line in place of the command that follows.
say = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '$1 $(or $2,$<)';))

# Debian's libhwloc.a asks libudev for the vendors of disks, and no libudev.a exists: here is a udev without disks.
UDEV = new unref device_unref device_new_from_subsystem_sysname device_get_property_value
PORTABLE_LIBS = $(BUILD)/udev.o -Wl,-Bstatic $(LIBS) -Wl,-Bdynamic -static-libgcc -s
GLIBC = lib(c|m|dl|pthread)\.so|ld-linux

all: $(BUILD)/xray $(if $(SANITIZE)$(PORTABLE),,$(LIBXRAY))
tests: $(TESTS)
tidy: $(TIDY)

$(BUILD)/xray: $(BUILD)/src/main.o $(BUILD)/rooms.a $(if $(PORTABLE),$(BUILD)/udev.o)
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %main.o %.a,$^) \
		$(if $(PORTABLE),$(PORTABLE_LIBS),$(LIBS)) -ldl -lm -lpthread

$(BUILD)/rooms.a: $(OBJECTS) $(NANOS) $(BUILD)/objects.list
	$(call say,AR,$@)rm -f $@ && $(or $(AR),ar) rcs $@ $(OBJECTS) $(NANOS)

$(BUILD)/lib/libxray.so: $(BUILD)/rooms.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -shared $(SANITIZE) $(CFLAGS) $(LDFLAGS) -Wl,-soname,$(SONAME) -Wl,-z,defs -o $(@D)/$(SONAME) \
		$(API) $< $(LIBS) -ldl -lm -lpthread
	@ln -sf $(SONAME) $@
$(BUILD)/lib/libxray.a: $(BUILD)/rooms.a
	@mkdir -p $(@D)
	$(call say,AR,$@)$(CC) -r -nostdlib -o $(@D)/libxray.o $(API) $< && \
		$(or $(OBJCOPY),objcopy) --localize-hidden $(@D)/libxray.o && rm -f $@ && $(or $(AR),ar) rcs $@ $(@D)/libxray.o
$(BUILD)/lib/%: src/library/%.in $(BUILD)/install.list
	@mkdir -p $(@D)
	@sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@SONAME@|$(SONAME)|; s|@LIBS@|$(LIBS)|' \
		$< >$@
$(BUILD)/install.list: TEXT = $(PREFIX) $(LIBDIR) $(VERSION)

# Nearly all of clang-tidy's time is the analyzer's; DEEP=1 lets it go as far as it will, which takes six times as long.
TIDY_FLAGS = $(if $(DEEP),,$(patsubst %,--extra-arg=%,-Xclang -analyzer-config -Xclang mode=shallow))

# Nano-benchmarks that xray has with it, for machines without a compiler and for the same compiler as ours. RUN runs what
# CC makes where this machine does not: make CC=aarch64-linux-gnu-gcc RUN=qemu-aarch64.
$(BUILD)/builtin: $(BUILD)/tools/builtin.o $(THINKING)
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm
$(BUILD)/nanos-%.c: $(BUILD)/builtin
	$(call say,RUN,$<)$(RUN) $< $* $(words $(NANOS)) >$@
# A compiler that cannot (an ISA whose floating registers have another name) leaves an xray that needs one.
ifdef TSAN
# They touch nothing of ours, so those of the other build will do.
$(BUILD)/nanos-%.o: build/nanos-%.o
	@mkdir -p $(@D) && cp $< $@
build/nanos-%.o:
	@+$(MAKE) --no-print-directory TSAN= $@
else
$(BUILD)/nanos-%.o: $(BUILD)/nanos-%.c
	$(call say,CC)$(CC) -O2 -std=gnu11 -fPIC -fvisibility=hidden -w $$($(RUN) $(BUILD)/builtin flags) -c -o $@ $< || \
		{ echo 'nothing is built in' >&2 && echo | $(CC) -x c -c -o $@ -; }
endif
$(BUILD)/builtin_list.h: $(NANOS)
	@{ echo '#define BUILTIN_COMPILER "'"$$($(CC) --version | head -n 1)"' -O2"' && $(or $(NM),nm) -S $^ | \
		sed -n 's/.* \([0-9a-f]*\) T xray_nano_\(.*\)/BUILTIN(\2, 0x\1)/p'; } >$@
$(BUILD)/src/compile/builtin.o $(BUILD)/tidy/src/compile/builtin.ok: $(BUILD)/builtin_list.h

# The HTML report's own text, as strings: page_NAME_EXT, and the scripts in the order in which they stand on the page.
PAGE = $(addprefix src/report/html/,page.html style.css narrow.css)
SCRIPTS = $(patsubst %,src/report/html/%.js,base axis scene plot hierarchy curves matrix tables page)
$(BUILD)/page_text.h: $(PAGE) $(SCRIPTS) Makefile
	@mkdir -p $(@D)
	@{ for file in $(PAGE); do echo "static const char page_$$(basename $$file | tr . _)[] =" && \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$file && echo ';'; done && \
		echo 'static const char *const page_scripts[] = {' && \
		for file in $(SCRIPTS); do sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $$file && echo ','; done && echo '};'; } >$@
$(BUILD)/src/report/html.o $(BUILD)/tidy/src/report/html.ok: $(BUILD)/page_text.h

$(BUILD)/%.o: %.c $(BUILD)/flags.list
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(FLAGS) $(if $(filter src/main.c,$<),-DXRAY_VERSION='"$(VERSION)"') -MMD -MP -c -o $@ $<

# A test's own code takes longer to optimise than to run.
$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/rooms.a $(BUILD)/flags.list
	@mkdir -p $(@D) $(BUILD)/deps
	$(call say,CC)$(CC) $(FLAGS) -O1 -Isrc -MMD -MP -MF $(BUILD)/deps/$*.d -o $@ $< $(BUILD)/rooms.a \
		$(LDFLAGS) $(LIBS) $$($(PKG_CONFIG) --cflags --libs cmocka) -ldl -lm -lpthread

$(BUILD)/udev.o: $(BUILD)/flags.list
	@for f in $(UDEV); do echo "void *udev_$$f(void) { return 0; }"; done | $(CC) -O2 -x c -c -o $@ -

# What was built with; they change, and their dependents are rebuilt, only when the text does.
$(BUILD)/flags.list: TEXT = $(CC) $(FLAGS) $(LDFLAGS) $(VERSION)
$(BUILD)/objects.list: TEXT = $(OBJECTS)
$(BUILD)/%.list: FORCE
	@mkdir -p $(@D)
	@echo '$(TEXT)' | cmp -s - $@ || echo '$(TEXT)' >$@

$(BUILD)/tidy/%.ok: %.c $(HEADERS) .clang-tidy
	@mkdir -p $(@D)
	$(call say,TIDY)out=$$(clang-tidy --quiet $(TIDY_FLAGS) $< -- $(FLAGS) -DXRAY_VERSION='""' 2>&1) || { echo "$$out"; exit 1; }
	@touch $@

FORMATTED = $(SOURCES) $(HEADERS) $(wildcard tests/unit/*.[ch] tests/library/*.c tools/*.c examples/*.c)
format:
	clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(FORMATTED)

# One file that needs nothing but glibc: copy it to any machine of this architecture.
portable:
	@+$(MAKE) --no-print-directory BUILD=build/portable CFLAGS=-O2 PORTABLE=1
	@! readelf -d build/portable/xray | grep NEEDED | grep -vE '$(GLIBC)'

check:
	./check --no-install

# Random memories with new seeds, until stopped; prints each that fails.
explore: $(BUILD)/xray
	@first=$${FIRST:-$$(date +%s)}; while :; do \
		TOP=. XRAY=$(abspath $(BUILD))/xray FIRST=$$first HIERARCHIES=10 sh tests/sim/random_caches.sh; \
		first=$$((first + 10)); done

# Pages of docs/ that are manual pages, too; $(call manual,NAME,SECTION,PAGE) installs one.
SHARE = $(DESTDIR)$(PREFIX)/share
manual = awk -v name=$1 -v section=$2 -v version=$(VERSION) -f scripts/man.awk docs/$3.md >$(SHARE)/man/man$2/$1.$2

install: $(BUILD)/xray $(LIBXRAY)
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/man/man3 $(SHARE)/man/man5 $(SHARE)/man/man7 $(SHARE)/xray/machines \
		$(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -d $(addprefix $(DESTDIR),$(PREFIX)/include $(LIBDIR)/pkgconfig $(LIBDIR)/cmake/libxray)
	install -m 755 $(BUILD)/xray $(DESTDIR)$(PREFIX)/bin/xray
	install -m 644 machines/*.ini $(SHARE)/xray/machines
	$(BUILD)/xray help man >$(SHARE)/man/man1/xray.1
	$(call manual,xray-machine,5,machine-file)
	$(call manual,xray-spec,7,spec)
	$(BUILD)/xray help bash >$(SHARE)/bash-completion/completions/xray
	$(BUILD)/xray help zsh >$(SHARE)/zsh/site-functions/_xray
	$(BUILD)/xray help fish >$(SHARE)/fish/vendor_completions.d/xray.fish
	install -m 644 man/libxray.3 $(SHARE)/man/man3/libxray.3
	install -m 644 include/xray.h $(DESTDIR)$(PREFIX)/include/xray.h
	install -m 755 $(BUILD)/lib/$(SONAME) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libxray.so
	install -m 644 $(BUILD)/lib/libxray.a $(DESTDIR)$(LIBDIR)/libxray.a
	install -m 644 $(BUILD)/lib/libxray.pc $(DESTDIR)$(LIBDIR)/pkgconfig/libxray.pc
	install -m 644 $(BUILD)/lib/libxray-config.cmake $(BUILD)/lib/libxray-config-version.cmake \
		$(DESTDIR)$(LIBDIR)/cmake/libxray

clean:
	rm -rf build

FORCE:
.PHONY: all tests tidy format format-check portable check explore install clean FORCE
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d) $(BUILD)/src/main.d $(BUILD)/tools/builtin.d $(wildcard $(BUILD)/deps/*.d)
