#!/bin/sh
# record.sh - a recording of a run, measured in the machine's place, gives the same findings
set -u
: "${XRAY:?}" "${TOP:?}"
command -v python3 >/dev/null || { echo 'no python3 here' >&2; exit 77; }
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

findings()
{
	python3 -c '
import json, sys
print(json.dumps(json.load(open(sys.argv[1]))["findings"], sort_keys=True, indent=1))' "$1"
}

# compare NAME ARGUMENTS...: records the run and replays it
compare()
{
	name=$1
	shift
	"$XRAY" "$@" --evidence --json --record "$name.xray" >"$name.json" 2>err
	recorded=$?
	[ $recorded -le 1 ] || wrong "$name: exit $recorded: $(cat err)"
	[ "$(head -c 4 "$name.xray")" = xray ] || wrong "$name: no recording"
	# The machine is the recording now.
	while [ "${1-}" = --machine ]; do shift 2; done
	"$XRAY" "$@" --evidence --json --machine "$name.xray" >again.json 2>err
	replayed=$?
	[ $replayed -eq $recorded ] || wrong "$name: recorded with exit $recorded, replayed with $replayed: $(cat err)"
	findings "$name.json" >one
	findings again.json >two
	[ "$(wc -l <one)" -gt 10 ] || wrong "$name: nothing was found"
	cmp -s one two || wrong "$name: the replay differs: $(diff one two | head -n 6)"
}

cd "$TMPDIR" || exit 1
compare quiet --machine "$TOP/machines/haswell.ini" cpu.frequency cpu.fma op.add.f64
compare cloud --machine "$TOP/machines/zen3.ini?noise=cloud" cpu.registers.i64 op.mul.i64

# Something else than was recorded: no made-up answer.
"$XRAY" --machine quiet.xray cpu.registers.i64 --json >other.json 2>err
status=$?
[ $status -eq 1 ] || wrong "another question: exit $status"
grep -q '"outcome": "measured"' other.json && wrong 'another question was answered from the recording'
grep -q 'made by another command or version' other.json || wrong "another question: $(cat other.json err)"

# Half of it: neither.
head -c "$(($(wc -c <quiet.xray) / 2))" quiet.xray >half.xray
"$XRAY" --machine half.xray cpu.frequency cpu.fma op.add.f64 --json >half.json 2>err
status=$?
[ $status -eq 1 ] || wrong "half a recording: exit $status"
head -n 4 quiet.xray >head.xray
"$XRAY" --machine head.xray cpu.frequency >out 2>err
status=$?
[ $status -eq 2 ] || wrong "the head of a recording: exit $status"
grep -q 'head.xray:[0-9]*: ' err || wrong "the head of a recording: $(cat err)"
exit $bad
