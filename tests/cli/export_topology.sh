#!/bin/sh
# export_topology.sh - exports of whole machines through their readers: hwloc, LIKWID, OpenMetrics, Kerncraft
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
for format in hwloc likwid openmetrics kerncraft; do
	"$XRAY" export "$format" --from sure.json >"sure.$format" || wrong "$format: exit $?"
	"$XRAY" export "$format" --from unsure.json >"unsure.$format" 2>/dev/null
done

# --- hwloc: lstopo, by file and by variable
if has lstopo-no-graphics; then
	cat >wanted <<'EOF'
NUMANode L#0 (P#0)
L3Cache L#0 (size=12288KB linesize=64 ways=12)
L2Cache L#0 (size=2048KB linesize=64 ways=16)
L1dCache L#0 (size=48KB linesize=64 ways=12)
Core L#0
PU L#0 (P#0)
PU L#1 (P#2)
L2Cache L#1 (size=2048KB linesize=64 ways=16)
L1dCache L#1 (size=48KB linesize=64 ways=12)
Core L#1
PU L#2 (P#1)
PU L#3 (P#3)
EOF
	HWLOC_XML_VERBOSE=1 lstopo-no-graphics -v --of console -i sure.hwloc 2>&1 | sed -n 's/^ *//; /^\(NUMANode\|L[0-9]\|Core\|PU\) *[^=]*L#/p' >out
	diff wanted out >&2 || wrong 'lstopo shows another topology'
	HWLOC_XMLFILE=sure.hwloc lstopo-no-graphics --of console 2>&1 | grep -q 'L3 L#0 (12MB)' || wrong 'HWLOC_XMLFILE shows another topology'
	lstopo-no-graphics -v --of console -i sure.hwloc | grep -qF 'xray host="bench "one" & <two>"' || wrong 'the host is not what it was'
fi

# --- likwid: merged as the page of exports says, read by likwid-topology; a copy of its own stands for /etc/likwid_topo.cfg
if has likwid-topology && likwid-genTopoCfg -o base.cfg >/dev/null 2>&1; then
	cat >redirect.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static const char *place(const char *path)
{
	return strcmp(path, "/etc/likwid_topo.cfg") == 0 ? "merged.cfg" : path;
}
FILE *fopen(const char *path, const char *mode)
{
	return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen"))(place(path), mode);
}
int access(const char *path, int mode)
{
	return ((int (*)(const char *, int))dlsym(RTLD_NEXT, "access"))(place(path), mode);
}
EOF
	gcc -shared -fPIC -o redirect.so redirect.c -ldl || wrong 'no redirect.so'
	# This machine need not have the CPUs that share a cache of the other one.
	sed 's/threads = .*/threads = 1/' sure.likwid >xray.cfg
	sed -n '/^    awk/,/merged.cfg$/s/^    //p' "$TOP/docs/exports.md" >merge.sh
	sh merge.sh && LD_PRELOAD=$PWD/redirect.so likwid-topology -c >out 2>&1 || wrong "likwid-topology: $(tail -n 3 out)"
	sed -n '/^Cache Topology/,/^NUMA Topology/s/\(Size\|Type\|Associativity\|Number of sets\|Cache line size\|Cache type\):[[:space:]]*//p' out >read
	printf '%s\n' '48 kB' 'Data cache' 12 64 64 '2 MB' 'Unified cache' 16 2048 64 Inclusive \
		'12 MB' 'Unified cache' 12 16384 64 'Non Inclusive' >wanted
	# Of the first level LIKWID says what it likes: nothing lies above it.
	sed -i '6d' read
	diff wanted read >&2 || wrong 'likwid-topology shows other caches'
fi

# --- openmetrics, kerncraft: strict readers; the first holds what is unsure, too, with its range
python=python3
$python -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
if $python -c 'import yaml' 2>/dev/null; then
	for which in sure unsure; do
		for format in openmetrics kerncraft; do
			$python "$TOP/tests/cli/export_strict.py" $format $which.$format >$which.$format.read || wrong "$which.$format"
		done
	done
	says openmetrics sure.openmetrics.read 'xray_cache_size_bytes{level="l1d"} 49152' 'xray_memory_latency_seconds 8.05e-08' \
		'xray_cpu_frequency_hertz 3.4e+09' 'xray_cpu_fma{type="f64x4"} 1' 'xray_smp_cores_confidence_ratio 0.99' \
		'xray_cache_bandwidth_bytes_per_second{level="l2"} 1.08e+11' 'xray_memory_bandwidth_all_bytes_per_second 2.4e+10' \
		'xray_cache_bandwidth_all_bytes_per_second{level="l2"} 2.16e+11' \
		'xray_measurement{version="0.1.0",host="bench \"one\" & <two>",cpu="A CPU: with # and \\",date="2026-01-02T03:04:05Z"} 1'
	says openmetrics unsure.openmetrics.read 'xray_cache_ways{level="l2"} 16' 'xray_cache_ways_low{level="l2"} 11.2' \
		'xray_cache_ways_high{level="l2"} 20.8' 'xray_cache_ways_confidence_ratio{level="l2"} 0.85' \
		'xray_unmeasured{name="cpu.frequency",outcome="unclear",reason="times do not tell: 64 or 128 \"or\" */ $(false)"} 1'
	says kerncraft sure.kerncraft.read '/model name = A CPU: with # and \' '/clock = 3400000000 Hz' '/FLOPs per cycle/DP/FMA = 16' \
		'/FLOPs per cycle/SP/total = 32' '/FLOPs per cycle/DP/ADD = 8' '/memory hierarchy/0/cache per group/sets = 64' \
		'/memory hierarchy/0/cache per group/replacement_policy = RR' '/memory hierarchy/2/threads per group = 4' \
		'/memory hierarchy/2/cores per group = 2' '/memory hierarchy/1/cache per group/load_from = L3' \
		'/memory hierarchy/0/cache per group/write_back = True' '/memory hierarchy/1/cache per group/write_allocate = False' \
		'/memory hierarchy/2/cache per group/write_back = False' '/memory hierarchy/3/level = MEM' \
		'/benchmarks/measurements/L2/1/results/load/0 = 108000000000 B/s' \
		'/benchmarks/measurements/MEM/1/results/load/0 = 12000000000 B/s'
	grep -v '^/\(kerncraft version\|model name\)' unsure.kerncraft.read >&2 && wrong 'kerncraft: an unsure number'
else
	skipped="$skipped PyYAML"
fi

[ -z "$skipped" ] || echo "not here, not asked:$skipped" >&2
exit $bad
