#!/bin/sh
# python.sh SOURCE COMPILER HEADERS WORK_DIR LIBRARY
#
# from_python.py, SOURCE, prints the output that its head announces, and its structs are as large as
# the header's. CLSORT_PYTHON names a Python that has pyopencl; else it is python3.
set -eu
source=$1 compiler=$2 headers=$3 work=$4 library=$5
. "$(dirname "$0")/../common.sh"
python=${CLSORT_PYTHON:-python3}
fresh_dir "$work"
log=$work/log

"$python" -c 'import pyopencl.array' 2>"$log" ||
    skip "$python has no pyopencl (Debian: python3-pyopencl; CLSORT_PYTHON names another Python)"
"$python" -c 'import pyopencl; assert pyopencl.get_platforms()' 2>"$log" ||
    skip "there is no OpenCL device"
cat >"$work/sizes.c" <<'END'
#include <clsort/clsort.h>
#include <stdio.h>
int main(void)
{
    printf("%zu %zu\n", sizeof(clsort_desc), sizeof(clsort_buffers));
    return 0;
}
END
"$compiler" -I "$headers" "$work/sizes.c" -o "$work/sizes" >"$log" 2>&1 ||
    fail "sizes.c does not compile"
export CLSORT_LIBRARY=$library PYOPENCL_CTX=${PYOPENCL_CTX-0}
expected=$(sed -n 's/^Output: //p' "$source")
[ -n "$expected" ] || fail "the head of $source announces no output"
output=$("$python" -B "$source" 2>"$log") || fail "$source"
[ "$output" = "$expected" ] || fail "$source printed $output, not $expected"
sizes=$(cd "$(dirname "$source")" && "$python" -B -c 'import ctypes, from_python as it
print(ctypes.sizeof(it.Desc), ctypes.sizeof(it.Buffers))' 2>"$log" | tail -n 1)
[ "$sizes" = "$("$work/sizes")" ] ||
    fail "its structs have $sizes bytes, those of clsort.h $("$work/sizes")"
echo "$output"
