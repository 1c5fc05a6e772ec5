#!/bin/sh
# random_tlbs.sh - random TLBs: HIERARCHIES of them (3), from FIRST (1) on; what is wrong is printed with its seed. It
# fails when a finding is confidently wrong or less than MEASURED percent (90) are measured. Huge pages are not asked for:
# what half a gigabyte of them shows is little.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
last=$((first + ${HIERARCHIES:-3} - 1))
bad=0

for seed in $(seq "$first" "$last"); do
	PYTHONDONTWRITEBYTECODE=1 python3 tests/sim/random_tlb.py "$seed" >"$out/tlb.ini" || exit 1
	"$XRAY" page.size 'tlb.l*d.entries' 'tlb.l*d.ways' 'tlb.l*d.penalty' 'tlb.l*d.reach' --machine "$out/tlb.ini" \
		--seed "$seed" --json >"$out/tlb.json" || [ $? -eq 1 ] || {
		echo "seed $seed: xray gave up"
		exit 1
	}
	python3 tests/sim/truth.py "$out/tlb.ini" "$out/tlb.json" --unsure >"$out/verdict" || {
		echo "seed $seed is wrong:"
		bad=1
	}
	[ "$(wc -l <"$out/verdict")" -eq 1 ] || sed '$d; s/^[^:]*: /  /' "$out/verdict"
	tail -n 1 "$out/verdict" >>"$out/all"
done
awk -v least="${MEASURED:-90}" '{ right += $1; wrong += $3; unsure += $5 }
	END {
		total = right + wrong + unsure
		printf "%d hierarchies: %d right, %d wrong, %d unsure: %.2f %% measured\n", NR, right, wrong, unsure, \
			100 * (right + wrong) / total
		exit 100 * (right + wrong) / total < least
	}' "$out/all" || bad=1
exit $bad
