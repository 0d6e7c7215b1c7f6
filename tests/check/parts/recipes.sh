#!/usr/bin/env bash
# the recipes for Conan and vcpkg: each makes a package of this checkout, and a program uses it
#
# Conan 2 is the one in the PATH, or comes from PyPI into CHECK_DIR. No remote is asked: OpenCL is
# the system's. CHECK_VCPKG names a checkout of vcpkg, whose own scripts then build the port; the
# program vcpkg itself is not needed, but ninja is.
. tests/check/common.sh

dir=$CHECK_DIR/recipes
log=$CHECK_DIR/recipes.log
mkdir -p "$dir"

# ---- Conan ---------------------------------------------------------------------------------------
conan=$(command -v conan || true)
if [ -z "$conan" ]; then
    conan=$dir/python/bin/conan
    [ -x "$conan" ] || { python3 -m venv "$dir/python" &&
        "$dir/python/bin/pip" install -q 'conan>=2'; } >"$log" 2>&1 || conan=
fi
if [ -z "$conan" ]; then
    skipped "Conan" "it is not installed, and pip cannot; log: $log"
else
    export CONAN_HOME=$dir/conan TMP=$dir
    rm -rf "$CONAN_HOME"
    "$conan" profile detect >"$log" 2>&1
    for shared in True False; do
        try "Conan, shared=$shared" "$log" "$conan" create tools/build/packaging/conan \
            -pr:a tools/build/packaging/conan/system-opencl -o "clsort/*:shared=$shared" --no-remote
    done
fi

# ---- vcpkg ---------------------------------------------------------------------------------------
vcpkg=${CHECK_VCPKG-}
if [ -z "$vcpkg" ] || ! have ninja; then
    skipped "vcpkg" "needs ninja, and CHECK_VCPKG=DIR with a checkout of vcpkg"
    exit 0
fi
vcpkg=$(cd "$vcpkg" && pwd)
rm -rf "$dir/vcpkg"
share=$dir/vcpkg/installed/x64-linux/share
package=$dir/vcpkg/packages/clsort_x64-linux
mkdir -p "$share"
cp -r "$vcpkg/ports/vcpkg-cmake" "$vcpkg/ports/vcpkg-cmake-config" "$share"
# As the program calls the scripts, when what the port depends on is installed.
port=(-D CMD=BUILD -D PORT=clsort -D VERSION=0 -D FEATURES=core -D ALL_FEATURES=core
    -D TARGET_TRIPLET=x64-linux -D TARGET_TRIPLET_FILE="$vcpkg/triplets/x64-linux.cmake"
    -D _HOST_TRIPLET=x64-linux -D VCPKG_ROOT_DIR="$vcpkg" -D Z_VCPKG_ROOT_DIR="$vcpkg"
    -D DOWNLOADS="$dir/vcpkg/downloads" -D CURRENT_PORT_DIR="$PWD/tools/build/packaging/vcpkg/clsort"
    -D CURRENT_BUILDTREES_DIR="$dir/vcpkg/build" -D CURRENT_PACKAGES_DIR="$package"
    -D _VCPKG_INSTALLED_DIR="$dir/vcpkg/installed" -D VCPKG_CONCURRENCY="$CHECK_JOBS"
    -D VCPKG_BASE_VERSION=2024-01-01 -D VCPKG_MANIFEST_INSTALL=OFF -D VCPKG_USE_HEAD_VERSION=OFF
    -D _VCPKG_EDITABLE=OFF -D _VCPKG_NO_DOWNLOADS=ON -D NINJA="$(command -v ninja)"
    -D \
        "VCPKG_PORT_CONFIGS=$share/vcpkg-cmake/vcpkg-port-config.cmake;$share/vcpkg-cmake-config/vcpkg-port-config.cmake")
try "vcpkg's port" "$log" cmake "${port[@]}" -P "$vcpkg/scripts/ports.cmake"
CHECK_TREE=tests/install/consumer build recipes/consumer all \
    -D CMAKE_PREFIX_PATH="$package" -D CLSORT_LIBRARY=clsort::clsort
use_pocl recipes
try "a program by vcpkg's package" "$log" "$dir/consumer/consumer"
