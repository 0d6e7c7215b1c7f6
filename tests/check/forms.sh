# forms.sh: lists the kernels' forms and compiles them for devices that are not here. Sourced by
# offline.sh.
#
# A folder of forms has the joined kernel files; "forms", with a line for each form (device, file,
# kernel, planned bytes of local memory, options); and "report.TARGET", with compile_form's line for
# each.

# Prints declarations of AMD's and NVIDIA's OpenCL C that clang alone does not know. The shuffle is
# defined as in AMD's own device library.
device_header() {
    cat <<'END'
#ifdef __AMDGCN__
#define cl_khr_subgroup_shuffle 1
static inline uint sub_group_shuffle_xor(uint value, uint mask)
{
    const uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    return __builtin_amdgcn_ds_bpermute((lane ^ mask) * 4, value);
}
#endif
#ifdef __NVPTX__
#define __NV_CL_C_VERSION 120
#endif
END
}

# list_forms BUILD DIR: lists the forms of the library in $CHECK_DIR/BUILD, in a fresh folder,
# without options of NVIDIA's own compiler. OFFLINE=all takes every combination of types, payloads,
# orders and bit ranges. OFFLINE_STEP=N takes the first form of each device and kernel, and every
# N-th of the others. If the list fails, so does the part, which ends.
list_forms() {
    rm -rf "$2"
    mkdir -p "$2"
    # shellcheck disable=SC2086 # an empty OFFLINE is no argument
    if ! "$CHECK_DIR/$1/tests/list_variants" "$2" ${OFFLINE-} >"$2/listed"; then
        failed "the forms of $1" "list_variants failed"
        exit 0
    fi
    sed 's/ -cl-nv-[^ ]*//' "$2/listed" |
        awk -F'\t' -v step="${OFFLINE_STEP-1}" '!seen[$1, $3]++ || ++others % step == 0' >"$2/forms"
    device_header >"$2/device.h"
}

# compile_forms DIR TARGET DEVICE...: compiles the forms of these devices and writes
# DIR/report.TARGET.
compile_forms() {
    export work=$1
    local target=$2 device
    shift 2
    for device in "$@"; do grep "^$device"$'\t' "$work/forms"; done |
        xargs -d '\n' -P "$CHECK_JOBS" -n 1 bash -c 'compile_form "$0" "$1"' "$target" \
            >"$work/report.$target"
}

# compile_form TARGET FORM: prints TARGET, kernel, registers, planned and compiled bytes of local
# memory, bytes of scratch (spilled registers, and private arrays outside registers), ok or error,
# instructions (PTX for NVIDIA), file and options. Unused parameters and functions are no error.
compile_form() {
    local target=$1 device file kernel planned options base
    IFS=$'\t' read -r device file kernel planned options <<<"$2"
    base=$(mktemp "$work/$target.XXXXXX")
    local flags=(-x cl $options -include "$work/device.h" -Wall -Wextra -Werror
        -Wno-unused-parameter -Wno-unused-function
        -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins)
    local registers=- used=- scratch=- instructions=- ok=1
    case $target in
    gfx*)
        local clc=/usr/lib/clc/amdgcn--amdhsa.bc
        clang-15 "${flags[@]}" -target amdgcn--amdhsa -mcpu=$target -nogpulib \
            -Xclang -mlink-builtin-bitcode -Xclang $clc \
            -O2 -S -o "$base.s" "$work/$file" 2>"$base.err" || ok=0
        if [ $ok = 1 ]; then
            # The file has several kernels; the numbers of each follow its name.
            read -r registers used scratch instructions < <(awk -v kernel="$kernel" '
                $0 ~ "^" kernel ":" { on = 1 }
                on && /^\t[a-z]/ { ++n }
                on && /; NumVgprs:/ { v = $3 } on && /; ScratchSize:/ { s = $3 }
                on && /; LDSByteSize:/ { print v, $3, s, n; exit }' "$base.s") || ok=0
        fi
        ;;
    nvptx)
        local clc=/usr/lib/clc/nvptx64--nvidiacl.bc
        clang-15 "${flags[@]}" -target nvptx64--nvidiacl -Xclang -target-cpu -Xclang sm_80 \
            -Xclang -mlink-builtin-bitcode -Xclang $clc \
            -O2 -S -o "$base.s" "$work/$file" 2>"$base.err" || ok=0
        if [ $ok = 1 ]; then
            instructions=$(awk -v kernel="$kernel" '
                /\.entry/ { on = index($0, kernel "(") }
                on && /^\t[^.].*;$/ { ++n }
                END { print n }' "$base.s")
        fi
        if [ $ok = 1 ] && command -v ptxas >/dev/null; then
            ptxas -arch=sm_90 -v "$base.s" -o /dev/null 2>"$base.err" || ok=0
            read -r registers used scratch < <(awk -v kernel="'$kernel'" '
                /Compiling entry/ { on = index($0, kernel) }
                on && /spill stores/ { s = $5 }
                on && /Used/ {
                    for (i = 1; i < NF; ++i) {
                        if ($(i + 1) ~ /^registers/) r = $i
                        if ($(i + 2) == "smem" || $(i + 2) == "smem,") m = $i
                    }
                    print r, m + 0, s
                    exit
                }' "$base.err") || ok=0
        fi
        ;;
    ocloc)
        # ocloc also looks for the file in the folder that it writes to, so each form has its own.
        (mkdir "$base.d" && cd "$base.d" && cp "$work/$file" . &&
            ocloc compile -file "$file" -device dg2 -options "$options -Werror" -q) \
            >"$base.err" 2>&1 || ok=0
        ;;
    *) # checked, not compiled
        clang-15 "${flags[@]}" -target "$target" -fsyntax-only "$work/$file" 2>"$base.err" || ok=0
        ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$kernel" "$registers" "$planned" \
        "$used" "$scratch" "$([ $ok = 1 ] && echo ok || echo error)" "$instructions" \
        "$device: $file $options"
    if [ $ok = 0 ]; then
        mv "$base.err" "$base.error"
    fi
    rm -rf "$base" "$base.s" "$base.err" "$base.d"
}
export -f compile_form
