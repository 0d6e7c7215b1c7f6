#!/bin/sh
# test_tours.sh SOURCE_DIR
#
# The READMEs of src/ and cl/ lead to every file. Those two link every folder below them. A folder's
# README has at most 40 lines, names each of its files, a .c and its .h by one name, and names none
# that does not exist. cl/README.md names every kernel. A folder has at most 25 names.
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

for tree in src cl; do
    find "$tree" -mindepth 1 -type d | while read -r folder; do
        # A folder that only has folders needs no page.
        [ -n "$(find "$folder" -maxdepth 1 -type f)" ] || continue
        grep -qF "(${folder#"$tree"/}/README.md)" "$tree/README.md" ||
            say "$tree/README.md does not link $folder/README.md"
        [ -e "$folder/README.md" ] || {
            say "$folder has no README.md"
            exit 1
        }
        [ "$folder" = src/mpi ] && continue # the page of a library of its own
        num=$(find "$folder" -mindepth 1 -maxdepth 1 | wc -l)
        [ "$num" -le $MOST_NAMES ] || say "$folder has $num names, more than $MOST_NAMES"
        num=$(wc -l <"$folder/README.md")
        [ "$num" -le $MOST_LINES ] || say "$folder/README.md has $num lines, more than $MOST_LINES"
        named=$(words "$folder/README.md")
        for file in "$folder"/*.*; do
            name=$(basename "$file")
            [ "$name" = README.md ] && continue
            echo "$named" | grep -qxF -e "$name" -e "${name%.*}" ||
                say "$folder/README.md does not name $name"
        done
        sed -n 's/^- `\([^`]*\)`.*/\1/p' "$folder/README.md" | while read -r name; do
            ls "$folder/$name" "$folder/$name.c" 2>/dev/null | grep -q . ||
                say "$folder/README.md names $name, which does not exist"
            [ "$wrong" = 0 ] || exit 1
        done || exit 1
        [ "$wrong" = 0 ] || exit 1
    done || wrong=1
done

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
    *.h | *.cl) ls cl/"$word" cl/*/"$word" cl/sorts/"$word" cl/sorts/partition/"$word" "$word" \
        2>/dev/null | grep -q . || say "cl/README.md names $word, which does not exist" ;;
    *) echo "$kernels" | grep -qx "$word" || say "cl/README.md names $word, which is no kernel" ;;
    esac
done
exit "$wrong"
