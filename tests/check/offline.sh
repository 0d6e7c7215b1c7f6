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
#
# With CHECK_AGAINST (tools/check.sh offline --against COMMIT) the GPUs' forms of that commit are compiled as
# well, and compared form by form: see against.sh.
. tests/check/common.sh
. tests/check/forms.sh

clang=clang-15
have $clang || { skipped clang "there is no $clang"; exit 0; }
build plain list_variants -D CMAKE_BUILD_TYPE=Release
work=$CHECK_DIR/offline
list_forms plain "$work"

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
    local target=$1 report=$work/report.$1
    shift
    compile_forms "$work" "$target" "$@"
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

# Target, the devices whose forms are compiled for it, what has to be there.
clc=/usr/lib/clc
targets="gfx906:amd64:$clc/amdgcn--amdhsa.bc gfx90a:amd64:$clc/amdgcn--amdhsa.bc gfx1030:amd32:$clc/amdgcn--amdhsa.bc
nvptx:nvidia:$clc/nvptx64--nvidiacl.bc ocloc:intel:$(command -v ocloc || echo ocloc)
x86_64:cpu16,cpu64,cpu:/ spir64:other,small:/"
for row in $targets; do
    IFS=: read -r target devices needed <<<"$row"
    case " ${OFFLINE_TARGETS-$target} " in *" $target "*) ;; *) continue ;; esac
    # shellcheck disable=SC2086 # several words
    if [ -e "$needed" ]; then
        check "$target" ${devices//,/ }
    else
        skipped "$target" "there is no $needed: libclc-15, or intel-opencl-icd"
    fi
done
cat "$work"/report.* >"$work/report"
[ -z "${CHECK_AGAINST-}" ] || . tests/check/against.sh
