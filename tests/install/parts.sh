#!/usr/bin/env bash
# parts.sh SOURCE_DIR BUILD_DIR: the build without packages that only a part of it needs.
#
# CMake prints one line for a part that it leaves out. If the part was requested by name, it is an
# error. The library and the tool are always built, and the tool names what it lacks. To hide a
# package, the script empties the variable by which CMake would find it. Works in
# BUILD_DIR/parts-test.
set -eu
. "$(dirname "$0")/../common.sh"
source=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)/parts-test
fresh_dir "$work"
log=$work/log

configure() { # DIR OPTION...
    local dir=$1
    shift
    cmake -S "$source" -B "$work/$dir" -D CMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1
}
# leaves_out OPTION PACKAGE HIDDEN...: one line of output says so, and the build is configured. With
# the option set to ON it is an error.
leaves_out() {
    local option=$1 package=$2
    shift 2
    configure "$option" "$@" || fail "no build without $package"
    [ "$(grep -c "^-- $option is off: .*$package" "$log")" -eq 1 ] ||
        fail "not one line says that $option is off without $package"
    ! configure "$option-on" "$@" -D "$option=ON" ||
        fail "$option=ON without $package is no error"
    grep -q "$option is ON, but" "$log" || fail "the error does not name $option"
    configure "$option-off" "$@" -D "$option=OFF" || fail "no build with $option=OFF"
    ! grep -q "$option is" "$log" || fail "$option=OFF is not quiet"
    rm -r "$work/$option" "$work/$option-on" "$work/$option-off"
}
# refuses TEXT OPTION...: the tool exits with 2 and says what is missing.
refuses() {
    local text=$1 rc=0
    shift
    "$tool" "$@" >"$log" 2>&1 </dev/null || rc=$?
    [ $rc -eq 2 ] || fail "clsort $*: exit status $rc, not 2"
    grep -qF -- "$text" "$log" || fail "clsort $* does not say '$text'"
}

leaves_out CLSORT_TOOL_CHECK xxHash -D XXHASH_INCLUDE_DIR= -D CLSORT_BUILD_TESTS=OFF
leaves_out CLSORT_BUILD_TESTS xxHash -D XXHASH_INCLUDE_DIR= -D CLSORT_TOOL_CHECK=OFF
leaves_out CLSORT_BUILD_TESTS cmocka -D CMOCKA_LIBRARY=

# The benchmarks' opponents are off unless they are requested by name.
# wants OPTION PACKAGE HIDDEN...: an error names both.
wants() {
    local option=$1 package=$2
    shift 2
    ! configure "$option" -D CLSORT_BUILD_TESTS=OFF -D CLSORT_BUILD_MPI=OFF -D "$option=ON" "$@" ||
        fail "$option=ON without $package is no error"
    tr -s '\n ' ' ' <"$log" | grep -q "$option is ON, but [^.]*$package" ||
        fail "the error does not name $option and $package"
    rm -r "${work:?}/$option"
}
for option in OPPONENTS BOOST NVIDIA; do
    CXX=$work/none wants "CLSORT_BUILD_$option" 'C++ compiler'
done
if command -v c++ >/dev/null; then
    wants CLSORT_BUILD_OPPONENTS TBB -D CMAKE_DISABLE_FIND_PACKAGE_TBB=ON
    wants CLSORT_BUILD_OPPONENTS Highway -D HWY_INCLUDE_DIR=
    CUDACXX=$work/none wants CLSORT_BUILD_NVIDIA nvcc
fi

# A C++ compiler that is installed after the first configuration is found by the next one.
if command -v c++ >/dev/null; then
    CXX=$work/none configure cpp -D CLSORT_BUILD_TESTS=OFF || fail "no build without C++"
    grep -q '^-- Without other sorts .*: no C++ compiler$' "$log" ||
        fail "no line says that there is no C++ compiler"
    configure cpp || fail "no build with C++, after one without"
    cmake --build "$work/cpp" --target help >"$log" 2>&1
    grep -q opponents_host "$log" ||
        fail "a C++ compiler is not found by the second configuration"
    rm -r "$work/cpp"
fi

# CMake finds no file in a folder with brackets in its path, and must not build a library of none.
ln -s "$source" "$work/a[b]"
! cmake -S "$work/a[b]" -B "$work/brackets" >"$log" 2>&1 || fail "a path with brackets is no error"
grep -q 'No source was found' "$log" || fail "a path with brackets is not named"

configure none -D XXHASH_INCLUDE_DIR= -D CMOCKA_INCLUDE_DIR= -D CMAKE_OBJCOPY= \
    -D CLSORT_WERROR=ON -D CMAKE_C_FLAGS_RELEASE="-O0 -DNDEBUG" || fail "the optional parts are needed"
grep -q '^-- The archive clsort_static keeps its internal names: .*objcopy is missing$' "$log" ||
    fail "no line says that the archive keeps its names without objcopy"
cmake --build "$work/none" --parallel 2 >"$log" 2>&1 || fail "the build without the optional parts"
[ -e "$work/none/libclsort.so" ] || fail "no library without the optional parts"
tool=$work/none/tools/clsort/clsort
"$tool" --version >"$log" 2>&1 || fail "without all three the tool does not run"
refuses "--verify is not available: this clsort was built without xxHash" sort --verify
printf '1\n3\n2\n' >"$work/text"
"$tool" check --text "$work/text" >"$log" 2>&1 && fail "clsort check finds no disorder"
grep -q 'text:3: disorder' "$log" || fail "clsort check does not work"
rm -rf "$work"
echo "parts: every check passed"
