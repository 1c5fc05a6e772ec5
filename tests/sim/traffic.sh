#!/bin/sh
# traffic.sh - what machine files say of bandwidth, of loads under way and of stores past the caches is what xray finds;
# so of random memories, TRAFFIC of them (1), from FIRST (1) on, and of the files in MACHINES (none). What is wrong is
# printed; a third may be unsure.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
bad=0

# measure FILE SEED
measure() {
	"$XRAY" 'cache.*.bandwidth' 'cache.*.bandwidth.write' 'cache.*.bandwidth.copy' 'cache.*.parallelism' memory.bandwidth \
		memory.bandwidth.write memory.bandwidth.copy memory.parallelism memory.streaming --machine "$1?noise=quiet" \
		--seed "$2" --json >"$out/found.json" || [ $? -eq 1 ] || exit 1
	python3 tests/sim/truth.py "$1" "$out/found.json" --unsure >"$out/verdict" || {
		bad=1
		echo "$1 $2:"
		cat "$out/verdict"
	}
	tail -n 1 "$out/verdict" | tee -a "$out/all"
}

for id in ${MACHINES-}; do
	measure "machines/$id.ini" 1
done
for seed in $(seq "$first" $((first + ${TRAFFIC:-1} - 1))); do
	python3 tests/sim/random_memory.py "$seed" --traffic >"$out/memory.ini" || exit 1
	measure "$out/memory.ini" "$seed"
done
awk '{ sure += $1 + $3; unsure += $5 } END { if (2 * unsure > sure) { print "too much is unsure"; exit 1 } }' "$out/all" || bad=1
exit $bad
