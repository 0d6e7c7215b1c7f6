#!/bin/sh
# test_tours.sh SOURCE_DIR
#
# src/README.md names every .c file of src/, cl/README.md every kernel and every header of cl/; and what
# they name is there. A name with a star stands for all that begin like it: headers of cl/ only, since
# each kernel has to be named itself.
set -eu
cd "$1"
wrong=0
say() {
    echo "$*"
    wrong=1
}

# The words between back quotes.
words() { grep -o '`[^`]*`' "$1" | tr -d '`' | sort -u; }

kernels=$(sed -n 's/^ *X([A-Z0-9_]*, "[a-z_]*\.cl", \([a-z_]*\)).*/\1/p' src/program.h)
[ "$(echo "$kernels" | wc -l)" -gt 40 ] || say "src/program.h has a list of kernels that this test cannot read"
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
    *\*) ls cl/${word%\*}*.cl >/dev/null 2>&1 || say "cl/README.md names $word, of which there is none" ;;
    *.h | *.cl) [ -e "cl/$word" ] || say "cl/README.md names $word, which is not there" ;;
    *) echo "$kernels" | grep -qx "$word" || say "cl/README.md names $word, which is no kernel" ;;
    esac
done
for word in $(echo "$src" | grep -xE '[a-z_0-9]+(\.h)?'); do
    ls "src/$word" "src/$word.c" 2>/dev/null | grep -q . || say "src/README.md names $word, which is not there"
done
exit "$wrong"
