#!/usr/bin/env bash
# cost.sh SIMULATE_MPI MPIEXEC README: the tables of src/mpi/README.md are what the program prints.
set -eu
simulate=$1 mpiexec=$2 readme=$3
num_lines=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    grep -qxF -- "$line" "$readme" || { echo "FAILED: $readme has no line: $line"; exit 1; }
    num_lines=$((num_lines + 1))
done < <("$mpiexec" -n 1 "$simulate" -N 100000 64)
[ "$num_lines" -ge 14 ] || { echo "FAILED: only $num_lines lines"; exit 1; }
for wrong in "-N 0" "1" "64 x" "-z"; do
    # shellcheck disable=SC2086 # several arguments
    ! "$simulate" $wrong >/dev/null 2>&1 || { echo "FAILED: accepted: $wrong"; exit 1; }
done
echo "$num_lines lines are as in $readme"
