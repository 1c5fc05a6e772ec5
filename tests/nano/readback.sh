#!/bin/sh
# readback.sh - every compiler, level and barrier leaves the statements as they were asked for, and what it does not is
# refused
set -u
: "${XRAY:?}"
bad=0

wrong()
{
	echo "$1" >&2
	bad=1
}

# SPEC; its instruction on x86-64; on AArch64; how many of them the loop must hold with 8 statements; 'folds' where a
# compiler may see through the labels of the switch: then it has to be refused
specs='p1 = p1 + p2 : i64; add .*[a-z][a-z0-9]+$; add .*x[0-9]+$; 8
p1 = p1 * p2 : f64 where p2=1.25; v?mulsd; fmul; 8
p1 = p1 / p2 : f64; v?divsd; fdiv; 8
p1 = fma(p1, p0, p2) : f64 where p0=0.5; vfn?m(add|sub)[123]+sd; fmadd; 8
p1 = p1 ^ p2 : i32; xor; eor; 8; folds
p1 = p1 + p2 : f32x4; v?addps; fadd; 8
p1 = *p1 : ptr; mov .*, .*\[; ldr; 8
*p0 = p1 | p1 = *p0 : f64, p0 ptr; v?movsd; (str|ldr) ; 8
p1 = p1 + p0 | p2 = p2 + p3 : i64, p2 f64, p3 f64; v?addsd; fadd; 4
p1 = p1 + p0 | p2 = fma(p2, p3, p3) : f64x4, p2 f64, p3 f64; vaddpd; fmla|fmadd; 4'

machine=$(uname -m)
case $machine in
x86_64) column=2 ;;
aarch64 | arm64) column=3 ;;
*) column= ;;
esac

# show CC LEVEL BARRIER SPEC: into $TMPDIR/out and err
show()
{
	"$XRAY" show "$4" --cc "$1" --cflags "$2" --barrier "$3" --no-cache >"$TMPDIR/out" 2>"$TMPDIR/err"
}

field()
{
	echo "$1" | cut -d ';' -f "$2" | sed 's/^ *//; s/ *$//'
}

# The lines of the loop: offset, mnemonic, operands.
loop()
{
	sed '1,/^loop, as /d' "$TMPDIR/out"
}

check_row()
{
	spec=$(field "$4" 1)
	asked=$(field "$4" 4)
	if ! show "$1" "$2" "$3" "$spec"; then
		[ "$3 $(field "$4" 5)" = 'switch folds' ] && grep -q "^xray: blocked: .* 0 of $asked " "$TMPDIR/err" && return
		wrong "$1 $2 --barrier $3 '$spec': $(cat "$TMPDIR/err")"
		return
	fi
	[ -s "$TMPDIR/err" ] && wrong "$1 $2 --barrier $3 '$spec' ran, but: $(cat "$TMPDIR/err")"
	[ -n "$column" ] || return
	found=$(loop | grep -cE "^ +[0-9a-f]+ +$(field "$4" $column)")
	if [ "$found" -ne "$asked" ]; then
		wrong "$1 $2 --barrier $3 '$spec': $found of $asked in"
		loop >&2
	fi
}

# A statement whose result nobody reads is the compiler's to drop; a loop without it must not be timed.
check_refusal()
{
	show "$1" "$2" switch 'p1 = p2 + p3 : i64'
	status=$?
	[ $status -eq 1 ] || wrong "$1 $2: a dead statement: exit $status"
	grep -q 'xray: blocked: ' "$TMPDIR/err" || wrong "$1 $2: a dead statement: '$(cat "$TMPDIR/err")'"
	"$XRAY" time 'p1 = p2 + p3 : i64' --cc "$1" --cflags "$2" --barrier switch --no-cache >"$TMPDIR/out" 2>"$TMPDIR/err"
	status=$?
	[ $status -eq 1 ] || wrong "$1 $2: a dead statement was timed: exit $status, $(cat "$TMPDIR/out")"
	[ -s "$TMPDIR/out" ] && wrong "$1 $2: a dead statement has a time: $(cat "$TMPDIR/out")"
}

tried=
for cc in gcc clang; do
	if ! command -v $cc >/dev/null; then
		echo "no $cc here"
		continue
	fi
	tried=yes
	for level in -O1 -O2 -O3; do
		for barrier in asm switch; do
			while IFS= read -r row; do
				check_row $cc $level $barrier "$row"
			done <<ROWS
$specs
ROWS
		done
	done
	check_refusal $cc -O2
done
[ -n "$tried" ] || { echo 'neither gcc nor clang here' >&2; exit 77; }
[ -z "$(find "$TMPDIR" -mindepth 1 ! -name out ! -name err)" ] || wrong "left in TMPDIR: $(ls "$TMPDIR")"
exit $bad
