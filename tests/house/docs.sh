#!/bin/sh
# docs.sh - README.md is one screen, and what it points to exists
cd "${TOP:?}" || exit 1
bad=0

wrong()
{
	echo "README.md: $1" >&2
	bad=1
}

[ -e README.md ] || { wrong missing; exit 1; }
lines=$(wc -l <README.md)
[ "$lines" -le 60 ] || wrong "$lines lines, at most 60"

# The map: every path in the rows of a table.
map=$(grep '^|' README.md | grep -oE '[a-z]+/[A-Za-z0-9_./-]*' | grep -v '^docs/')
# And links.
links=$(grep -oE '\]\([^)#]+' README.md | sed 's/^](//' | grep -v '://')

for path in $map $links; do
	path=${path#./}
	case $path in
	build/*) continue ;;
	esac
	[ -e "$path" ] || [ -e "src/$path" ] || wrong "names $path, which does not exist"
done
[ -n "$map" ] || wrong 'has no map of the rooms'
exit $bad
