#!/bin/sh
# completion.sh - what bash, zsh and fish make of their scripts: commands, options, names, files
set -u
: "${XRAY:?}"
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

mkdir "$TMPDIR/bin" "$TMPDIR/files"
ln -s "$XRAY" "$TMPDIR/bin/xray"
touch "$TMPDIR/files/kept.json"
cd "$TMPDIR/files" || exit 1
PATH=$TMPDIR/bin:$PATH
export PATH
for shell in bash zsh fish; do
	"$XRAY" help $shell >"$TMPDIR/xray.$shell" || wrong "help $shell: exit $?"
	[ -s "$TMPDIR/xray.$shell" ] || wrong "help $shell prints nothing"
done

# bash_offers WORD...: what it offers for the last word, a line each
bash_offers()
{
	bash --norc -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _xray; printf "%s\n" "${COMPREPLY[@]}"' \
		"$TMPDIR/xray.bash" xray "$@"
}

fish_offers()
{
	fish --no-config -c 'source $argv[1]; complete -C "$argv[2]"' "$TMPDIR/xray.fish" "xray $*" | cut -f 1
}

# Zsh's own completion needs somebody who types; a pseudo-terminal does.
zsh_offers()
{
	words=$*
	python3 "$TOP/tests/cli/type_tab.py" "$TMPDIR" "xray $words"
}

# offers SHELL WANTED WORD...: WANTED is among what SHELL offers
offers()
{
	shell=$1 wanted=$2
	shift 2
	command -v "$shell" >/dev/null || return 0
	"${shell}_offers" "$@" >"$TMPDIR/offered" 2>"$TMPDIR/err" || wrong "$shell: xray $*: exit $?"
	[ ! -s "$TMPDIR/err" ] || wrong "$shell: xray $*: $(head -n 3 "$TMPDIR/err")"
	grep -qxF -e "$wanted" "$TMPDIR/offered" || wrong "$shell: xray $*: no '$wanted' but: $(head -n 5 "$TMPDIR/offered")"
}

for shell in bash zsh fish; do
	offers $shell explain expl
	offers $shell cpu.frequency cpu.fr
	offers $shell cache.l1d.size explain cache.l1d.si
	offers $shell --evidence --evi
	offers $shell kept.json --from kep
	offers $shell switch --barrier sw
	offers $shell fish help fi
	offers $shell openmetrics export openm
	offers $shell kept.json diff kep
done
# A spec is nobody's to complete, and a folder is no file.
[ -z "$(bash_offers show p | tr -d '\n')" ] || wrong "bash offers '$(bash_offers show p)' for a spec"
[ -z "$(bash_offers --csv kep | tr -d '\n')" ] || wrong 'bash offers a file for --csv'
exit $bad
