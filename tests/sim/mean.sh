#!/bin/sh
# mean.sh - machines built to fool: the answer must be right or unclear, never wrong and sure
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0

# try NAME WHAT: measures the machine on stdin and wants the jq-less line WHAT (a grep pattern) among the findings.
try() {
	cat >"$out/$1.ini"
	"$XRAY" 'cpu.f*' 'cpu.r*' op --machine "$out/$1.ini" --json >"$out/$1.json" || [ $? -eq 1 ] || exit 1
	python3 - "$out/$1.json" >"$out/$1.txt" <<-'EOF'
		import json, sys
		for name, f in json.load(open(sys.argv[1]))['findings'].items():
		    print(name, f['outcome'], f.get('value', ''), f.get('reason', ''))
	EOF
	grep -q "$2" "$out/$1.txt" || {
		echo "$1: no '$2' among:"
		head -n 4 "$out/$1.txt"
		bad=1
	}
}

# Every chain is an even number of adds, and there are too few kinds to believe in a double-pumped adder: one add a cycle.
try even '^cpu.frequency measured 1000' <<EOF
[machine]
name = even
frequency = 1 GHz
[op add,sub,xor,shift.i64]
latency = 1
[op mul.i64]
latency = 4
[op load,store.*]
latency = 2
EOF

# Adds that are renamed away: six to a cycle, all else whole cycles.
try renamed '^cpu.frequency measured \(199[2-9]\|200[0-8]\)' <<EOF
[machine]
name = renamed
frequency = 2 GHz
[core]
width = 12
[op add,sub,and,or,xor.i*]
latency = 1/6
interval = 1/12
[op shift.i*]
latency = 1
[op mul.*]
latency = 3
[op add,sub.f*]
latency = 5
[op load.*]
latency = 4
[op store.*]
latency = 7
[op div.*]
latency = 11
[op sqrt.f*]
latency = 13
EOF

# No common measure at all: says so instead of guessing.
try nothing '^cpu.frequency unclear' <<EOF
[machine]
name = nothing
frequency = 1 GHz
[op add,sub,xor.i*]
latency = 1.37
[op shift.i*]
latency = 2.911
[op mul.i*]
latency = 3.333
[op load,store.*]
latency = 4.71
[op add.f*]
latency = 5.123
[op mul.f*]
latency = 6.789
EOF

# A clock that never holds still.
try steps '^cpu.frequency unclear.*hold still' <<EOF
[machine]
name = steps
frequency = 2 GHz
[noise]
frequency.steps = 40
frequency.spread = 0.4
frequency.dwell = 30 ms
[op *.*]
latency = 1
EOF

# A sibling who is there four times as long as he is not halves the throughput; the truth shows when he is away.
try crowded '^op.add.i64.interval \(measured 0.2[45]\|unclear\)' <<EOF
[machine]
name = crowded
frequency = 2 GHz
[noise]
sibling.on = 200 ms
sibling.off = 50 ms
[op *.i*]
latency = 1
interval = 0.25
[op *.f*]
latency = 4
interval = 0.5
[op load,store.*]
latency = 5
EOF

# Code that cannot be read back: registers by the time alone.
try unreadable '^cpu.registers.i64 measured 23' <<EOF
[machine]
name = unreadable
frequency = 2 GHz
readback = no
[core]
registers.int = 23
registers.float = 11
[op *.i*]
latency = 1
[op *.f*]
latency = 4
[op load,store.*]
latency = 5
EOF
grep -q '^cpu.registers.f64 measured 11' "$out/unreadable.txt" || {
	echo "unreadable: $(grep 'cpu.registers.f64 ' "$out/unreadable.txt")"
	bad=1
}

# Adds of floats take 4 cycles and start every 40: a chain of them does not tell what to take off from one with a root.
try busy '^op.sqrt.f64.latency unclear.*keeps its unit busy' <<EOF
[machine]
name = busy
frequency = 2 GHz
[op *.i*]
latency = 1
[op *.f64]
latency = 4
[op add.f64]
latency = 4
interval = 40
[op sqrt.f64]
latency = 13
interval = 6
EOF

# A clock of the kind that a system's timer moves.
try coarse '^op.add.i64.latency blocked.*too coarse' <<EOF
[machine]
name = coarse
frequency = 2 GHz
timer.quantum = 15.6 ms
[op *.*]
latency = 1
EOF

# No compiler: blocked, with the reason, everywhere.
try blocked '^op.add.i64.latency blocked.*no compiler' <<EOF
[machine]
name = blocked
frequency = 2 GHz
compiler = no
[op *.*]
latency = 1
EOF
exit $bad
