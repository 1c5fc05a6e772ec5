#!/bin/sh
# sizes.sh - when is a room crowded: prints the numbers, fails on the hard ones
cd "${TOP:?}" || exit 1

find src tools -name '*.[ch]' | sort | xargs awk '
function worst(what, number, where)
{
	if (number > most[what]) {
		most[what] = number
		at[what] = where
	}
}
function row(what, limit, hard)
{
	printf "%-28s %4d   limit %3d%s   %s\n", what, most[what], limit, hard ? " " : " (soft)", at[what]
}
function over(what, number, limit, where)
{
	worst(what, number, where)
	if (number > limit) {
		print where ": " what " " number ", limit " limit
		bad = 1
	}
}
function end_of_file()
{
	if (path == "")
		return
	over("lines of a file", lines, 300, path)
	if (path ~ /\.h$/)
		over("lines of a header", lines, 150, path)
	if (path ~ /^src\/micro\/.*\.c$/)
		worst("lines of a micro-benchmark", lines, path)
	parts = split(path, part, "/")
	if (path ~ /\.c$/ && parts == 3)
		files[part[2]]++
}
FNR == 1 {
	end_of_file()
	path = FILENAME
	body = members = 0
}
{ lines = FNR }
/^{/ && before ~ /\)$/ {
	body = FNR
	name = head
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
}
/^}/ && body {
	over("lines of a function", FNR - body + 1, 60, path ":" body " " name)
	body = 0
}
/^(static )?(const )?struct [a-z_]+ \{$/ {
	members = pointers = 0
	inside = 1
	name = path ":" FNR
}
inside && /;/ && !/^}/ {
	declared = $0
	sub(/\/\*.*/, "", declared)
	if (declared ~ /\(\*/) {
		pointers++
		members++
	} else {
		members += gsub(/,/, ",", declared) + 1
	}
}
/^}/ && inside {
	worst("members of a struct", members, name)
	over("functions in a vtable", pointers, 5, name)
	inside = 0
}
/^[a-z].*\(.*\)(;)?$/ && !/^(typedef|return|else|if)/ {
	arguments = $0
	worst("parameters", gsub(/,/, ",", arguments) + 1, path ":" FNR)
}
/^#[ \t]*if/ && !/_H$/ && path !~ /^src\/host\// { worst("#if outside host", ++conditionals, path ":" FNR) }
/^[a-z].*\(/ { head = $0 }
NF { before = $0 }
END {
	end_of_file()
	for (room in files) {
		if (room == "micro")
			worst("files in micro", files[room], "src/micro")
		else
			over("files in a room", files[room], 12, "src/" room)
	}
	row("lines of a file", 300, 1)
	row("lines of a function", 60, 1)
	row("lines of a header", 150, 1)
	row("lines of a micro-benchmark", 150)
	row("functions in a vtable", 5, 1)
	row("members of a struct", 15)
	row("parameters", 5)
	row("files in a room", 12, 1)
	row("files in micro", 60)
	row("#if outside host", 0)
	exit bad
}' || exit 1
