#!/bin/sh
# threads.sh - eight threads with a handle each are clean under ThreadSanitizer; rooms keep no data that can be written
set -u
: "${TOP:?}"
bad=0
run=

# What two threads could trip over, room by room: only the catalogue's names, which are spelt out under a lock. What the
# host's files and the reading back hold is this computer's, which is measured in a process apart.
find "$TOP/build/src" -name '*.o' ! -path '*/src/host/*' ! -path '*/src/cli/*' ! -name readback.o | sort | while read -r object; do
	objdump -t "$object" | awk -v file="${object#"$TOP/build/"}" '
		/ O \.(data|bss|tdata|tbss)/ && !/ O \.data\.rel\.ro/ { print file ": " $NF }'
done >"$TMPDIR/writable"
for name in entries entry_count by_name spelt spelling; do
	echo "src/micro/catalogue.o: $name"
done | sort >"$TMPDIR/known"
sort "$TMPDIR/writable" | diff "$TMPDIR/known" - >&2 || { echo 'data that threads share' >&2; bad=1; }

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
cc=$(sed 's/ -std=.*//' "$TOP/build/flags.list")
echo 'int main(void) { return 0; }' >"$TMPDIR/none.c"
gcc -fsanitize=thread "$TMPDIR/none.c" -o "$TMPDIR/none" 2>/dev/null
# An older one wants addresses that are not spread out as far as newer kernels do.
"$TMPDIR/none" 2>/dev/null || run="setarch $(uname -m) -R"
if ! $run "$TMPDIR/none" 2>/dev/null; then
	[ $bad -eq 0 ] && echo 'no ThreadSanitizer here' >&2 && exit 77
	exit 1
fi
make -s -C "$TOP" -j "$(nproc)" TSAN=1 CC="$cc" build/tsan/lib/libxray.a >"$TMPDIR/made" 2>&1 || { cat "$TMPDIR/made" >&2; exit 1; }
# shellcheck disable=SC2046 # flags are words
gcc -std=c11 -g1 -fsanitize=thread -O1 -Wall -Wextra -Werror -I "$TOP/include" "$TOP/tests/library/threads.c" \
	"$TOP/build/tsan/lib/libxray.a" $(pkg-config --libs hwloc jansson inih capstone) -ldl -lm -lpthread \
	-o "$TMPDIR/threads" || exit 1
$run "$TMPDIR/threads" "$TOP/machines" || bad=1
exit $bad
