#!/bin/sh
# guest.sh - a program that calls libxray finds everything as it left it; what is kept answers within 5 ms, and a file of
# it that is broken, foreign, old or cannot be written does no harm
set -u
: "${TOP:?}" "${XRAY:?}"
bad=0
cache=$XDG_CACHE_HOME/xray

wrong()
{
	echo "$1" >&2
	bad=1
}

gcc -std=gnu11 -Wall -Wextra -Werror -O1 -I "$TOP/include" "$TOP/tests/library/guest.c" -L "$TOP/build/lib" -lxray -lm \
	"-Wl,-rpath,$TOP/build/lib" -o "$TMPDIR/guest" || exit 1

# With a decimal comma, where that can be had.
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$TMPDIR/de_DE.UTF-8" 2>/dev/null; then
	export LOCPATH="$TMPDIR" LC_ALL=de_DE.UTF-8
fi
"$TMPDIR/guest" >"$TMPDIR/out" 2>"$TMPDIR/err" || wrong "guest: exit $?"
[ ! -s "$TMPDIR/err" ] || wrong "$(cat "$TMPDIR/err")"
grep -qxE '[0-9.,]+ ms for what is kept' "$TMPDIR/out" && [ "$(wc -l <"$TMPDIR/out")" -eq 1 ] || wrong "on stdout: $(cat "$TMPDIR/out")"
cat "$TMPDIR/out"
"$TMPDIR/guest" simulated "$TOP/machines/p5.ini" >"$TMPDIR/ours" 2>&1 || wrong "simulated: exit $?"
export LC_ALL=C
"$XRAY" --machine "$TOP/machines/p5.ini" --seed 7 cpu.frequency --json >"$TMPDIR/command.json"
theirs=$(sed -n 's/^ *"value": \([0-9.]*\),/\1/p' "$TMPDIR/command.json")
[ "$(cat "$TMPDIR/ours")" = "${theirs%.0}" ] || wrong "simulated: $(cat "$TMPDIR/ours"), the command says $theirs"

# expect WHAT PATTERN: what the library says is kept
expect()
{
	"$TMPDIR/guest" kept cpu.frequency >"$TMPDIR/out" 2>&1 || wrong "$1: exit $?"
	grep -qxE "$2" "$TMPDIR/out" || wrong "$1: $(cat "$TMPDIR/out")"
}

set -- "$cache"/findings-*-usual.jsonl
[ $# -eq 1 ] && [ -s "$1" ] || { wrong "one file of findings: $*"; exit 1; }
file=$1
cp "$file" "$TMPDIR/good"
good='(measured|unclear) [0-9].*'
none='blocked 0'
expect 'as it is' "$good"
"$XRAY" --from "$file" cpu.frequency >"$TMPDIR/out" 2>&1 || [ $? -eq 1 ] || wrong "--from: $(cat "$TMPDIR/out")"

head -c 300 "$TMPDIR/good" >"$file"
expect 'cut off' "$none"
: >"$file"
expect empty "$none"
head -c 5000 /dev/urandom >"$file"
expect noise "$none"
{ cat "$TMPDIR/good" && head -c 300 "$TMPDIR/good"; } >"$file"
expect 'a second line that is cut off' "$good"
sed 's/"schema":1/"schema":99/' "$TMPDIR/good" >"$file"
expect 'another schema' "$none"
sed 's/"unit":"Hz"/"unit":"bytes"/' "$TMPDIR/good" >"$file"
expect 'another unit' "$none"
sed 's/"date":"[^"]*"/"date":"2020-01-01T00:00:00Z"/' "$TMPDIR/good" >"$file"
expect 'years old' "$none"
sed 's/"date":"[^"]*"/"date":"2220-01-01T00:00:00Z"/' "$TMPDIR/good" >"$file"
expect 'of the future' "$none"
sed 's/"date":"[^"]*"/"date":"yesterday"/' "$TMPDIR/good" >"$file"
expect 'without a date' "$none"
rm "$file"
expect 'not there' "$none"
ln -s "$TMPDIR/good" "$file"
expect 'a link' "$none"
rm "$file"
mkfifo "$file"
expect 'a pipe' "$none"
rm "$file"
mkdir "$file"
expect 'a directory' "$none"
rmdir "$file"
if [ "$(id -u)" -eq 0 ]; then
	cp "$TMPDIR/good" "$file"
	chown 65534 "$file"
	expect "another user's" "$none"
	rm "$file"
fi

# Where nothing can be kept, nor compiled code, there are findings all the same, and no talk.
XDG_CACHE_HOME=/dev/null/none "$TMPDIR/guest" measured cpu.frequency >"$TMPDIR/out" 2>"$TMPDIR/err" || wrong "no cache: exit $?"
grep -qxE "$good" "$TMPDIR/out" && [ ! -s "$TMPDIR/err" ] || wrong "no cache: $(cat "$TMPDIR/out" "$TMPDIR/err")"

# Another compiler is another fingerprint; a file that was broken is replaced.
mkdir "$TMPDIR/bin"
ln -s /bin/true "$TMPDIR/bin/gcc"
cp "$TMPDIR/good" "$file"
PATH=$TMPDIR/bin:$PATH "$TMPDIR/guest" kept cpu.frequency >"$TMPDIR/out" 2>&1
grep -qx "$none" "$TMPDIR/out" || wrong "another compiler: $(cat "$TMPDIR/out")"
echo broken >"$file"
"$TMPDIR/guest" measured cpu.frequency >"$TMPDIR/first" 2>&1 || wrong "measured: exit $?"
"$TMPDIR/guest" kept cpu.frequency >"$TMPDIR/out" 2>&1
cmp -s "$TMPDIR/first" "$TMPDIR/out" || wrong "replaced: $(cat "$TMPDIR/out"), not $(cat "$TMPDIR/first")"
set -- "$cache"/findings-*
[ $# -eq 1 ] || wrong "files are left over: $*"
exit $bad
