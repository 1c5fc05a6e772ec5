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
mkdir browser
python3 "$TOP/tests/cli/html_browser.py" page.html browser >said 2>&1 || wrong "$(cat said)"
for name in cpu.frequency comm.tree Operations 'All findings'; do
	grep -q "$name" page.html || wrong "$name is not in the page"
done
exit $bad
