#!/bin/sh
# include_rule.sh - the tree is the data flow: a room includes itself, rooms to its left, and findings from engine on
#
# Only host asks the OS, and only cli hears what is claimed. For micro-benchmarks micro.h is the only header of ours; ISO C's are open to everybody.
cd "${TOP:?}" || exit 1

find src -name '*.[ch]' | sort | xargs awk '
BEGIN {
	split("host claims nano compile machine recording describe core memory sim statistics curve timing engine pages sets copies levels policies code teams common counters ports traffic micro session report overview plot compare export library cli", order)
	for (i in order)
		place[order[i]] = i + 0
	place["findings"] = 0
	os = "^(sys|linux|asm|net|netinet|arpa|bits)/|^(unistd|sched|dlfcn|signal|fcntl|pthread|poll|spawn|dirent|" \
		"glob|ftw|termios|pwd|grp|link|elf|ucontext|syscall|semaphore|numa|numaif|hwloc|cpuid|" \
		"x86intrin|immintrin|execinfo)\\.h$|^hwloc/"
	calls = "(^|[^a-z_.>])(clock_gettime|clock_getres|clock_nanosleep|nanosleep|timespec_get|gettimeofday|" \
		"popen|system|sysconf|fork|mmap) *\\(|(^|[^a-z_.>])time\\((NULL|0|&)"
}
function wrong(why)
{
	print FILENAME ":" FNR ": " why
	bad = 1
}
function may(from, to)
{
	if (from == to || from == "main" || from == "cli" || from == "library")
		return 1
	if (from == "findings")
		return 0
	if (to == "findings")
		return place[from] >= place["engine"]
	if (from == "export")
		return to == "report" || to == "session"
	if (from == "report" || place[to] > place[from])
		return 0
	if (to == "host")
		return from == "session" || from == "machine" || from == "compile" || from == "claims"
	if (to == "claims")
		return 0
	return 1
}
FNR == 1 {
	parts = split(FILENAME, part, "/")
	file = part[parts]
	room = parts == 3 ? part[2] : "main"
	if (room != "main" && !(room in place))
		wrong("no such room: " room)
	if (room == "main" && file != "main.c")
		wrong("only main.c lives outside the rooms")
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	header = $0
	sub(/^[^<]*</, "", header)
	sub(/>.*/, "", header)
	if (header ~ os && room != "host")
		wrong("<" header "> belongs in host/")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	header = $0
	sub(/^[^"]*"/, "", header)
	sub(/".*/, "", header)
	while (sub(/^\.\.?\//, "", header))
		;
	to = header ~ /\// ? header : room "/"
	sub(/\/.*/, "", to)
	if (!(to in place) && to != "main")
		wrong("\"" header "\": no such room")
	else if (!may(room, to))
		wrong(room (room == "machine" ? "/" file : "") " may not include " header)
	else if (room == "micro" && file ~ /\.c$/ && file !~ /^(micro|list|catalogue)\.c$/ && header != "micro.h")
		wrong("a micro-benchmark includes only micro.h, not " header)
}
room != "host" && $0 !~ /^[ \t]*(\/?\*|\/\/)/ && $0 ~ calls {
	wrong("asks the OS, which is for host/: " $0)
}
END { exit bad }' >&2 || exit 1
