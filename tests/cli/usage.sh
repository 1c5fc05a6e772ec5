#!/bin/sh
# usage.sh - what the command line takes, and what it says about the rest
set -u
: "${XRAY:?}"
bad=0
out=$TMPDIR/out err=$TMPDIR/err

wrong()
{
	echo "xray $*" >&2
	bad=1
}

# says STATUS PATTERN FILE ARGUMENTS...: exits with it and one line of the file matches
says()
{
	wanted=$1 pattern=$2 file=$3
	shift 3
	timeout 20 "$XRAY" "$@" >"$out" 2>"$err"
	status=$?
	[ $status -eq "$wanted" ] || wrong "$*: exit $status, not $wanted: $(head -n 3 "$err")"
	grep -qE -e "$pattern" "$file" || wrong "$*: no line like '$pattern' in: $(head -n 3 "$file")"
	[ "$wanted" -ne 2 ] || [ ! -s "$out" ] || wrong "$*: a wrong command printed data: $(head -n 3 "$out")"
	[ "$wanted" -ne 0 ] || [ ! -s "$err" ] || wrong "$*: talk on stderr: $(head -n 3 "$err")"
}

says 0 '^xray [0-9]+\.[0-9]+' "$out" --version
[ "$(wc -l <"$out")" -eq 1 ] || wrong '--version: more than one line'
says 0 '^  --json ' "$out" --help
for option in json evidence machine record budget quick full cpu cc cflags ladder seed no-cache verbose help version; do
	grep -q "^  --$option " "$out" || wrong "--help: no --$option"
done
for verb in list explain diff verify show time; do
	grep -q "^  xray $verb " "$out" || wrong "--help: no xray $verb"
done
says 0 '^  --json ' "$out" help

says 2 'unknown option --nonsense' "$err" --nonsense
says 2 'unknown option --nonsense' "$err" --nonsense=3 cpu.frequency
says 2 'unknown option -x' "$err" -x
says 2 '--json takes no value' "$err" --json=yes
says 2 '--machine needs FILE' "$err" --machine
says 2 '--budget needs SECONDS, not soon' "$err" --budget soon
says 2 '--budget needs SECONDS, not -1' "$err" --budget=-1
says 2 '--budget needs SECONDS, not nan' "$err" --budget nan
says 2 '--budget needs SECONDS, not 3x' "$err" --budget 3x
says 2 '--budget needs SECONDS' "$err" --budget=
says 2 '--cpu needs N, not one' "$err" --cpu one
says 2 'CPU 99999 is not one' "$err" --cpu 99999 cpu.frequency
says 2 '--seed needs N' "$err" --seed 1.5
says 2 '--barrier needs asm or switch, not wall' "$err" --barrier wall
says 2 '--ladder needs S,T,I,B: whole S from 2' "$err" --ladder
# The four numbers of the I-cache paper: all of them, and each within its range.
for numbers in '' 8 8,2,5 8,2,5,4,1 8,2,5, ,2,5,4 '8;2;5;4' 8,2,5,4x 1,2,5,4 65,2,5,4 8.5,2,5,4 8,0,5,4 8,-2,5,4 8,nan,5,4 \
	8,inf,5,4 8,1e999,5,4 8,2,0,4 8,2,100,4 8,2,2.5,4 8,2,5,0 8,2,5,9 1e99,2,5,4; do
	says 2 "--ladder needs S,T,I,B, not $numbers: whole S from 2 to 64, T above 0" "$err" --ladder "$numbers" cpu.frequency
done
says 0 '^cache.l1i.straight ' "$out" list cache.l1i.straight --ladder 64,0.5,99,8
says 0 '--ladder S,T,I,B' "$out" explain cache.l1i.straight
# They get there: what runs is cases of B additions.
for additions in 4 7; do
	says 0 ' additions$' "$out" cache.l1i.straight --ladder "8,2,5,$additions" --machine "$TOP/machines/pentium3.ini"
	all=$(sed -n 's/^ *cache.l1i.straight .* \([0-9]*\) additions$/\1/p' "$out")
	[ $((${all:-1} % additions)) -eq 0 ] || wrong "--ladder 8,2,5,$additions: $all additions"
done
says 2 '--quick and --full exclude each other' "$err" --quick --full
says 2 'cannot|No such file' "$err" cpu.frequency --record /nonexistent/recording --machine "$TOP/machines/haswell.ini"

says 2 "'cpu.frequenzy'.*nearest is 'cpu.frequency'" "$err" cpu.frequenzy
says 2 "'op.mull.f64.latency'.*nearest is 'op.mul.f64.latency'" "$err" cpu.frequency op.mull.f64.latency
says 2 "'cpu.frequenzy'.*nearest is 'cpu.frequency'" "$err" list cpu.frequenzy
says 2 "'cpu.frequenzy'.*nearest is 'cpu.frequency'" "$err" explain cpu.frequenzy
says 2 "'cpu.frequenzy'.*nearest is 'cpu.frequency'" "$err" list cpu cpu.frequenzy
says 2 'explain needs one NAME' "$err" explain
says 2 'show needs one SPEC' "$err" show
says 2 'time needs one SPEC' "$err" time 'p1 = p1 + p2' ': i64'

says 0 '^cpu.frequency +Hz +[a-z]' "$out" list
all=$(wc -l <"$out")
[ "$all" -gt 100 ] || wrong "list: $all lines"
says 0 '^op.add.i64.latency +cycles ' "$out" list op.add
[ "$(grep -vc '^op\.add\.' "$out")" -eq 0 ] || wrong "list op.add: $(grep -v '^op\.add\.' "$out" | head -n 3)"
some=$(wc -l <"$out")
[ "$some" -lt "$all" ] || wrong 'list op.add: everything'
says 0 '^op.add.f64.latency ' "$out" list 'op.*.f64.latency'
[ "$(grep -vc '^op\.[a-z_]*\.f64\.latency ' "$out")" -eq 0 ] || wrong 'list: a glob selects something else'
says 0 '^op.add.i64.inflight .*\(needs op.add.i64.latency' "$out" list op.add.i64.inflight

says 0 '^cpu.frequency - ' "$out" explain cpu.frequency
for word in Idea Answer Assumes 'Fails as' 'Not measured yet'; do
	grep -q "^$word" "$out" || wrong "explain cpu.frequency: no $word"
done
# Every parameter has its story: one of each family.
for name in cpu.fma.f64 cpu.registers.i64 op.add.i64.latency op.add.i64.interval op.add.i64.inflight; do
	says 0 '^Answer' "$out" explain $name
done
exit $bad
