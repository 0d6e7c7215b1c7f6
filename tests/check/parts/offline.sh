#!/usr/bin/env bash
# every form of every kernel that plans use, by the compilers of devices that need not be here
#
# plans/list_variants.c lists the forms. Clang compiles all of them without a warning, each for its
# class of device. For AMD it makes machine code of three generations. For NVIDIA it makes PTX,
# which ptxas, if installed, turns into machine code. Intel's own compiler, ocloc, compiles for
# Intel. CPUs and spir64, which stands for all others, are only checked. A form fails on a warning,
# on more local memory than planned, on registers spilled to memory, and on more PTX instructions
# than a driver compiles quickly. OFFLINE=all takes every combination of types, payloads, orders and
# bit ranges. The table of registers, local memory, scratch and instructions stays in
# $CHECK_DIR/offline/report.
#
# With CHECK_AGAINST (tools/check.sh offline --against COMMIT) that commit's forms for GPUs are
# compiled too and compared one by one: see against.sh.
. tests/check/common.sh
. tests/check/forms.sh

clang=clang-15
have $clang || { skipped clang "there is no $clang"; exit 0; }
build plain list_variants -D CMAKE_BUILD_TYPE=Release
work=$CHECK_DIR/offline
list_forms plain "$work"

# Scratch that is tolerated: kernel, an option of its forms, bytes, reason. More scratch fails.
cat >"$work/borne" <<'END'
bitonic_tile RECORD_SIZE=0 32 16-byte items are shuffled by a union, which clang 15 keeps in memory
merge_tile RECORD_SIZE=16 160 a work-item's records, an array of structs, stay whole in clang 15
merge_pass RECORD_SIZE=16 144 the same
partition_count RECORD_SIZE=31 152 the same, of a size that is no multiple of 4
partition_count RECORD_SIZE=33 168 the same
partition_count RECORD_SIZE=166 696 the same
partition_count RECORD_SIZE=183 760 the same
partition_leaf RECORD_SIZE=33 48 one record of such a size, which is copied by bytes
partition_leaf RECORD_SIZE=166 184 the same
partition_leaf RECORD_SIZE=183 200 the same
partition_scatter RECORD_SIZE=16 84 records with their indices, 20 bytes each, are copied as bytes
partition_count RECORD_SIZE=16 52 registers of one form, on gfx906 and gfx1030
partition_count RECORD_SIZE=48 40 registers of one form, on gfx906
END

# judge TEXT AWK-CONDITION: fails with the first forms of the report that meet the condition.
judge() {
    local bad
    bad=$(awk -F'\t' '
        NR == FNR {
            split($0, words, " ")
            bytes[words[1] " " words[2]] = words[3]
            next
        }
        {
            borne = 0
            for (row in bytes) {
                split(row, words, " ")
                if (words[1] == $2 && index($9, "-D" words[2] " ")) borne = bytes[row]
            }
        }
        '"$2" "$work/borne" "$report")
    [ -z "$bad" ] && return
    head -n 3 <<<"$bad"
    failed "$target" "$(wc -l <<<"$bad") forms $1; the first are above"
    return 1
}

# The limit of PTX instructions in a kernel. NVIDIA's driver compiled kernels of 8,800 instructions
# in 0.5 to 4 s, and one of 117,000 in more than a minute.
most_instructions=9000

# slowest TARGET: prints the five kernels and files whose forms have the most instructions.
slowest() {
    awk -F'\t' '$8 != "-" { split($9, words, " "); name = $2 "\t" words[2]
        if ($8 > most[name]) most[name] = $8 }
        END { for (name in most) printf "%d\t%s\n", most[name], name }' "$work/report.$1" |
        sort -nr | head -n 5 |
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
        judge "have more than $most_instructions PTX instructions" \
            '$1 == "nvptx" && $8 != "-" && $8 > '"$most_instructions"; then
        passed "$target" "$forms forms"
    fi
    awk -F'\t' '$3 != "-" {
        if ($3 > r[$2]) r[$2] = $3
        if ($5 > l[$2]) l[$2] = $5
        if ($6 > s[$2]) s[$2] = $6
        n[$2]++ }
        END { for (k in n) {
            printf "        %-16s %4d forms, at most %3d registers, ", k, n[k], r[k]
            printf "%5d bytes of local memory, %d of scratch\n", l[k], s[k] } }' "$report" | sort
    slowest "$target"
}

# Target, the devices whose forms are compiled for it, and the file that this needs.
clc=/usr/lib/clc
amd=$clc/amdgcn--amdhsa.bc
targets="gfx906:amd64:$amd gfx90a:amd64:$amd gfx1030:amd32:$amd
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
