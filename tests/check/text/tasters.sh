#!/bin/sh
# tasters.sh README WORK_DIR [PYTHON]
#
# Does what README's section "Try it" shows, word for word, with the clsort, cc and pkg-config that
# PATH has: the programs are written to the files that the text names, and the commands behind "$ "
# print the lines below them. With PYTHON only its statements are run, by doctest. Each piece has at
# most eight lines without its output.
set -eu
readme=$1 work=$2 python=${3-}
. "$(dirname "$0")/../../common.sh"
log=$work/errors
fresh_dir "$work"

# Block N of kind KIND is the file N.KIND. A program's name stands in the last line above it.
awk -v work="$work" '
    /^## / { section = $0 == "## Try it" }
    !section { next }
    /^```/ {
        if (inside) { inside = 0; close(file); next }
        inside = 1
        kind = substr($0, 4)
        file = work "/" ++number "." kind
        if (kind == "c") print number " " name >>(work "/names")
        next
    }
    inside { print >file }
    { if (match($0, /`[a-z]*\.c`/)) name = substr($0, RSTART + 1, RLENGTH - 2) }
' "$readme"
cd "$work"
short() { # FILE LINES
    [ "$2" -le 8 ] || fail "README.md: a taster has $2 lines, more than 8: $(cat "$1")"
}
number=0
for block in [0-9]*.*; do
    case $block in
    *.c)
        short "$block" "$(wc -l <"$block")"
        cp "$block" "$(sed -n "s/^${block%.c} //p" names)"
        ;;
    *.console)
        [ -z "$python" ] || continue
        sed -n 's/^\$ //p' "$block" >commands
        short "$block" "$(wc -l <commands)"
        grep -v '^\$ ' "$block" >expected
        sh -e commands >output 2>errors || fail "README.md: these commands fail: $(cat commands)"
        diff expected output >errors || fail "README.md shows (<), the commands print (>)"
        number=$((number + 1))
        ;;
    *.python)
        short "$block" "$(grep -c '^>>>' "$block")"
        [ -n "$python" ] || continue
        "$python" -B -m doctest "$block" >errors 2>&1 || fail "README.md: Python"
        number=$((number + 1))
        ;;
    *) fail "README.md has a taster of another kind: $block" ;;
    esac
done
[ -n "$python" ] || [ "$number" -ge 2 ] || fail "README.md has only $number tasters"
[ "$number" -ge 1 ] || fail "README.md has no statement of Python"
echo "tasters: $number"
