#!/bin/sh
# test_offline.sh LIST_VARIANTS WORK_DIR
#
# Kernels for devices that are not here, by Clang: of the forms that list_variants prints the first of each
# class of device, kernel and width of key, and every STEP-th other, checked for AMD's, NVIDIA's and CPUs'
# targets and for SPIR, without a warning. All forms, and machine code, are tests/check/offline.sh's.
# Any Clang from 14 on; without one it ends with 77.
set -eu
list=$1
work=$2
STEP=${STEP-50}

clang=
for name in clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
    if echo 'kernel void f(global uint *a) { a[get_global_id(0)] = 0; }' |
        "$name" -x cl -cl-std=CL1.2 -target spir64 -Xclang -finclude-default-header \
            -Xclang -fdeclare-opencl-builtins -fsyntax-only - 2>/dev/null; then
        clang=$name
        break
    fi
done
[ -n "$clang" ] || {
    echo "skipped: there is no clang"
    exit 77
}

rm -rf "$work"
mkdir -p "$work"
"$list" "$work" >"$work/all"
awk -F'\t' -v step="$STEP" '
    { width = $5; sub(/.*-DKEY_BITS=/, "", width); sub(/ .*/, "", width) }
    !seen[$1, $3, width]++ || ++others % step == 0' "$work/all" >"$work/forms"
# What the vendors' compilers know and Clang alone does not.
cat >"$work/device.h" <<'END'
#ifdef __AMDGCN__
#define cl_khr_subgroup_shuffle 1
uint __attribute__((overloadable)) sub_group_shuffle_xor(uint value, uint mask);
#endif
#ifdef __NVPTX__
#define __NV_CL_C_VERSION 120
#endif
#ifdef __SPIR__
uint __attribute__((overloadable)) intel_sub_group_shuffle_xor(uint value, uint mask);
#endif
END

# One form: "device, file, kernel, local memory, options", separated by tabs.
compile() {
    case ${1%%	*} in
    nvidia) target=nvptx64-nvidia-nvcl ;;
    amd64) target='amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib' ;;
    amd32) target='amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib' ;;
    cpu* | serial) target=x86_64 ;;
    *) target=spir64 ;;
    esac
    file=$(echo "$1" | cut -f 2)
    options=$(echo "$1" | cut -f 5 | sed 's/ -cl-nv-[^ ]*//') # Clang does not know NVIDIA's own
    # shellcheck disable=SC2086 # several words
    "$clang" -x cl -target $target $options -include "$work/device.h" \
        -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-function \
        -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
        -fsyntax-only "$work/$file" || echo "$1" >>"$work/failed"
}

while read -r form; do compile "$form"; done <"$work/forms"
if [ -s "$work/failed" ]; then
    head -n 3 "$work/failed"
    echo "FAILED: $(wc -l <"$work/failed") of $(wc -l <"$work/forms") forms do not compile"
    exit 1
fi
echo "$("$clang" --version | head -n 1): $(wc -l <"$work/forms") of $(wc -l <"$work/all") forms, without a warning"
cut -f 1 "$work/forms" | sort | uniq -c
