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

# take_file [FILE]: $file is FILE, which stands in the folder of the call, or empty.
take_file() {
    file=
    [ $# -eq 0 ] || file=$(cd "$OLDPWD" && realpath -e -- "$1") || fail "cannot find the file $1"
}

# build_release TARGET OPTION...: the target, and the program that checks sorted files.
build_release() {
    local target=$1
    shift
    release=$build_dir/release
    step "Building ($release)"
    # A new build leaves out the tests, which need more packages. An existing one keeps its options.
    [ -e "$release/CMakeCache.txt" ] || set -- "$@" -D CLSORT_BUILD_TESTS=OFF
    cmake --preset release -B "$release" "$@" || fail "CMake could not configure the build"
    cmake --build "$release" --parallel "$(nproc)" --target "$target" check_sorted ||
        fail "the build failed"
}

# prepare_input: $num_keys u32 keys of $file, or of a shared library, in the new folder $dir.
prepare_input() {
    step "Preparing the input"
    # A shared library is real data that every machine has. Below 256 MiB it fits small devices.
    if [ -z "$file" ]; then
        file=$(find /lib /lib64 /usr/lib /usr/lib64 /usr/local/lib -xdev -type f -name '*.so*' \
            -size -256M -printf '%s %p\n' 2>/dev/null | sort -n | tail -n 1 | cut -d ' ' -f 2-) || true
        [ -n "$file" ] || fail "found no shared library to sort; name a file: $script FILE"
    fi
    num_keys=$(($(stat -L -c %s -- "$file") / 4))
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    head -c $((num_keys * 4)) -- "$file" >"$dir/in" || fail "could not copy $file to $dir"
    echo "$file as $num_keys u32 keys"
}

check_output() {
    step "Checking the result by the C library's qsort()"
    "$release/check_sorted" "$dir/in" "$dir/out" || fail "the result is wrong"
}

# find_mpiexec BUILD: that of the build's MPI. Open MPI runs as root, often the only user of a
# container, and more ranks than there are cores.
find_mpiexec() {
    local flavour
    flavour=$(sed -n 's/^CLSORT_MPI_FLAVOUR:INTERNAL=//p' "$1/CMakeCache.txt")
    mpiexec=$(command -v "mpiexec.$flavour" || command -v mpiexec) || fail "mpiexec was not found"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=/bin/false
}

# seconds COMMAND...: its wall time. median: of the numbers on the standard input.
seconds() {
    local start=$EPOCHREALTIME end
    "$@" >&2 || fail "$* failed"
    end=$EPOCHREALTIME
    awk -v a="$start" -v b="$end" 'BEGIN { printf "%.3f\n", b - a }'
}
median() { sort -g |
    awk '{ x[NR] = $1 } END { printf "%.3f", (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }
