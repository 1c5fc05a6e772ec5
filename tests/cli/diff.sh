#!/bin/sh
# diff.sh - xray diff: what is the same, what changed, what one document lacks; a fleet's odd one; files that are none
set -u
: "${XRAY:?}" "${TOP:?}"
command -v python3 >/dev/null || { echo 'no python3 here' >&2; exit 77; }
bad=0
machine=$TOP/machines/haswell.ini
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

# diff FILE ARGUMENTS...: its output; exit 0, nothing on stderr, and no line wider than 100 columns
diff_to()
{
	file=$1
	shift
	"$XRAY" diff "$@" >"$file" 2>err || wrong "diff $*: exit $?: $(cat err)"
	[ ! -s err ] || wrong "diff $*: talks: $(cat err)"
}

# Another seed is another day of the same machine.
for seed in 1 2 3; do
	"$XRAY" --machine "$machine" --seed $seed --json cpu.frequency cpu.fma op.add op.mul smp.siblings comm >day$seed.json || wrong "seed $seed: exit $?"
done
sed 's/^frequency = 3.4 GHz/frequency = 2.0 GHz/; /^\[op mul.i32,i64\]/,/^pool/s/^latency = 3/latency = 4/' "$machine" >other.ini
"$XRAY" --machine other.ini --json cpu.frequency cpu.fma op.add op.mul smp.siblings comm >other.json || wrong "other: exit $?"

diff_to same.txt day1.json day2.json
grep -q '^0 changed, ' same.txt || wrong "two days: $(cat same.txt)"
diff_to same.txt day1.json day1.json
[ "$(wc -l <same.txt)" -eq 3 ] || wrong "a document and itself: $(cat same.txt)"

diff_to other.txt day1.json other.json
for line in '^  cpu.frequency  *3.40 GHz → 2.00 GHz  *x 0.59' '^  op.mul.i64.latency  *3.00 cycles → 4.00 cycles  *x 1.33' \
	'^  comm.bandwidth .* 56 of 56 cells; most from '; do
	grep -q "$line" other.txt || wrong "no line like '$line': $(cat other.txt)"
done
grep -q 'op.add' other.txt && wrong 'what did not change is told'
diff_to named.txt day1.json other.json op.add.i64
grep -q '^  op.add.i64.latency ' named.txt || wrong 'what was named is not told'
grep -q '^  op.mul' named.txt && wrong 'what was not named is told'

diff_to other.json.diff --json day1.json other.json
python3 - <<'CHECK' || wrong 'the JSON is not right'
import json, sys
document = json.load(open("other.json.diff"))
differences, summary = document["differences"], document["summary"]
if differences["op.mul.i64.latency"]["verdict"] != "changed" or abs(differences["op.mul.i64.latency"]["ratio"] - 4 / 3) > 0.01:
    sys.exit(f"op.mul.i64.latency: {differences['op.mul.i64.latency']}")
if differences["op.add.i64.latency"]["verdict"] != "same" or sum(summary.values()) != len(differences):
    sys.exit(f"{summary}")
# What only one has; what is no longer clear; the same groups in another order.
day, half = json.load(open("day1.json")), json.load(open("day2.json"))
del half["findings"]["op.add.i64.latency"]
half["findings"]["op.add.i32.latency"] = {"outcome": "unclear", "unit": "cycles", "reason": "something else uses this core",
    "method": "", "seconds": 0, "samples": 0}
half["findings"]["comm.tree"]["value"].reverse()
half["context"]["kernel"] = "Linux 99"
json.dump(half, open("half.json", "w"))
CHECK
diff_to half.txt day1.json half.json
for line in '^  kernel  *.* → Linux 99$' '^only in day1.json: op.add.i64.latency$' \
	'^  op.add.i32.latency .* → unclear  something else uses this core$' '^0 changed, .*1 no longer clear.*1 only before'; do
	grep -q "$line" half.txt || wrong "no line like '$line': $(cat half.txt)"
done

# A fleet: who differs, and in what.
diff_to fleet.txt day1.json day2.json other.json day3.json
grep -q '^1 of 4 differ' fleet.txt || wrong "a fleet: $(cat fleet.txt)"
[ "$(grep -c '^[a-z0-9]*\.json$' fleet.txt)" -eq 1 ] && grep -q '^other.json$' fleet.txt || wrong "a fleet: $(cat fleet.txt)"

# refused WHAT ARGUMENTS...: exit 2, and stderr says WHAT
refused()
{
	what=$1
	shift
	"$XRAY" diff "$@" >out 2>err
	[ $? -eq 2 ] || wrong "diff $*: exit status is not 2"
	grep -q "$what" err || wrong "diff $*: says $(cat err)"
	[ ! -s out ] || wrong "diff $*: prints something"
}

refused 'two documents' day1.json
refused 'two documents'
refused 'none.json' day1.json none.json
head -c 300 day1.json >cut.json
refused 'cut.json:' day1.json cut.json
sed 's/"schema": 1/"schema": 2/' day1.json >later.json
refused 'later.json.*schema 1' later.json day1.json
refused 'not 3' --json day1.json day2.json day3.json
awk 'length > 104 { print FILENAME ": " $0; bad = 1 } END { exit bad }' ./*.txt || wrong 'wider than 100 columns'
exit $bad
