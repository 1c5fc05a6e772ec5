#!/bin/sh
# caches.sh - on machine files with caches, xray finds the caches and the memory that the file describes; some of them
# also with cloud noise, and under hostile noise without saying anything wrong. SEEDS is how many seeds each (1), MACHINES
# which files (all for all of them; some of the papers' machines and some more), NOISY those that get noise.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
seeds=$(seq "${SEEDS:-1}")
noisy=${NOISY-atom}
papers='opteron240 power3 core2'
machines=${MACHINES:-$papers alpha21164}
if [ "$machines" = all ]; then
	machines=$(cd machines && echo *.ini | sed 's/\.ini//g')
fi

# What is judged: sizes and the like of every level, and what the nearest one does with stores.
names='cache.levels cache.l1d.write'
for property in size reach ways line latency; do
	names="$names cache.l1d.$property cache.l?.$property"
done

# measure FILE NOISE [OPTION OF truth.py]
measure() {
	for seed in $seeds; do
		# shellcheck disable=SC2086,SC2046 # a list
		"$XRAY" $names memory.latency \
			line.constructive \
			--machine "$1?noise=$2" --seed "$seed" --json >"$out/$seed.json" || [ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$1" "$out"/*.json $3 --unsure >"$out/verdict" && wrong=0 || wrong=1
	printf '%s %s: %s\n' "$1" "$2" "$(tail -n 1 "$out/verdict")"
	if [ $wrong -ne 0 ]; then
		# What is unsure stands among what is wrong: it often says why.
		head -n 8 "$out/verdict"
		bad=1
	fi
}

# sure SHARE: at most this many of a thousand findings may be anything but measured or absent.
sure() {
	awk -v most="$1" '{ if ($5 * 1000 > most * ($1 + $3 + $5)) { print "too much is unsure"; exit 1 } }' <<-EOS || {
		$(tail -n 1 "$out/verdict")
	EOS
		head -n 8 "$out/verdict"
		bad=1
	}
}

for id in $machines; do
	machine=machines/$id.ini
	grep -q '^\[cache ' "$machine" || continue
	# A hashed index or frames in no order leave a size or a number of ways open now and then.
	if grep -q '^index = hash\|^frames = \(random\|coloured\)' "$machine"; then
		share=150
	else
		share=50
	fi
	measure "$machine" quiet && sure $share
done
for id in $noisy; do
	measure "machines/$id.ini" cloud --cloud
	# Where neighbours take part of a shared level, or it takes the noise for hostile, much may be left open.
	grep -q '^shared = ' "machines/$id.ini" || sure 450
	measure "machines/$id.ini" hostile --intervals
done
exit $bad
