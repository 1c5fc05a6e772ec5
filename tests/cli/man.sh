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
for verb in list explain diff verify show time export; do
	grep -q "^\\.B xray $verb " "$TMPDIR/man" || wrong "no xray $verb"
done

# Every family of parameters.
"$XRAY" list | sed -E 's/^(op)\.[^ ]*\.(latency|interval|inflight) .*/\1.OP.TYPE.\2/; s/^(cpu\.(fma|registers))\..*/\1.TYPE/; s/^contexts\..*/contexts.KIND/
	s/^(cache|tlb)\.l[0-9]d?\./\1.LEVEL./; s/^tlb\.l[0-9]i\./tlb.LEVEL./; s/^cache\.l1i\.unified/cache.LEVEL.unified/; s/^counter\.(cache|tlb)\.[a-z0-9]+\./counter.\1.LEVEL./
	s/ .*//' | sort -u >"$TMPDIR/families"
[ "$(wc -l <"$TMPDIR/families")" -ge 6 ] || wrong 'hardly a family in list'
while read -r family; do
	grep -qF ".B $family" "$TMPDIR/man" || wrong "no $family"
done <"$TMPDIR/families"

# Pages made of docs/: the keys of a machine file are terms there.
for page in xray-machine.5.machine-file xray-spec.7.spec; do
	name=${page%%.*} section=${page#*.}
	awk -v name="$name" -v section="${section%%.*}" -v version=1 -f "$TOP/scripts/man.awk" "$TOP/docs/${page##*.}.md" \
		>"$TMPDIR/$name" || wrong "man.awk fails on $page"
	grep -qE '`|\]\(|\*\*|^\|' "$TMPDIR/$name" && wrong "$name: Markdown is left: $(grep -nE '`|\]\(|\*\*|^\|' "$TMPDIR/$name" | head -n 3)"
done
for key in timer.quantum size ways policy; do
	grep -q "^\\.B $key\$" "$TMPDIR/xray-machine" || wrong "xray-machine does not tell of $key"
done

if command -v man >/dev/null && man --version >/dev/null 2>&1; then
	for page in man xray-machine xray-spec; do
		MANWIDTH=100 man --warnings -l "$TMPDIR/$page" >"$TMPDIR/page" 2>"$TMPDIR/err" || wrong "man does not take $page"
		[ ! -s "$TMPDIR/err" ] || wrong "man says of $page: $(head -n 3 "$TMPDIR/err")"
	done
fi
exit $bad
