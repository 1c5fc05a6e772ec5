#!/bin/sh
# caches.sh - the options that walks have: memory, curves as CSV, recording and replay
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

wrong()
{
	echo "$1"
	bad=1
}

p5=$TOP/machines/p5.ini

# refused OPTION VALUE: a clear message and exit 2
refused()
{
	"$XRAY" cache.levels --machine "$p5" "$1" "$2" >out 2>err
	status=$?
	[ $status -eq 2 ] || wrong "$1 $2: exit $status"
	grep -q "^xray: .*$1" err || grep -q "^xray: $2" err || wrong "$1 $2: $(cat err)"
	[ ! -s out ] || wrong "$1 $2: stdout: $(cat out)"
}

refused --memory 12x
refused --memory -5M
refused --memory 100
: >file
refused --csv file/below
refused --csv file
refused --html file/below

# Too little memory is blocked, and says how much it takes.
"$XRAY" cache.levels --machine "$p5" --memory 512 >out 2>err && wrong 'less than a page of memory: exit 0'
"$XRAY" cache.l1d.size --machine "$p5" --memory 64K --json >out 2>err
status=$?
[ $status -eq 0 ] || [ $status -eq 1 ] || wrong "64 KiB of memory: exit $status: $(cat err)"

# A whole run: the values, their curves, and the same from a recording.
set -- cache.levels cache.l1d.size cache.l1d.line cache.l1d.policy 'cache.l?.size' 'cache.l?.ways' memory.latency
"$XRAY" "$@" --machine "$p5" --csv curves --record tape --json >first.json 2>err || wrong "p5: $(cat err)"
head -n 1 curves/cache.levels.csv | grep -qx 'what,x,value,low,high,verdict' || wrong 'no curve of the levels'
[ "$(wc -l <curves/cache.levels.csv)" -gt 60 ] || wrong 'the curve of the levels is short'
"$XRAY" "$@" --machine tape --json >second.json 2>err || wrong "replay: $(cat err)"
python3 - first.json second.json <<'EOF' || wrong 'a replay comes to other findings'
import json, sys
first, second = (json.load(open(name))['findings'] for name in sys.argv[1:])
for finding in list(first.values()) + list(second.values()):
    finding.pop('seconds', None)
sys.exit(first != second)
EOF
exit $bad
