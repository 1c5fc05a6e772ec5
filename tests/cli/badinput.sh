#!/bin/sh
# badinput.sh - bad specs, bad machine files, bad compilers, bad directories: a message, the right exit, nothing left over
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
work=$TMPDIR/work
mkdir "$work" "$work/tmp" "$work/cache" && cd "$work" || exit 1
machine=$TOP/machines/haswell.ini

wrong()
{
	echo "xray $*" | cut -c 1-300 >&2
	bad=1
}

# says STATUS LINE ARGUMENTS...: exits with it, and stderr has a line like it; none when it is empty
says()
{
	wanted=$1 line=$2
	shift 2
	TMPDIR=$work/tmp XDG_CACHE_HOME=$work/cache timeout 60 "$XRAY" "$@" >out 2>err
	status=$?
	[ $status -eq "$wanted" ] || wrong "$*: exit $status, not $wanted: $(head -n 3 err)"
	[ -n "$line" ] || [ ! -s err ] || wrong "$*: talk on stderr: $(head -n 3 err)"
	[ -z "$line" ] || grep -qE -e "$line" err || wrong "$*: no line like '$line' in: $(head -n 3 err)"
}

# clean WHAT: nothing is left in TMPDIR, and no half-made thing in the cache
clean()
{
	left=$(find tmp -mindepth 1; find cache -type f ! -name '*.so' ! -name last.jsonl)
	[ -z "$left" ] || wrong "$1: left over: $left"
}

# --- specs
for command in show time; do
	says 2 '^ +\^$' $command 'p1 = p2 + : i64'
	says 2 'bad spec: .*expected a variable' $command 'p1 = p2 + : i64'
	says 2 'divides by zero' $command 'p1 = p1 / p0 : i64 where p0=0'
	says 2 'expected a type' $command 'p1 = p1 + p2 : i65'
	says 2 'bad spec' $command ''
	[ ! -s out ] || wrong "$command: a bad spec printed data"
	"$XRAY" $command "p1 = $(printf '%100000s' '' | tr ' ' '(')p1" >out 2>err
	status=$?
	[ $status -eq 2 ] || wrong "$command: 100000 open parentheses: exit $status"
done
caret=$("$XRAY" show 'p1 = p1 ! p2 : i64' 2>&1 | sed -n '3s/^\( *\)^$/\1/p')
[ ${#caret} -eq 10 ] || wrong "show 'p1 = p1 ! p2 : i64': the caret is in column ${#caret}"
says 1 'division by zero' time 'p1 = p1 / p2 | p2 = p2 - p3 : i64'
[ ! -s out ] || wrong "time: a division by zero has a time: $(cat out)"
clean 'a bad spec'

# --- machine files
says 2 'gone.ini: No such file or directory' --machine gone.ini
mkdir directory
says 2 'directory: Is a directory' --machine directory
: >empty.ini
says 2 'empty.ini: no \[machine\] section' --machine empty.ini
printf '[machine]\nfrequency = fast\n' >bad.ini
says 2 'bad.ini:2: frequency: .fast. .*allowed' --machine bad.ini cpu.frequency
printf '[machine]\nfrequency = 2 GHz\n[op add.i64]\nlatency = 1\nspeed = 3\n' >bad.ini
says 2 'bad.ini:5: speed: .*allowed' --machine bad.ini time 'p1 = p1 + p2 : i64'
head -c 3000 /dev/urandom >bad.ini
says 2 'bad.ini' --machine bad.ini
says 2 'loud.*allowed' --machine "$machine?noise=loud" cpu.frequency
cp "$machine" closed.ini
chmod 0 closed.ini
if [ "$(id -u)" -eq 0 ]; then
	echo 'root reads every file: an unreadable machine file is not tried'
else
	says 2 'closed.ini: Permission denied' --machine closed.ini
fi
says 2 'no code to show' --machine "$machine" show 'p1 = p1 + p2 : i64'

# --- output that does not arrive
for word in list --version cpu.registers.i64; do
	"$XRAY" $word --machine "$machine" >/dev/full 2>err
	status=$?
	[ $status -eq 1 ] || wrong "$word to a full disk: exit $status"
	grep -q 'output could not be written' err || wrong "$word to a full disk: $(cat err)"
done

# --- no compiler on a described machine: blocked everywhere
printf '[machine]\nfrequency = 2 GHz\ncompiler = no\n[op *.*]\nlatency = 1\n' >none.ini
says 1 '' --machine none.ini cpu op.add.i64 --json
grep -q '"outcome": "blocked"' out || wrong "compiler = no: $(cat out)"
grep '"outcome"' out | grep -qv blocked && wrong "compiler = no: not all blocked"
says 1 'blocked: .*compiler' --machine none.ini time 'p1 = p1 + p2 : i64'

# --- compilers that are not there, fail, or die half way
cat >fails <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && { echo 'failing cc 1.0'; exit 0; }
echo 'fails: error: out of ideas' >&2
exit 1
SCRIPT
cat >dies <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && { echo 'dying cc 1.0'; exit 0; }
while [ "$1" != -o ]; do shift; done
echo half >"$2"
echo half >"${TMPDIR:-/tmp}/ccdead.o"
kill -9 $$
SCRIPT
cat >short <<'SCRIPT'
#!/bin/sh
[ "$1" = --version ] && { echo 'short cc 1.0'; exit 0; }
while [ "$1" != -o ]; do shift; done
head -c 3000 "$(command -v "${XRAY:?}")" >"$2"
SCRIPT
cat >mute <<'SCRIPT'
#!/bin/sh
echo 'mute cc 1.0'
SCRIPT
chmod +x fails dies short mute
rm -rf cache/*
while read -r cc pattern; do
	talk=
	says 1 "$talk" cpu.registers.i64 op.add.i64.latency --cc "$cc" --json
	grep -q '"outcome": "blocked"' out || wrong "--cc $cc: $(cat out)"
	grep '"outcome"' out | grep -qv blocked && wrong "--cc $cc: not all blocked"
	grep -qE "\"reason\": .*$pattern" out || wrong "--cc $cc: $(grep reason out | head -n 1)"
	says 1 "blocked: .*$pattern" show 'p1 = p1 + p2 : i64' --cc "$cc"
	says 1 "blocked: .*$pattern" time 'p1 = p1 + p2 : i64' --cc "$cc" --no-cache
	clean "--cc $cc"
	find cache -name '*.so' | grep -q . && wrong "--cc $cc: left a library in the cache"
	rm -rf cache/*
done <<'ROWS'
/nonexistent/cc compiler.*/nonexistent/cc.*does not run
./fails failed: .*out of ideas
./dies failed: .*killed
./mute made no code
ROWS
says 1 'blocked: .*march' show 'p1 = p1 + p2 : i64' --cflags '-O2 -march=nonsense'
clean 'bad flags'

# --- a library that was cut short is none, and one that was kept is made anew
says 1 'blocked: .*made no code' time 'p1 = p1 + p2 : i64' --cc ./short
clean '--cc ./short'
if command -v gcc >/dev/null; then
	says 0 '' time 'p1 = p1 + p2 : i64 where p3=1'
	for library in cache/xray/*.so; do truncate -s 3000 "$library"; done
	says 0 '' time 'p1 = p1 + p2 : i64 where p3=1'
	rm -rf cache/*
fi

# --- directories that cannot be written to: a warning, and a measurement all the same
# here DIRECTORY WHAT: measures with that cache
here()
{
	TMPDIR=$work/tmp XDG_CACHE_HOME=$1 timeout 60 "$XRAY" cpu.registers.i64 >out 2>err
	status=$?
	[ $status -eq 0 ] || wrong "$2: exit $status: $(cat out err)"
	grep -q '^ *cpu.registers.i64 ' out || wrong "$2: $(cat out)"
	grep -q '^xray: cannot write .*compiled code will not be kept' err || wrong "$2: no warning: $(cat err)"
	[ "$(wc -l <err)" -eq 1 ] || wrong "$2: not one warning: $(cat err)"
	clean "$2"
}

if command -v gcc >/dev/null || command -v clang >/dev/null; then
	here /proc/nonexistent 'no cache directory'
	: >file
	here "$work/file/below" 'a cache directory below a file'
	mkdir closed && chmod 500 closed
	[ "$(id -u)" -eq 0 ] || here "$work/closed" 'a cache directory that is closed'
	[ "$(id -u)" -eq 0 ] || grep -q 'Permission denied' err || wrong "a closed directory: $(cat err)"
	HOME=$work/nobody XDG_CACHE_HOME='' timeout 60 "$XRAY" time 'p1 = p1 + p2 : i64' >out 2>err
	grep -q 'No such file' err || wrong "no home: $(cat err)"
	[ ! -e nobody ] || wrong 'no home: one was made'
	mkdir disk
	trap 'umount disk 2>/dev/null' EXIT
	if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
		here "$work/disk" 'a full disk'
		left=$(find disk -type f ! -name last.jsonl)
		umount disk
		[ -z "$left" ] || wrong "a full disk: left on it: $left"
	else
		echo 'no right to mount: a full disk is not tried'
	fi
	TMPDIR=/proc/nonexistent XDG_CACHE_HOME=/proc/nonexistent timeout 60 "$XRAY" cpu.registers.i64 --json >out 2>err
	status=$?
	[ $status -eq 1 ] || wrong "no directory at all: exit $status"
	grep -q '"outcome": "blocked"' out || wrong "no directory at all: $(cat out)"
fi
exit $bad
