#!/bin/sh
# no_leftovers.sh - no notes to self, no code put to sleep, no blanks at the ends of lines
cd "${TOP:?}" || exit 1
bad=0

# texts: every file people write, but for this one, which names what it looks for.
texts()
{
	find src tools tests scripts docs machines .ci Makefile xray check README.md DESIGN.md \
		-type f ! -path tests/house/no_leftovers.sh ! -name '*.json' 2>/dev/null
}

# seek WHY OPTIONS PATTERN [NAME]
seek()
{
	if texts | grep -E "${4:-.}" | xargs grep -HnI "$2" -e "$3" >&2; then
		echo "^ $1" >&2
		bad=1
	fi
}

seek 'a note to self' -wE 'TODO|FIXME|XXX|HACK'
seek 'code switched off' -E '^[[:space:]]*#[[:space:]]*if[[:space:]]+0' '\.[ch]$'
seek 'code in a comment' -E '^[[:space:]]*(//|/\*).*(\)|[^=]=[^=].*|return.*|break|continue);[[:space:]]*(\*/)?$' '\.[ch]$'
seek 'blanks at the end of a line' -E '[[:blank:]]+$'
exit $bad
