#!/bin/sh
# verify.sh - xray verify: the same machine raises no alarm, on other days and beside neighbours; another one does
#
# SEEDS=n tries so many days.
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
machine=$TOP/machines/a72.ini
names='cpu.frequency cache.l1d.size cache.l1d.ways op.add.i64 op.mul.i64'
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

# verified STATUS PATTERN ARGUMENTS...: exits with it, and says so
verified()
{
	wanted=$1 pattern=$2
	shift 2
	"$XRAY" verify "$@" >out 2>err
	status=$?
	[ $status -eq "$wanted" ] || wrong "verify $*: exit $status, not $wanted: $(cat out err)"
	grep -q -e "$pattern" out err || wrong "verify $*: no '$pattern': $(cat out err)"
}

# shellcheck disable=SC2086 # the names are words
"$XRAY" --machine "$machine" --seed 1 $names --json >base.json || wrong "the baseline: exit $?"

seed=2
while [ $seed -lt $((${SEEDS:-2} + 2)) ]; do
	verified 0 '^0 changed' base.json --machine "$machine" --seed $seed
	verified 0 '^0 changed' base.json --machine "$machine?noise=cloud" --seed $seed
	seed=$((seed + 1))
done
awk '/^\[cache l1d\]/ { on = 1 } /^\[/ && !/l1d\]/ { on = 0 } on && /^size/ { $0 = "size = 64 KiB" } on && /^ways/ { $0 = "ways = 4" } 1' \
	"$machine" >other.ini
cmp -s "$machine" other.ini && wrong 'there is no other machine'
verified 1 'cache.l1d.size  *32 KiB → 64 KiB' base.json --machine other.ini --seed 3
verified 0 '^0 changed, .* same' base.json op --machine other.ini --seed 3

# What is not known now is no change; when nothing is known, nothing was verified.
verified 1 '^0 changed, 0 same, .*no longer clear' base.json --machine "$machine" --budget 0
# A document in place of a measurement.
"$XRAY" --machine other.ini --seed 4 cache.l1d.size --json >now.json || wrong "now: exit $?"
verified 1 '^1 changed' base.json cache.l1d.size --from now.json
verified 1 '"changed": 1' base.json cache.l1d.size --json --from now.json
verified 0 '^0 changed' base.json --from base.json

verified 2 'needs a BASELINE'
verified 2 'none.json' none.json
verified 2 "no parameter is named 'cash'" base.json cash
printf '{"schema": 2, "findings": {}}\n' >later.json
verified 2 'later.json.*schema 1' later.json --machine "$machine"
printf '{"schema": 1, "findings": {}}\n' >empty.json
verified 2 'holds nothing' empty.json --machine "$machine"
printf '{"schema": 1, "findings": {"warp.speed": {"outcome": "measured", "value": 9, "unit": "count"}}}\n' >unknown.json
verified 2 'holds nothing' unknown.json --machine "$machine"
exit $bad
