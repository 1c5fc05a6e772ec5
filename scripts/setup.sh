# setup.sh - what xray and check need of the machine, and how to get it; sourced, never run
#
#   setup build    the compiler and libraries of build/xray
#   setup check    these, and what the tests use
#
# Returns 0 with everything there. What is missing is installed on Debian and its relatives, given the right to;
# otherwise it is named, and the shell exits with 2.

missing=''  # Debian packages
things=''   # the same as the tools and headers they hold, for systems with other package names

lacks()
{
	things="$things $1"
	case " $missing " in
	*" $2 "*) ;;
	*) missing="$missing $2" ;;
	esac
}

# need_tool COMMAND PACKAGE
need_tool()
{
	command -v "$1" >/dev/null 2>&1 || lacks "$1" "$2"
}

# need_library MODULE HEADER PACKAGE: by pkg-config's word, or where that is missing too, by the header.
need_library()
{
	if command -v pkg-config >/dev/null 2>&1; then
		pkg-config --exists "$1" 2>/dev/null || lacks "$2" "$3"
	else
		[ -e "/usr/include/$2" ] || lacks "$2" "$3"
	fi
}

find_missing()
{
	missing='' things=''
	need_tool gcc gcc
	need_tool make make
	need_tool pkg-config pkg-config
	[ -e /usr/include/stdio.h ] || echo '#include <stdio.h>' | gcc -E - >/dev/null 2>&1 || lacks stdio.h libc6-dev
	need_library hwloc hwloc.h libhwloc-dev
	need_library jansson jansson.h libjansson-dev
	need_library inih ini.h libinih-dev
	need_library capstone capstone/capstone.h libcapstone-dev
	if [ "$1" = check ]; then
		need_library cmocka cmocka.h libcmocka-dev
		need_tool g++ g++
		need_tool cmake cmake
		need_tool clang clang
		need_tool clang-format clang-format
		need_tool clang-tidy clang-tidy
		need_tool python3 python3
		need_tool chromium chromium
		need_tool zsh zsh
		need_tool fish fish
		need_tool lstopo-no-graphics hwloc-nox
		need_tool likwid-topology likwid
		need_tool dh debhelper
		need_tool dpkg-buildpackage dpkg-dev
		need_tool lintian lintian
		[ -e /usr/include/eigen3/Eigen/Core ] || lacks Eigen/Core libeigen3-dev
		[ -e /usr/lib/python3/dist-packages/yaml ] || lacks PyYAML python3-yaml
	fi
	missing=${missing# } things=${things# }
}

# The word to put before apt-get: nothing for root, sudo for who may. Fails where installing is not possible.
find_installer()
{
	command -v apt-get >/dev/null 2>&1 || return 1
	as=
	[ "$(id -u)" -eq 0 ] && return 0
	command -v sudo >/dev/null 2>&1 || return 1
	as='sudo -n'
	sudo -n true 2>/dev/null && return 0
	as=sudo
	[ -t 0 ]
}

apt()
{
	$as env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" </dev/null 2>&1
}

setup()
{
	find_missing "$1"
	[ -n "$missing" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "xray: missing: $things (on Debian: $missing)" >&2
		exit 2
	elif ! find_installer; then
		echo "xray: missing packages: $missing (no right to install them; as root: apt-get install $missing)" >&2
		exit 2
	fi
	echo "xray: installing $missing" >&2
	# A failed update is not the end: the lists may be good enough.
	# shellcheck disable=SC2086 # a list of packages
	if talk=$(apt update; apt install -y --no-install-recommends $missing); then
		find_missing "$1"
		[ -n "$missing" ] || return 0
	fi
	printf '%s\n' "$talk" "xray: could not install: $missing" >&2
	exit 2
}
