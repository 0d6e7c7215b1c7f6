#!/usr/bin/env bash
# tests/tool/bench.sh TOOL
#
# Tests 'clsort bench', and clsort-bench beside it, by what they print and write: their own checks
# of the outputs make them fail.
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/common.sh"
clsort_bench=$tool-bench

# ---- What is refused -----------------------------------------------------------------------------
excludes bench "--values 4" --argsort
excludes bench --vs-cpu --argsort
excludes bench --ratios --argsort
for option in --vs-cpu --ratios "--vs qsort" --markdown "--csv file" "--json file" \
    "--operation sort" "--queries 5" \
    "--limit 5" "--skip 5" "--dist equal" "--repeat 5" "--noise 5" "--row-seconds 5"; do
    excludes bench --first-call "$option"
done
for option in --argsort "--operation merge"; do
    excludes bench --out-of-place "$option"
done
# What only developers use is in a program of its own.
for option in --opponent=x.so --against=build --enqueue; do
    refuses "bench $option" "is unknown" "$tool" bench $option
done
for option in "--opponent x.so" "--against build" --enqueue; do
    excludes_of "$clsort_bench" --first-call "$option"
done
for option in --vs-cpu --ratios "--opponent x.so" "--vs qsort"; do
    excludes_of "$clsort_bench" --enqueue "$option"
done

# ---- Measuring -----------------------------------------------------------------------------------
status "bench --segments" 0 "$tool" bench -N 1000 --segments 33,power,half --repeat 1 \
    -y u32,u32+u32 --vs-cpu \
    --vs std::sort
for shape in 'segments of 33' 'power-law segments' 'half in a segment'; do
    grep -q "^# $shape\$" out || fail "bench --segments: no line '$shape'"
done
[ "$(grep -cE '^ .* (auto:[a-z]+|std::sort) +[0-9]' out)" -eq 12 ] ||
    fail "bench --segments: not 12 rows"
# Each operation beside the C++ library's, which both are checked: on every type, from one key on.
status "bench --operation" 0 "$tool" bench -N 1,2,700 \
    --operation check,merge,runs,search,search-sorted \
    --repeat 1 -y u8,i32,u64,f32,struct16f --dist random,few16,equal,sorted --vs-cpu \
    --csv rows.csv --row-seconds 60
[ "$(grep -cE '^ .* auto:[a-z]+ +[0-9]' out)" -eq $((5 * 4 * 3 * 5)) ] ||
    fail "bench --operation: not every row"
for name in is_sorted merge unique_copy; do
    [ "$(grep -cE "^ .* std::$name +[0-9]" out)" -eq $((5 * 4 * 3)) ] ||
        fail "bench --operation: not all of std::$name"
done
[ "$(grep -cE '^ .* std::lower_bound +[0-9]' out)" -eq $((5 * 4 * 3 * 2)) ] ||
    fail "bench --operation: not all searches"
[ "$(wc -l <rows.csv)" -eq $((1 + 2 * 5 * 4 * 3 * 5)) ] ||
    fail "bench --operation: rows of others in --csv"
[ "$(grep -c ',search-sorted,search-sorted,0,44$' rows.csv)" -eq $((2 * 5 * 4)) ] ||
    fail "bench --csv: no queries"
status "bench --operation of pairs" 0 "$tool" bench -N 1000 --operation check,merge -y u32+u32 \
    --stable --repeat 1 --vs-cpu
grep -q '^# *check is for keys alone$' out || fail "bench --operation of pairs: no reason"
[ "$(grep -cE '^ .* (auto:[a-z]+|std::merge) +[0-9]' out)" -eq 2 ] ||
    fail "bench --operation of pairs: no merge"
# Places of the order: the first, the median, of rows; keys, pairs and indices.
status "bench --limit" 0 "$tool" bench -N 3000 --limit 1,30 --repeat 1 --row-seconds 60 \
    -y u32,u64,f32+u32,u8 --vs-cpu --dist random,equal,low16
[ "$(grep -cE '^ .* (auto:[a-z]+|partial_sort|std::nth_element) +[0-9]' out)" \
    -eq $((4 * 3 * 2 * 3)) ] ||
    fail "bench --limit: not every row"
status "bench --skip" 0 "$tool" bench -N 3000 --rows 100 --limit 1,20 --skip 50% --repeat 1 \
    --row-seconds 60 -y u32,u32+u32 --vs-cpu --markdown
grep -q '^| u32+u32 | 3000 | random | top 50%+20 of rows of 100 | auto' out ||
    fail "bench --skip: not in the table"
[ "$(grep -cE '[|] (auto:[a-z]+|partial_sort|std::nth_element) [|] 1 [|]' out)" -eq 12 ] ||
    fail "bench --skip: not every row"
# Places of each segment: some are longer than what is wanted, others shorter, or empty.
status "bench --segments --limit" 0 "$tool" bench -N 1,3000 --segments 7,power,half \
    --limit 1,5,600 --repeat 1 --row-seconds 60 -y u32,u32+u32,f32 --vs-cpu
grep -q '^# top 5 of power-law segments$' out || fail "bench --segments --limit: no line"
[ "$(grep -cE '^ .* (auto:[a-z]+|partial_sort|std::nth_element) +[0-9]' out)" \
    -eq $((2 * 3 * 3 * 3 * 3)) ] || fail "bench --segments --limit: not every row"
status "bench --segments --skip" 0 "$tool" bench -N 3000 --segments 100 --limit 20 --skip 90 \
    --repeat 1 --vs-cpu --markdown
[ "$(grep '| top 90+20 of segments of 100 |' out |
    grep -cE '[|] (auto:[a-z]+|partial_sort|std::nth_element) [|] 1 [|]')" -eq 3 ] ||
    fail "bench --segments --skip: not every row"
refuses "bench --segments with a skip alone" "--segments and --skip need --limit" "$tool" bench \
    --segments 8 --skip 2
refuses "bench --segments of half of the places" "is a place" "$tool" bench --segments 8 \
    --skip 50% --limit 1
# Indices begin anew in each segment and row.
status "bench --segments --argsort" 0 "$tool" bench -N 3000 --segments 1,33,power,half \
    --rows 2,100,1500 --argsort --repeat 1 -y u32,f64 --dist random,few16,equal
[ "$(grep -cE '^ .* auto:[a-z]+ +[0-9]' out)" -eq $((7 * 2 * 3)) ] ||
    fail "bench --segments --argsort: not every row"
status "bench --rows --argsort=8" 0 "$tool" bench -N 3000 --rows 100 --argsort=8 --repeat 1
status "bench --limit --argsort" 0 "$tool" bench -N 3000 --rows 300 --limit 7 --argsort --repeat 1 \
    --dist random,few16,equal
status "bench of rows that are not whole" 0 "$tool" bench -N 1000 --rows 64 --repeat 1
grep -q '^# *1000 keys are no number of whole rows$' out || fail "bench --rows: no reason"
status "bench of too many places" 0 "$tool" bench -N 1000 --limit 1001 --repeat 1
grep -q '^# *1000 keys have fewer places$' out || fail "bench --limit: no reason"
refuses "bench --operation of nothing" "the operations are sort check merge" "$tool" bench \
    --operation mrege
refuses "bench --skip of all" "percentage" "$tool" bench --skip 100% --limit 1
refuses "bench --queries of a sort" "--queries are for" "$tool" bench --queries 5
for option in --argsort "--segments 8" "--rows 8" "--limit 8" "--skip 8"; do
    excludes bench "--operation merge" "$option"
done
for option in --segments --rows; do
    refuses "bench --operation of many arrays" "on one array; leave --operation out to sort many" \
        "$tool" bench --operation sort $option 8
done
status bench 0 "$tool" bench -N 500,2^10 -y u32,f16 -a auto,rank --dist random,few16 --repeat 2 \
    --csv rows.csv --json rows.json
[ "$(grep -c '^ ' out)" -eq 16 ] || fail "bench: not 16 rows"
for word in device driver OpenCL seed 'copy bandwidth'; do
    grep -q "^#.*$word" out || fail "bench does not tell '$word'"
done
[ "$(wc -l <rows.csv)" -eq 17 ] || fail "bench --csv: not 17 lines"
[ "$(grep -c '^{.*}$' rows.json)" -eq 16 ] || fail "bench --json: not 16 objects"
head -1 rows.csv | tr , '\n' >names
head -1 rows.json | grep -o '"[a-z0-9_]*":' | tr -d '":' | cmp -s - names ||
    fail "bench --json has other members than --csv"
[ "$(grep -cE '^(500|1024),(u32|f16),(random|few16),clsort,(auto|rank),[a-z]+,0,0,0,0,2,' rows.csv)" \
    -eq 16 ] ||
    fail "bench --csv: not 16 rows of the library"
"$tool" plan -N 1024 -y f16 -a rank >plan 2>err || fail "plan of rank"
kernels=$(sed -n 's/^ *[0-9]\{1,\}  \([a-z_]*\) .*/\1/p' plan | awk '!seen[$0]++' | paste -sd ' ')
[ -n "$kernels" ] &&
    [ "$(grep -c "^1024,f16,.*,clsort,rank,.*,\"*$kernels\"*,sort," rows.csv)" -eq 2 ] ||
    fail "bench --csv: not the kernels of the plan, $kernels"
status "bench --out-of-place" 0 "$tool" bench -N 500 -y u32,u32+u32 -a rank --repeat 2 --out-of-place \
    --csv elsewhere.csv
grep -q '^#.*; out of place$' out || fail "bench does not say that sorts are out of place"
[ "$(grep -cE ',rank,rank,[04],0,0,1,2,' elsewhere.csv)" -eq 2 ] ||
    fail "bench --csv: not 2 rows out of place"
# Of two runs a row each has both times; its first sort is what the others are compared with.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && split($at["host_runs_s"], runs, " ") != 2 { exit 1 }
    NR > 1 && ($at["host_ratio"] == "") != ($at["algorithm"] == "auto") { exit 1 }' rows.csv ||
    fail "bench --csv: not all runs, or ratios"
status "bench of every type and distribution" 0 "$tool" bench -N 1,700 -a auto --repeat 1 \
    -y \
    u8,u16,u32,u64,i8,i16,i32,i64,f16,bf16,f32,f64,u32+u32,u64+u64,u32+12,u8+3,struct16,struct16f \
    --dist random,sorted,reversed,equal,few16,zipf,organ,entropy,entropy20,low24,log,nested,repeats
[ "$(grep -cE '^ .* auto(:[a-z]+)? +[0-9]' out)" -eq $((2 * 18 * 13)) ] ||
    fail "bench: not every type and distribution"
awk 'length > 100 { exit 1 }' out || fail "bench: a line of more than 100 columns"
status "bench --vs-cpu" 0 "$tool" bench -N 300 -a rank --dist sorted,reversed,equal,zipf,organ \
    --repeat 1 --vs-cpu --markdown
[ "$(grep -c '^| u32 | 300 .*| qsort |' out)" -eq 5 ] || fail "bench --vs-cpu: not 5 rows of qsort"
# In turns: the sorts that are not built in are named, and the others have a row and a column each.
status "bench --vs-cpu of pairs" 0 "$tool" bench -N 300 -y u32+u32,u64+u64,f32+u32,u32+12,struct16 \
    -a merge \
    --repeat 2 --vs-cpu --csv rows.csv
num_opponents=$((7 - $(grep -c '^# no ' out)))
[ "$(grep -c '^ ' out)" -eq $((5 * (num_opponents + 1))) ] ||
    fail "bench --vs-cpu of pairs: not all rows"
grep '^# no ' out | grep -qv ': built without ' &&
    fail "bench --vs-cpu does not say what is missing"
grep -q '^# .* 4+4 and 8+8 ' out || fail "bench --vs-cpu: no reason for u32+12"
[ "$(grep -cE '^300,(u..|struct16),random,qsort,,,[048],0,0,0,2,' rows.csv)" -eq 3 ] ||
    fail "bench --vs-cpu: qsort has no pairs"
status "bench --ratios" 0 "$tool" bench -N 300,400 -y u32,u32+u32,i8 -a rank,merge \
    --repeat 2 --ratios --markdown
[ "$(grep -cE '^[|] (u32|u32[+]u32|i8) [|] [34]00 [|] (rank|merge) [|] [0-9]' out)" -eq 12 ] ||
    fail "bench --ratios: not 12 rows"
grep -q '^| u32+u32 | 300 | rank | [0-9.]* | [0-9.]* |' out || fail "bench --ratios: no ratio"
[ "$(grep '^| type' out | grep -o '| × ' | wc -l)" -eq "$num_opponents" ] ||
    fail "bench --ratios: not a column each"
status "bench --vs" 0 "$tool" bench -N 300 -a rank --repeat 1 --vs qsort
[ "$(grep -c '^ ' out)" -eq 2 ] || fail "bench --vs: not two rows"
refuses "bench --vs of nobody" "'nobody'" "$tool" bench -N 300 --vs qsort,nobody
status "bench --stable" 0 "$tool" bench -N 3000 -y u8+u32 -a radix,merge,bitonic,quick \
    --stable --repeat 1
[ "$(grep -cE '^ .* (radix|merge|bitonic|quick) +[0-9]' out)" -eq 4 ] ||
    fail "bench --stable: not 4 rows"
status "bench --noise" 0 "$tool" bench -N 300 -a rank --repeat 9 --noise 0.0001
grep -q '^# noisy machine: ' out || fail "bench --noise: not told"

# Rank sort compares all keys with each other: 16 times as many take 256 times as long. Its rows do
# not differ by their data.
sweep=$root/tools/bench/sweep
status "sweep" 0 "$sweep" "$clsort_bench" 1.8 -a rank -N 2^9,2^13 -y u32 --dist random,sorted \
    --repeat 1 --row-seconds 60
for data in random sorted; do
    grep -A 1 -xE " +[0-9.]+ rank of 8192 u32, $data" out >found ||
        fail "sweep: not the slow row of $data keys"
    grep -qE '^ +[0-9.]+ ms; 512 keys: [0-9.]+ ms by rank, at whose rate it would be [0-9.]+ ms$' \
        found || fail "sweep: not beside what $data keys stand out"
    # The ratio of both times, as they are rounded.
    tr '\n' ' ' <found | awk 'function is(a, b) { return a > 0.97 * b && a < 1.03 * b }
        { exit !($1 > 1.8 && is($7 / $(NF - 1), $1) && is($(NF - 1), 16 * $11)) }' ||
        fail "sweep: wrong numbers of $data keys"
done
[ "$(grep -cE '^ +[0-9.]+ rank of ' out)" -eq 2 ] || fail "sweep: other rows"
grep -q '^# rows measured: 4; standing out: 2; only' out || fail "sweep: not the sum"
status "sweep of what is even" 0 "$sweep" "$clsort_bench" 1000 -N 300,600 --rows 30,100,64 -y u32 \
    --dist random,equal --repeat 1
grep -q '^# rows measured: 8; standing out: 0; only the first time: 0; not measured: 4$' out ||
    fail "sweep of what is even: not the sum"
# The lists that are not given.
while read -r num options; do
    # shellcheck disable=SC2086 # options and their arguments
    status "sweep $options" 0 "$sweep" "$clsort_bench" 1000 --repeat 1 $options
    grep -q "^# rows measured: $num; standing out: 0" out || fail "sweep $options: not $num rows"
done <<'END'
15 -y u32 --dist equal
19 -y u32 -N 300
15 -N 300 --dist equal
7 -N 300 --dist equal --argsort
END
for factor in 1 0.5 nan x ''; do
    status "sweep by a factor of '$factor'" 1 "$sweep" "$clsort_bench" "$factor"
    grep -q 'a number above 1$' err || fail "sweep by a factor of '$factor': no message"
done
status "sweep by another program" 1 "$sweep" false -N 300
grep -q 'ended with 1$' err || fail "sweep by another program: no message"
"$root/tests/tool/units/sweep.py" >out 2>&1 || fail "sweep: $(cat out)"

# One text that tells all: the fence, the machine, the environment, the devices, and plans with
# their launches.
status "bench --report" 0 env POCL_AFFINITY=0 "$tool" bench --report -N 300,5000 -y u32,struct16f \
    -a merge --repeat 1
[ "$(head -1 out)" = '```text' ] && [ "$(tail -1 out)" = '```' ] || fail "bench --report: no fence"
sed ':more; N; $!b more; s/\n#    */ /g' out >joined # facts may take several lines
for word in "system: $(uname -s) $(uname -r)" 'environment: POCL_AFFINITY=0' 'device 0.*driver' \
    'limits: .*local memory'; do
    grep -q "^# $word" joined || fail "bench --report does not tell '$word'"
done
for count in 300 5000; do
    for type in u32 struct16f; do
        grep -q "^# plan of merge of $count $type, random: merge, stable, [0-9]* step" out ||
            fail "bench --report: no plan of $count $type"
    done
done
"$tool" plan -N 5000 -a merge --json >plan.json 2>err && steps=$(grep -o '"num_groups"' plan.json |
    wc -l) &&
    [ \
    "$(sed -n '/^# plan of merge of 5000 u32/,/^# plan/p' out | grep -cE '^#  +[0-9]+ [a-z_]+ +[0-9]+ groups of [0-9]+ +local +[0-9]+ +[0-9.]+ ms$')" = "$steps" ] ||
    fail "bench --report: not the steps of the plan"
# A row that would take too long is not run for its plan either.
status "bench --report of a skipped row" 0 timeout 60 "$tool" bench --report -N 2^10,2^16 -a rank \
    --repeat 1 --row-seconds 0.001
sed ':more; N; $!b more; s/\n#    */ /g' out | grep -q \
    '^# plan of rank of 65536 u32, random: .*; not run: would take about' ||
    fail "bench --report of a skipped row: not told"
sed -n '/^# plan of rank of 65536 /,$p' out | grep -qE '^#  +[0-9]+ [a-z_]+ .* local +[0-9]+$' ||
    fail "bench --report of a skipped row: no steps"
excludes bench --first-call --report

# Opponents of a shared object. One whose output is wrong, or that fails, is out: its row says so,
# with --ratios the library's, and the rest goes on.
fault='the output is not a permutation of the input'
status "bench --opponent" 0 "$clsort_bench" -N 300,90 -a rank --repeat 2 --opponent "$OPPONENT" \
    --markdown
grep -q '^- no none: there is none$' out || fail "bench --opponent: what is missing is not told"
grep -q "^- right: a test's own\$" out || fail "bench --opponent: it is not told about"
[ "$(grep -cE '^[|] u32 [|] (90|300) .*[|] right [|] 2 [|]' out)" -eq 2 ] ||
    fail "bench --opponent: not measured"
[ "$(grep -c "^- loses of 300 u32, random: $fault\$" out)" -eq 1 ] ||
    fail "bench --opponent: a loss is not told"
[ "$(grep -c '^- swaps of 300 u32, random: the output is not in order$' out)" -eq 1 ] ||
    fail "bench --opponent: disorder"
[ "$(grep -cE '^[|] u32 [|] 90 .*[|] (loses|swaps) [|] 2 [|]' out)" -eq 2 ] ||
    fail "bench --opponent: right ones are out"
[ "$(grep -c '| fails | 0 | - .*|$' out)" -eq 2 ] || fail "bench --opponent: a failure is no row"
grep -q '^- fails of 300 u32, random: has lost its way$' out ||
    fail "bench --opponent: a failure is not told"
[ "$(grep -c '^| u32 | [0-9]* .*| rank | 2 |' out)" -eq 2 ] ||
    fail "bench --opponent: the library is out"
status "bench of wrong places" 0 "$clsort_bench" -N 300 --limit 9 --repeat 1 \
    --opponent "$OPPONENT" \
    --markdown --csv rows.csv
cp out places
status "bench of wrong operations" 0 "$clsort_bench" -N 300 --operation check,merge,runs,search \
    --repeat 1 \
    --opponent "$OPPONENT" --markdown
while IFS=: read -r what why; do
    cat out places | grep -q "^- near of 300 u32, random, $what: $why\$" ||
        fail "bench: a wrong $what is not told"
done <<'END'
check:the place is wrong
merge:the output is not a permutation of the input
runs:the output is not in order
search:a place is wrong
top 9:the keys are not those of the places
END
grep -q ',right,' rows.csv && fail "bench --limit: a row of a sort of all"
# Wrong outputs that are in order: segments with keys of others, and two halves that are not merged.
for options in '--segments 33' '--segments power' '--segments half' '--rows 30' \
    '--operation merge'; do
    # shellcheck disable=SC2086 # an option and its argument
    status "bench $options of one array" 0 "$clsort_bench" -N 300 $options --repeat 1 --vs-cpu \
        --opponent "$OPPONENT"
    [ "$(grep -cE '^ .* (auto:[a-z]+|std::sort|std::merge) +[0-9]' out)" -eq 2 ] ||
        fail "bench $options of one array: right ones are out"
    why='the output is not a permutation of the input'
    [ "$options" != '--operation merge' ] || why='the output is not in order'
    sed ':more; N; $!b more; s/\n#    */ /g' out | grep -qE "^ .* whole +-.* $why\$" ||
        fail "bench $options of one array: it is not told"
done
# Opponents that take their own times: both outputs are checked, and the values at the wanted places.
for options in '' '--limit 40' '--limit 9 --skip 30 --rows 100'; do
    # shellcheck disable=SC2086 # options and their arguments
    status "bench $options of own memory" 0 "$clsort_bench" -N 300 -y u32+u32 $options --stable \
        --repeat 1 --opponent "$OPPONENT"
    [ "$(grep -cE '^ .* own +[0-9]' out)" -eq 1 ] ||
        fail "bench $options of own memory: the right one is out"
    for name in own-first own-values; do
        grep -qE "^ .* $name +-" out || fail "bench $options of own memory: $name is not out"
    done
done
# Only a sort that is stable promises the lowest place first among equal keys.
status "bench of repeated places" 0 "$clsort_bench" -N 300 --limit 40 -y u32+u32 --dist few16 \
    --stable --repeat 1 --vs-cpu --opponent "$OPPONENT"
[ "$(grep -cE '^ .* (auto:[a-z]+|partial_sort|std::nth_element|repeats) +[0-9]' out)" -eq 4 ] ||
    fail "bench of repeated places: not every row"
sed ':more; N; $!b more; s/\n#    */ /g' out | grep -qE \
    "repeats-stable +-.* the values are not the keys'\$" ||
    fail "bench of repeated places: a place that is there twice is not told"
status "bench --opponent of what it cannot sort" 0 "$clsort_bench" -N 300 -y u64 -a rank \
    --repeat 1 \
    --opponent "$OPPONENT" --vs right
grep -q '^# *sorts u32 alone$' out || fail "bench --opponent: no reason"
status "bench --ratios of a wrong sort" 0 "$clsort_bench" -N 300 -a rank --repeat 2 \
    --ratios --markdown \
    --opponent "$OPPONENT" --vs loses,right
grep -q '^| u32 | 300 | [0-9.]* | [0-9.]* | - |$' out ||
    fail "bench --ratios of a wrong sort: it is in"
grep -q "^- loses of 300 u32, random: $fault\$" out ||
    fail "bench --ratios of a wrong sort: the row does not say it"
# The program in the interface's header, as it stands there.
if command -v cc >/dev/null; then
    sed -n '/^ [*]     #include "opponent.h"/,/^ [*] cc -shared/s/^ [*] \{0,5\}//p' \
        "$root/tools/bench/opponents/opponent.h" |
        grep -v '^cc -shared' >mine.c
    status "the header's opponent" 0 cc -shared -fPIC -I "$root/tools/bench/opponents" -o mine.so mine.c
    status "the header's opponent" 0 "$clsort_bench" -N 300 -a rank --repeat 1 --opponent mine.so
    grep -qE '^ u32 +300 random +mine +[0-9]' out || fail "the header's opponent: no row"
    # Another name, and a line for each run: one is not counted, and is of all keys.
    sed -i -e 's/"mine"/"a,\\"b\\""/' \
        -e 's/^    qsort/    fprintf(stderr, "%u\\n", (unsigned)task->input->count);\n&/' mine.c
    status "an opponent with a comma" 0 cc -shared -fPIC -I "$root/tools/bench/opponents" -o mine.so \
        mine.c
    status "an opponent with a comma" 0 "$clsort_bench" -N 5000 -a rank --repeat 2 --csv comma.csv \
        --opponent ./mine.so --row-seconds 60
    grep -q '^5000,u32,random,"a,""b""",,,0,0,0,0,2,' comma.csv ||
        fail "bench --csv: a name with a comma"
    grep -q '^5000,u32,random,clsort,rank,rank,' comma.csv || fail "bench --csv: a name without one"
    [ "$(tr '\n' ' ' <err)" = '5000 5000 5000 ' ] ||
        fail "bench --opponent: other runs than promised"
    # A 64th of the keys, twice, tells how long all of them would take.
    status "bench of a pilot" 0 "$clsort_bench" -N 5000 -a rank --opponent ./mine.so \
        --row-seconds 1e-4
    [ "$(tr '\n' ' ' <err)" = '78 78 ' ] || fail "bench of a pilot: other runs than promised"
    sed ':more; N; $!b more; s/\n#    */ /g' out |
        grep -qE '"b" +-.* would take about [0-9.e-]+ s a run; --row-seconds allows 0.0001 s$' ||
        fail "bench of a pilot: it does not tell how long a run takes"
fi
refuses "bench --opponent that is not there" "cannot load the opponent" "$clsort_bench" \
    --opponent nothing.so
excludes_of "$clsort_bench" "--opponent x.so" --argsort
if [ -n "${OPPONENTS_BOOST-}" ]; then
    status "bench --opponent of Boost" 0 "$clsort_bench" -N 700 -a auto --repeat 1 \
        --opponent "$OPPONENTS_BOOST" \
        -y u8,u16,u32,u64,i32,f32,f64,u32+u32,u64+u64,u32+16,struct16,u32+12 \
        --dist random,sorted,equal
    [ "$(grep -cE ' Boost.Compute +[0-9]' out)" -eq $((11 * 3)) ] ||
        fail "bench --opponent of Boost: not every type"
fi
refuses "bench --ratios of too many" "--markdown" "$clsort_bench" -N 300 -a rank,merge --dist zipf \
    --ratios \
    $(for i in 1 2 3; do printf -- '--opponent %s ' "$OPPONENT"; done)

# Another build, here the same under another name, in turns with this one.
if [ -n "${CLSORT_LIBRARY-}" ]; then
    mkdir other
    cp "$CLSORT_LIBRARY" other/libclsort.so
    status "bench --against" 0 "$clsort_bench" -N 300,3000 -a auto,merge --repeat 3 --against other \
        --csv rows.csv
    [ "$(grep -cE '^ u32 +3000? .* (old )?(auto:[a-z]+|merge) +[0-9]' out)" -eq 8 ] ||
        fail "bench --against: not 8 rows"
    [ "$(grep -cE '^3000?,u32,random,old,(auto|merge),[a-z]+,0,0,0,0,3,' rows.csv)" -eq 4 ] ||
        fail "bench --against: not 4 rows"
    status "bench --against of the library" 0 "$clsort_bench" -N 300 --repeat 2 \
        --against other/libclsort.so --ratios
    grep -q '^# x1: old' out || fail "bench --against --ratios: no column"
    refuses "bench --against itself" "the library that this program runs with" "$clsort_bench" \
        --against "$CLSORT_LIBRARY"
    refuses "bench --opponent that is none" "exports no bench_opponents()" "$clsort_bench" \
        --opponent "$CLSORT_LIBRARY"
    refuses "bench --against what is no clsort" "is no clsort" "$clsort_bench" --against "$OPPONENT"
else
    echo "skipped: another build (there is no shared library that is not sanitized)"
fi
mkdir empty
refuses "bench --against an empty folder" "no libclsort.so in empty" "$clsort_bench" --against empty
refuses "bench --against nothing" "there is no nothing" "$clsort_bench" --against nothing
refuses "bench --vs-cpu --argsort" argsort "$tool" bench --vs-cpu --argsort
refuses "bench of a value of nothing" "'x'" "$tool" bench -y u32+x
status "bench --argsort" 0 "$tool" bench -N 300 -a rank --dist entropy,low24 --repeat 1 --argsort
status "bench --values" 0 "$tool" bench -N 300 -a rank --repeat 1 --values 12
status "bench of too many" 0 "$tool" bench -N 2^21 -a rank --repeat 1
grep -q '^# .*rank sort' out || fail "bench of too many: no row with the reason"
status "bench of far too many" 0 "$tool" bench -N 2^45 -a bitonic --repeat 1
grep -q '^# .*128.0 TiB' out || fail "bench of far too many: no row with the reason"
# Counting these segments one by one would take hours.
status "bench of far too many segments" 0 timeout 60 "$tool" bench -N 2^48,300 \
    --segments 1,power,half --rows 4 --repeat 1
[ "$(grep -c '^# *needs a buffer of 1.0 PiB' out)" -eq 4 ] ||
    fail "bench of far too many segments: not every reason"
[ "$(grep -cE '^ u32 +300 .* auto:[a-z]+ +[0-9]' out)" -eq 4 ] ||
    fail "bench of far too many segments: the other rows are not measured"
# Products that 64 bits cannot hold: bytes, and places.
status "bench of far too many places" 0 "$tool" bench -N 4096,2^48 --segments 1 --limit 2^48,1 \
    -y struct16 --repeat 1
[ "$(grep -c '^# *needs a buffer of 16.0 EiB or more' out)" -eq 2 ] ||
    fail "bench of far too many places: no row with the reason"
grep -qE '^ struct16 +4096 .* auto:[a-z]+ +[0-9]' out ||
    fail "bench of far too many places: the other rows are not measured"
# No run begins that would take too long, as its plan says: each row tells why, also in the files. The
# seconds allowed are few here, so that a fault takes none.
status "bench of long runs" 0 timeout 60 "$tool" bench -N 2^17,2^20 -a rank,bitonic,merge --vs-cpu \
    --vs qsort --row-seconds 1e-5 --csv long.csv --json long.json
[ "$(grep -cE '^#  *would take at least [0-9.e+-]+ s a run; --row-seconds allows 1e-05 s$' out)" -eq 8 ] ||
    fail "bench of long runs: not every reason"
grep -qE '^ .* [0-9.]+ +[0-9.]+$' out && fail "bench of long runs: a row is measured"
[ "$(grep -cE ',"would take at least [^"]*",' long.csv)" -eq 8 ] ||
    fail "bench --csv of long runs: not every reason"
[ "$(grep -c '"note":"would take at least ' long.json)" -eq 8 ] ||
    fail "bench --json of long runs: not every reason"
# Rank sort of 2^20 keys compares 2^40 pairs, which no device does in a millisecond.
status "bench of rank sort" 0 timeout 60 "$tool" bench -N 2^20 -a rank --row-seconds 1e-3
grep -qE '^#  *would take (at least|about) [0-9.e+]+ s a run; --row-seconds allows 0.001 s$' out ||
    fail "bench of rank sort: it is run, or there is no reason"
refuses "bench --values --argsort" exclude "$tool" bench --values 4 --argsort
refuses "bench of an unknown distribution" gauss "$tool" bench --dist gauss
# A row has launches and two times, the second of which is no less; the file has both.
status "bench --enqueue" 0 "$clsort_bench" --enqueue -N 300,2e5 -a radix -y u32,struct16f \
    --repeat 9 --csv calls.csv
[ "$(awk '/^ / && $(NF - 2) >= 1 && $(NF - 1) > 0 && $NF >= $(NF - 1) { ++n } END { print n + 0 }' \
    out)" -eq 4 ] || fail "bench --enqueue: not four rows with times"
head -n 1 calls.csv | grep -q 'enqueue_median_s,enqueue_99th_percentile_s' ||
    fail "bench --enqueue: no such columns in the file"
status "bench --first-call" 0 env TMPDIR="$dir" "$tool" bench --first-call -N 300,2^40 -a rank,auto
grep -q '^# 300 u32 keys, algorithm rank,' out || fail "bench --first-call: not what it measured"
grep -q '^second' out || fail "bench --first-call: no second process"
[ "$(awk '/^first,/ { first = $(NF - 1) } /^programs loaded/ { print $(NF - 1) < first / 2 }' out)" = 1 ] ||
    fail "bench --first-call: a process that loads programs compiles them"
[ -z "$(find . -name 'clsort-cache*')" ] || fail "bench --first-call leaves its cache"
refuses "bench --first-call of too many" "the first of each list do not go together: " \
    env TMPDIR="$dir" "$tool" bench --first-call -N 2^40,300 -a rank
[ -z "$(find . -name 'clsort-cache*')" ] || fail "bench --first-call of too many leaves its cache"
# A signal to the process that waits ends both, and leaves nothing.
for signal in TERM HUP; do
    mkdir caches
    TMPDIR=$dir/caches "$tool" bench --first-call >out 2>err &
    pid=$!
    for _ in $(seq 3000); do
        [ -z "$(ls caches)" ] || break
        sleep 0.01
    done
    kill -s $signal $pid
    rc=0
    wait $pid 2>/dev/null || rc=$?
    [ -d /proc/self ] && grep -qsz "^TMPDIR=$dir/caches\$" /proc/[0-9]*/environ &&
        fail "bench --first-call: SIG$signal leaves a process"
    [ $rc -gt 128 ] && [ "$(kill -l $rc)" = $signal ] ||
        fail "bench --first-call: status $rc after SIG$signal"
    rmdir caches || fail "bench --first-call: SIG$signal leaves its cache"
    rm -rf caches
done
# The command that BENCHMARKS.md's rows come from: a line for each process, with three times.
command=$(sed -n 's/.*"command": "clsort \(bench --first-call[^"]*\)".*/\1/p' \
    "$root"/tools/bench/results/*.jsonl | head -n 1)
# shellcheck disable=SC2086 # several words
status "BENCHMARKS.md's $command" 0 env TMPDIR="$dir" "$tool" $command
for process in 'first, empty cache' second; do
    grep -qE "^$process( +[0-9.]+){3}\$" out || fail "BENCHMARKS.md's $command: no line '$process'"
done

refuses "tune to nowhere" nowhere "$tool" tune -o nowhere/rows
for option in --csv --json; do
    refuses "bench $option to nowhere" nowhere "$tool" bench -N 300 $option nowhere/rows
done
ln -sf two link
for options in "--csv two --json ./two" "--json link --csv two"; do
    # shellcheck disable=SC2086 # several options
    refuses "bench $options" "each needs its own" "$tool" bench -N 300 $options
done

# What fails: each is told in one line, or in that of a row.
if [ -n "${FAULTS-}" ]; then
    library=$FAULTS
    while IFS='|' read -r fault text options; do
        # shellcheck disable=SC2086 # options and their arguments
        status "bench of '$fault'" 2 preload env CLSORT_TEST_FAULT=$fault "$tool" bench -N 300 \
            -a rank --repeat 1 $options
        says "bench of '$fault'" "$text"
    done <<'END'
copy|(clEnqueueCopyBuffer: error -4)|
idle|rank on 300 keys of u32: the output is not |--out-of-place --dist sorted
idle-timed|rank of 300 u32, random: the output is not in order|--report
finish-timed|(clFinish: error -5)|--report
END
fi

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
