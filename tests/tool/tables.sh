#!/usr/bin/env bash
# tests/tool/tables.sh TOOL
#
# 'clsort sort' of tables: --csv, --tsv, --header, columns by name, byte order marks.
. "$(dirname "$0")/common.sh"

# ---- Columns -------------------------------------------------------------------------------------
printf 'name,price\n"b, c",2\n"a ""x""",10\nd,1\r\n' >in.csv
printf 'name,price\nd,1\r\n"b, c",2\n"a ""x""",10\n' >expected
status CSV 0 "$tool" sort --csv --header 1 -k2,2n in.csv
same CSV expected out
printf 'name,price\n"a ""x""",10\n"b, c",2\nd,1\r\n' >expected
status "CSV by text" 0 "$tool" sort --csv --header 1 -k1,1 in.csv in.csv -u
same "CSV by text" expected out
# A key without an end is a number's column, or the last one.
printf 'x,"5",b\r\ny,"70","a"\r\nz,"8","c"\n' >quoted.csv
printf 'y,"70","a"\r\nz,"8","c"\nx,"5",b\r\n' >expected
status "CSV: numbers in quotes" 0 "$tool" sort --csv -k2nr quoted.csv
same "CSV: numbers in quotes" expected out
printf 'y,"70","a"\r\nx,"5",b\r\nz,"8","c"\n' >expected
status "CSV: the last column" 0 "$tool" sort --csv -k3 quoted.csv
same "CSV: the last column" expected out
printf 'b,x\r\na,x\n' >quoted.csv
status "CSV: a carriage return" 0 "$tool" sort -s --csv -k2 quoted.csv
same "CSV: a carriage return" quoted.csv out
status "CSV: -c" 1 "$tool" sort --csv --header 1 -k2,2n -c in.csv
says "CSV: -c" "in.csv:4: disorder: d,1?"
printf 'a\tb\nx y\t3\nz\t1\n' >in.tsv
printf 'a\tb\nz\t1\nx y\t3\n' >expected
status TSV 0 "$tool" sort --tsv --header 1 -k2n in.tsv
same TSV expected out
status "TSV merged" 0 "$tool" sort --tsv --header 1 -k2n -m expected expected -u
same "TSV merged" expected out

# ---- Names, and columns that are not there -------------------------------------------------------
# From a file, a pipe, merged and checked.
printf 'name,amount,"a:b","2nd",name\r\nx,2,9,b,p\r\ny,10,8,a,q\r\nz,10,7,c,r\r\n' >named.csv
for pair in '-kamount:nr|-k2,2nr' '-k a\:b:n -k1,1|-k3,3n -k1,1' '-k\2nd|-k4,4' '-kamount:n -k\2nd:r|-k2,2n -k4,4r'; do
    # shellcheck disable=SC2086 # several options
    status "CSV by name: $pair" 0 "$tool" sort --csv --header 1 ${pair%|*} named.csv
    mv out got
    # shellcheck disable=SC2086
    status "CSV by name: $pair" 0 "$tool" sort --csv --header 1 ${pair#*|} named.csv
    same "CSV by name: $pair" out got
    # shellcheck disable=SC2086
    status "CSV by name, piped: $pair" 0 "$tool" sort --csv --header 1 ${pair%|*} - < <(cat named.csv)
    same "CSV by name, piped: $pair" got out
    # shellcheck disable=SC2086
    status "CSV by name, -c: $pair" 0 "$tool" sort --csv --header 1 ${pair%|*} -c got
    # shellcheck disable=SC2086
    status "CSV by name, -m: $pair" 0 "$tool" sort --csv --header 1 ${pair%|*} -m got
    same "CSV by name, -m: $pair" got out
done
tr , '\t' <named.csv | tr -d '"' >named.tsv
status "TSV by name" 0 "$tool" sort --tsv --header 1 -kamount:nr named.tsv
tr '\t' , <out >got
status "TSV by name" 0 "$tool" sort --csv --header 1 -kamount:nr <(tr -d '"' <named.csv)
same "TSV by name" out got
printf 'amount,name\n1,a\n' >other.csv
for mode in "" -m; do
    # shellcheck disable=SC2086
    {
        refuses "a name that no column has $mode" \
            "named.csv:1: no column is named 'amuont'; did you mean 'amount'?" \
            "$tool" sort --csv --header 1 $mode -kamuont:n named.csv
        refuses "a name of two columns $mode" \
            "named.csv:1: columns 1 and 5 are both named 'name'; give a column's number" \
            "$tool" sort --csv --header 1 $mode -kname named.csv
        refuses "another header $mode" \
            "other.csv:1: 'amount' is column 1, and in the first file column 2" \
            "$tool" sort --csv --header 1 $mode -kamount:n named.csv other.csv
        refuses "a column too far $mode" "named.csv:1: the line has 5 columns, and a key is column 7" \
            "$tool" sort --csv --header 1 $mode -k7,7 named.csv
        refuses "a column too far, without a header $mode" \
            "other.csv:1: the line has 2 columns, and a key is column 3" "$tool" sort --csv $mode -k3n \
            other.csv
        refuses "a column too far, TSV $mode" "has 1 column," "$tool" sort --tsv $mode -k2 other.csv
    }
done
refuses "a name, -c" "no column is named 'x'" "$tool" sort --csv --header 1 -c -kx named.csv
refuses "a name without a header" "-k 'amount'" "$tool" sort --csv -kamount named.csv
refuses "a name of what is no table" "names are those of a --header" "$tool" sort -t, --header 1 \
    -kamount named.csv
refuses "no flags" "'o' is no ordering option" "$tool" sort --csv --header 1 -ka:o named.csv
printf 'a,b\n1,2\n3\n' >short.csv
status "a short row" 0 "$tool" sort --csv --header 1 -k2,2 short.csv
for mode in "" -m -c; do
    # shellcheck disable=SC2086
    status "a short row, --strict $mode" 2 "$tool" sort --csv --header 1 --strict -k2,2 $mode short.csv
    says "a short row, --strict $mode" "short.csv:3: the line has 1 column, and a key is column 2"
done
refuses "a short line, --strict" "the line has 1 field, and a key is field 2" "$tool" sort --strict -k2 \
    - < <(printf 'a b\nc\n')
# A title that is longer than what is read at once.
{ awk 'BEGIN { for (i = 0; i < 3000; i++) printf "column%d,", i; print "last" }'; seq -s, 3001; } >wide.csv
status "a long header" 0 "$tool" sort --csv --header 1 -S 64K -klast:n wide.csv
same "a long header" wide.csv out
status "no row" 0 "$tool" sort --csv --header 1 -k7 /dev/null

# ---- Byte order marks ----------------------------------------------------------------------------
# A mark is no part of a column. The output begins with it if the first file does.
mark=$'\xef\xbb\xbf'
printf '%s2,b\n1,a\n' "$mark" >marked.csv
printf '%s1,a\n2,b\n' "$mark" >marked.sorted
printf '3,c\n' >plain.csv
status "a mark" 0 "$tool" sort --csv -k1,1n --strict marked.csv
same "a mark" marked.sorted out
status "a mark, piped" 0 "$tool" sort --csv -k1,1n - < <(cat marked.csv)
same "a mark, piped" marked.sorted out
status "a mark, -c" 0 "$tool" sort --csv -k1,1n -c --strict marked.sorted
status "a mark of the second file" 0 "$tool" sort --csv -k1,1n plain.csv marked.csv
printf '1,a\n2,b\n3,c\n' >expected
same "a mark of the second file" expected out
status "a mark of the second file, merged" 0 "$tool" sort --csv -k1,1n -m plain.csv marked.sorted
same "a mark of the second file, merged" expected out
status "marks of both, merged" 0 "$tool" sort --csv -k1,1n -m marked.sorted marked.sorted
printf '%s1,a\n1,a\n2,b\n2,b\n' "$mark" >expected
same "marks of both, merged" expected out
printf '%sid,name\n2,b\n1,a\n' "$mark" >marked.csv
printf '%sid,name\n1,a\n2,b\n' "$mark" >expected
status "a mark and a header" 0 "$tool" sort --csv --header 1 -kid:n marked.csv
same "a mark and a header" expected out
status "a mark and a header, merged" 0 "$tool" sort --csv --header 1 -u -kid:n -m expected expected
same "a mark and a header, merged" expected out
status "a mark alone" 0 "$tool" sort --csv -k1 - < <(printf '%s' "$mark")
[ "$(cat out)" = "$mark" ] || fail "a mark alone: $(od -c out)"
sort -k1 marked.sorted >expected
status "a mark of what is no table" 0 "$tool" sort -k1 marked.sorted
same "a mark of what is no table" expected out

# ---- What is no text ----------------------------------------------------------------------------
gzip -n <named.csv >named.gz
for mode in "" "-m" "-C"; do
    # shellcheck disable=SC2086
    "$tool" sort --csv -k1 $mode named.gz >out 2>err
    mentions "a .gz $mode" "named.gz has zero bytes"
    # shellcheck disable=SC2086
    "$tool" sort --csv -k1 $mode --lines named.gz >out 2>err
    grep -q "zero bytes" err && fail "a .gz $mode --lines: it is noted"
done

exit $((num_failed > 0))
