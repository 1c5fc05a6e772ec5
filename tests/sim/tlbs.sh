#!/bin/sh
# tlbs.sh - on machine files xray finds the pages and TLBs that the file describes; on some with cloud noise, too, and
# under hostile noise it says nothing wrong. SEEDS is how many seeds each (1), MACHINES which files (all for all of them;
# X-Ray's and AMP's, and some more), NOISY those that get noise. Policies are not asked for: where sets are large none is told.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
seeds=$(seq "${SEEDS:-1}")
noisy=${NOISY-pentium3}
machines=${MACHINES:-pentium3 p4xeon r10k zen4}
if [ "$machines" = all ]; then
	machines=$(cd machines && echo *.ini | sed 's/\.ini//g')
fi

# measure FILE NOISE [OPTION OF truth.py]
measure() {
	for seed in $seeds; do
		"$XRAY" page 'tlb.l*d.[ehrsw]*' 'tlb.l*d.penalty' --machine "$1?noise=$2" --seed "$seed" --json >"$out/$seed.json" || [ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$1" "$out"/*.json $3 --unsure >"$out/verdict" && wrong=0 || wrong=1
	printf '%s %s: %s\n' "$1" "$2" "$(tail -n 1 "$out/verdict")"
	# Half a gigabyte of huge pages is little: what it does not show may be left open. Nothing else may where it is quiet.
	if [ $wrong -ne 0 ] || { [ "$2" = quiet ] && grep -v 'huge\|right' "$out/verdict" | grep -q .; }; then
		cat "$out/verdict"
		bad=1
	fi
}

for id in $machines; do
	measure "machines/$id.ini" quiet
done
for id in $noisy; do
	measure "machines/$id.ini" cloud
	measure "machines/$id.ini" hostile --intervals
done

# promoted AFTER EXPECTED: r10k's system makes plain pages larger after that time (AMP's IRIX); the rest stays as it is.
promoted() {
	sed "s/^\[pages\]/&\npromotion = $1/" machines/r10k.ini >"$out/promoted.ini"
	"$XRAY" page.size page.promotion tlb.l1d.entries --machine "$out/promoted.ini" --json >"$out/promoted.json" ||
		[ $? -eq 1 ] || exit 1
	python3 tests/sim/truth.py "$out/promoted.ini" "$out/promoted.json" --unsure >"$out/verdict"
	grep -q '^3 right 0 wrong 0 unsure' "$out/verdict" || {
		echo "promotion after $1:"
		cat "$out/verdict"
		bad=1
	}
}
promoted '1 us'
promoted '120 s'

# Tables that leave the nearest cache are no third TLB; a hashed second one has ways, but no strides. Stores do not use
# the first, and do use the second.
sed 's/^tables = .*/tables = l1d/; s/^\[tlb l1d\]/&\nfor = loads/; s/^\[tlb l2\]/&\nindex = hash/' machines/emr.ini \
	>"$out/tables.ini"
"$XRAY" 'tlb.l*d.entries' 'tlb.l*d.stores' tlb.l2d.ways --machine "$out/tables.ini" --json >"$out/tables.json" || [ $? -eq 1 ] || exit 1
python3 tests/sim/truth.py "$out/tables.ini" "$out/tables.json" --unsure >"$out/verdict"
grep -q '^5 right 0 wrong 0 unsure 2 absent' "$out/verdict" || {
	echo 'tables in the nearest cache, a hashed index, loads alone:'
	cat "$out/verdict"
	bad=1
}
exit $bad
