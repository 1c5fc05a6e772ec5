#!/bin/sh
# random.sh - random cores: none confidently wrong, at least 98 % measured. CORES of them (20), from FIRST (1) on; the
# seed of a core that fails is its name.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
last=$((first + ${CORES:-20} - 1))
bad=0

for seed in $(seq "$first" "$last"); do
	python3 tests/sim/random_core.py "$seed" >"$out/core.ini" || exit 1
	"$XRAY" 'cpu.f*' 'cpu.r*' op --machine "$out/core.ini" --seed "$seed" --json >"$out/core.json" || [ $? -eq 1 ] || exit 1
	python3 tests/sim/truth.py "$out/core.ini" "$out/core.json" >"$out/verdict" || {
		echo "seed $seed:"
		cat "$out/verdict"
		bad=1
	}
	tail -n 1 "$out/verdict" >>"$out/all"
done
awk '{ right += $1; wrong += $3; unsure += $5 }
	END {
		total = right + wrong + unsure
		printf "%d cores: %d right, %d wrong, %d unsure: %.2f %% measured\n", NR, right, wrong, unsure, \
			100 * (right + wrong) / total
		exit (right + wrong) / total < 0.98
	}' "$out/all" || bad=1
exit $bad
