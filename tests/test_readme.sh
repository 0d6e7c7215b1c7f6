#!/bin/sh
# test_readme.sh README HEADER WORK_DIR NO_DEVICE_TEST COMPILER OPTION...
#
# README's programs, the ```c blocks that have a main, exactly as they stand: they compile without a
# warning as C11 and, where there is such a compiler, as C++20. Each must end with 0 and print numbers in order;
# without a driver it must fail with the library's sentence and print no result.
# The pieces of programs in HEADER's comments compile likewise, each in a function of its own, and
# struct_order.c.
# OPTIONs go to the compiler behind the source. NO_DEVICE_TEST is test_nodevice.
set -eu
readme=$1
header=$2
work=$3
no_device_test=$4
compiler=$5
shift 5
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
mkdir -p "$work/empty"
awk -v work="$work" '
    /^```/ { if (inside && text ~ /int main/) printf "%s", text >(work "/program" ++number ".c")
             inside = !inside && $0 == "```c"; text = ""; next }
    inside { text = text $0 "\n" }
' "$readme"
[ -s "$work/program4.c" ] || fail "$readme has fewer than four \`\`\`c blocks with int main"

# Indented blocks of comments that have a line with a semicolon at its end.
{
    echo '#include <clsort/clsort.h>'
    echo '#include <stdio.h>'
    awk -v parameters="cl_context context, cl_device_id device, cl_command_queue queue, cl_event event, \
cl_mem keys, cl_mem bytes, cl_mem offsets, cl_mem indices, cl_mem country, cl_mem score, cl_mem order, \
void *array, uint64_t n, uint64_t size" '
        function end() {
            if (text ~ /;\n/)
                printf "\nvoid piece%d(%s)\n{\n%s}\n", ++number, parameters, text
            text = ""
        }
        /^ \*     / { text = text substr($0, 4) "\n"; next }
        { end() }
    ' "$header"
    # README's blocks that are calls alone.
    awk '
        /^```/ { if (text ~ /^clsort_/)
                     printf "\nvoid calls%d(clsort_sorter *sorter, clsort_sorter *const *sorters, clsort_desc desc, \
clsort_arrays arrays, size_t n)\n{\n%s}\n", ++number, text
                 inside = !inside && $0 == "```c"; text = ""; next }
        inside { text = text $0 "\n" }
    ' "$readme"
} >"$work/pieces.c"
grep -q '^void calls1' "$work/pieces.c" || fail "$readme has no \`\`\`c block of calls"
[ "$(grep -c '^{' "$work/pieces.c")" -ge 5 ] || fail "$header has fewer than five pieces of programs"

for program in "$work"/program*.c; do
    # shellcheck disable=SC2086 # several options
    "$compiler" -std=c11 $strict "$program" -o "${program%.c}" "$@" ||
        fail "$program of README is not C11 without warnings"
done
# strictly COMPILER OPTION...: compiles the header's pieces, and all members in their order, with these.
# What a piece declares need not be used in it.
strictly() {
    for source in "$work/pieces.c" "$(dirname "$0")/struct_order.c"; do
        # shellcheck disable=SC2086
        CPATH=${includes#:} "$@" $strict -Wno-unused -Wno-unused-parameter -c "$source" -o "$work/object.o" ||
            fail "$source does not compile with $*"
    done
}
strictly "$compiler" -std=c11
for cxx in c++ g++ clang++; do
    have $cxx -std=c++20 -x c++ || continue
    echo "as C++20 by $cxx"
    strictly $cxx -std=c++20 -x c++
    for program in "$work"/program*.c; do
        # shellcheck disable=SC2086
        CPATH=${includes#:} "$cxx" -std=c++20 -x c++ $strict -c "$program" -o "$work/object.o" ||
            fail "$program of README is not C++20 without warnings"
    done
done

status=0
OCL_ICD_VENDORS="$work/empty" CLSORT_DEVICE='' "$no_device_test" no_platform >/dev/null || status=$?
for program in "$work"/program*.c; do
    [ "$status" -ne 77 ] || break # the loader has a platform whatever the variable says
    if OCL_ICD_VENDORS="$work/empty" CLSORT_DEVICE='' "${program%.c}" >"$work/output" 2>"$work/errors"; then
        fail "$program of README ended with 0 without a driver"
    fi
    [ ! -s "$work/output" ] || fail "without a driver $program of README printed $(cat "$work/output")"
    grep -q 'no OpenCL platform' "$work/errors" || fail "$program of README does not say what is wrong"
done

status=0
"$no_device_test" have_device >/dev/null || status=$?
if [ "$status" -eq 77 ]; then
    echo "skipped: compiled, not run: there is no OpenCL device"
    exit 77
fi

for program in "$work"/program*.c; do
    "${program%.c}" >"$work/output" || fail "$program of README ended with $?"
    cat "$work/output"
    [ -s "$work/output" ] || fail "$program of README prints nothing"
    LC_ALL=C sort -g -c "$work/output" || fail "what $program of README prints is not sorted"
done
