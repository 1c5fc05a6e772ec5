#!/bin/sh
# shell_posix.sh - every script is POSIX sh: dash can read it, and nothing in it needs bash
cd "${TOP:?}" || exit 1
bad=0
bash='^[[:space:]]*(source|declare|typeset|shopt|let) |^[^#]*(\[\[ |<<<|[^0-9]&>| <\(|pipefail)|\[ [^]]* == '
shell=$(command -v dash || command -v sh)

for script in xray check .ci/run tests/run $(find tests scripts -name '*.sh'); do
	[ -e "$script" ] || { echo "$script is missing" >&2; bad=1; continue; }
	"$shell" -n "$script" || bad=1
	case $script in
	tests/house/shell_posix.sh) continue ;;
	scripts/*) ;;
	*) [ "$(head -n 1 "$script")" = '#!/bin/sh' ] || { echo "$script: the first line is not #!/bin/sh" >&2; bad=1; } ;;
	esac
	if grep -nHE "$bash" "$script" >&2; then
		echo "^ bash, not sh" >&2
		bad=1
	fi
done
exit $bad
