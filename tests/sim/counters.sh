#!/bin/sh
# counters.sh - through simulated counters xray finds what the file says, and nothing where there is no counter: AMP's
# Table 1; with noisy counters as with exact ones; and with one of them broken that one is noticed.
# MACHINES: which files, then with noisy counters, too (p5 alone; all for those of AMP); BREAKS: all for each break of each counter, else one of each kind.
cd "${TOP:?}" || exit 1
: "${XRAY:?}"
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
amp='p5 ppro pii usparc1 r10k'
machines=${MACHINES:-p5}
[ "$machines" != all ] || machines=$amp

# look FILE BROKEN NAME...: measures, and compares with the file
look()
{
	file=$1 broken=$2
	shift 2
	"$XRAY" "$@" --machine "$file" --json >"$out/json" || [ $? -eq 1 ] || exit 1
	python3 tests/sim/counters_truth.py "$file" "$out/json" $broken >"$out/verdict" && wrong=0 || wrong=1
	echo "$file $broken: $(tail -n 1 "$out/verdict")"
	# An event that is not trusted leaves open what it would tell, and nothing else.
	if [ $wrong -ne 0 ] || { [ -z "$broken" ] && grep -q '^unsure' "$out/verdict"; }; then
		cat "$out/verdict"
		bad=1
	fi
}

# change FILE KEY VALUE TO: the same machine with another line in [counters]
change()
{
	awk -v key="$2" -v value="$3" '$1 == key { next } { print } /^\[counters\]/ { print key " = " value }' "$1" >"$4"
}

for id in $machines; do
	look "machines/$id.ini" '' counter
	[ -n "${MACHINES-}" ] || continue
	sed 's/= exact$/= noisy/; s/^\[counters\]/&\noverhead = 37\nmultiplexed = 0.2/' "machines/$id.ini" >"$out/noisy.ini"
	look "$out/noisy.ini" '' counter.cache.l1d
done

[ "${BREAKS-}" != all ] || machines=$amp
for id in $machines; do
	events=$(sed -n '/^\[counters\]/,/^$/s/ = exact$//p' "machines/$id.ini")
	set -- double nothing stuck wraps dtlb.misses l1d.misses
	for event in $events; do
		for how in "$@"; do
			[ "$how" != "$event" ] || continue
			change "machines/$id.ini" "$event" "$how" "$out/broken.ini"
			look "$out/broken.ini" "$event" counter.events
			[ "${BREAKS-}" = all ] || break
		done
		# The next event gets the next break.
		[ "${BREAKS-}" = all ] || { how=$1 && shift && set -- "$@" "$how"; }
	done
done
exit $bad
