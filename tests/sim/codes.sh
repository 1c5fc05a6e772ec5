#!/bin/sh
# codes.sh - on machine files xray finds the caches, micro-ops and TLBs of code that the file describes; on some with
# cloud noise, too, and under hostile noise it says nothing wrong. SEEDS is how many seeds each (1), MACHINES which files
# (all for all of them; one of the I-cache paper's), NOISY those that get noise.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
seeds=$(seq "${SEEDS:-1}")
noisy=${NOISY-}
machines=${MACHINES:-pentium3}
if [ "$machines" = all ]; then
	machines=$(cd machines && echo *.ini | sed 's/\.ini//g')
fi

# measure FILE NOISE [OPTION OF truth.py]
measure() {
	for seed in $seeds; do
		"$XRAY" cache.l1i cache.uop 'cache.*.unified' 'cache.*.code' tlb.l1i tlb.l2i --machine "$1?noise=$2" \
			--seed "$seed" --json >"$out/$seed.json" || [ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$1" "$out"/*.json $3 --unsure >"$out/verdict" && wrong=0 || wrong=1
	printf '%s %s: %s\n' "$1" "$2" "$(tail -n 1 "$out/verdict")"
	# What lies beyond the first level may be left open, and where the fetcher runs ahead all of straight code; nothing
	# else where it is quiet.
	if [ $wrong -ne 0 ] ||
		{ [ "$2" = quiet ] && grep -v '\.code \|cache\.l[2-9]\.unified\|straight\|right' "$out/verdict" | grep -q .; }; then
		cat "$out/verdict"
		bad=1
	fi
}

for id in $machines; do
	measure "machines/$id.ini" quiet
done
for id in $noisy; do
	measure "machines/$id.ini" cloud --cloud
	measure "machines/$id.ini" hostile --intervals
done
exit $bad
