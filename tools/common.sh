# common.sh: what the scripts of this folder share. They source it in the root of the checkout,
# after a cd, so that OLDPWD is the folder of the call. Set step_to=2 before to print steps on
# standard error.
script=tools/$(basename "$0")
step() { printf '\n== %s\n' "$*" >&"${step_to-1}"; }
fail() {
    printf '%s: %s\n' "$script" "$*" >&2
    exit 1
}

# The folder to build in: CLSORT_BUILD_DIR, for a checkout that is read-only, or build/.
build_dir=${CLSORT_BUILD_DIR:-$PWD/build}
[ "${build_dir#/}" != "$build_dir" ] || build_dir=$OLDPWD/$build_dir
mkdir -p "$build_dir" 2>/dev/null && [ -w "$build_dir" ] ||
    fail "cannot write to $build_dir; name a folder to build in: CLSORT_BUILD_DIR=DIR $script"

# PoCL offers no device if it cannot write its cache, for example without a home directory.
export POCL_CACHE_DIR="${POCL_CACHE_DIR:-$build_dir/pocl-cache}"
[ "${POCL_CACHE_DIR#/}" != "$POCL_CACHE_DIR" ] || POCL_CACHE_DIR=$OLDPWD/$POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"

# run_bench OPTION...: ends the script by clsort-bench, in the folder of the call, which the names
# of files in its options belong to.
run_bench() {
    cd "$OLDPWD" || exit
    exec "$tool-bench" "$@"
}

# build_tool FOLDER TARGET,... OPTION...: builds the tool and these targets, with CMake's options.
build_tool() {
    local folder=$build_dir/$1 targets=${2//,/ }
    shift 2
    step "Building ($folder)"
    cmake -S . -B "$folder" -D CMAKE_BUILD_TYPE=Release -D CLSORT_BUILD_TESTS=OFF \
        -D CLSORT_INSTALL=OFF "$@" >&2 || fail "CMake could not configure the build"
    # shellcheck disable=SC2086 # several targets
    cmake --build "$folder" --parallel "$(nproc)" --target clsort_tool clsort_bench $targets >&2 ||
        fail "the build failed"
    tool=$folder/tools/clsort/clsort
}
