#!/usr/bin/env bash
# Windows by mingw-w64: the library, its tests and examples, which Wine runs
#
# OpenCL's headers are this machine's. The import library names what this machine's loader has, and
# Wine's OpenCL.dll passes calls on to that. cmocka is built from Debian's source package; without
# it the tests are left out. The tool needs POSIX and is not built.
. tests/check/common.sh
. tests/common.sh

if ! have x86_64-w64-mingw32-gcc; then
    skipped "Windows" "mingw-w64 is not installed (Debian: gcc-mingw-w64-x86-64)"
    exit 0
fi
dir=$CHECK_DIR/windows
log=$CHECK_DIR/windows.log
prefix=$dir/usr
mkdir -p "$dir/include" "$dir/lib"
cp -r /usr/include/CL "$dir/include/"
loader=$(find /usr/lib -name 'libOpenCL.so.1' | head -n 1)
{
    printf 'LIBRARY OpenCL.dll\nEXPORTS\n'
    nm -D --defined-only "$loader" | sed -n 's/.* T \(cl[A-Z][A-Za-z0-9]*\).*/\1/p' | sort -u
} >"$dir/OpenCL.def"
x86_64-w64-mingw32-dlltool -d "$dir/OpenCL.def" -l "$dir/lib/libOpenCL.dll.a"
cat >"$dir/mingw.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_FIND_ROOT_PATH $dir /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
TOOLCHAIN
for_windows=(--toolchain "$dir/mingw.cmake" -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_INSTALL_PREFIX="$prefix")

# ---- The library ---------------------------------------------------------------------------------
build windows/build "all" "${for_windows[@]}" -D CLSORT_BUILD_TOOL=OFF -D CLSORT_BUILD_TESTS=OFF
rm -rf "$prefix"
try "install" "$log" cmake --install "$dir/build"
dll=$prefix/bin/libclsort.dll
needed=$(x86_64-w64-mingw32-objdump -p "$dll" | sed -n 's/.*DLL Name: //p' | sort | xargs)
if [ "$needed" = "KERNEL32.dll OpenCL.dll msvcrt.dll" ]; then
    passed "the library needs OpenCL.dll and what every Windows has"
else
    failed "the library's needs" "$needed"
fi
sed -n 's/^CLSORT_API .*[ *]\(clsort_[a-z_]*\)(.*/\1/p' include/clsort/clsort{,_plan}.h |
    sort >"$log.names"
x86_64-w64-mingw32-objdump -p "$dll" |
    sed -n 's/^[[:space:]]*\[ *[0-9]*\].* \(clsort_[a-z_]*\)$/\1/p' |
    sort >"$log.exported"
try "it exports what the headers declare" "$log" diff "$log.names" "$log.exported"

# ---- The tests -----------------------------------------------------------------------------------
if ! have wine; then
    skipped "tests and examples" "Wine is not installed (Debian: wine64)"
    exit 0
fi
# A program that ends in a fault ends, without a debugger.
export WINEPREFIX=$dir/wine WINEDEBUG=-all WINEPATH=$prefix/bin WINEDLLOVERRIDES=winedbg.exe=d
use_pocl windows
if ! wine cmd /c ver >"$log" 2>&1; then
    skipped "tests and examples" "Wine does not start; log: $log"
    exit 0
fi
for source in tests/examples/*.c; do
    name=$(basename "$source" .c)
    arguments=()
    [ ! -e "tests/examples/$name.cl" ] || arguments=("tests/examples/$name.cl" include)
    if ! x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Werror -O2 "$source" -o "$dir/$name.exe" \
        -I "$prefix/include" -I "$dir/include" -L "$prefix/lib" -L "$dir/lib" \
        -lclsort -lOpenCL >"$log" 2>&1; then
        failed "$name" "it does not compile; log: $log"
        continue
    fi
    if [ "$name" = svm_buffer ]; then # it calls OpenCL 2.0
        skipped "$name.exe" "it is built; Wine's OpenCL.dll is of OpenCL 1.2"
        continue
    fi
    status=0
    timeout 300 wine "$dir/$name.exe" "${arguments[@]}" >"$log" 2>&1 || status=$?
    output=$(one_line <"$log")
    if [ "$output" = "$(announced_output "$source")" ] && [ $status -eq 0 ]; then
        passed "$name.exe"
    elif [[ $output == skipped:* ]]; then
        skipped "$name.exe" "$output"
    else
        failed "$name.exe" "status $status: $output"
    fi
done

# cmocka_source: Debian's sources of it in $dir, from the places that apt has its packages from.
cmocka_source() {
    local lists=$dir/apt
    mkdir -p "$lists/partial"
    apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) main' \
        'Created-By: Packages' | sort -u | grep ' bookworm main$' >"$dir/sources.list"
    local apt=(apt-get -q -o "Dir::Etc::SourceList=$dir/sources.list" -o Dir::Etc::SourceParts=-
        -o "Dir::State::Lists=$lists")
    "${apt[@]}" update && cd "$dir" && "${apt[@]}" source --download-only cmocka &&
        mkdir -p cmocka && tar -xf cmocka_*.orig.tar.?z -C cmocka --strip-components=1
}
if [ ! -e "$dir/cmocka/CMakeLists.txt" ] && ! (cmocka_source) >"$log" 2>&1; then
    skipped "the tests" "no sources of cmocka; log: $log"
    exit 0
fi
if [ ! -e /usr/include/xxhash.h ]; then
    skipped "the tests" "xxhash.h is not installed (Debian: libxxhash-dev)"
    exit 0
fi
cp /usr/include/xxhash.h "$dir/include/"
CHECK_TREE=$dir/cmocka build windows/cmocka-build "install" "${for_windows[@]}" \
    -D CMAKE_SHARED_LINKER_FLAGS=-static -D WITH_EXAMPLES=OFF
# -static: POSIX threads are a library of mingw-w64, which Windows has not.
CHECK_TREE=tests build windows/tests "all" "${for_windows[@]}" -D CMAKE_PREFIX_PATH="$prefix" \
    -D CMAKE_EXE_LINKER_FLAGS=-static
run_tests "the tests" windows/tests
