#!/bin/sh
# copies.sh - on machine files with caches, what xray says of stores, of inclusion, of victim buffers and of sectors is
# what the file says. Unclear is no mistake, but on these: the papers' machines whose first level allocates no line
# for a store, one of sectors, one whose second level is exclusive. MACHINES are others (all for all of them), SEEDS how
# many seeds each (1), NOISE the kind of it (quiet).
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0

# judge MACHINE MOST NAME...: at most so many of these may be unsure, and none wrong.
judge() {
	machine=machines/$1.ini
	most=$2
	shift 2
	for seed in $(seq "${SEEDS:-1}"); do
		"$XRAY" "$@" --machine "$machine?noise=${NOISE:-quiet}" --seed "$seed" --json >"$out/$seed.json" ||
			[ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$machine" "$out"/*.json --unsure >"$out/verdict" || bad=1
	printf '%s: %s\n' "$machine" "$(tail -n 1 "$out/verdict")"
	if [ "$(tail -n 1 "$out/verdict" | cut -d ' ' -f 5)" -gt "$most" ]; then
		echo "too much is unsure"
		bad=1
	fi
	sed '$d' "$out/verdict"
	rm -f "$out"/*.json
}

if [ -z "$MACHINES" ]; then
	judge p5 0 cache.l1d.write cache.l1d.victim cache.l1d.sector
	judge usparc1 0 cache.l1d.write cache.l1d.victim cache.l1d.sector
	judge power9 0 cache.l1d.sector
	judge opteron240 0 cache.l1d.write cache.l2.write cache.l2.inclusion cache.l2.sector
fi
if [ "$MACHINES" = all ]; then
	MACHINES=$(cd machines && echo *.ini | sed 's/\.ini//g')
fi
for id in $MACHINES; do
	judge "$id" 1000 'cache.l1d.write' 'cache.l?.write' 'cache.*.inclusion' cache.l1d.victim 'cache.l1d.sector' \
		'cache.l?.sector'
done
exit $bad
