#!/usr/bin/env bash
# cost.sh SIMULATE_MPI MPIEXEC README: every line that the program prints is in README.
set -eu
. "$(dirname "$0")/../common.sh"
simulate=$1 mpiexec=$2 readme=$3
num_lines=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    grep -qxF -- "$line" "$readme" || fail "$readme has no line: $line"
    num_lines=$((num_lines + 1))
done < <("$mpiexec" -n 1 "$simulate" -N 100000 64)
[ "$num_lines" -ge 14 ] || fail "only $num_lines lines"
for wrong in "-N 0" "1" "64 x" "-z"; do
    # shellcheck disable=SC2086 # several arguments
    ! "$simulate" $wrong >/dev/null 2>&1 || fail "accepted: $wrong"
done
echo "$num_lines lines are as in $readme"
