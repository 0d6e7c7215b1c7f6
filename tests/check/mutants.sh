#!/usr/bin/env bash
# faults planted in the kernels and the plans: each must make a test fail
#
# Every tests/mutants/*.mutant in turn. Its first line says what is wrong, its lines "Kill:" which runs find
# it, and the rest what to change, wherever that stands (see tests/mutants/plant.py). A run is variables and
# then a test program; with "oclgrind" in front, on Oclgrind's device, which reports races, or values that
# were never set with OCLGRIND_UNINITIALIZED=1; with "mpi N", over N ranks. And every barrier of every kernel
# file, left out in turn: Oclgrind must report a race in the sorts of test_races or in the device header's
# own tests; tests/mutants/barriers lists those that are needed on devices alone that are not here.
#
# A mutant that no run finds fails, as does one whose text is gone. A run is ended after 300 seconds, times
# CLSORT_TEST_TIMEOUT_FACTOR on a slow machine. Some mutants only, by name: MUTANTS="barrier:* radix_*".
. tests/check/common.sh

tree=$CHECK_DIR/mutants.tree
export CHECK_TREE=$tree
oclgrind=$(find /usr/lib/oclgrind /usr/local/lib/oclgrind -name liboclgrind-rt-icd.so 2>/dev/null | head -n 1)

# "mpi N" in front: over N ranks, as tests/mpi/CMakeLists.txt runs them.
mpiexec=$(command -v mpiexec.openmpi || command -v mpiexec || true)
mpi_environment=(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=/bin/false)

# fresh FILE...: these files, or all, as they are here.
fresh() {
    if [ $# -eq 0 ]; then
        rm -rf "$tree"
        mkdir -p "$tree"
        git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$tree"
    else
        for file in "$@"; do cp -p "$file" "$tree/$file" && touch "$tree/$file"; done
    fi
}

# run KILL: true if the run passes. Times are bounded, since a mutant may hang.
run() {
    local words=() program wrapper=() seconds=$((300 * ${CLSORT_TEST_TIMEOUT_FACTOR-1}))
    read -ra words <<<"$1"
    if [ "${words[0]}" = oclgrind ]; then
        words=("${words[@]:1}")
        wrapper=(sh tests/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/mutants.oclgrind")
        words=(CLSORT_LIMIT=subgroup=0,local=4096,group=16,cpu=0 "${words[@]}")
    fi
    program=$CHECK_DIR/mutants/tests/${words[-1]}
    if [ "${words[0]}" = mpi ]; then
        wrapper=("$mpiexec" -n "${words[1]}")
        seconds=$((60 * ${CLSORT_TEST_TIMEOUT_FACTOR-1})) # some leave ranks waiting for ever
        program=$CHECK_DIR/mutants/tests/mpi/${words[-1]}
        words=("${mpi_environment[@]}" "${words[-1]}")
    fi
    unset 'words[-1]'
    env POCL_CACHE_DIR="$CHECK_DIR/mutants.cache" "OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd}" \
        "${words[@]}" timeout "$seconds" "${wrapper[@]}" "$program" >"$CHECK_DIR/mutants.out" 2>&1
}

rebuild() { cmake --build "$CHECK_DIR/mutants" --parallel "$CHECK_JOBS" --target $programs; }

# judge NAME ABOUT KILL...: builds the tree as it is and runs until something fails.
judge() {
    local name=$1 about=$2 kill
    shift 2
    if ! rebuild >"$CHECK_DIR/mutants.build" 2>&1; then
        tail -n 5 "$CHECK_DIR/mutants.build"
        failed "$name" "it does not compile, so nothing is shown"
        return
    fi
    for kill in "$@"; do
        if ! run "$kill"; then
            passed "$name" "found by $kill"
            return
        fi
    done
    failed "$name" "no test finds it: $about"
}

# wanted NAME: true if MUTANTS names it or is not set, and MPI is there if its test is over MPI.
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

if ! have python3; then
    skipped mutants "python3 is not installed"
    exit 0
fi
set -f # patterns of MUTANTS are not files
fresh
mkdir -p "$CHECK_DIR/mutants.cache"
# The runs of the mutants that are wanted, and the programs of these runs and of the barriers.
kills_of() {
    local mutant
    for mutant in $(find tests/mutants -name '*.mutant' | sort); do
        wanted "$(basename "$mutant" .mutant)" && sed -n 's/^Kill: //p' "$mutant"
    done | sort -u
}
programs=$({ kills_of | awk '{ print $NF }'; [ -n "${MUTANTS-}" ] && [[ $MUTANTS != *barrier:* ]] ||
    printf '%s\n' test_races test_device_header; } | sort -u | xargs)
build mutants "$programs" -D CMAKE_BUILD_TYPE=Release -D CLSORT_BUILD_TOOL=OFF -D CLSORT_INSTALL=OFF

# Without a mutant all of these runs pass; otherwise they would show nothing.
while read -r kill; do
    run "$kill" || failed "no mutant" "$kill fails by itself"
done < <(kills_of)
if [ -n "$oclgrind" ] && [ -z "${MUTANTS-}" ]; then
    run "oclgrind test_races" && run "oclgrind test_device_header" ||
        failed "no mutant" "Oclgrind reports something by itself"
fi

for mutant in $(find tests/mutants -name '*.mutant' | sort); do
    name=$(basename "$mutant" .mutant)
    wanted "$name" || continue
    if ! changed=$(python3 tests/mutants/plant.py "$tree" "$mutant" 2>"$CHECK_DIR/mutants.out"); then
        failed "$name" "it is to be renewed: $(tail -n 1 "$CHECK_DIR/mutants.out")"
        continue
    fi
    mapfile -t files <<<"$changed"
    mapfile -t kills < <(sed -n 's/^Kill: //p' "$mutant")
    judge "$name" "$(head -n 1 "$mutant")" "${kills[@]}"
    fresh "${files[@]}"
done

# barriers: FILE LINE CONDITION, where CONDITION is "subgroups" inside #if CLSORT_SUBGROUP > 1, which no
# simulated device has, else "all".
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
    wanted "$name" || continue
    about=$(sed -n "$number s,^ *barrier([A-Z_ |]*); */\* \(.*\) \*/,\1,p" "$file")
    if [ "$where" = subgroups ]; then
        skipped "$name" "it is there on devices with sub-groups alone: $about"
        continue
    fi
    why=$(awk -F'\t' -v file="$file" -v about="$about" '$1 == file && $2 == about { print $3 }' \
        tests/mutants/barriers)
    if [ -n "$why" ]; then
        skipped "$name" "$why"
    else
        sed -i "$number s/barrier(CLK_[A-Z_ |]*);/;/" "$tree/$file"
        cmp -s "$file" "$tree/$file" && failed "$name" "it was not left out"
        kills=("oclgrind test_races" "oclgrind test_device_header")
        # The file's own algorithm first, which is sooner done.
        case $file in
        cl/part* | cl/onesweep* | cl/radix* | cl/cpu*) kills=("oclgrind CLSORT_TEST_ALGORITHM=radix test_races" "${kills[@]}") ;;
        cl/quick*) kills=("oclgrind CLSORT_TEST_ALGORITHM=quick test_races" "${kills[@]}") ;;
        cl/rank*) kills=("oclgrind CLSORT_TEST_ALGORITHM=rank test_races" "${kills[@]}") ;;
        cl/bitonic*) kills=("oclgrind CLSORT_TEST_ALGORITHM=bitonic test_races" "${kills[@]}") ;;
        include/*) kills=("oclgrind test_device_header" "oclgrind test_races") ;;
        cl/merge*) kills=("oclgrind CLSORT_TEST_ALGORITHM=merge test_races" "${kills[@]}") ;;
        esac
        judge "$name" "$about" "${kills[@]}"
    fi
    fresh "$file"
done < <(barriers)
