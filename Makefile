# xray. `make` builds build/xray. V=1 shows commands, SAN=1 adds ASan and UBSan (build/san), CC=clang works.
VERSION = 0.1.0

ifeq ($(origin CC),default)
CC = gcc
endif
BUILD = build$(if $(SAN),/san)
PREFIX = /usr/local
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
PKG_CONFIG = pkg-config
PACKAGES = hwloc jansson inih capstone

FLAGS = -std=gnu11 -D_GNU_SOURCE= $(WARNINGS) $(SANITIZE) -I$(BUILD) \
	$(shell $(PKG_CONFIG) --cflags $(PACKAGES)) $(CFLAGS) $(CPPFLAGS)
LIBS = $(shell $(PKG_CONFIG) --libs $(PACKAGES))
ifdef SAN
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
FLAGS := $(FLAGS)
LIBS := $(LIBS)

SOURCES = $(sort $(wildcard src/*.c src/*/*.c))
HEADERS = $(wildcard src/*/*.h)
OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/main.c,$(SOURCES)))
NANOS = $(foreach part,0 1 2 3,$(BUILD)/nanos-$(part).o)
TESTS = $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
TIDY = $(patsubst %.c,$(BUILD)/tidy/%.ok,$(SOURCES) tools/builtin.c)
# The rooms that say what is built in; a program of their own while we build.
THINKING = $(filter $(foreach room,nano findings statistics curve timing engine pages sets levels code teams common counters micro,$(BUILD)/src/$(room)/%),$(OBJECTS))

# $(call say,CC) prints a short line in place of the command that follows.
say = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '$1 $(or $2,$<)';))

# Debian's libhwloc.a asks libudev for the vendors of disks, and no libudev.a exists: here is a udev without disks.
UDEV = new unref device_unref device_new_from_subsystem_sysname device_get_property_value
PORTABLE_LIBS = $(BUILD)/udev.o -Wl,-Bstatic $(LIBS) -Wl,-Bdynamic -static-libgcc -s
GLIBC = lib(c|m|dl|pthread)\.so|ld-linux

all: $(BUILD)/xray
tests: $(TESTS)
tidy: $(TIDY)

$(BUILD)/xray: $(BUILD)/src/main.o $(BUILD)/libxray.a $(if $(PORTABLE),$(BUILD)/udev.o)
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %main.o %.a,$^) \
		$(if $(PORTABLE),$(PORTABLE_LIBS),$(LIBS)) -ldl -lm -lpthread

$(BUILD)/libxray.a: $(OBJECTS) $(NANOS) $(BUILD)/objects.list
	$(call say,AR,$@)rm -f $@ && $(or $(AR),ar) rcs $@ $(OBJECTS) $(NANOS)

# Nano-benchmarks that xray has with it, for machines without a compiler and for the same compiler as ours. RUN runs what
# CC makes where this machine does not: make CC=aarch64-linux-gnu-gcc RUN=qemu-aarch64.
$(BUILD)/builtin: $(BUILD)/tools/builtin.o $(THINKING)
	$(call say,LD,$@)$(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm
$(BUILD)/nanos-%.c: $(BUILD)/builtin
	$(call say,RUN,$<)$(RUN) $< $* $(words $(NANOS)) >$@
# A compiler that cannot (an ISA whose floating registers have another name) leaves an xray that needs one.
$(BUILD)/nanos-%.o: $(BUILD)/nanos-%.c
	$(call say,CC)$(CC) -O2 -std=gnu11 -fPIC -w $$($(RUN) $(BUILD)/builtin flags) -c -o $@ $< || \
		{ echo 'nothing is built in' >&2 && echo | $(CC) -x c -c -o $@ -; }
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

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libxray.a $(BUILD)/flags.list
	@mkdir -p $(@D) $(BUILD)/deps
	$(call say,CC)$(CC) $(FLAGS) -Isrc -MMD -MP -MF $(BUILD)/deps/$*.d -o $@ $< $(BUILD)/libxray.a \
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
	$(call say,TIDY)out=$$(clang-tidy --quiet $< -- $(FLAGS) -DXRAY_VERSION='""' 2>&1) || { echo "$$out"; exit 1; }
	@touch $@

FORMATTED = $(SOURCES) $(HEADERS) $(wildcard tests/unit/*.[ch] tools/*.c)
format:
	clang-format -i $(FORMATTED)
format-check:
	@for f in $(FORMATTED); do clang-format $$f | diff -u --label $$f --label formatted $$f - || bad=1; done; ! [ $$bad ]

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

install: $(BUILD)/xray
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/xray $(DESTDIR)$(PREFIX)/bin/xray
	$(BUILD)/xray help man >$(DESTDIR)$(PREFIX)/share/man/man1/xray.1

clean:
	rm -rf build

FORCE:
.PHONY: all tests tidy format format-check portable check explore install clean FORCE
.DELETE_ON_ERROR:
-include $(OBJECTS:.o=.d) $(BUILD)/src/main.d $(BUILD)/tools/builtin.d $(wildcard $(BUILD)/deps/*.d)
