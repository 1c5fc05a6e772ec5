#!/bin/sh
# export.sh - each export is taken by the program it is for, and what is not sure is in none of them
#
# A consumer that is not here is said, and not asked.
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
skipped=''
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

# has TOOL: is it here?
has()
{
	command -v "$1" >/dev/null && return 0
	skipped="$skipped $1"
	return 1
}

# says WHAT FILE TEXT...: each is a line of the file, as a whole
says()
{
	what=$1 file=$2
	shift 2
	for text in "$@"; do
		grep -qxF -e "$text" "$file" || wrong "$what: no line '$text' in: $(head -n 20 "$file")"
	done
}

python3 "$TOP/tests/cli/export_machine.py" . || exit 1
formats=$("$XRAY" export | sed -n 's/^\([a-z][a-z]*\) .*/\1/p')
[ "$(echo "$formats" | wc -l)" -eq 12 ] || wrong "xray export lists: $formats"

for format in $formats; do
	"$XRAY" export "$format" --from sure.json >"sure.$format" 2>"talk.$format" || wrong "$format, all known: exit $?: $(cat "talk.$format")"
	[ ! -s "talk.$format" ] || wrong "$format: talks of: $(cat "talk.$format")"
	"$XRAY" export "$format" --from unsure.json >"unsure.$format" 2>"talk.$format"
	[ $? -eq 1 ] || wrong "$format: exit 0 with everything unsure"
	[ -s "talk.$format" ] || grep -qE 'left out|outcome=' "unsure.$format" || wrong "$format: does not say what it left out"
	grep -l 4711 "sure.$format" "unsure.$format" && wrong "$format: holds a claim"
done

# --- nothing of what is unsure: no macro, variable, flag, level
[ "$(grep '^#' unsure.header)" = "$(printf '#ifndef XRAY_MACHINE_H\n#define XRAY_MACHINE_H\n#endif')" ] || wrong "header: $(cat unsure.header)"
grep -v '^#' unsure.env unsure.cmake unsure.likwid >&2 && wrong 'env, cmake or likwid: a line that is no comment'
for format in gcc glibc openblas eigen polly hwloc; do
	[ ! -s "unsure.$format" ] || wrong "$format: $(cat "unsure.$format")"
done

# --- header: two languages, and the numbers
cat >assertions.c <<'EOF'
#include "sure.h"
#include "sure.h"
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
static_assert(XRAY_CACHE_L1D_SIZE == 49152, "L1");
static_assert(XRAY_CACHE_L3_SIZE == 12582912, "L3");
static_assert(XRAY_CPU_FREQUENCY == 3400000000, "clock");
static_assert(XRAY_LINE_DESTRUCTIVE == 128, "line");
static_assert(XRAY_CPU_FMA_F64X4 == 1, "fma");
static_assert(XRAY_CACHE_L1D_LATENCY > 5.01 && XRAY_CACHE_L1D_LATENCY < 5.03, "latency");
#if defined(XRAY_CPU_FMA_F64X8) || XRAY_CACHE_L2_WAYS != 16
#error "absent, and yet there"
#endif
EOF
cp sure.header sure.h
cp unsure.header unsure.h
echo '#include "unsure.h"' >unsure.c
gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only assertions.c unsure.c || wrong 'gcc does not take the header'
has g++ && { g++ -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only assertions.c unsure.c || wrong 'g++ does not take the header'; }

# --- env: sourced as it is, numbers and nothing else
cp sure.env sure.sh
sh -euc '. ./sure.sh; echo "$XRAY_CACHE_L2_SIZE $XRAY_CACHE_L1D_LATENCY $XRAY_CPU_FMA_F64X4 ${XRAY_CPU_FMA_F64X8-none}"' >out 2>&1
says env out '2097152 5.0200 1 none'
grep -vE '^(#.*|XRAY_[A-Z0-9_]+=[0-9]+(\.[0-9]+)?)$' sure.env >&2 && wrong 'env: these lines'

# --- cmake: a script that includes it
if has cmake; then
	cat >script.cmake <<'EOF'
include(${CMAKE_CURRENT_LIST_DIR}/unsure.cmake)
if(DEFINED XRAY_CACHE_L1D_SIZE)
	message(FATAL_ERROR "unsure, and yet there")
endif()
include(${CMAKE_CURRENT_LIST_DIR}/sure.cmake)
math(EXPR half "${XRAY_CACHE_L1D_SIZE} / 2")
message("${half} ${XRAY_CACHE_L3_WAYS} ${XRAY_PAGE_SIZE}")
if(NOT XRAY_CPU_FMA_F64X4)
	message(FATAL_ERROR "fma")
endif()
EOF
	cmake -P script.cmake >out 2>&1 || wrong 'cmake does not take it'
	says cmake out '24576 12 4096'
fi

# --- gcc: its own word for what it took
# shellcheck disable=SC2046 # flags
gcc $(cat sure.gcc) -Werror -Q --help=params >out 2>&1 || wrong "gcc does not take $(cat sure.gcc)"
sed 's/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//' out >params
says gcc params '--param=l1-cache-size= 48' '--param=l2-cache-size= 2048' '--param=l1-cache-line-size= 64' \
	'--param=destructive-interference-size= 128' '--param=constructive-interference-size= 64' \
	'--param=simultaneous-prefetches= 12'

# --- glibc: what its loader says under the tunables; x86 alone has them
if ldd --version 2>&1 | grep -qiE 'glibc|gnu libc' && loader=$(ls /lib64/ld-linux-x86-64.so.2 2>/dev/null); then
	# shellcheck disable=SC2046
	env $(cat sure.glibc) "$loader" --list-tunables | sed 's/ (.*//' >out
	says glibc out 'glibc.cpu.x86_data_cache_size: 0xc000' 'glibc.cpu.x86_shared_cache_size: 0x300000' \
		'glibc.cpu.x86_non_temporal_threshold: 0x300000'
fi

# --- openblas: KiB, and threads
says openblas sure.openblas OPENBLAS_L2_SIZE=2048 OPENBLAS_NUM_THREADS=2
[ "$(wc -l <sure.openblas)" -eq 2 ] || wrong "openblas: $(cat sure.openblas)"

# --- eigen: the sizes it works with
if [ -e /usr/include/eigen3/Eigen/Core ] && has g++; then
	cat >sizes.cc <<'EOF'
#include <Eigen/Core>
#include <cstdio>
int main()
{
	std::printf("%ld %ld %ld\n", (long)Eigen::l1CacheSize(), (long)Eigen::l2CacheSize(), (long)Eigen::l3CacheSize());
}
EOF
	# shellcheck disable=SC2046
	g++ -w $(cat sure.eigen) -I/usr/include/eigen3 sizes.cc -o sizes && ./sizes >out
	says eigen out '49152 2097152 12582912'
else
	skipped="$skipped Eigen"
	says eigen sure.eigen '-DEIGEN_DEFAULT_L1_CACHE_SIZE=49152 -DEIGEN_DEFAULT_L2_CACHE_SIZE=2097152 -DEIGEN_DEFAULT_L3_CACHE_SIZE=12582912 -DEIGEN_NO_CPUID'
fi

# --- polly: clang's own word, where Polly is in it
if has clang && echo 'int x;' | clang -mllvm -polly -x c -c -o /dev/null - 2>/dev/null; then
	# shellcheck disable=SC2046
	echo 'int x;' | clang -O3 -mllvm -polly $(cat sure.polly) -mllvm -print-options -x c -c -o /dev/null - >out 2>&1 ||
		wrong "clang does not take $(cat sure.polly)"
	sed 's/(default.*//; s/[[:space:]][[:space:]]*/ /g; s/^ //; s/ $//; s/^--*//' out >options
	says polly options 'polly-target-1st-cache-level-size = 49152' 'polly-target-1st-cache-level-associativity = 12' \
		'polly-target-2nd-cache-level-size = 2097152' 'polly-target-2nd-cache-level-associativity = 16' \
		'polly-target-latency-vector-fma = 4' 'polly-target-throughput-vector-fma = 2' \
		'polly-target-vector-register-bitwidth = 256'
else
	skipped="$skipped Polly"
fi

# --- what is asked: formats are named, and one that is none brings the nearest
# refused WHAT ARGUMENTS...: exit 2, and stderr says WHAT
refused()
{
	what=$1
	shift
	"$XRAY" export "$@" >out 2>err
	[ $? -eq 2 ] || wrong "export $*: exit status is not 2"
	grep -qF -e "$what" err || wrong "export $*: says $(cat err)"
	[ ! -s out ] || wrong "export $*: prints something"
}

refused "no format is named 'cmaek'; the nearest is 'cmake'" cmaek
refused 'needs one FORMAT' gcc eigen --from sure.json
refused 'none.json' gcc --from none.json
refused 'none.ini' gcc --machine none.ini

# --- without a document it is measured, and no more than what the format takes; a budget leaves out what does not fit
cat >tiny.ini <<'EOF'
[machine]
name = tiny
frequency = 1 GHz
[op add,sub,mul.i32,i64,f32,f64]
latency = 1
[cache l1d]
size = 4 KiB
ways = 2
line = 32
latency = 2 cycles
[cache l2]
size = 32 KiB
ways = 4
line = 32
latency = 8 cycles
[memory]
latency = 100 cycles
size = 16 MiB
EOF
"$XRAY" export openblas --quick --machine tiny.ini >out 2>err || wrong "measured: $(cat err)"
says measured out OPENBLAS_L2_SIZE=32
says measured err 'xray: this machine has no contexts.fp'
"$XRAY" export openblas --machine tiny.ini --budget 0.001 >out 2>err
[ $? -eq 1 ] || wrong 'a budget: exit status is not 1'
[ ! -s out ] || wrong "a budget: $(cat out)"
grep -q '^xray: left out: cache.l2.size: blocked: ' err || wrong "a budget: says $(cat err)"
grep -v '^xray: left out: \(cache\.l2\.size\|contexts\.fp\): ' err >&2 && wrong 'a budget: asks for more than that'

[ -z "$skipped" ] || echo "not here, not asked:$skipped" >&2
exit $bad
