#!/bin/sh
# run.sh SOURCE_DIR WORK_DIR LIBRARY VERSION COMPILER: the test python; README.md says what it does.
set -eu
source=$1 work=$2 library=$3 version=$4 compiler=$5
. "$source/tests/common.sh"
log=$work/log
fresh_dir "$work"

python=
for each in "${CLSORT_PYTHON-}" python3 /usr/bin/python3; do
    [ -n "$each" ] && "$each" -c 'import numpy' 2>"$log" || continue
    python=$each
    break
done
[ -n "$python" ] ||
    skip "no Python has numpy (Debian: python3-numpy; CLSORT_PYTHON names another Python)"

export SOURCE_DATE_EPOCH=1000000000
wheel=$("$python" -B "$source/tools/python/make_wheel.py" "$library" "$version" "$work") ||
    fail "no wheel was made"
mkdir "$work/again"
"$python" -B "$source/tools/python/make_wheel.py" "$library" "$version" "$work/again" >"$log"
cmp "$work/$wheel" "$work/again/$wheel" || fail "the wheel has other bytes the second time"
lines=$(wc -l <"$source/tools/python/clsort/__init__.py")
[ "$lines" -le 250 ] || fail "the package has $lines lines, more than 250"

# numpy and pyopencl are the system's, since there may be no network.
"$python" -m venv --system-site-packages "$work/venv" >"$log" 2>&1 ||
    skip "there is no venv (Debian: python3-venv)"
"$work/venv/bin/python" -m pip install --no-index --no-deps "$work/$wheel" >"$log" 2>&1 ||
    fail "pip cannot install $wheel"
cd "$work"
run() { # FILE
    venv/bin/python -B "$1" >output 2>"$log" || fail "$1"
    cat output
}
unset CLSORT_LIBRARY PYTHONPATH
no_device=$(OCL_ICD_VENDORS=$work/none CLSORT_DEVICE='' venv/bin/python -B -c '
import clsort, numpy
print(clsort.sort(numpy.array([2, 1])))  # needs no device
try:
    clsort.lexsort([numpy.arange(1 << 18)])
except clsort.Error as error:
    print(error.status, error)
' 2>"$log") || fail "without a driver"
case $no_device in
"[1 2]"*"no OpenCL "*) ;;
*) fail "without a driver it says: $no_device" ;;
esac
! CLSORT_LIBRARY=$work/none.so venv/bin/python -c 'import clsort' 2>"$log" ||
    fail "a library that is not there is no error"
grep -q '^ImportError: clsort cannot load its library: .*none.so' "$log" ||
    fail "the error does not name the library"
"$work/venv/bin/python" -c 'import clsort, sys
for name, function in vars(clsort).items():
    if name in clsort.__all__ and not function.__doc__:
        sys.exit(name + " has no docstring")' 2>"$log" || fail "see above"

# The enumerators that the package counts out.
cat >types.c <<'END'
#include <clsort/clsort.h>
int main(void)
{
    return CLSORT_OPERATION_RUNS == 3 && CLSORT_OPERATION_SEARCH == 4 ? 0 : 1;
}
END
"$compiler" -I "$source/include" types.c -o types >"$log" 2>&1 && ./types ||
    fail "clsort_operation has other numbers"

venv/bin/python -B -c 'import ctypes, clsort
name = clsort._lib.clsort_type_name
name.restype = ctypes.c_char_p
for numpy_name, type in clsort._TYPES.items():
    short = numpy_name.replace("uint", "u").replace("bfloat", "bf").replace("float", "f")
    short = {"bool": "u8"}.get(numpy_name, short.replace("int", "i"))
    assert name(type).decode() == short, (numpy_name, name(type))' 2>"$log" || fail "other types"

run "$source/tests/python/numpy_case.py"
if ! venv/bin/python -c 'import pyopencl.array' 2>"$log"; then
    echo "without pyopencl (Debian: python3-pyopencl)"
elif ! venv/bin/python -c 'import pyopencl; assert pyopencl.get_platforms()' 2>"$log"; then
    skip "there is no OpenCL device"
else
    export PYOPENCL_CTX="${PYOPENCL_CTX-0}"
    run "$source/tests/python/pyopencl_case.py"
fi
sh "$source/tests/check/text/tasters.sh" "$source/README.md" "$work/tasters" \
    "$work/venv/bin/python" || exit 1
example=$source/tests/examples/from_python.py
expected=$(sed -n 's/^Output: //p' "$example")
[ "$(run "$example")" = "$expected" ] || fail "$example does not print $expected"
echo "python: every check passed"
