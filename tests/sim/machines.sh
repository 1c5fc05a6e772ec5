#!/bin/sh
# machines.sh - on every machine file, quiet and with cloud noise, xray finds what the file says; under hostile noise it
# says nothing wrong. SEEDS is how many seeds each (1).
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
bad=0
seeds=$(seq "${SEEDS:-1}")

# measure FILE NOISE [OPTION OF truth.py]
measure() {
	for seed in $seeds; do
		"$XRAY" 'cpu.f*' 'cpu.r*' op --machine "$1?noise=$2" --seed "$seed" --json >"$out/$seed.json" || [ $? -eq 1 ] || exit 1
	done
	python3 tests/sim/truth.py "$1" "$out"/*.json $3 >"$out/verdict" && wrong=0 || wrong=1
	printf '%s %s: %s\n' "$1" "$2" "$(tail -n 1 "$out/verdict")"
	if [ $wrong -ne 0 ]; then
		head -n 5 "$out/verdict"
		bad=1
	fi
}

# sure SHARE: at most this many of a thousand findings may be anything but measured or absent.
sure() {
	awk -v most="$1" '{ if ($5 * 1000 > most * ($1 + $3 + $5)) { print "too much is unsure"; exit 1 } }' <<-EOF || bad=1
		$(tail -n 1 "$out/verdict")
	EOF
}

for machine in machines/*.ini; do
	measure "$machine" quiet --exact && sure 0
	measure "$machine" cloud --exact && sure 25
	measure "$machine" hostile --intervals
done
exit $bad
