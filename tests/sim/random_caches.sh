#!/bin/sh
# random_caches.sh - random memories, each with frames in order and in disorder. HIERARCHIES of them (1), from FIRST (1)
# on; what is wrong is printed with its seed. It fails when more than WRONG percent (2) of the findings are confidently
# wrong or less than MEASURED percent (65) are measured. That is where the engines are, not where they should be: 0.2 %
# wrong at most, and 95 % measured, 85 % where frames are random.
cd "${TOP:?}" || exit 1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
first=${FIRST:-1}
last=$((first + ${HIERARCHIES:-1} - 1))
bad=0
# What is judged: sizes and the like of every level, and the nearest one's policy and stores.
names='cache.levels cache.l1d.policy cache.l1d.write'
for property in size reach ways line latency; do
	names="$names cache.l1d.$property cache.l?.$property"
done
set -f

# try FRAMES SEED: adds the verdict to the others of these frames.
try() {
	python3 tests/sim/random_memory.py "$2" --frames "$1" >"$out/memory.ini" || exit 1
	# shellcheck disable=SC2086 # a list
	"$XRAY" $names memory.latency \
		line.constructive \
		--machine "$out/memory.ini" --seed "$2" --json >"$out/memory.json" || [ $? -eq 1 ] || {
		echo "seed $2 $1: xray gave up"
		exit 1
	}
	python3 tests/sim/truth.py "$out/memory.ini" "$out/memory.json" >"$out/verdict" || {
		echo "seed $2 $1:"
		sed '$d; s/^[^:]*: /  /' "$out/verdict"
	}
	tail -n 1 "$out/verdict" >>"$out/$1"
}

# total FRAMES: what was found in all, and whether enough was. Levels that are not there do not count.
total() {
	awk -v frames="$1" -v least="${MEASURED:-65}" -v most="${WRONG:-2}" '{ right += $1; wrong += $3; unsure += $5 }
		END {
			total = right + wrong + unsure
			if (total == 0) { print frames ": nothing was measured"; exit 1 }
			percent = 100 * (right + wrong) / total
			printf "%d memories, frames %s: %d right, %d wrong, %d unsure: %.2f %% measured\n", NR, frames, \
				right, wrong, unsure, percent
			exit percent < least || 100 * wrong / total > most
		}' "$out/$1" || bad=1
}

for seed in $(seq "$first" "$last"); do
	try contiguous "$seed"
	try random "$seed"
done
total contiguous
total random
exit $bad
