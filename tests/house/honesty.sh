#!/bin/sh
# honesty.sh - what measures and decides never hears what the machine claims about itself
cd "${TOP:?}" || exit 1

claims='cpuid|sysfs|/sys/|/proc|hwloc|[a-z_]*claim[a-z_]* *\(|(\.|->)claim'
if grep -rniE "$claims" src/timing src/engine src/pages src/sets src/levels src/policies src/code src/teams src/common src/counters src/ports src/micro >&2; then
	echo '^ claims are for claims/, session/ and report/' >&2
	exit 1
fi
