#!/usr/bin/env bash
# tests/tool/merge.sh TOOL
#
# 'clsort merge': against sort(1), files of all sizes, and what it refuses. No device is needed.
. "$(dirname "$0")/common.sh"

# raw WIDTH: numbers, one a line, as raw little-endian unsigned ones of 1 or 4 bytes.
raw() { perl -ne "print pack('$([ "$1" = 1 ] && echo C || echo V)', \$_)"; }
numbers() { od -An -v -w"$1" -t u"$1" "$2" | tr -d ' '; }

# ---- Two files, three, one, none
# ---------------------------------------------------------------------
seq 300000 | awk '{ print $1 * 7919 % 400009 }' >all
awk 'NR % 3 == 0' all | sort -n | tee a.txt | raw 4 >a
awk 'NR % 3 == 1' all | sort -n | tee b.txt | raw 4 >b
awk 'NR % 3 == 2' all | sort -n | tee c.txt | raw 4 >c
: >empty
for files in "a b" "c" "a b c" "b empty c" "empty" "a a"; do
    # shellcheck disable=SC2086,SC2046 # several files
    sort -n $(for file in $files; do if [ $file = empty ]; then echo empty; else echo $file.txt; \
        fi; done) >expected
    # shellcheck disable=SC2086
    status "merge $files" 0 "$tool" merge -y u32 $files
    numbers 4 out >got
    same "merge $files" expected got
    sort -nu expected >unique
    # shellcheck disable=SC2086
    status "merge -u $files" 0 "$tool" merge -y u32 -u $files
    numbers 4 out >got
    same "merge -u $files" unique got
done
status "standard input" 0 "$tool" merge -y u32 - b <a
numbers 4 out >got
sort -n a.txt b.txt >expected
same "standard input" expected got
status "standard input alone" 0 "$tool" merge -y u32 <a
cmp -s out a || fail "standard input alone differs"

# ---- Order, records, -o
# --------------------------------------------------------------------------------
sort -nr a.txt | raw 4 >a.down
sort -nr b.txt | raw 4 >b.down
status descending 0 "$tool" merge -r --type u32 a.down b.down
numbers 4 out >got
sort -nr a.txt b.txt >expected
same descending expected got
printf '\377\000\001' >i8.a # -1 0 1
printf '\200\002' >i8.b     # -128 2
status signed 0 "$tool" merge -y i8 i8.a i8.b
[ "$(od -An -t d1 out | tr -s ' ')" = " -128 -1 0 1 2" ] || fail "signed: $(od -An -t d1 out)"
printf 'a1b1c1' >r1
printf 'a2c2' >r2
status records 0 "$tool" merge -y u8 --record-size 2 r1 r2
[ "$(cat out)" = a1a2b1c1c2 ] || fail "records: $(cat out)"
status "records, -u" 0 "$tool" merge -u -y u8 --record-size 2 --key-offset 0 r1 r2
[ "$(cat out)" = a1b1c1 ] || fail "records, -u: $(cat out)"
cp a file
status "-o over a source" 0 "$tool" merge -y u32 -o file file b
numbers 4 file >got
sort -n a.txt b.txt >expected
same "-o over a source" expected got
printf '\1\1\2\2\2' >few
"$tool" merge -u -y u8 few 2>err | od -An -t u1 >got
[ "$(tr -s ' ' <got)" = " 1 2" ] || fail "a pipe: $(cat got)"
if "$tool" check --json -y u8 few >out 2>err; then
    status json 0 "$tool" merge --json -u -y u8 few
    grep -q '"keys":5,"written":2' err || fail "json: $(cat err)"
fi

# ---- What is refused; the output stays
# ------------------------------------------------------------------
printf good >file
printf '\1\3\2' >wrong
refuses "disorder" "wrong: disorder at key 2 (counted from 0)" "$tool" merge -y u8 -o file few wrong
refuses "a torn file" "not a whole number of u16 keys" "$tool" merge -y u16 -o file few wrong
refuses "no such file" "nowhere" "$tool" merge -y u32 -o file a nowhere
refuses "lines" "give the type of the raw keys with -y; 'clsort sort -m' merges lines" "$tool" \
    merge -o file a b
refuses "a type" "i7" "$tool" merge -y i7 -o file a
refuses "an option" "option '--uniqe' is unknown; did you mean '--unique'?" "$tool" merge --uniqe a
for ((i = 0; i < 60; i++)); do cp few many.$i; done
# In rounds, where fewer can be open.
cat many.* | od -An -v -w1 -t u1 | sort -n >expected
for limit in -n -Sn; do
    bash -c "ulimit $limit 30"' && exec "$@"' bash "$tool" merge --json -y u8 many.* 2>err |
        od -An -v -w1 -t u1 >got
    same "more files than can be open, $limit" expected got
    mentions "more files than can be open, $limit" '"keys":300,"written":300'
    bash -c "ulimit $limit 30"' && exec "$@"' bash "$tool" merge -u --json -y u8 many.* 2>err |
        od -An -v -w1 -t u1 | tr -d ' \n' >got
    [ "$(cat got)" = 12 ] || fail "more files than can be open, -u $limit: $(cat got)"
    mentions "more files than can be open, -u $limit" '"keys":300,"written":2'
done
printf '\1\0\2' >torn
refuses "a torn pipe" "3 bytes are not a whole number of u16 keys" "$tool" merge -y u16 -o file - \
    < <(cat torn)
cp few itself
"$tool" merge -y u8 few itself 2>err 1<>itself && fail "onto a source: exit status 0"
says "onto a source" "itself is standard output, too"
same "onto a source" few itself
[ "$(cat file)" = good ] || fail "the output is touched"
[ -z "$(find . -name '.clsort*')" ] || fail "a temporary file is left"

exit $((num_failed > 0))
