#!/bin/sh
# hashed.sh - levels whose sets no stride finds: ways are right by scattered blocks or eviction sets
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0

# try NAME FRAMES INDEX WAYS POLICY INCLUSION WANTED: l2 of 512 KiB; WANTED is a grep pattern.
try()
{
	cat >"$out/$1.ini" <<-EOF
		[machine]
		name = $1
		frequency = 2 GHz
		[op *.*]
		latency = 4
		[op add,sub,and,or,xor,shift,cmp.i*]
		latency = 1
		[pages]
		frames = $2
		[cache l1d]
		size = 32 KiB
		ways = 8
		latency = 4 cycles
		[cache l2]
		size = $((512 / 8 * $4 / (2 - ($4 > 4)))) KiB
		ways = $4
		latency = 14 cycles
		policy = $5
		index = $3
		inclusion = $6
		[memory]
		latency = 100 cycles
		[tlb l1d]
		entries = 64
		ways = full
		penalty = 7 cycles
	EOF
	"$XRAY" cache.l2.ways --machine "$out/$1.ini" --json >"$out/$1.json" || [ $? -eq 1 ] || exit 1
	python3 - "$out/$1.json" >"$out/$1.txt" <<-'EOF'
		import json, sys
		f = json.load(open(sys.argv[1]))['findings']['cache.l2.ways']
		print(f['outcome'], f.get('value', ''), f.get('low', ''), f.get('high', ''), f.get('method', ''), f.get('reason', ''))
	EOF
	grep -q "$7" "$out/$1.txt" || {
		echo "$1: no '$7' but '$(cat "$out/$1.txt")'"
		bad=1
	}
}

try scattered random mod 8 lru none '^measured 8 8 8 '
try sliced contiguous hash:4 12 lru none '^measured 12 12 12 '
try kept contiguous hash:4 12 tree-plru none '^measured [0-9]* [0-9]* 1[2-9] \|^unclear'
try coins random mod 6 random none '^measured 6 6 [6-9] '
try thrown random mod 10 qlru-h00-m1-r0-u1 inclusive '^measured 10 10 1[0-4] '
try moved random mod 16 lru exclusive '^measured 16 1[0-6] [12][0-9] '
# What comes out depends on the seed: 8 in a longer or shorter range, or one too long to be an answer.
try folded contiguous hash 8 fifo none '^measured 8 [5-8] \([89]\|1[0-6]\) \|^unclear'
exit $bad
