#!/bin/sh
# json.sh - the JSON of a simulated machine fits the schema, and the same seed gives the same findings
set -u
: "${XRAY:?}" "${TOP:?}"
command -v python3 >/dev/null || { echo 'no python3 here' >&2; exit 77; }
bad=0
machine=$TOP/machines/haswell.ini
names='cpu op.add op.mul.f64 op.cmp.f32x16'

wrong()
{
	echo "$1" >&2
	bad=1
}

# measure FILE OPTIONS...
measure()
{
	file=$1
	shift
	# shellcheck disable=SC2086 # the names are words
	"$XRAY" --machine "$machine" $names --json "$@" >"$file" 2>"$TMPDIR/err"
	status=$?
	[ $status -le 1 ] || wrong "$*: exit $status: $(cat "$TMPDIR/err")"
	[ ! -s "$TMPDIR/err" ] || wrong "$*: talk on stderr: $(cat "$TMPDIR/err")"
}

# findings FILE: the findings alone, sorted
findings()
{
	python3 -c '
import json, sys
print(json.dumps(json.load(open(sys.argv[1]))["findings"], sort_keys=True, indent=1))' "$1"
}

python3 "$TOP/tests/cli/schema.py" --self-test || wrong 'schema.py --self-test failed'
cd "$TMPDIR" || exit 1

measure plain.json --seed 5
python3 "$TOP/tests/cli/schema.py" <plain.json || wrong 'plain.json does not fit the schema'
measure evidence.json --seed 5 --evidence
python3 "$TOP/tests/cli/schema.py" <evidence.json || wrong 'evidence.json does not fit the schema'
grep -q '"evidence"' evidence.json || wrong '--evidence: none'
grep -q '"evidence"' plain.json && wrong 'evidence that nobody asked for'
"$XRAY" --machine "$machine?noise=hostile" cpu op.add --quick --json >noisy.json 2>/dev/null
python3 "$TOP/tests/cli/schema.py" <noisy.json || wrong 'noisy.json does not fit the schema'
printf '[machine]\nfrequency = 2 GHz\ncompiler = no\n' >none.ini
"$XRAY" --machine none.ini cpu --json >none.json 2>/dev/null
python3 "$TOP/tests/cli/schema.py" <none.json || wrong 'none.json does not fit the schema'

# What was asked for is there, in the catalogue's order, and nothing else is.
# shellcheck disable=SC2086
"$XRAY" list $names | cut -d ' ' -f 1 >listed
python3 -c 'import json; print("\n".join(json.load(open("plain.json"))["findings"]))' >shown
cmp -s listed shown || wrong "asked and shown differ: $(diff listed shown | head -n 5)"
python3 - <<'CHECK' || wrong 'plain.json: a finding is not what the machine file says'
import json, sys
findings = json.load(open("plain.json"))["findings"]
wanted = {"cpu.frequency": 3.4e9, "op.add.i64.latency": 1, "op.mul.f64.latency": 5, "cpu.registers.i64": 14}
for name, value in wanted.items():
    if abs(findings[name].get("value", 0) / value - 1) > 0.01:
        sys.exit(f"{name}: {findings[name]}")
if findings["cpu.fma.f64"].get("value") is not True:
    sys.exit(f"cpu.fma.f64: {findings['cpu.fma.f64']}")
if findings["op.cmp.f32x16.latency"]["outcome"] != "absent":
    sys.exit(f"op.cmp.f32x16.latency: {findings['op.cmp.f32x16.latency']}")
CHECK

# The same file and seed, the same findings, bit for bit, the seconds on the machine's own clock included.
measure again.json --seed 5 --evidence
findings evidence.json >one
findings again.json >two
cmp -s one two || wrong "the same seed gives other findings: $(diff one two | head -n 6)"
measure other.json --seed 6 --evidence
findings other.json >two
cmp -s one two && wrong 'another seed gives the same findings to the last bit'
exit $bad
