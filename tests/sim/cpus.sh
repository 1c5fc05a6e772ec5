#!/bin/sh
# cpus.sh - on machine files xray finds the CPUs that the file describes: cores, threads, contexts, who is near to whom,
# slices; on some with cloud noise, too. SEEDS is how many seeds each (1), MACHINES which files (all for all that describe
# several CPUs; some of the papers' machines), NOISY those that get noise, UNSURE how many of a thousand findings may be
# anything but measured there (100), NAMES the parameters. Where it is quiet none may be unsure.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
names=${NAMES:-smp contexts comm.latency comm.tree line.destructive os.timeslice}
seeds=$(seq "${SEEDS:-1}")
machines=${MACHINES:-p4xeon power3 r12000 nehalemep yorkfield power7 crayxt hybrid server256}
noisy=${NOISY-p4xeon nehalemep hybrid}
if [ "$machines" = all ]; then
	machines=$(cd machines && grep -l '^\[cpus\]' -- *.ini | sed 's/\.ini//')
fi
if [ "$noisy" = all ]; then
	noisy=$(cd machines && grep -l '^\[cpus\]' -- *.ini | sed 's/\.ini//')
fi

# measure FILE NOISE MOST: at most so many of a thousand findings may be unsure.
measure() {
	rm -f "$out"/*.json
	for seed in $seeds; do
		"$XRAY" $names --machine "$1?noise=$2" --seed "$seed" --json \
			>"$out/seed$seed.json" || [ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$1" "$out"/*.json --exact --unsure >"$out/verdict" && wrong=0 || wrong=1
	printf '%s %s: %s\n' "$1" "$2" "$(tail -n 1 "$out/verdict")"
	tail -n 1 "$out/verdict" | awk -v most="$3" '{ exit $5 * 1000 > most * ($1 + $3 + $5) }' || wrong=1
	if [ "$wrong" -ne 0 ]; then
		sed '$d; s/^[^:]*\///; s/^/  /' "$out/verdict"
		bad=1
	fi
}

for id in $machines; do
	measure "machines/$id.ini" quiet 0
done
for id in $noisy; do
	measure "machines/$id.ini" cloud "${UNSURE:-100}"
done
exit $bad
