#!/bin/sh
# interrupt.sh - Ctrl-C: exit 130, and what was found so far is printed, whole
set -u
: "${XRAY:?}" "${TOP:?}"
command -v python3 >/dev/null || { echo 'no python3 here' >&2; exit 77; }
bad=0
cd "$TMPDIR" || exit 1
mkdir tmp

wrong()
{
	echo "$1" >&2
	bad=1
}

# A shell starts what it puts into the background with SIGINT ignored; python does not.
# interrupted SECONDS FILE COMMAND...: its exit status, 999 when it ended before the signal
interrupted()
{
	TMPDIR=$PWD/tmp python3 - "$@" <<'PROGRAM'
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
with open(sys.argv[2], "wb") as out:
    run = subprocess.Popen(sys.argv[3:], stdout=out, stderr=open("err", "wb"),
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        run.wait(float(sys.argv[1]))
        print(999)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        try:
            print(run.wait(20))
        except subprocess.TimeoutExpired:
            run.kill()
            print("still running after 20 s")
PROGRAM
}

# check NAME SECONDS COMMAND...
check()
{
	name=$1 seconds=$2
	shift 2
	status=$(interrupted "$seconds" "$name.json" "$@")
	if [ "$status" = 999 ] || [ "$status" = 0 ]; then
		echo "$name: done in less than $seconds s" >&2
		return 1
	fi
	[ "$status" = 130 ] || wrong "$name: exit $status: $(head -n 3 err)"
	python3 "$TOP/tests/cli/schema.py" <"$name.json" || wrong "$name: no valid JSON: $(head -c 300 "$name.json")"
	return 0
}

compiler=$(command -v gcc || command -v clang)
tried=
# Everything there is, on a machine that disturbs it: long enough to be caught at it.
for seconds in 0.3 0.05; do
	if check simulated $seconds "$XRAY" --machine "$TOP/machines/spr.ini?noise=hostile" --full --json; then
		tried=yes
		break
	fi
done
if [ -n "$compiler" ]; then
	# While it compiles, and while it measures.
	check compiling 0.5 "$XRAY" 'op.*' --json --no-cache && tried=yes
	check real 1.5 "$XRAY" 'op.*' --json && tried=yes
	"$XRAY" explain cpu.frequency >/dev/null || wrong "explain after an interrupt: exit $?"
fi
[ -n "$tried" ] || { echo 'every run ended before it could be interrupted' >&2; exit 77; }
[ -z "$(find tmp -mindepth 1)" ] || wrong "left in TMPDIR: $(find tmp -mindepth 1 | head -n 5)"
find "$XDG_CACHE_HOME" -type f ! -name '*.so' ! -name last.jsonl | grep . >&2 && wrong 'half-made files in the cache'
exit $bad
