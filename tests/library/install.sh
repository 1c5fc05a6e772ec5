#!/bin/sh
# install.sh - what `make install` puts down serves C and C++, pkg-config and CMake, shared and static; nothing but the
# API is to be seen of it; the manual page and the examples agree with the header
set -u
: "${TOP:?}"
command -v pkg-config >/dev/null || { echo 'no pkg-config here' >&2; exit 77; }
bad=0
prefix=$TMPDIR/usr
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

wrong()
{
	echo "$1" >&2
	bad=1
}

# With the compiler that built what is there, or all would be built once more.
cc=$(sed 's/ -std=.*//' "$TOP/build/flags.list")
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
make -s -C "$TOP" install CC="$cc" PREFIX="$prefix" >"$TMPDIR/made" 2>&1 || wrong "make install: $(cat "$TMPDIR/made")"
make -s -C "$TOP" install CC="$cc" PREFIX=/usr LIBDIR=/usr/lib/where DESTDIR="$TMPDIR/stage" >"$TMPDIR/made" 2>&1 ||
	wrong "make install DESTDIR: $(cat "$TMPDIR/made")"
for file in bin/xray include/xray.h lib/where/libxray.so lib/where/libxray.a lib/where/pkgconfig/libxray.pc \
	lib/where/cmake/libxray/libxray-config.cmake lib/where/cmake/libxray/libxray-config-version.cmake \
	share/man/man1/xray.1 share/man/man3/libxray.3; do
	[ -s "$TMPDIR/stage/usr/$file" ] || wrong "not installed: $file"
done
grep -rq "$TMPDIR" "$TMPDIR/stage/usr/lib/where/pkgconfig" "$TMPDIR/stage/usr/lib/where/cmake" &&
	wrong 'what is staged names the stage'
grep -qx 'libdir=/usr/lib/where' "$TMPDIR/stage/usr/lib/where/pkgconfig/libxray.pc" || wrong 'libxray.pc: LIBDIR'

# The rest of what is staged: completion, machines, other pages.
[ "$(find "$TMPDIR/stage/usr/share" -type f | wc -l)" -ge 10 ] || wrong 'hardly anything under share'

# The API, the whole API and nothing but the API.
sed -n 's/^XRAY_API .*[ *]\(xray_[a-z_]*\)(.*/\1/p' "$TOP/include/xray.h" | sort >"$TMPDIR/api"
[ "$(wc -l <"$TMPDIR/api")" -ge 8 ] || wrong "xray.h: hardly a function: $(cat "$TMPDIR/api")"
nm -D --defined-only "$prefix/lib/libxray.so" | awk '{ print $3 }' | sort | diff "$TMPDIR/api" - >&2 || wrong 'libxray.so shows other symbols'
nm -g --defined-only "$prefix/lib/libxray.a" | awk 'NF == 3 { print $3 }' | sort | diff "$TMPDIR/api" - >&2 ||
	wrong 'libxray.a shows other symbols'
version=$(sed -n 's/^#define XRAY_VERSION "\(.*\)"/\1/p' "$TOP/include/xray.h")
number=$(echo "$version" | awk -F . '{ print 10000 * $1 + 100 * $2 + $3 }')
grep -q "^#define XRAY_VERSION_NUMBER $number " "$TOP/include/xray.h" || wrong "XRAY_VERSION_NUMBER is not $number"
readelf -d "$prefix/lib/libxray.so" | grep -q "SONAME.*\[libxray.so.${version%%.*}\]" || wrong 'soname'
[ "$(pkg-config --modversion libxray)" = "$version" ] || wrong 'pkg-config: version'
[ "$("$prefix/bin/xray" --version)" = "xray $version" ] || wrong 'xray --version'

# The manual page knows each function, status and option.
page=$prefix/share/man/man3/libxray.3
head -n 2 "$page" | grep -q "libxray $version\"" || wrong "libxray.3: another version than $version"
sed -n '/^enum xray_status/,/^}/s/^\t\(XRAY_[A-Z_]*\).*/\1/p' "$TOP/include/xray.h" >"$TMPDIR/words"
sed -n '/^struct xray_options/,/^}/s/^\t[^;]*[ *]\([a-z_]*\);.*/\1/p' "$TOP/include/xray.h" | grep -v '^size$' >>"$TMPDIR/words"
while read -r word; do
	grep -qw -e "$word" "$page" || wrong "libxray.3: no $word"
done <"$TMPDIR/words"
while read -r function; do
	sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/p' "$page" | grep -q "$function(" || wrong "libxray.3: no $function in its synopsis"
	sed -n '/^\.SH DESC/,$p' "$page" | grep -qw "$function" || wrong "libxray.3: nothing on $function"
done <"$TMPDIR/api"
if command -v man >/dev/null && man --version >/dev/null 2>&1; then
	MANWIDTH=100 man --warnings -l "$page" 2>&1 >/dev/null | head -n 3 >"$TMPDIR/err"
	[ ! -s "$TMPDIR/err" ] || wrong "man says: $(cat "$TMPDIR/err")"
fi

# build NAME COMPILER...: what pkg-config says is all that it takes
build()
{
	program=$1
	shift
	# shellcheck disable=SC2046 # flags are words
	"$@" $(pkg-config --cflags --libs $static libxray) -lm -o "$TMPDIR/$program" 2>"$TMPDIR/err" ||
		wrong "$*: $(cat "$TMPDIR/err")"
}

# The examples, from C; with little to measure for the one that prints everything.
static=
strict='-Wall -Wextra -Werror -pedantic'
# shellcheck disable=SC2086
build transpose gcc -std=c11 $strict -O2 "$TOP/examples/transpose.c"
# shellcheck disable=SC2086
build everything gcc -std=c11 $strict "$TOP/examples/everything.c"
for time in first second; do
	"$TMPDIR/transpose" 512 >"$TMPDIR/$time" 2>"$TMPDIR/err" || wrong "transpose, $time time: exit $?"
	[ ! -s "$TMPDIR/err" ] || wrong "transpose: $(cat "$TMPDIR/err")"
	grep -qE '^in blocks of [0-9]+ x [0-9]+: ' "$TMPDIR/$time" || wrong "transpose: $(cat "$TMPDIR/$time")"
done
"$TMPDIR/everything" cpu.frequency 'op.add.i64.*' >"$TMPDIR/out" 2>"$TMPDIR/err" || wrong "everything: exit $?"
grep -q '^op.add.i64.latency ' "$TMPDIR/out" || wrong "everything: $(cat "$TMPDIR/out")"
lines=$(grep -c '^[a-z]' "$TMPDIR/out")
[ "$lines" -ge 4 ] && grep -qx "$lines findings, by xray $version" "$TMPDIR/out" || wrong "everything: $(tail -n 1 "$TMPDIR/out")"
"$TMPDIR/everything" cpu.frequency >"$TMPDIR/out" 2>"$TMPDIR/err" || wrong "everything again: exit $?"
[ ! -s "$TMPDIR/err" ] || wrong "everything again: it measures what is kept: $(cat "$TMPDIR/err")"
"$TMPDIR/everything" cpu.frequence >"$TMPDIR/out" 2>"$TMPDIR/err"
[ $? -eq 1 ] && grep -q cpu.frequency "$TMPDIR/err" || wrong "an unknown name: $(cat "$TMPDIR/err")"

# From C++, and statically.
cat >"$TMPDIR/plus.cpp" <<'PLUS'
#include <iostream>
#include <memory>
#include <xray.h>

int main()
{
	xray_options options = XRAY_OPTIONS_INIT;
	xray *opened = nullptr;
	const char *names[] = { "cpu.frequency" };

	options.cache = XRAY_CACHE_ONLY;
	auto status = xray_open(&options, &opened);
	std::unique_ptr<xray, void (*)(xray *)> handle(opened, xray_close);
	if (status != XRAY_OK || xray_measure(handle.get(), names, 1) != XRAY_OK)
		return 1;
	int count = 0;
	xray_visit(handle.get(), nullptr,
		   [](void *context, const xray_finding *) { return ++*static_cast<int *>(context), 0; }, &count);
	std::cout << count << " " << xray_outcome_word(xray_find(handle.get(), names[0])->outcome) << "\n";
}
PLUS
if command -v g++ >/dev/null; then
	# shellcheck disable=SC2086
	build plus g++ -std=c++11 $strict "$TMPDIR/plus.cpp"
	"$TMPDIR/plus" >"$TMPDIR/out" || wrong "plus: exit $?"
	grep -qE '^1 (measured|unclear)$' "$TMPDIR/out" || wrong "plus: $(cat "$TMPDIR/out")"
fi
if command -v cmake >/dev/null && command -v g++ >/dev/null; then
	mkdir "$TMPDIR/cmake"
	cat >"$TMPDIR/cmake/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.13)
project(plus CXX)
find_package(libxray $version REQUIRED)
add_executable(plus $TMPDIR/plus.cpp)
target_link_libraries(plus libxray::libxray)
LISTS
	if cmake -S "$TMPDIR/cmake" -B "$TMPDIR/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" >"$TMPDIR/made" 2>&1 &&
		cmake --build "$TMPDIR/cmake/build" >>"$TMPDIR/made" 2>&1; then
		"$TMPDIR/cmake/build/plus" >"$TMPDIR/out" || wrong "plus by CMake: exit $?"
	else
		wrong "CMake: $(cat "$TMPDIR/made")"
	fi
fi
rm "$prefix"/lib/libxray.so*
static=--static
# shellcheck disable=SC2086
build everything gcc -std=c11 $strict "$TOP/examples/everything.c"
readelf -d "$TMPDIR/everything" | grep -q 'NEEDED.*libxray' && wrong 'the static program needs libxray.so'
"$TMPDIR/everything" cpu.frequency >"$TMPDIR/out" 2>&1 || wrong "everything, static: exit $?"
grep -q '^cpu.frequency ' "$TMPDIR/out" || wrong "everything, static: $(cat "$TMPDIR/out")"
exit $bad
