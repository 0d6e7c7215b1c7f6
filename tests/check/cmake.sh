#!/usr/bin/env bash
# the oldest CMake that is promised: presets, build, install, sub-projects, parts that are left out
#
# CMAKE_OLDEST (3.22) comes from PyPI by pip into CHECK_DIR; without a network the part is skipped.
. tests/check/common.sh

oldest=${CMAKE_OLDEST-3.22}
dir=$CHECK_DIR/cmake-$oldest
if [ ! -x "$dir/bin/cmake" ] && ! python3 -m pip install -q --target "$dir" "cmake==$oldest.*" >"$dir.log" 2>&1; then
    skipped "CMake $oldest" "pip does not get it; log: $dir.log"
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

# try NAME COMMAND...: the log is shown if it fails.
try() {
    local name=$1
    shift
    if "$@" >"$dir.log" 2>&1; then
        passed "$name"
    else
        tail -n 20 "$dir.log"
        failed "$name" "log: $dir.log"
    fi
}
mkdir -p "$dir.build"
try "presets" cmake --preset release -B "$dir.build/release"
try "tests are listed" ctest --test-dir "$dir.build/release" -N --no-tests=error
try "build, install and sub-projects" bash tests/install/run.sh . "$dir.build"
try "parts that are left out" bash tests/install/parts.sh . "$dir.build"
