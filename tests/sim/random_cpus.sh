#!/bin/sh
# random_cpus.sh - random machines of several CPUs: TOPOLOGIES of them (20), from FIRST (1) on; what is wrong is printed
# with its seed. It fails when a finding is confidently wrong, when less than MEASURED percent (90) are measured or when
# less than TREES percent (95) of the trees are exact. Where the host moves the CPUs, or there is a quota, nothing need be
# measured. NOISE (quiet, cloud) replaces what a machine has; NAMES are the parameters.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
last=$((first + ${TOPOLOGIES:-20} - 1))
bad=0
names=${NAMES:-smp contexts comm.latency comm.tree line.destructive os.timeslice}
: >"$out/all"

for seed in $(seq "$first" "$last"); do
	PYTHONDONTWRITEBYTECODE=1 python3 tests/sim/random_cpus.py "$seed" ${NOISE:+--noise "$NOISE"} >"$out/cpus.ini" || exit 1
	"$XRAY" $names --machine "$out/cpus.ini" --seed "$seed" --json \
		>"$out/cpus.json" || [ $? -eq 1 ] || {
		echo "seed $seed: xray gave up"
		exit 1
	}
	python3 tests/sim/truth.py "$out/cpus.ini" "$out/cpus.json" --unsure >"$out/verdict" || {
		echo "seed $seed is wrong:"
		bad=1
	}
	[ "$(wc -l <"$out/verdict")" -eq 1 ] || {
		echo "seed $seed:"
		sed '$d; s/^[^:]*: /  /' "$out/verdict"
	}
	kind=steady
	grep -q '^migration = \|^quota = ' "$out/cpus.ini" && kind=unsteady
	tree=1
	grep -q 'comm\.tree ' "$out/verdict" && tree=0
	grep -q '^count = 1$' "$out/cpus.ini" && tree=none
	echo "$(tail -n 1 "$out/verdict") $kind $tree" >>"$out/all"
done
awk -v least="${MEASURED:-90}" -v trees="${TREES:-95}" '
	{ wrong += $3 }
	$9 == "steady" { right += $1; unsure += $5 }
	$9 == "steady" && $10 != "none" { exact += $10; trees_tried++ }
	END {
		total = right + wrong + unsure
		if (total == 0 || trees_tried == 0) { print "nothing was measured"; exit 1 }
		printf "%d machines: %d right, %d wrong, %d unsure: %.2f %% measured, %.2f %% of the trees exact\n", NR, right, \
			wrong, unsure, 100 * (right + wrong) / total, 100 * exact / trees_tried
		exit 100 * (right + wrong) / total < least || 100 * exact / trees_tried < trees
	}' "$out/all" || bad=1
exit $bad
