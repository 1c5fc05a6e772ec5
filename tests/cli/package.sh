#!/bin/sh
# package.sh - the Debian packages build from a clean tree, lintian finds no fault with them, and nothing is missing in them
set -u
: "${TOP:?}"
for tool in dpkg-buildpackage dh lintian git; do
	command -v $tool >/dev/null || { echo "no $tool here" >&2; exit 77; }
done
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

mkdir "$TMPDIR/xray"
(cd "$TOP" && git ls-files -co --exclude-standard | tar cf - -T -) | tar xf - -C "$TMPDIR/xray" || exit 1
cd "$TMPDIR/xray" || exit 1
# How fast the code is has no part in how it is packaged.
DEB_BUILD_OPTIONS='nocheck noautodbgsym noopt parallel=2' DEB_CFLAGS_MAINT_STRIP=-g dpkg-buildpackage -us -uc -b >"$TMPDIR/log" 2>&1 ||
	{ tail -n 30 "$TMPDIR/log" >&2; exit 1; }
cd ..
lintian --fail-on error,warning ./*.changes >lint 2>&1 || wrong "lintian: $(cat lint)"
for file in xray:/usr/bin/xray xray:/usr/share/man/man5/xray-machine.5.gz xray:/usr/share/xray/machines/p4xeon.ini \
	xray:/usr/share/bash-completion/completions/xray libxray-dev:/usr/include/xray.h \
	libxray-dev:/usr/share/man/man3/libxray.3.gz; do
	dpkg-deb -c "${file%%:*}"_*.deb >list
	grep -q " \.${file#*:}\$" list || wrong "${file%%:*} lacks ${file#*:}"
done
dpkg-deb -x libxray0_*.deb lib
find lib -name 'libxray.so.*' | grep -q . || wrong 'libxray0 has no library'
dpkg-deb -x xray_*.deb program
[ "$(program/usr/bin/xray --version)" = "$("$XRAY" --version)" ] || wrong 'the program does not say its version'
exit $bad
