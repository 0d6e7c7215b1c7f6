#!/usr/bin/env bash
# every form of every kernel that plans ask for, by the compilers of devices that need not be here
#
# tests/list_variants.c lists the forms. Clang compiles all of them without a warning: those for
# devices of a class for that class. AMD: machine code for three generations; NVIDIA: PTX, and by
# ptxas, if it is there, machine code; Intel: by its own compiler, ocloc; CPUs; and spir64, which stands for
# whatever else. Fails on a warning, on more local memory than the plan counts with, on registers
# spilled to memory, and on more PTX instructions than a driver compiles in good time. OFFLINE=all takes the full
# cross of types, payloads, orders and bit ranges.
# The table of registers, local memory, scratch and instructions stays in $CHECK_DIR/offline/report.
. tests/check/common.sh

clang=clang-15
have $clang || { skipped clang "there is no $clang"; exit 0; }
build plain list_variants -D CMAKE_BUILD_TYPE=Release
export work=$CHECK_DIR/offline
rm -rf "$work"
mkdir -p "$work"
# shellcheck disable=SC2086 # nothing is no argument
# Options of NVIDIA's own compiler are left out.
"$CHECK_DIR/plain/tests/list_variants" "$work" ${OFFLINE-} | sed 's/ -cl-nv-[^ ]*//' >"$work/forms"

# AMD's and NVIDIA's OpenCL C as clang alone does not know it. The shuffle is what AMD's own
# device library makes of it.
cat >"$work/device.h" <<'END'
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

# compile TARGET FORM: prints TARGET, kernel, registers, bytes of local memory as planned and as
# compiled, bytes of scratch (spilled registers and private arrays that are not in registers), ok or error,
# instructions of PTX, file and options.
# Parameters and functions that a form has no use for are no fault.
compile() {
    local target=$1 device file kernel planned options base
    IFS=$'\t' read -r device file kernel planned options <<<"$2"
    base=$(mktemp "$work/$target.XXXXXX")
    local flags=(-x cl $options -include "$work/device.h" -Wall -Wextra -Werror
        -Wno-unused-parameter -Wno-unused-function -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins)
    local registers=- used=- scratch=- instructions=- ok=1
    case $target in
    gfx*)
        local clc=/usr/lib/clc/amdgcn--amdhsa.bc
        clang-15 "${flags[@]}" -target amdgcn--amdhsa -mcpu=$target -nogpulib -Xclang \
            -mlink-builtin-bitcode -Xclang $clc -O2 -S -o "$base.s" "$work/$file" 2>"$base.err" || ok=0
        if [ $ok = 1 ]; then
            # The file's kernels stand one behind another; this one's numbers follow its name.
            read -r registers used scratch < <(awk -v kernel="$kernel" '
                $0 ~ "^" kernel ":" { on = 1 }
                on && /; NumVgprs:/ { v = $3 } on && /; ScratchSize:/ { s = $3 }
                on && /; LDSByteSize:/ { print v, $3, s; exit }' "$base.s") || ok=0
        fi
        ;;
    nvptx)
        local clc=/usr/lib/clc/nvptx64--nvidiacl.bc
        clang-15 "${flags[@]}" -target nvptx64--nvidiacl -Xclang -mlink-builtin-bitcode -Xclang $clc \
            -Xclang -target-cpu -Xclang sm_80 -O2 -S -o "$base.s" "$work/$file" 2>"$base.err" || ok=0
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
                on && /Used/ { for (i = 1; i < NF; ++i) { if ($(i + 1) ~ /^registers/) r = $i
                    if ($(i + 2) == "smem" || $(i + 2) == "smem,") m = $i }; print r, m + 0, s; exit }' \
                "$base.err") || ok=0
        fi
        ;;
    ocloc)
        # It looks for the file's name in the folder where it writes too, so each has its own.
        (mkdir "$base.d" && cd "$base.d" && cp "$work/$file" . &&
            ocloc compile -file "$file" -device dg2 -options "$options -Werror" -q) \
            >"$base.err" 2>&1 || ok=0
        ;;
    *) # checked, not compiled
        clang-15 "${flags[@]}" -target "$target" -fsyntax-only "$work/$file" 2>"$base.err" || ok=0
        ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$target" "$kernel" "$registers" "$planned" "$used" \
        "$scratch" "$([ $ok = 1 ] && echo ok || echo error)" "$instructions" "$device: $file $options"
    if [ $ok = 0 ]; then
        mv "$base.err" "$base.error"
    fi
    rm -rf "$base" "$base.s" "$base.err" "$base.d"
}
export -f compile

# Scratch that is known and borne: kernel, an option of its forms, bytes, why. More of it fails.
cat >"$work/borne" <<'END'
bitonic_tile RECORD_SIZE=0 32 16-byte items are shuffled word by word through a union, which clang 15 keeps in memory
merge_tile RECORD_SIZE=16 160 a work-item's records are an array of structs, which clang 15 does not take apart
merge_pass RECORD_SIZE=16 144 the same
END

# judge TEXT AWK-CONDITION: fails with the first of the report's forms that meet a condition.
judge() {
    local bad
    bad=$(awk -F'\t' '
        NR == FNR { split($0, words, " "); option[words[1]] = words[2]; bytes[words[1]] = words[3]; next }
        { borne = $2 in option && index($9, "-D" option[$2] " ") ? bytes[$2] : 0 }
        '"$2" "$work/borne" "$report")
    [ -z "$bad" ] && return
    head -n 3 <<<"$bad"
    failed "$target" "$(wc -l <<<"$bad") forms $1; the first are above"
    return 1
}

# The limit of PTX instructions in a kernel. NVIDIA's driver compiled kernels of 8,800 in 0.5 to 4 s, and one of
# 117,000 in more than a minute.
most_instructions=9000

# slowest TARGET: the five kernels and files whose forms have the most instructions.
slowest() {
    awk -F'\t' '$8 != "-" { split($9, words, " "); name = $2 "\t" words[2]
        if ($8 > most[name]) most[name] = $8 }
        END { for (name in most) printf "%d\t%s\n", most[name], name }' "$work/report.$1" | sort -nr | head -n 5 |
        awk -F'\t' '{ printf "        %6d instructions: %s of %s\n", $1, $2, $3 }'
}

# check TARGET DEVICE...: compiles the forms of these devices and judges them.
check() {
    local target=$1 report=$work/report.$1 device
    shift
    for device in "$@"; do grep "^$device"$'\t' "$work/forms"; done |
        xargs -d '\n' -P "$CHECK_JOBS" -n 1 bash -c 'compile "$0" "$1"' "$target" >"$report"
    local forms errors
    forms=$(wc -l <"$report")
    errors=$(awk -F'\t' '$7 == "error"' "$report" | wc -l)
    if [ "$errors" -gt 0 ]; then
        head -n 20 "$(find "$work" -name "$target.*.error" | head -n 1)"
        failed "$target" "$errors of $forms forms do not compile, the first is above"
    elif judge "have more local memory than planned" '$5 != "-" && $5 > $4' &&
        judge "keep registers in memory" '$6 != "-" && $6 > borne + 0' &&
        judge "have more than $most_instructions instructions" \
            '$8 != "-" && $8 > '"$most_instructions"; then
        passed "$target" "$forms forms"
    fi
    awk -F'\t' '$3 != "-" {
        if ($3 > r[$2]) r[$2] = $3
        if ($5 > l[$2]) l[$2] = $5
        if ($6 > s[$2]) s[$2] = $6
        n[$2]++ }
        END { for (k in n) printf "        %-16s %4d forms, at most %3d registers, %5d bytes of local memory, %d of scratch\n", k, n[k], r[k], l[k], s[k] }' "$report" | sort
    slowest "$target"
}

if [ -e /usr/lib/clc/amdgcn--amdhsa.bc ]; then
    check gfx906 amd64
    check gfx90a amd64
    check gfx1030 amd32
else
    skipped AMD "libclc-15 is not installed"
fi
if [ -e /usr/lib/clc/nvptx64--nvidiacl.bc ]; then
    check nvptx nvidia
else
    skipped NVIDIA "libclc-15 is not installed"
fi
if have ocloc; then check ocloc intel; else skipped Intel "there is no ocloc (intel-opencl-icd)"; fi
check x86_64 cpu16 cpu64 serial
check spir64 other small
cat "$work"/report.* >"$work/report"
