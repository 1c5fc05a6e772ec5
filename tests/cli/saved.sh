#!/bin/sh
# saved.sh - a document that was kept says what the run said: text, JSON, CSV and explain, with nothing measured again
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
machine=$TOP/machines/haswell.ini
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

# show FILE ARGUMENTS...: what xray prints without a machine; the file is new
show()
{
	file=$1
	shift
	"$XRAY" "$@" --from run.json >"$file" 2>err
	status=$?
	[ $status -le 1 ] || wrong "$*: exit $status: $(cat err)"
}

names='cpu op.add smp.cpus comm.tree'
# shellcheck disable=SC2086 # the names are words
{
	"$XRAY" --machine "$machine" $names --json --evidence --csv curves >run.json 2>err
	"$XRAY" --machine "$machine" $names >run.txt 2>>err
}
[ -s run.json ] || wrong "nothing was measured: $(cat err)"

show again.json --json --evidence --csv curves.again
cmp -s run.json again.json || wrong "not the same document: $(diff run.json again.json | head -n 5)"
diff -r curves curves.again >&2 || wrong 'not the same curves'
show again.txt --full
# What a run takes differs from run to run.
sed 's/   *[0-9.]* s\( \|$\).*//' run.txt >a
sed 's/   *[0-9.]* s\( \|$\).*//' again.txt >b
diff a b >&2 || wrong 'not the same text'

show part.txt op.add.i64
grep -q add.i64 part.txt || wrong 'a name selects nothing'
grep -q cpu.frequency part.txt && wrong 'a name selects what it does not name'
show explained.txt explain cpu.frequency
grep -q ': measured, ' explained.txt || wrong "explain says: $(cat explained.txt)"

# refused WHAT ARGUMENTS...: exit 2, and stderr says WHAT
refused()
{
	what=$1
	shift
	"$XRAY" "$@" >out 2>err
	[ $? -eq 2 ] || wrong "$*: exit status is not 2"
	grep -q "$what" err || wrong "$*: says $(cat err)"
	[ ! -s out ] || [ "$1" = explain ] || wrong "$*: prints something"
}

refused "holds nothing named 'tlb'" tlb --from run.json
refused 'none.json' --from none.json
refused 'none.json' explain cpu.frequency --from none.json
head -c 300 run.json >cut.json
refused 'cut.json:' --from cut.json
exit $bad
