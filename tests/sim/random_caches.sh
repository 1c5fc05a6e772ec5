#!/bin/sh
# random_caches.sh - random memories, each with frames in order and in disorder: none confidently wrong, at least 95 and
# 85 % measured. HIERARCHIES of them (15), from FIRST (1) on; the seed of one that fails is printed.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
last=$((first + ${HIERARCHIES:-15} - 1))
bad=0

# try FRAMES SEED: adds the verdict to the others of these frames.
try() {
	python3 tests/sim/random_memory.py "$2" --frames "$1" >"$out/memory.ini" || exit 1
	"$XRAY" cache memory --machine "$out/memory.ini" --seed "$2" --json >"$out/memory.json" || [ $? -eq 1 ] || {
		echo "seed $2 $1: xray gave up"
		exit 1
	}
	python3 tests/sim/truth.py "$out/memory.ini" "$out/memory.json" >"$out/verdict" || {
		echo "seed $2 $1:"
		sed '$d; s/^[^:]*: /  /' "$out/verdict"
		bad=1
	}
	tail -n 1 "$out/verdict" >>"$out/$1"
}

# total FRAMES PERCENT: what was found in all, and whether enough was. Levels that are not there do not count.
total() {
	awk -v frames="$1" -v least="$2" '{ right += $1; wrong += $3; unsure += $5 }
		END {
			total = right + wrong + unsure
			if (total == 0) { print frames ": nothing was measured"; exit 1 }
			percent = 100 * (right + wrong) / total
			printf "%d memories, frames %s: %d right, %d wrong, %d unsure: %.2f %% measured\n", NR, frames, \
				right, wrong, unsure, percent
			exit percent < least
		}' "$out/$1" || bad=1
}

for seed in $(seq "$first" "$last"); do
	try contiguous "$seed"
	try random "$seed"
done
total contiguous 95
total random 85
exit $bad
