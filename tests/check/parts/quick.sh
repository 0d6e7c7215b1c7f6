#!/usr/bin/env bash
# a sample of the other parts, in ten minutes on two cores; lists what it leaves out
#
# For each step of a larger change. Every mutant must match one place in the sources. QUICK_MUTANTS
# are planted and tried; by default these are a quarter of those that the faster tests find. The
# first form of each device and kernel is compiled, and every OFFLINE_STEP-th (60) of the others.
# With --against they are compared with another commit's.
. tests/check/common.sh

mapfile -t mutants < <(find tests/mutants -name '*.mutant' | sort)
if have python3; then
    if python3 tests/mutants/plant.py --check . "${mutants[@]}" 2>"$CHECK_DIR/quick.out"; then
        passed "mutants' places" "${#mutants[@]} mutants, each with one"
    else
        cat "$CHECK_DIR/quick.out"
        failed "mutants' places" "those above have none, or several"
    fi
fi
faster='test_(quick|quick_plan|arguments|columns|build_log)'
fast=$(grep -lE "^Kill: (CLSORT_[A-Z_]*=[^ ]* )*$faster\$" "${mutants[@]}")
some=${QUICK_MUTANTS-$(awk 'NR % 4 == 1' <<<"$fast" | xargs -n 1 basename -s .mutant)}
export MUTANTS=${some//$'\n'/ }
bash tests/check/parts/mutants.sh
unset MUTANTS
export OFFLINE_STEP=${OFFLINE_STEP-60} OFFLINE_TARGETS=${OFFLINE_TARGETS-nvptx gfx90a spir64}
bash tests/check/parts/offline.sh
parts=$(cd tests/check/parts && echo *.sh |
    sed -E 's/(quick|mutants|offline)\.sh *//g; s/\.sh//g')
skipped "the rest" "all mutants except ${some//$'\n'/, }; barriers; all targets except \
$OFFLINE_TARGETS; most forms; and $parts"
