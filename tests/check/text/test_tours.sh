#!/bin/sh
# test_tours.sh SOURCE_DIR
#
# The READMEs of src/, cl/, tests/ and tools/ lead to every file. Those link every folder below
# them. A folder's README has at most 40 lines, names each of its files, a .c and its .h by one
# name, and lists none that does not exist. cl/README.md names every kernel. A folder has at most 25 names;
# files that its README names by a pattern (`*.mutant`) count as one, and what is in a folder that
# it lists (- `corpus/`) needs no page.
set -eu
unset CDPATH # it would lead cd elsewhere
cd "$1"
wrong=0
say() {
    printf 'FAILED: %s\n' "$*"
    wrong=1
}
MOST_NAMES=25
MOST_LINES=40

# The words between back quotes.
words() { grep -o '`[^`]*`' "$1" | tr -d '`' | sort -u; }

# of_parent FOLDER: whether the page of a folder above has it, as "- `FOLDER/`".
of_parent() {
    folder=$1
    while [ "$folder" != "$tree" ]; do
        name=${folder##*/}
        folder=${folder%/*}
        ! grep -qF -e "- \`$name/\`" "$folder/README.md" 2>/dev/null || return 0
    done
    return 1
}
# names FOLDER PATTERN...: the files in the folder that match no pattern.
names() {
    found=$(find "$1" -mindepth 1 -maxdepth 1 -type f)
    shift
    for file in $found; do
        name=${file##*/}
        for pattern; do
            # shellcheck disable=SC2254 # it is a pattern
            case $name in $pattern) continue 2 ;; esac
        done
        echo "$name"
    done
}

set -f # patterns are compared, not expanded
for folder in $(find src cl tests tools -type d); do
    tree=${folder%%/*} page=$folder/README.md
    # A folder that only has folders needs no page, and the one of src/mpi is a library's.
    [ -n "$(find "$folder" -maxdepth 1 -type f)" ] && [ "$folder" != src/mpi ] || continue
    if [ "$folder" != "$tree" ]; then
        ! (of_parent "$folder") || continue
        grep -qF "(${folder#"$tree"/}/README.md)" "$tree/README.md" ||
            say "$tree/README.md does not link $page"
        [ -e "$page" ] || {
            say "$folder has no README.md"
            continue
        }
        num=$(wc -l <"$page")
        [ "$num" -le $MOST_LINES ] || say "$page has $num lines, more than $MOST_LINES"
    fi
    named=" $(words "$page" | tr '\n' ' ')"
    patterns=$(words "$page" | grep '^[*][.][a-z]*$' || true)
    others=$(names "$folder" $patterns)
    num=$(echo "$others" $patterns $(find "$folder" -mindepth 1 -maxdepth 1 -type d) | wc -w)
    [ "$num" -le $MOST_NAMES ] || say "$folder has $num names, more than $MOST_NAMES"
    for name in $others; do
        case " README.md CMakeLists.txt $named" in
        *" $name "* | *" ${name%.*} "*) ;;
        *) say "$page does not name $name" ;;
        esac
    done
    [ "$folder" != "$tree" ] || continue
    for name in $(sed -n 's/^- `\([^`]*\)`.*/\1/p' "$page"); do
        [ -n "$(find "$folder" -mindepth 1 -maxdepth 1 \
            \( -name "${name%/}" -o -name "$name.*" \))" ] ||
            say "$page names $name, which does not exist"
    done
done
set +f

kernels=$(sed -n 's/^ *X([A-Z0-9_]*, "[a-z_/]*\.cl", \([a-z_]*\)).*/\1/p' src/program/program.h)
[ "$(echo "$kernels" | wc -l)" -gt 40 ] ||
    say "src/program/program.h has a list of kernels that this test cannot read"
cl=$(words cl/README.md)
for kernel in $kernels; do
    echo "$cl" | grep -qx "$kernel" || say "cl/README.md does not name the kernel $kernel"
done
# Names with a lower-case letter and no blank are kernels, files, or families of kernels.
for word in $(echo "$cl" | grep -xE '[a-z_0-9/]+(\.h|\.cl|_?\*)?' | grep -v '/$'); do
    case $word in
    *\*) echo "$kernels" | grep -q "^${word%\*}" || say "cl/README.md names $word; there is none" ;;
    *.h | *.cl) ls cl/"$word" cl/*/"$word" cl/sorts/"$word" "$word" \
        2>/dev/null | grep -q . || say "cl/README.md names $word, which does not exist" ;;
    *) echo "$kernels" | grep -qx "$word" || say "cl/README.md names $word, which is no kernel" ;;
    esac
done
exit "$wrong"
