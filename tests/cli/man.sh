#!/bin/sh
# man.sh - the man page is one, and knows every option and command that --help does
set -u
: "${XRAY:?}"
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

"$XRAY" help man >"$TMPDIR/man" || wrong "help man: exit $?"
"$XRAY" --help >"$TMPDIR/help" || wrong "--help: exit $?"
head -n 1 "$TMPDIR/man" | grep -q '^\.TH XRAY 1 ' || wrong "it begins with '$(head -n 1 "$TMPDIR/man")'"
for section in NAME SYNOPSIS DESCRIPTION OPTIONS PARAMETERS 'EXIT STATUS'; do
	grep -q "^\\.SH $section\$" "$TMPDIR/man" || wrong "no section $section"
done

options=$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$TMPDIR/help")
[ "$(echo "$options" | wc -l)" -ge 15 ] || wrong "--help names only: $options"
for option in $options; do
	grep -qE -e "^\\.B $option( |\$)" "$TMPDIR/man" || wrong "no $option"
done
for verb in list explain show time; do
	grep -q "^\\.B xray $verb " "$TMPDIR/man" || wrong "no xray $verb"
done

# Every family of parameters.
"$XRAY" list | sed -E 's/^(op)\.[^ ]*\.(latency|interval|inflight) .*/\1.OP.TYPE.\2/; s/^(cpu\.(fma|registers))\..*/\1.TYPE/
	s/^(cache|tlb)\.l[0-9]d?\./\1.LEVEL./; s/^tlb\.l[0-9]i\./tlb.LEVEL./; s/^cache\.l1i\.unified/cache.LEVEL.unified/
	s/ .*//' | sort -u >"$TMPDIR/families"
[ "$(wc -l <"$TMPDIR/families")" -ge 6 ] || wrong 'hardly a family in list'
while read -r family; do
	grep -qF ".B $family" "$TMPDIR/man" || wrong "no $family"
done <"$TMPDIR/families"

# What the Makefile installs is this page.
# shellcheck disable=SC2016 # make's variable
command=$(sed -n 's/.*\$(BUILD)\/xray \(help[^>]*\)>.*/\1/p' "$TOP/Makefile")
# shellcheck disable=SC2086
"$XRAY" $command 2>&1 | cmp -s - "$TMPDIR/man" || wrong "make install runs 'xray $command', which is no man page"

if command -v man >/dev/null && man --version >/dev/null 2>&1; then
	MANWIDTH=100 man --warnings -l "$TMPDIR/man" >"$TMPDIR/page" 2>"$TMPDIR/err" || wrong 'man does not take it'
	[ ! -s "$TMPDIR/err" ] || wrong "man says: $(head -n 3 "$TMPDIR/err")"
fi
exit $bad
