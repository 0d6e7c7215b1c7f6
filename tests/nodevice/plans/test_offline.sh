#!/bin/sh
# test_offline.sh LIST_VARIANTS WORK_DIR
#
# Clang checks kernels for devices that are not here: AMD's, NVIDIA's and CPUs' targets, and SPIR.
# No form may give a warning. It takes the first form that list_variants prints for each class of
# device, kernel and key width, and every STEP-th of the others. check/parts/offline.sh compiles all
# forms, to machine code. Any Clang from 14 on; skipped without one.
set -eu
. "$(dirname "$0")/../../common.sh"
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
[ -n "$clang" ] || skip "there is no clang"

fresh_dir "$work"
"$list" "$work" >"$work/listed" || fail "list_variants ended with status $?"
# Leave out options of NVIDIA's own compiler.
sed 's/ -cl-nv-[^ ]*//' "$work/listed" >"$work/all"
awk -F'\t' -v step="$STEP" '
    { width = $5; sub(/.*-DKEY_BITS=/, "", width); sub(/ .*/, "", width) }
    !seen[$1, $3, width]++ || ++others % step == 0' "$work/all" >"$work/forms"
# Declares what the vendors' compilers know and Clang alone does not.
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

# Each line of "forms" has the device, file, kernel, local memory and options, separated by tabs.
# Writes a source for each form into its target's folder, with the options as lines before the file,
# so that one process compiles hundreds.
awk -F'\t' -v work="$work" '
    function target(device) {
        return device == "nvidia" || device ~ /^amd/ ? device : device ~ /^cpu/ ? "cpu" : "spir"
    }
    {
        num = split($5, options, " ")
        text = ""
        for (i = 1; i <= num; ++i) {
            option = options[i]
            if (option ~ /^-D[^=]+=/) {
                sub(/^-D/, "#define ", option)
                sub(/=/, " ", option)
                text = text option "\n"
            } else if (option != "-cl-std=CL1.2") {
                print "test_offline.sh does not know the option " option
                exit 1
            }
        }
        if (!($2 in files)) {
            while ((getline line <(work "/" $2)) > 0)
                files[$2] = files[$2] line "\n"
        }
        dir = work "/" target($1)
        if (!made[dir]++)
            system("mkdir \047" dir "\047")
        to = dir "/" NR ".cl"
        printf "%s#line 1 \"%s\"\n%s", text, $2, files[$2] >to
        close(to)
    }' "$work/forms"

# compile TARGET FILE...: runs the command that clang makes for the first file, with the others
# added.
compile() {
    case $1 in
    nvidia) target=nvptx64-nvidia-nvcl ;;
    amd64) target='amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib' ;;
    amd32) target='amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib' ;;
    cpu) target=x86_64 ;;
    spir) target=spir64 ;;
    esac
    shift
    # shellcheck disable=SC2086 # $target is several words
    command=$("$clang" '-###' -x cl -target $target -cl-std=CL1.2 \
        -include "$work/device.h" -I "$work" \
        -Wall -Wextra -Werror -Wno-unused-parameter -Wno-unused-function \
        -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins \
        -fsyntax-only "$1" 2>&1 | tail -n 1)
    shift
    eval "$command \"\$@\""
}

for dir in nvidia amd64 amd32 cpu spir; do
    compile $dir "$work/$dir"/*.cl >"$work/log" 2>&1 && continue
    head -n 20 "$work/log"
    # One by one, to find which fail.
    for text in "$work/$dir"/*.cl; do
        compile $dir "$text" >"$work/log" 2>&1 ||
            sed -n "$(basename "$text" .cl)p" "$work/forms" >>"$work/failed"
    done
    [ -s "$work/failed" ] || echo "$dir: all forms together" >>"$work/failed"
done
if [ -s "$work/failed" ]; then
    head -n 3 "$work/failed"
    fail "$(wc -l <"$work/failed") of $(wc -l <"$work/forms") forms do not compile"
fi
"$clang" --version | head -n 1
echo "$(wc -l <"$work/forms") of $(wc -l <"$work/all") forms, without a warning"
cut -f 1 "$work/forms" | sort | uniq -c
