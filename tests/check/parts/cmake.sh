#!/usr/bin/env bash
# the oldest supported CMake: presets, build, install, sub-projects, parts that are left out
#
# pip installs CMAKE_OLDEST (3.22) from PyPI into CHECK_DIR; without a network the part is skipped.
. tests/check/common.sh

oldest=${CMAKE_OLDEST-3.22}
dir=$CHECK_DIR/cmake-$oldest
if [ ! -x "$dir/bin/cmake" ] &&
    ! python3 -m pip install -q --target "$dir" "cmake==$oldest.*" >"$dir.log" 2>&1; then
    skipped "CMake $oldest" "pip cannot install it; log: $dir.log"
    exit 0
fi
export PATH=$dir/bin:$PATH PYTHONPATH=$dir
case $(cmake --version) in
"cmake version $oldest."*) ;;
*)
    failed "CMake $oldest" "$(cmake --version | head -n 1)"
    exit 0
    ;;
esac

mkdir -p "$dir.build"
log=$dir.log
try "presets" "$log" cmake --preset release -B "$dir.build/release"
try "tests are listed" "$log" ctest --test-dir "$dir.build/release" -N --no-tests=error
try "build, install and sub-projects" "$log" bash tests/install/run.sh . "$dir.build"
try "parts that are left out" "$log" bash tests/install/parts.sh . "$dir.build"
