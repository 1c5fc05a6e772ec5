#!/bin/sh
# list_complete.sh - every micro-benchmark's file is in src/micro/list.h exactly once, and defines its symbol
cd "${TOP:?}" || exit 1
list=src/micro/list.h
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

[ -e $list ] || { wrong "$list is missing"; exit 1; }
names=$(sed -n 's/^[[:space:]]*MICRO(\([a-z0-9_]*\)).*/\1/p' $list)
[ -n "$names" ] || wrong "$list: no MICRO(name) lines"

for file in src/micro/*.c; do
	name=${file##*/}
	name=${name%.c}
	case $name in
	micro | list | catalogue | operation | cache | tlb | code | counter) continue ;;
	esac
	times=$(echo "$names" | grep -cx "$name")
	[ "$times" -eq 1 ] || wrong "$file: listed $times times in $list"
	grep -q "^const struct micro micro_$name\\b" "$file" || wrong "$file: does not define micro_$name"
done
for name in $names; do
	[ -e "src/micro/$name.c" ] || wrong "$list: MICRO($name) has no src/micro/$name.c"
done
exit $bad
