#!/usr/bin/env bash
# the tests labelled "quick" on every OpenCL device that Debian offers without a GPU, and on GPUs
#
# A column is a device: PoCL with six settings and with the forms for GPUs, Mesa's rusticl,
# Oclgrind, and each GPU that the library finds. Then the command-line tool runs there: every
# algorithm, checked by the tool itself, and a file, checked by od and sort. COLUMNS_ONLY="rusticl
# gpu-0" selects columns by name.
. tests/check/common.sh

build plain all -D CMAKE_BUILD_TYPE=Release -D CLSORT_BUILD_TESTS=ON
tests=$CHECK_DIR/plain/tests
tool=$CHECK_DIR/plain/tools/clsort/clsort

# tool_sorts: sorts a few keys, since one of the devices is simulated.
tool_sorts() {
    local dir=$CHECK_DIR/column.tool algorithm
    rm -rf "$dir"
    mkdir -p "$dir/cache"
    export POCL_CACHE_DIR=$dir/cache
    head -c 4800 "$tool" >"$dir/keys"
    od -An -v -w8 -t u8 "$dir/keys" | LC_ALL=C sort -n >"$dir/expected"
    "$tool" bench -N 600 --repeat 1 || return
    for algorithm in $("$tool" bench --help | sed -n 's/.*(default all of) //p'); do
        "$tool" sort -y u64 -a "$algorithm" -o "$dir/sorted" "$dir/keys" || return
        od -An -v -w8 -t u8 "$dir/sorted" | cmp - "$dir/expected" || return
    done
}

# column NAME PLATFORM VARIABLE=VALUE...: runs the quick tests in this environment. It must lead to
# a device whose platform's name contains PLATFORM, since not all loaders follow OCL_ICD_VENDORS.
column() {
    local name=$1 platform=$2 log=$CHECK_DIR/column.$1.log sentence=
    shift 2
    case " ${COLUMNS_ONLY-$name} " in *" $name "*) ;; *) return 0 ;; esac
    if ! env "$@" "$tests/test_nodevice" have_device >"$log" 2>&1; then
        skipped "$name" "no device with $*"
        return
    fi
    if ! env "$@" "$tool" devices 2>/dev/null | grep -A 1 '^\*' |
        grep -qi -- " on .*$platform"; then
        skipped "$name" "with $* the device belongs to another platform"
        return
    fi
    # The drivers' caches may ignore what these variables change.
    rm -rf "$tests"/pocl-cache/*/*
    local start=$SECONDS rc=0
    env "$@" ctest --test-dir "$CHECK_DIR/plain" -L '^quick$' --parallel "$CHECK_JOBS" \
        --output-on-failure --no-tests=error >"$log" 2>&1 || rc=$?
    if ! (export "$@" && tool_sorts) >>"$log" 2>&1; then
        tail -n 3 "$log"
        sentence="the tool failed; "
        rc=1
    fi
    sentence+="$(sed -n 's/^\([0-9]*% tests passed.*\)/\1/p' "$log"), $((SECONDS - start)) s"
    if [ $rc -eq 0 ]; then
        passed "$name" "$sentence"
    else
        grep -E '\*\*\*|: error:|^  repeat with' "$log" | head -n 20 || true
        failed "$name" "$sentence; log: $log"
    fi
}

pocl=OCL_ICD_VENDORS=pocl.icd
column pocl portable $pocl
column pocl-as-gpu portable $pocl CLSORT_LIMIT=cpu=0
column pocl-basic portable $pocl POCL_DEVICES=basic
column pocl-group-64 portable $pocl POCL_MAX_WORK_GROUP_SIZE=64
column pocl-cbs portable $pocl POCL_WORK_GROUP_METHOD=cbs
column pocl-threads-8 portable $pocl POCL_MAX_PTHREAD_COUNT=8
column pocl-sse2 portable $pocl POCL_LLVM_CPU_NAME=x86-64
column rusticl rusticl OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe
oclgrind=$(sed -n 's/^OCLGRIND_LIBRARY:FILEPATH=//p' "$CHECK_DIR/plain/CMakeCache.txt")
case $oclgrind in
*NOTFOUND | '') skipped oclgrind "it is not installed" ;;
*) column oclgrind oclgrind OCL_ICD_VENDORS="$oclgrind" CLSORT_LIMIT=group=64 ;;
esac

# GPUs by their index in the library's list.
found=0
while read -r index; do
    found=1
    column "gpu-$index" "" CLSORT_DEVICE="$index"
done < <("$tool" devices --json 2>/dev/null |
    sed -n 's/^{"index":\([0-9]*\),.*"kind":"GPU".*/\1/p')
[ $found = 1 ] || skipped gpu "there is none"
