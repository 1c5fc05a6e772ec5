#!/bin/sh
# families.sh - every parameter, by the name of its family, is a row of exactly one page in docs/, with its unit
#
# A page of parameters is one with such a table; it also says how it can be fooled and which paper it follows.
cd "${TOP:?}" || exit 1
: "${XRAY:?}"
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

# NAME UNIT, of the manual page's section of parameters; PAGE NAME UNIT, of the tables.
"$XRAY" help man | awk '/^\.SH / { on = $2 == "PARAMETERS" } on && /^\.B / { name = $2 } on && /, in / { print name, $NF }' \
	>"$TMPDIR/parameters"
pages=$(grep -l '^| parameter | meaning | unit |$' docs/*.md)
# shellcheck disable=SC2086 # names of pages hold no blanks
awk -F ' *[|] *' '/^\| `[^`]*` \|/ { gsub(/`/, "", $2); sub(/,.*/, "", $4); print FILENAME, $2, $4 }' $pages >"$TMPDIR/rows"

[ "$(wc -l <"$TMPDIR/parameters")" -ge 40 ] || wrong "hardly a parameter: $(wc -l <"$TMPDIR/parameters")"
while read -r name unit; do
	on=$(awk -v name="$name" '$2 == name { print $1, $3 }' "$TMPDIR/rows")
	case $(echo "$on" | grep -c .) in
	0) wrong "$name: on no page's table of parameters (| \`$name\` | meaning | $unit |)" ;;
	1) [ "${on#* }" = "$unit" ] || wrong "$name: in ${on#* } on ${on% *}, in $unit in xray list" ;;
	*) wrong "$name: on several tables: $(echo "$on" | tr '\n' ' ')" ;;
	esac
done <"$TMPDIR/parameters"
while read -r page name unit; do
	grep -q "^$name " "$TMPDIR/parameters" || wrong "$page: no parameter is named $name"
done <"$TMPDIR/rows"
for page in $pages; do
	for section in 'How it can be fooled' 'Which paper'; do
		grep -qx "## $section" "$page" || wrong "$page: no section '$section'"
	done
done

# Links from page to page lead somewhere.
for page in docs/*.md; do
	for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '://'); do
		[ -e "docs/$link" ] || wrong "$page: links to $link, which does not exist"
	done
done
exit $bad
