#!/bin/sh
# html.sh - the page holds the document, asks nobody for anything, and draws itself without an error in a browser
set -u
: "${XRAY:?}" "${TOP:?}"
bad=0
cd "$TMPDIR" || exit 1

wrong()
{
	echo "$1" >&2
	bad=1
}

"$XRAY" --machine "$TOP/machines/yorkfield.ini" cpu op.add comm.latency comm.tree smp cache.levels cache.l1d.size --json --evidence >run.json 2>err
"$XRAY" --from run.json --html page.html >text 2>err
[ -s page.html ] || wrong "no page: $(cat err)"
[ -s text ] || wrong 'no text beside the page'
"$XRAY" --from run.json --html - 2>err | cmp -s - page.html || wrong 'stdout gets another page'
"$XRAY" --from run.json --html /nonexistent/page.html >/dev/null 2>err
grep -q '/nonexistent/page.html' err || wrong "a page that cannot be written: $(cat err)"

[ "$(wc -c <page.html)" -lt 2097152 ] || wrong 'the page has more than 2 MiB'
grep -q "default-src 'none'" page.html || wrong 'the page may ask the network'
grep -Eqi '(src|href)="?(https?:)?//' page.html && wrong 'the page names another one'

command -v chromium >/dev/null || { echo 'no chromium here: the page was not opened' >&2; exit $bad; }
# Used by a script behind its own: at the width of a desk and of a telephone.
{
	sed '/<\/body>/,$d' page.html
	echo '<script>'
	cat "$TOP/tests/cli/html_hands.js"
	printf '</script>\n</body>\n</html>\n'
} >used.html
for width in 1400 400; do
	chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --user-data-dir="$TMPDIR/profile" --enable-logging=stderr --v=0 \
		--window-size=$width,900 --virtual-time-budget=30000 --dump-dom "file://$TMPDIR/used.html" >dom.html 2>console </dev/null
	grep 'CONSOLE' console >&2 && wrong "the browser complains at $width"
	grep -q '<pre id="hands">used' dom.html || wrong "nobody could use the page at $width"
	said=$(sed -n '/<pre id="hands">used/,/<\/pre>/p' dom.html | sed '1d; s/<.*//')
	[ -z "$said" ] || wrong "at $width: $said"
done
grep -q '<svg' dom.html || wrong 'nothing is drawn'
for name in cpu.frequency comm.tree Operations 'All findings'; do
	grep -q "$name" dom.html || wrong "$name is not shown"
done
exit $bad
