#!/usr/bin/env bash
# faults planted in kernels and plans: each must make a test fail
#
# Plants each tests/mutants/*.mutant in turn. Its first line says what is wrong, its lines "Kill:"
# name the runs that find it, and the rest is the change (see tests/mutants/plant.py). A run is a
# list of variables and a test program. "oclgrind" before it means Oclgrind's device, which reports
# races or, with OCLGRIND_UNINITIALIZED=1, values that were never set. "mpi N" before it means N
# ranks. "ctest NAME" is a test of the tool by its name in CTest.
#
# Then leaves out each barrier of each kernel file: Oclgrind must report a race in the sorts of
# test_races, or in the tests of operations, segments, the primitives or the device header. Some
# barriers of msd, of its sample and of settle.h are found by wrong results on PoCL.
# tests/mutants/barriers lists barriers that only devices elsewhere need.
#
# A mutant that no run finds fails, and so does one whose text has gone. A run ends after 300
# seconds, times CLSORT_TEST_TIMEOUT_FACTOR on a slow machine. MUTANTS="barrier:* radix_*" selects
# some by name. Several calls, each with a CHECK_DIR of its own, share the work if MUTANTS_SHARED
# names a folder that is empty at first.
. tests/check/common.sh

tree=$CHECK_DIR/mutants.tree
export CHECK_TREE=$tree
oclgrind=$(oclgrind_library)
mpiexec=$(command -v mpiexec.openmpi || command -v mpiexec || true)
mapfile -t mpi_environment <tests/mpi/environment

# fresh FILE...: copies these files, or all files that differ, to the tree unchanged. Each gets a
# new time: else what was compiled of a fault that a killed call has left there would stay.
fresh() {
    local file
    if [ $# -eq 0 ]; then
        mkdir -p "$tree"
        while IFS= read -r -d '' file; do
            cmp -s "$file" "$tree/$file" || cp --parents --preserve=mode "$file" "$tree"
        done < <(git ls-files -z --cached --others --exclude-standard)
    else
        for file in "$@"; do cp -p "$file" "$tree/$file" && touch "$tree/$file"; done
    fi
}

# run KILL: true if the run passes. Its time is limited, since a mutant may hang.
run() {
    local words=() program wrapper=() seconds=$((300 * ${CLSORT_TEST_TIMEOUT_FACTOR:-1}))
    read -ra words <<<"$1"
    if [ "${words[0]}" = ctest ]; then
        timeout "$seconds" ctest --test-dir "$CHECK_DIR/mutants" --no-tests=error \
            -R "^${words[1]}\$" \
            >"$CHECK_DIR/mutants.out" 2>&1 </dev/null
        return
    fi
    if [ "${words[0]}" = oclgrind ]; then
        words=("${words[@]:1}")
        wrapper=(sh tests/races/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/mutants.oclgrind")
        words=("CLSORT_LIMIT=$as_gpu" "${words[@]}")
    fi
    program=$CHECK_DIR/mutants/tests/${words[-1]}
    if [ "${words[0]}" = mpi ]; then
        wrapper=("$mpiexec" -n "${words[1]}")
        seconds=$((60 * ${CLSORT_TEST_TIMEOUT_FACTOR:-1})) # some mutants leave ranks waiting forever
        program=$CHECK_DIR/mutants/tests/mpi/${words[-1]}
        words=("${mpi_environment[@]}" "${words[@]:2}")
    fi
    unset 'words[-1]'
    # mpiexec would read what a loop around this reads.
    env "${words[@]}" timeout "$seconds" "${wrapper[@]}" "$program" >"$CHECK_DIR/mutants.out" \
        2>&1 </dev/null
}

# targets_of: prints what must be built for the runs on standard input. Tests of the tool need it and
# what they load into it or run beside it.
for_tool='clsort_tool clsort_bench watch handler threads access attributes json_lines opponent'
for_tool+=' faults list_routes'
targets_of() { awk -v tool="$for_tool" '{ print $1 == "ctest" ? tool : $NF }' | sort -u | xargs; }

# rebuild KILL: builds what this run needs.
rebuild() {
    cmake --build "$CHECK_DIR/mutants" --parallel "$CHECK_JOBS" --target $(targets_of <<<"$1")
}

# judge NAME ABOUT KILL...: builds the changed tree and makes the runs until one fails. Runs that
# fail by themselves are left out.
declare -A is_broken=()
judge() {
    local name=$1 about=$2 kill
    shift 2
    for kill in "$@"; do
        [ -z "${is_broken[$kill]-}" ] || continue
        if ! rebuild "$kill" >"$CHECK_DIR/mutants.build" 2>&1; then
            tail -n 5 "$CHECK_DIR/mutants.build"
            failed "$name" "it does not compile, so it shows nothing"
            return
        fi
        if ! run "$kill"; then
            passed "$name" "found by $kill"
            return
        fi
    done
    failed "$name" "no test finds it: $about"
}

# wanted NAME: true if MUTANTS names it or is unset; for a mutant of clsort_mpi, only if there is
# MPI.
wanted() {
    local pattern
    if [ -z "$mpiexec" ] && [[ $1 == mpi_* ]]; then
        return 1
    fi
    for pattern in ${MUTANTS-*}; do
        # shellcheck disable=SC2053 # a pattern
        [[ $1 == $pattern ]] && return 0
    done
    return 1
}

# mine NAME: true unless another call has it, of those that share the work.
mine() { [ -z "${MUTANTS_SHARED-}" ] || mkdir "$MUTANTS_SHARED/${1//\//-}" 2>/dev/null; }

if ! have python3; then
    skipped mutants "python3 is not installed"
    exit 0
fi
set -f # patterns in MUTANTS are not file names
fresh
use_pocl mutants
# Prints the runs of the wanted mutants.
kills_of() {
    local mutant
    for mutant in $(find tests/mutants -name '*.mutant' | sort); do
        wanted "$(basename "$mutant" .mutant)" && sed -n 's/^Kill: //p' "$mutant"
    done | sort -u
}
# The programs of these runs and of the barriers.
programs=$({ kills_of; [ -n "${MUTANTS-}" ] && [[ $MUTANTS != *barrier:* ]] ||
    printf '%s\n' test_races test_device_header test_group_functions test_primitives \
        test_operations \
        test_segments_few test_select_few test_msd test_msd_large test_msd_map test_msd_order \
        test_msd_stretch test_sample test_settle; } | targets_of)
build mutants "$programs" -D CMAKE_BUILD_TYPE=Release -D CLSORT_BUILD_TOOL=ON -D CLSORT_INSTALL=OFF

# Without a mutant all of these runs must pass; otherwise they would show nothing.
while read -r kill; do
    mine "$kill" || continue
    run "$kill" || { is_broken[$kill]=1 && failed "no mutant" "$kill fails by itself"; }
done < <(kills_of)
if [ -n "$oclgrind" ] && [ -z "${MUTANTS-}" ] && mine oclgrind; then
    run "oclgrind test_races" && run "oclgrind test_device_header" &&
        run "oclgrind test_group_functions" &&
        run "oclgrind test_primitives" && run "oclgrind test_operations" &&
        run "oclgrind test_segments_few" && run "oclgrind test_select_few" ||
        failed "no mutant" "Oclgrind reports something by itself"
fi

for mutant in $(find tests/mutants -name '*.mutant' | sort); do
    name=$(basename "$mutant" .mutant)
    wanted "$name" && mine "$name" || continue
    errors=$CHECK_DIR/mutants.out
    if ! changed=$(python3 tests/mutants/plant.py "$tree" "$mutant" 2>"$errors"); then
        failed "$name" "it must be updated: $(tail -n 1 "$errors")"
        continue
    fi
    mapfile -t files <<<"$changed"
    mapfile -t kills < <(sed -n 's/^Kill: //p' "$mutant")
    judge "$name" "$(head -n 1 "$mutant")" "${kills[@]}"
    fresh "${files[@]}"
done

# test_of FILE: the test of its own that a kernel's header has, which PoCL runs.
test_of() {
    case $1 in
    */map.h) echo test_msd_map ;;
    */stretch.h) echo test_msd_stretch ;;
    */settle.h) echo test_settle ;;
    */large.h) echo test_msd_large ;;
    */list.h) echo test_msd_order ;;
    */sample.cl) echo test_sample ;;
    *) echo test_msd ;;
    esac
}

# barriers: prints FILE LINE CONDITION for each. CONDITION is "subgroups" inside #if CLSORT_SUBGROUP
# > 1, which is true on no simulated device, and otherwise "all".
barriers() {
    local file
    for file in $(git ls-files cl include/clsort); do
        awk -v file="$file" '
            /^#if/ { depth++ }
            /^#(if|elif)/ { inside[depth] = $0 ~ /SUBGROUP(_VOTES| > [01])/ && $0 !~ /ifndef/ }
            /^#else/ { inside[depth] = 0 }
            /^#endif/ { delete inside[depth]; depth-- }
            /^ *barrier\(/ { where = "all"; for (d in inside) if (inside[d]) where = "subgroups"
                print file, FNR, where }' "$file"
    done
}
if [ -z "$oclgrind" ]; then
    skipped barriers "Oclgrind is not installed"
    exit 0
fi
while read -r file number where; do
    name=barrier:$file:$number
    wanted "$name" && mine "$name" || continue
    about=$(sed -n "$number s,^ *barrier([A-Z_ |]*); */\* \(.*\) \*/,\1,p" "$file")
    if [ "$where" = subgroups ]; then
        skipped "$name" "it is only compiled for devices with sub-groups: $about"
        continue
    fi
    why=$(awk -v wanted="$file: $about" '
        /^[^ #]/ { found = $0 == wanted }
        /^ / && found { sub(/^ +/, space); printf "%s", $0; space = " " }' tests/mutants/barriers)
    if [ -n "$why" ]; then
        skipped "$name" "$why"
    else
        sed -i "$number s/barrier(CLK_[A-Z_ |]*);/;/" "$tree/$file"
        cmp -s "$file" "$tree/$file" && failed "$name" "it was not left out"
        kills=("oclgrind test_races" "oclgrind test_device_header")
        # The file's own algorithm comes first, since it alone is faster.
        algorithm=
        case $file in
        # Oclgrind would take minutes for the million keys that have short rests, and for samples.
        cl/sorts/msd/* | cl/sorts/sample/[ms]*.* | cl/sorts/onesweep/settle.h)
            kills=("POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable $(test_of "$file")"
                "oclgrind CLSORT_TEST_ALGORITHM=radix test_races" "${kills[@]}")
            ;;
        cl/sorts/partition/*digits* | cl/sorts/partition/r* | cl/sorts/partition/crowded.cl | \
            cl/sorts/partition/levels.cl | cl/sorts/sample/* | cl/sorts/onesweep/* | \
            cl/sorts/lsd/* | cl/cpu/*)
            algorithm=radix
            ;;
        cl/sorts/partition/* | cl/sorts/whole/*) algorithm=quick ;;
        cl/sorts/rank/*) algorithm=rank ;;
        cl/sorts/bitonic/*) algorithm=bitonic ;;
        cl/sorts/merge/short*) kills=("oclgrind test_operations" "${kills[@]}") ;;
        cl/sorts/merge/*) algorithm=merge ;;
        cl/move/table.cl) # rows that are longer than a work-group scans at a time
            kills=("oclgrind CLSORT_LIMIT=subgroup=0,local=4096,group=4,cpu=0 \
                CLSORT_TUNING=tests/sorts/lsd.tuning CLSORT_TEST_ALGORITHM=radix test_races")
            ;;
        cl/ordered/*) kills=("oclgrind test_operations" "${kills[@]}") ;;
        cl/segments/*) kills=("oclgrind test_segments_few" "${kills[@]}") ;;
        cl/select/*) kills=("oclgrind test_select_few" "${kills[@]}") ;;
        cl/group/* | cl/device/*) kills=("oclgrind test_primitives" "${kills[@]}") ;;
        include/*)
            kills=("oclgrind test_group_functions" "oclgrind test_device_header"
                "oclgrind test_races")
            ;;
        esac
        if [ -n "$algorithm" ]; then
            kills=("oclgrind CLSORT_TEST_ALGORITHM=$algorithm test_races" "${kills[@]}")
        fi
        judge "$name" "$about" "${kills[@]}"
    fi
    fresh "$file"
done < <(barriers)
