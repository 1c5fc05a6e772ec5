#!/bin/sh
# random_ports.sh - random layouts of ports: mixes that were not fitted are at most 5 % off at the median, no bundle takes
# longer than a cycle, and intervals are what the ports allow. LAYOUTS of them (3), from FIRST (1) on.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
bad=0

for seed in $(seq "$first" $((first + ${LAYOUTS:-3} - 1))); do
	python3 tests/sim/random_ports.py "$seed" >"$out/core.ini" || exit 1
	"$XRAY" cpu.bundles op.add op.mul op.fma --machine "$out/core.ini" --seed "$seed" --json >"$out/core.json" ||
		[ $? -eq 1 ] || exit 1
	python3 tests/sim/truth.py "$out/core.ini" "$out/core.json" --unsure >"$out/verdict" || {
		echo "seed $seed:"
		cat "$out/verdict"
		bad=1
	}
	python3 - "$seed" "$out/core.json" <<-'EOF' || bad=1
		import json, re, sys
		found = json.load(open(sys.argv[2]))['findings']['cpu.bundles']
		if found['outcome'] != 'measured':
		    sys.exit('seed %s: %s: %s' % (sys.argv[1], found['outcome'], found['reason']))
		off = float(re.search(r'are ([0-9.]+) % off at the median', found['note']).group(1))
		print('seed %s: %d bundles, %s' % (sys.argv[1], found['number'], found['note']))
		sys.exit(off > 5)
	EOF
done
exit $bad
