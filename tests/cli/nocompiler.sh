#!/bin/sh
# nocompiler.sh - without a compiler that works, what needs none is measured and the rest is blocked with its message
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
cd "$TMPDIR" || exit 1
mkdir nothing tmp

wrong()
{
	echo "$1" >&2
	bad=1
}

# of NAME: outcome and reason of the finding
of()
{
	python3 -c 'import json, sys
finding = json.load(open("out"))["findings"][sys.argv[1]]
print(finding["outcome"], finding.get("reason", ""))' "$1"
}

# ran NAME WHAT: measured, or not for a neighbour's sake; a compiler has no part in it
ran()
{
	case $(of "$1") in
	measured* | unclear*) ;;
	'blocked needs cpu.frequency, which is unclear' | 'blocked needs cache.levels, which is '[ub]*) ;;
	*) wrong "$2: $1: $(of "$1")" ;;
	esac
}

# blocked NAME WHAT MESSAGE
blocked()
{
	of "$1" | grep -qE "^blocked .*$3" || wrong "$2: $1: $(of "$1")"
}

# without WHAT MESSAGE COMMAND...: xray with no compiler to be had
without()
{
	what=$1 message=$2
	shift 2
	TMPDIR=$PWD/tmp timeout 90 "$@" cache.l1d.latency cpu.frequency op.add.i64.latency cpu.registers.i64 cpu.fma.f64 \
		op.load.ptr.latency --json --quick >out 2>err
	status=$?
	[ $status -eq 1 ] || wrong "$what: exit $status: $(cat err)"
	ran cpu.frequency "$what"
	ran cache.l1d.latency "$what"
	for name in op.add.i64.latency op.load.ptr.latency cpu.registers.i64 cpu.fma.f64; do
		blocked $name "$what" "$message"
	done
	grep -qE "\"compiler\": \"none, built-in code \(.*$message" out || wrong "$what: $(grep '"compiler"' out)"
	left=$(find tmp -mindepth 1)
	[ -z "$left" ] || wrong "$what: left over: $left"
}

cat >fails <<'SCRIPT'
#!/bin/sh
echo run >>runs
[ "$1" = --version ] && { echo 'failing cc 1.0'; exit 0; }
echo 'fails: error: out of ideas' >&2
exit 1
SCRIPT
cat >hangs <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && { echo 'hanging cc 1.0'; exit 0; }
exec sleep 600
SCRIPT
chmod +x fails hangs

without 'a missing compiler' '/nonexistent/cc does not run' "$XRAY" --cc /nonexistent/cc --record tape
cp out first
without 'a recording of it' '/nonexistent/cc does not run' "$XRAY" --machine tape
python3 - <<'SCRIPT' || wrong 'a recording of it: other findings'
import json

def found(name):
    findings = json.load(open(name))["findings"]
    # Nobody claims anything of a machine that is not here.
    return {key: {k: v for k, v in finding.items() if k not in ("claimed", "agrees")} for key, finding in findings.items()}

assert found("first") == found("out")
SCRIPT

without 'no compiler in PATH' 'neither gcc, clang nor cc' env PATH="$PWD/nothing" "$XRAY"
without 'a compiler that is none' '/bin/false does not run' "$XRAY" --cc /bin/false
without 'a compiler that fails' 'failed: out of ideas' "$XRAY" --cc ./fails
[ "$(wc -l <runs)" -le 8 ] || wrong "a compiler that fails: it is asked $(wc -l <runs) times"
without 'a compiler that hangs' 'did not finish within' "$XRAY" --cc ./hangs --budget 20
if command -v gcc >/dev/null || command -v clang >/dev/null; then
	without 'no place for compiled code' 'cannot make a scratch directory' \
		env TMPDIR=/proc/nonexistent XDG_CACHE_HOME=/proc/nonexistent "$XRAY"
	# As from a directory whose files may not be executed: an object is nothing to load.
	without 'compiled code that does not load' 'ET_DYN' "$XRAY" --cflags '-O2 -c'
fi

# Everything that was asked for is measured: that is a success.
"$XRAY" cpu.frequency --cc /nonexistent/cc --json >out 2>err
status=$?
case $(of cpu.frequency) in
measured*) [ $status -eq 0 ] || wrong "cpu.frequency without a compiler: exit $status" ;;
*) ran cpu.frequency 'alone' ;;
esac

# The other barrier's chains are built in, too.
"$XRAY" cpu.frequency --cc /nonexistent/cc --barrier switch --json >out 2>err
ran cpu.frequency '--barrier switch'
exit $bad
