#!/bin/sh
# test_tours.sh SOURCE_DIR
#
# src/README.md names every .c file of src/, and cl/README.md every kernel and header of cl/.
# Everything that they name exists. A name with a star stands for all headers of cl/ that begin with
# it; each kernel needs its own name.
set -eu
unset CDPATH # it would lead cd elsewhere
cd "$1"
wrong=0
say() {
    printf 'FAILED: %s\n' "$*"
    wrong=1
}

# The words between back quotes.
words() { grep -o '`[^`]*`' "$1" | tr -d '`' | sort -u; }

kernels=$(sed -n 's/^ *X([A-Z0-9_]*, "[a-z_]*\.cl", \([a-z_]*\)).*/\1/p' src/program.h)
[ "$(echo "$kernels" | wc -l)" -gt 40 ] ||
    say "src/program.h has a list of kernels that this test cannot read"
cl=$(words cl/README.md)
src=$(words src/README.md)

for kernel in $kernels; do
    echo "$cl" | grep -qx "$kernel" || say "cl/README.md does not name the kernel $kernel"
done
for file in cl/*.h; do
    name=$(basename "$file")
    family=$(echo "${name%.h}" | sed 's/_.*//')
    echo "$cl" | grep -qxE "$name|$family\*" || say "cl/README.md does not name $name"
done
for file in src/*.c; do
    name=$(basename "$file" .c)
    echo "$src" | grep -qx "$name" || say "src/README.md does not name $name"
done

# Names with a lower-case letter and no blank are kernels, files, or families of them.
for word in $(echo "$cl" | grep -xE '[a-z_0-9]+(\.h|\.cl|_?\*)?'); do
    case $word in
    *\*) ls cl/${word%\*}*.cl >/dev/null 2>&1 || say "cl/README.md names $word; there is none" ;;
    *.h | *.cl) [ -e "cl/$word" ] || say "cl/README.md names $word, which does not exist" ;;
    *) echo "$kernels" | grep -qx "$word" || say "cl/README.md names $word, which is no kernel" ;;
    esac
done
for word in $(echo "$src" | grep -xE '[a-z_0-9]+(\.h)?'); do
    ls "src/$word" "src/$word.c" 2>/dev/null | grep -q . ||
        say "src/README.md names $word, which does not exist"
done
exit "$wrong"
