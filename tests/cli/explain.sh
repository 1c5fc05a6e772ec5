#!/bin/sh
# explain.sh - xray explain draws what an answer was read off: in the locale's signs, as wide as there is room
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

"$XRAY" --machine "$TOP/machines/a72.ini" cache.l1d cpu.frequency cpu.registers.i32 --json --evidence >run.json 2>err ||
	[ $? -eq 1 ] || wrong "$(cat err)"

# explain FILE NAME OPTIONS...: what is drawn and listed, without the story
explain()
{
	file=$1
	shift
	"$XRAY" --from run.json explain "$@" >out 2>err || wrong "explain $*: exit $?: $(cat err)"
	sed -n '/: measured, /,$p' out >"$file"
}

# Dots, a post and a mark at the answer; no line is wider than what COLUMNS says.
for width in 60 100; do
	LC_ALL=C COLUMNS=$width explain ascii cache.l1d.line
	grep -q '^ *^ 64 B$' ascii || wrong "no mark at the answer: $(cat ascii)"
	[ "$(sed -n '3,12p' ascii | grep -c '|.*|')" -ge 7 ] || wrong "no post at the answer: $(cat ascii)"
	sed -n '3,15p' ascii | grep -q '[^ -~]' && wrong "not ASCII: $(cat ascii)"
	sed -n '3,15p' ascii | awk -v width=$width 'length > width { exit 1 }' || wrong "wider than $width: $(cat ascii)"
done
LC_ALL=C.UTF-8 explain dots cache.l1d.line
grep -q '▲ 64 B$' dots || wrong "no mark in UTF-8: $(cat dots)"
grep -q '⠉⠉' dots || wrong "no Braille: $(cat dots)"

# The table stays; a long one on demand, and its length is told.
grep -q '^  tried .* taken for$' dots || wrong 'a short table is gone'
explain table cpu.frequency
grep -q '^  tried ' table || wrong "no table where nothing can be drawn: $(cat table)"
grep -q '^ .*|$' table && wrong 'something is drawn of no numbers'
explain long cpu.registers.i32
grep -q 'in the loop' long || wrong "no words over the drawing: $(cat long)"
exit $bad
