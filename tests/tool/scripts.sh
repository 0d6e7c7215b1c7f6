#!/usr/bin/env bash
# tests/tool/scripts.sh SOURCE_DIR WORK_DIR
#
# The scripts around the benchmarks, in a copy whose CMake builds nothing, and whose tool, compiler
# and GPUs are made up: what they give to 'clsort bench' and to CMake, in which folder, and what
# they do with files.
set -u
. "$(dirname "$0")/../common.sh"
root=$(realpath "$1")
fresh_dir "$2"
work=$(realpath "$2")
log=$work/err
mkdir -p "$work/tools/bench" "$work/bin" "$work/call" "$work/nvidia" "$work/src"
cp "$root"/tools/bench-* "$root/tools/common.sh" "$work/tools/"
cp "$root"/tools/bench/{measure,page} "$work/tools/bench/"
ln -s "$root/cl" "$work/cl"
ln -s "$root/src/program" "$work/src/program"

# program PATH: makes an executable of the standard input.
program() {
    mkdir -p "$(dirname "$work/$1")"
    { echo '#!/usr/bin/env bash' && cat; } >"$work/$1"
    chmod +x "$work/$1"
}
program tools/setup </dev/null
program bin/cmake <<'END'
printf '%s\n' "$@" >>"$CALLED/cmake"
END
program bin/nvcc </dev/null
program bin/compiler </dev/null
# Three GPUs, of which the second one has another architecture.
program bin/nvidia-smi <<'END'
architectures=(9.0 7.5 9.0)
[ "$1" = -i ] || { printf '%s\n' "${architectures[@]}" && exit; }
[ "$2" -lt 3 ] 2>/dev/null || { echo 'No devices were found' && exit 6; }
echo "${architectures[$2]}"
END
# dd without O_DIRECT, which not every file system has; it tells how much it has written.
program bin/dd <<'END'
options=("${@/oflag=direct/}")
for i in "${!options[@]}"; do
    [ -n "${options[i]}" ] || unset "options[i]"
    [ "${options[i]-}" != iflag=direct ] || unset "options[i]"
done
PATH=${PATH#*:} dd "${options[@]}" || exit
for option; do
    [ "${option#of=*/dd}" = "$option" ] || stat -c %s "${option#of=}" >>"$CALLED/dd"
done
END
# The tool: where it is called, and by which options; its sort is the system's.
program tool <<'END'
{ pwd && printf '%s\n' "$@"; } >>"$CALLED/tool"
case "$0 $1" in
*-bench\ * | *\ bench) [ ! -e "$CALLED/../rows.csv" ] || cp "$CALLED/../rows.csv" "${!#}" ;;
esac
[ "$1" = sort ] || exit 0
shift
case " $* " in
*' --lines '*) exec sort "${@/--lines/-s}" ;;
esac
while [ $# -gt 1 ]; do
    [ "$1" != -o ] || out=$2
    shift
done
cp "$1" "$out"
END
for folder in bench bench-boost bench-nvidia; do
    mkdir -p "$work/build/$folder/tools/clsort"
    cp "$work/tool" "$work/build/$folder/tools/clsort/clsort"
    cp "$work/tool" "$work/build/$folder/tools/clsort/clsort-bench"
done
program build/bench/check_sorted </dev/null

export CALLED=$work/called CXX=compiler PATH=$work/bin:$PATH LC_ALL=C
unset CLSORT_BUILD_DIR CUDA_VISIBLE_DEVICES CUDA_ARCHITECTURE CLSORT_CCCL CLSORT_DEVICE
# call SCRIPT ARGUMENT...: from another folder, with $cache or "cache" as the folder of PoCL.
call() {
    rm -rf "$CALLED"
    mkdir "$CALLED"
    (cd "$work/call" && POCL_CACHE_DIR=${cache-cache} "../tools/$1" "${@:2}") >"$work/out" 2>"$log"
}

# ---- Files belong to the folder of the call ------------------------------------------------------
for device in cpu boost nvidia; do
    call bench/measure $device -- --csv rows.csv || fail "measure $device: exit status $?"
    [ "$(head -n 1 "$CALLED/tool")" = "$work/call" ] || fail "measure $device: the tool is elsewhere"
    [ "$(tail -n 1 "$CALLED/tool")" = rows.csv ] || fail "measure $device: without its options"
done
[ -d "$work/call/cache" ] || fail "the cache of PoCL is elsewhere"
cache='' call bench/measure cpu -- || fail "an empty name of the cache: exit status $?"
[ -d "$work/build/pocl-cache" ] || fail "an empty POCL_CACHE_DIR does not count as none"
printf 'b\na\n' >"$work/call/some lines"
call bench-files -n 1 'some lines' || fail "bench-files of a file: exit status $?"
grep -q '^| some lines | 2 | - |' "$work/out" || fail "bench-files of a file: no row"
! call bench-files -n 1 nothing || fail "bench-files of no file: no failure"
grep -q 'nothing is no file' "$log" || fail "bench-files of no file: no message"

# ---- A table that is cut short is not sorted ------------------------------------------------------
program bin/awk <<'END'
case "$*" in
*srand*) printf 'cut' && exit 1 ;;
esac
PATH=${PATH#*:} exec awk "$@"
END
! call bench-files -n 1 keys || fail "bench-files of a table that is cut short: no failure"
rm "$work/bin/awk"
! grep -q '^| .*-t,' "$work/out" || fail "bench-files of a table that is cut short: a row"

# ---- dd moves as much as the sort ----------------------------------------------------------------
call bench-files -n 1 -s 300K -d files disk || fail "bench-files: exit status $?"
[ "$(cat "$CALLED/dd")" = $((300 << 10)) ] || fail "bench-files: dd writes another size"
[ -d "$work/call/files" ] || fail "bench-files: the folder is elsewhere"

# ---- The GPU that CUDA takes ---------------------------------------------------------------------
# compiled_for ARCHITECTURE NAME=VALUE...: what CMake is told, with these variables.
compiled_for() {
    local expected=$1
    shift
    # shellcheck disable=SC2163 # names with their values
    (export "$@" && call bench/measure nvidia --) || fail "measure nvidia with $*: exit status $?"
    grep -qx "CMAKE_CUDA_ARCHITECTURES=$expected" "$CALLED/cmake" ||
        fail "measure nvidia with $*: not for sm_$expected"
}
compiled_for 90 CUDA_VISIBLE_DEVICES=
compiled_for 75 CUDA_VISIBLE_DEVICES=1
compiled_for 90 CUDA_VISIBLE_DEVICES=2,1
compiled_for '90-real;100a' 'CUDA_ARCHITECTURE=90-real;100a'
! (export CUDA_VISIBLE_DEVICES=7 && call bench/measure nvidia --) || fail "measure nvidia of no GPU: no failure"
grep -q 'nvidia-smi shows no GPU 7;' "$log" || fail "measure nvidia of no GPU: no message"
mkdir "$work/call/cccl"
(export CLSORT_CCCL=cccl && call bench/measure nvidia --) || fail "measure nvidia with headers: status $?"
grep -qx "CLSORT_CCCL=$work/call/cccl" "$CALLED/cmake" || fail "bench-nvidia: headers are elsewhere"
! (export CXX=nothing && call bench/measure nvidia --) || fail "measure nvidia without C++: no failure"
grep -q 'no C++ compiler' "$log" || fail "measure nvidia without C++: no message"

# ---- Rows are kept, a table at a time ------------------------------------------------------------
for wrong in 'gpu' 'cpu numbers' 'boost'; do
    # shellcheck disable=SC2086 # several words
    ! call bench/measure $wrong || fail "measure $wrong: no failure"
    grep -q 'usage:\|no table\|no tables' "$log" || fail "measure $wrong: no message"
done
if command -v python3 >/dev/null; then
    cat >"$work/rows.csv" <<'END'
keys,type,data,sort,value_size,host_median_s,host_ratio,device_median_s,device_ratio,note,device,kernels
16384,u32,random,clsort,4,2e-3,,1e-3,,,GPU,rank_tile
16384,u32,random,cub-radix,4,,1.5,,2.5,,GPU,
32768,u32,random,clsort,4,,,,,too long,GPU,rank_tile
END
    ! (export RESULTS=rows.jsonl CLSORT_COMMIT=c0ffee1 && call bench/measure nvidia first place) ||
        fail "measure nvidia first place: no failure, though the tool tells no first call"
    grep -q 'not wholly: first$' "$log" || fail "measure nvidia first place: first is not named"
    (export RESULTS=rows.jsonl CLSORT_COMMIT=c0ffee1 && call bench/measure nvidia place) ||
        fail "measure nvidia place: exit status $?"
    [ "$(wc -l <"$work/call/rows.jsonl")" = 1 ] || fail "measure nvidia place: not one row"
    for member in '"table": "place"' '"commit": "c0ffee1"' '"type": "u32+u32"' '"device_s": 0.001' \
        '"vs": {"cub-radix": {"device": 2.5, "host": 1.5}}' '"sources": "[0-9a-f]\{12\}"'; do
        grep -q "$member" "$work/call/rows.jsonl" || fail "measure nvidia place: no $member"
    done
fi
echo "scripts: every check passed"
