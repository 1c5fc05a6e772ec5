#!/bin/sh
# progress.sh - on a terminal one line that redraws and goes away; nothing of it elsewhere; --verbose tells decisions
set -u
: "${XRAY:?}" "${TOP:?}"
command -v python3 >/dev/null || { echo 'no python3 here' >&2; exit 77; }
bad=0
cd "$TMPDIR" || exit 1
machine=$TOP/machines/a72.ini

wrong()
{
	echo "$1" >&2
	bad=1
}

# terminal FILE COLUMNS ARGUMENTS...: what a terminal of that width gets to see; stdout goes to another file
terminal()
{
	file=$1 columns=$2
	shift 2
	python3 "$TOP/tests/cli/terminal.py" "$columns" "$XRAY" "$@" >"$file" || wrong "$*: exit $?"
}

export LC_ALL=C TERM=xterm
names='cpu.frequency op.add op.mul'
for columns in 80 30; do
	# shellcheck disable=SC2086 # the names are words
	terminal seen $columns --machine "$machine" $names
	tr '\r' '\n' <seen | sed 's/.\[K//; s/.\[[0-9]*m//g' >lines
	grep -qE '^.* 9[0-9] %  [0-9]+ s left' lines || wrong "$columns: no part done and time left: $(cat lines)"
	awk -v columns=$columns 'length >= columns { exit 1 }' lines || wrong "$columns: wraps: $(cat lines)"
	[ "$(tail -c 4 seen | od -An -c | tr -d ' \n')" = '\r033[K' ] || wrong "$columns: the line stays: $(tail -n 1 lines)"
done
terminal seen 80 --machine "$machine" op.add
tr '\r' '\n' <seen | grep -q '  op.add.i64.interval$' || wrong "no name: $(cat seen)"
tr '\r' '\n' <seen | grep -q '##' || wrong 'no bar'
grep -q "$(printf '\033\\[36m')" seen || wrong 'no colour'
NO_COLOR=1 terminal seen 80 --machine "$machine" op.add
grep -q "$(printf '\033\\[[0-9]*m')" seen && wrong 'colour in spite of NO_COLOR'
TERM=dumb terminal seen 80 --machine "$machine" op.add
[ ! -s seen ] || wrong "a dumb terminal gets a bar: $(cat seen)"

"$XRAY" --machine "$machine" op.add >/dev/null 2>err
[ ! -s err ] || wrong "no terminal, but talk: $(cat err)"
"$XRAY" --machine "$machine" cpu.frequency op.add.i64.latency --verbose >/dev/null 2>err
for line in '^cpu.frequency: measured 1.50 GHz, by ' '^op.add.i64.latency: for i=1..1 p{i} = p{i} + p0 : i64, 1: \(1\|0.999[0-9]*\)$' \
	'^op.add.i64.latency: measured 1.00 cycles'; do
	grep -q "$line" err || wrong "--verbose says no '$line': $(cat err)"
done
exit $bad
