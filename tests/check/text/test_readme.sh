#!/bin/sh
# test_readme.sh SOURCE_DIR WORK_DIR TOOL LIBRARY COMPILER OPTION...
#
# What the documents say, as far as it can be looked up without a device: README.md has at most
# 120 lines, names every example, and its tasters print what it shows (tasters.sh; TOOL and LIBRARY
# are the built ones, or TOOL is empty). The programs of docs/guide.md are examples word for word,
# keys.c whole. docs/choosing.md names every algorithm. clsort.hpp has at most 150 lines, keys.cpp
# 20, and clsort.h 750, whose first declaration stands in the first 60. Every link and picture of a
# document is there, and every command of tools/. Each folder's README in tests/ names its tests.
# The pieces of programs in clsort.h's comments and docs/host.md compile as C11 and C++20 without a
# warning, each in a function of its own, and so does struct_order.c. OPTIONs go to the compiler
# behind the source.
set -eu
source=$1 work=$2 tool=$3 library=$4 compiler=$5
shift 5
unset CDPATH # it would lead cd elsewhere
readme=$source/README.md
header=$source/include/clsort/clsort.h
strict="-Wall -Wextra -Werror -pedantic"
includes=
for option; do
    # For CPATH, which takes blanks.
    case $option in -I*) includes=$includes:${option#-I} ;; esac
done

fail() {
    echo "FAILED: $*"
    exit 1
}

# have COMPILER OPTION...: whether it is there and takes the options.
have() {
    command -v "$1" >/dev/null && echo | "$@" -E - >/dev/null 2>&1
}

rm -rf "$work"
mkdir -p "$work"
[ "$(wc -l <"$readme")" -le 120 ] || fail "README.md has more than 120 lines"
[ "$(wc -l <"${header}pp")" -le 150 ] || fail "clsort.hpp has more than 150 lines"
[ "$(wc -l <"$source/tests/examples/keys.cpp")" -le 20 ] || fail "keys.cpp has more than 20 lines"
[ "$(wc -l <"$header")" -le 750 ] || fail "clsort.h has more than 750 lines"
[ "$(grep -n -m 1 '^typedef' "$header" | cut -d : -f 1)" -le 60 ] ||
    fail "clsort.h declares nothing in its first 60 lines"

# ---- README's tasters, by a cc and a pkg-config that take what was built
if [ -n "$tool" ]; then
    mkdir "$work/bin"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$compiler" >"$work/bin/cc"
    folder=$(dirname "$library")
    printf '#!/bin/sh\necho "%s -L%s -Wl,-rpath,%s -lclsort -lOpenCL"\n' "$*" "$folder" "$folder" \
        >"$work/bin/pkg-config"
    chmod +x "$work/bin/cc" "$work/bin/pkg-config"
    PATH=$work/bin:$(dirname "$tool"):$PATH OCL_ICD_VENDORS=$work/none \
        sh "$source/tests/check/text/tasters.sh" "$readme" "$work/tasters" || exit 1
fi

# ---- The programs of the guide are examples, one of them whole
guide=$source/docs/guide.md
awk -v work="$work" '
    /^```/ { if (inside) close(file)
             inside = !inside && /^```c/; file = work "/block" ++number ".c"; next }
    inside { print >file }
' "$guide"
blocks=0
whole=
for block in "$work"/block*.c; do
    [ -s "$block" ] || fail "docs/guide.md has no \`\`\`c block"
    found=
    for example in "$source"/tests/examples/*.c*; do
        # The block is that many lines of the example from its first line on.
        first=$(grep -nxF -e "$(head -n 1 "$block")" "$example" | head -n 1 | cut -d : -f 1)
        [ -n "$first" ] || continue
        tail -n "+$first" "$example" | head -n "$(wc -l <"$block")" | cmp -s - "$block" || continue
        found=$example
        ! cmp -s "$block" "$source/tests/examples/keys.c" || whole=$block
        break
    done
    [ -n "$found" ] || fail "no example has this block of docs/guide.md: $(cat "$block")"
    blocks=$((blocks + 1))
done
[ $blocks -ge 7 ] || fail "docs/guide.md has only $blocks programs"
[ -n "$whole" ] || fail "docs/guide.md does not have all of keys.c"
for example in "$source"/tests/examples/*.c "$source"/tests/examples/*.cpp; do
    grep -q "(tests/examples/$(basename "$example"))" "$readme" ||
        fail "README.md does not name $example"
done
for algorithm in $(sed -n 's/^    X([A-Z]*, *"\([a-z]*\)", *".*/\1/p' "${header%.h}_lists.h" |
    grep -v auto); do
    grep -q "\`$algorithm\`" "$source/docs/choosing.md" ||
        fail "docs/choosing.md does not name the algorithm $algorithm"
done

# ---- Links and commands
documents=$(cd "$source" && ls ./*.md docs/*.md && find src cl tests tools -name "*.md" | sort)
for document in $documents; do
    folder=$(dirname "$document")
    {
        grep -o '](\([^)#]*\)[^)]*)' "$source/$document" | sed 's/^](//; s/[)#].*//' |
            grep -v '^http' || true
        grep -o ' src="[^"]*"' "$source/$document" | sed 's/^ src="//; s/"$//' || true
    } >"$work/links"
    while IFS= read -r link; do
        [ -e "$source/$folder/$link" ] || fail "$document links to $link, which is not there"
    done <"$work/links"
    grep -o '\(^\|[^a-zA-Z/.]\)tools/[a-z][a-z0-9_./-]*[a-z0-9]' "$source/$document" |
        sed 's/^[^t]//' | sort -u >"$work/links" || true
    while IFS= read -r link; do
        [ -e "$source/$link" ] || fail "$document names $link, which is not there"
    done <"$work/links"
done

# ---- Names of macros, options and variables
for document in $documents; do
    grep -oE '\bCLSORT_[A-Z0-9_]*[A-Z0-9]\b' "$source/$document" || true
done | sort -u >"$work/macros"
while IFS= read -r name; do
    grep -rqwF --include='*.[ch]' --include='*.txt' --include='*.cmake' --include='*.sh' \
        -e "$name" \
        "$source/CMakeLists.txt" "$source/include" "$source/src" "$source/cl" "$source/tools" \
        "$source/tests" ||
        grep -qwF -e "$name" "$source"/tools/[a-z]* 2>/dev/null ||
        fail "a document names $name, which is nowhere"
done <"$work/macros"

# ---- The README of each folder of tests/ names its tests, by their own names or their programs'
total=0
for list in $(cd "$source/tests" && find -- * -name CMakeLists.txt | grep -v /consumer); do
    page=$source/tests/$(dirname "$list")/README.md
    for name in $(sed -n -e 's/^ *clsort_add_test(test_\([a-z_]*[a-z]\)\b.*/\1/p' \
        -e 's/^ *add_test(NAME \([a-z_]*\)\b.*/\1/p' \
        -e 's/^ *clsort_add_script(\([a-z_]*\)\b.*/\1/p' \
        -e 's/^ *clsort_add_run(\([a-z_]*\)[ .].*/\1/p' "$source/tests/$list"); do
        grep -q "\`\(test_\)\?${name}[.\`]" "$page" || fail "$page does not name the test $name"
        total=$((total + 1))
    done
done
[ $total -gt 100 ] || fail "too few tests were found in tests/"

# ---- Pieces of programs: indented blocks that have a line with a semicolon at its end
{
    echo '#include <clsort/clsort.h>'
    echo '#include <stdio.h>'
    awk \
        -v \
        parameters="cl_context context, cl_device_id device, cl_command_queue queue, cl_event event, \
cl_mem keys, cl_mem bytes, cl_mem offsets, cl_mem indices, cl_mem country, cl_mem score, cl_mem \
order, \
void *array, uint64_t n, uint64_t m, uint64_t size" '
        function end() {
            if (text ~ /;\n/)
                printf "\nvoid piece%d(%s)\n{\n%s}\n", ++number, parameters, text
            text = ""
        }
        /^ \*     / { text = text substr($0, 4) "\n"; next }
        /^    / && FILENAME ~ /md$/ { text = text $0 "\n"; next }
        { end() }
    ' "$header" "$source/docs/host.md"
} >"$work/pieces.c"
[ "$(grep -c '^{' "$work/pieces.c")" -ge 5 ] ||
    fail "$header has fewer than five pieces of programs"

# strictly COMPILER OPTION...: compiles the header's pieces, and all members in their order, with
# these.
# What a piece declares need not be used in it.
strictly() {
    for file in "$work/pieces.c" "$source/tests/check/text/struct_order.c"; do
        # shellcheck disable=SC2086
        CPATH=${includes#:} "$@" $strict -Wno-unused -Wno-unused-parameter -c "$file" \
            -o "$work/object.o" ||
            fail "$file does not compile with $*"
    done
}
strictly "$compiler" -std=c11
for cxx in c++ g++ clang++; do
    have $cxx -std=c++20 -x c++ || continue
    echo "as C++20 by $cxx"
    strictly $cxx -std=c++20 -x c++
done
echo "README.md: $(wc -l <"$readme") lines; docs/guide.md: $blocks programs"
