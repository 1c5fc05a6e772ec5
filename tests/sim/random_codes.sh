#!/bin/sh
# random_codes.sh - random instruction sides: HIERARCHIES of them (1), from FIRST (4, the quickest of the first few) on;
# what is wrong is printed with its seed. It fails when a finding is confidently wrong or less than MEASURED percent (80)
# are measured.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-4}
last=$((first + ${HIERARCHIES:-1} - 1))
bad=0

for seed in $(seq "$first" "$last"); do
	PYTHONDONTWRITEBYTECODE=1 python3 tests/sim/random_code.py "$seed" >"$out/code.ini" || exit 1
	"$XRAY" cache.l1i cache.uop 'cache.*.unified' 'cache.*.code' tlb.l1i tlb.l2i --machine "$out/code.ini" \
		--seed "$seed" --json >"$out/code.json" || [ $? -eq 1 ] || {
		echo "seed $seed: xray gave up"
		exit 1
	}
	python3 tests/sim/truth.py "$out/code.ini" "$out/code.json" --unsure >"$out/verdict" || {
		echo "seed $seed is wrong:"
		bad=1
	}
	[ "$(wc -l <"$out/verdict")" -eq 1 ] || sed '$d; s/^[^:]*: /  /' "$out/verdict"
	tail -n 1 "$out/verdict" >>"$out/all"
done
awk -v least="${MEASURED:-80}" '{ right += $1; wrong += $3; unsure += $5 }
	END {
		total = right + wrong + unsure
		printf "%d instruction sides: %d right, %d wrong, %d unsure: %.2f %% measured\n", NR, right, wrong, unsure, \
			100 * (right + wrong) / total
		exit 100 * (right + wrong) / total < least
	}' "$out/all" || bad=1
exit $bad
