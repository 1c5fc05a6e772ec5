#!/bin/sh
# nearer.sh - a nearest level that the first walks do not show beside a slow memory has its own lines, not the next level's
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

cat >"$out/m.ini" <<-EOF
	[machine]
	name = nearer
	frequency = 2 GHz
	[op *.*]
	latency = 4
	[op add,sub,and,or,xor,shift,cmp.i*]
	latency = 1
	[op load.*]
	latency = 1
	[pages]
	huge = 4 MiB
	[cache l1d]
	size = 7 KiB
	ways = 8
	line = 128
	latency = 1 cycles
	[cache l2]
	size = 32 KiB
	ways = 2
	line = 256
	latency = 3 cycles
	[memory]
	latency = 250 cycles
EOF
"$XRAY" cache.levels cache.l1d.reach --machine "$out/m.ini" --json >"$out/m.json" || exit 1
python3 tests/sim/truth.py "$out/m.ini" "$out/m.json" --unsure
