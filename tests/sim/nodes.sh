#!/bin/sh
# nodes.sh - on a small machine of two pairs, each with a cache and memory of its own, xray finds what caches who shares, how
# far memory is and how much of it comes. NOISES (quiet) are tried; where it is quiet none may be unsure. TOUCHED=first has all
# memory lie near the first CPU, unless it is bound.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
cat >"$out/nodes.ini" <<'END'
[machine]
name = small caches
frequency = 2000 MHz

[core]
width = 4
window = 100
registers.int = 14
registers.float = 16

[op add,sub,and,or,xor,shift,cmp.i*]
latency = 1
interval = 1/3
pool = alu

[op mul.i*]
latency = 3
pool = mul

[op load.*]
latency = 3
interval = 0.5
pool = load

[op store.*]
latency = 3
pool = store

[pages]
huge = none

[cache l1d]
size = 4 KiB
ways = 4
line = 64
latency = 3 cycles

[cache l2]
size = 64 KiB
ways = 8
line = 64
latency = 14 cycles
shared = 2

[memory]
latency = 80 ns
size = 4 MiB

[tlb l1d]
entries = 64
ways = full
penalty = 8 cycles

[cpus]
count = 4
latency = 90 ns

[group pair]
cpus = 2
latency = 40 ns
remote = 60 ns
remote.bandwidth = 3 GB/s
END
sed -i "s/^count = 4$/&\\ntouched = ${TOUCHED:-near}/" "$out/nodes.ini"
bad=0

for noise in ${NOISES:-quiet}; do
	"$XRAY" 'cache.*.sharing' numa --machine "$out/nodes.ini?noise=$noise" --json >"$out/nodes.json" ||
		[ $? -eq 1 ] || exit 1
	python3 tests/sim/truth.py "$out/nodes.ini" "$out/nodes.json" --exact --unsure >"$out/verdict" || bad=1
	sed 's/^[^:]*\.json/nodes/' "$out/verdict"
	[ "$noise" != quiet ] || grep -q '^5 right 0 wrong 0 unsure' "$out/verdict" || bad=1
done
exit $bad
