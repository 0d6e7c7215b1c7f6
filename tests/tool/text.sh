#!/usr/bin/env bash
# tests/tool/text.sh TOOL
#
# Tests 'clsort sort' with sort(1)'s options: every output is that of sort(1), byte for byte, over
# random keys, flags and options, and files that are as bad as files can be.
#
#     ROUNDS=5000 SEED=7 tests/tool/text.sh TOOL
script=$(realpath "$0")
. "$(dirname "$0")/common.sh"
rounds=${ROUNDS-250}
RANDOM=${SEED-1}
# A compiler in the driver sets a signal stack in the thread that opens the device; ASan takes it
# for its own.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:use_sigaltstack=0"
echo "seed ${SEED-1}"

# ---- Files ---------------------------------------------------------------------------------------
# words KIND COUNT FIELDS SEED: lines of words of a kind, with separators and blanks at random.
words() {
    awk -v kind="$1" -v count="$2" -v fields="$3" -v seed="$4" '
        function pick(list, num) { return list[int(rand() * num) + 1] }
        function digits(num, text) { for (text = ""; num-- > 0;) text = text int(rand() * 10); return text }
        function any(r) {
            if (kind == "few") return int(rand() * 3)
            if (kind == "digits") return (rand() < 0.3 ? "-" : "") (rand() < 0.3 ? "000" : "") digits(int(rand() * 40)) \
                (rand() < 0.5 ? "." digits(int(rand() * 30)) : "") (rand() < 0.1 ? "00" : "")
            if (kind == "bytes") { r = ""; while (rand() < 0.7) r = r sprintf("%c", (int(rand() * 255) + 129) % 256); return r }
            if (kind == "long") { r = ""; while (rand() < 0.98) r = r "common" digits(1); return r }
            if (kind == "prefix") return "https://www.example.org/" digits(3)
            if (kind == "letters") { r = ""; while (rand() < 0.8) r = r sprintf("%c", 65 + int(rand() * 58)); return r }
            return pick(list, num)
        }
        BEGIN {
            srand(seed)
            if (kind == "general") num = split("1 -1 0 -0 +5 1e3 1E-3 -1e2 0x1f inf -inf infinity x 1e .5 -.5 1.25 007 1.5e 1e+ 12345.678 .", list, " ")
            else if (kind == "human") num = split("1 2K 1k -3K 1.5M 0K 00G -0G .5K 1G 2T 3P 4E 5Z 1Y 999 1Ki -2M 1024 K -K 1KK 3.K", list, " ")
            else if (kind == "month") num = split("jan JAN Feb mar MARCH apr ma may jun July AUG sep oct nov DEC dec1 x ja", list, " ")
            else if (kind == "version") num = split("a a1 a01 a10 a2 a2b a.b a-b a~ a1~ 1.2 1.10 1.02 a.tar.gz a.1.gz a10.tar a2.tar.gz a0 a00b ~ B b1.c2 foo-1.0.zip foo-1.10.zip", list, " ")
            else num = split("1 -1 0 -0 - -. . +1 00 01 1.0 1.50 -1.5 a B b~ _ 1a 10 9 -9 -10 a10 .5 -.5 0.5 1,5 \" ab Ab aB", list, " ")
            split(kind == "general" ? " |  |\t| |," : " |  |\t|,|,|;|", gaps, "|")
            for (i = 0; i < count; i++) {
                line = rand() < 0.1 ? "" : rand() < 0.2 ? " " : ""
                for (f = int(rand() * (fields + 1)); f > 0; f--) line = line any() gaps[int(rand() * 5) + 1]
                print line any()
            }
        }'
}
make_files() {
    local kind
    for kind in few digits bytes letters general human month version mixed prefix long; do
        words "$kind" 150 4 "$RANDOM" >"$kind"
    done
    words long 20 2 "$RANDOM" >long
    : >empty
    printf '\n' >blank
    printf '\n\n\n \n' >blanks
    printf 'x' >one
    printf 'b\na' >open
    printf ',,,\n,,\n,\n\n,,,,\n' >separators
    sed 's/$/\r/' mixed >crlf
    tr '\n' '\0' <mixed >zeros
    tr 'a1' '\0\001' <mixed >nuls
    { cat digits; tail -n 40 digits | sed 's/$/0/'; sed 's/^/0/' digits; } | head -c 20000 >equal
    head -c 3000 bytes | tr -d '\n' >line
    # Real files: a program, a script, a table of the system.
    # In numbers GNU's sort skips 0x80, which it takes for a separator of thousands.
    head -c 300000 "$tool" | tr '\200' x >program
    cat "$script" >script
    head -c 60000 /etc/services >services 2>/dev/null || cat "$script" >services
}
files=(few digits bytes letters mixed prefix long empty blank blanks one open separators crlf \
    zeros nuls equal line
    human month version program script services)

# ---- Options -------------------------------------------------------------------------------------
# Both leave what they choose in $chosen: in a shell of their own they would have another RANDOM.
one_of() { local list=("$@"); chosen=${list[RANDOM % $#]}; }
position() { # of a key's begin or end
    chosen=$((1 + RANDOM % 4))
    ((RANDOM % 3)) || chosen+=.$((1 + RANDOM % 3))
}
make_key() {
    local begin end
    position
    begin=$chosen
    one_of '' '' n n h M f r nr b bn d i fr di
    key=$begin$chosen
    ((RANDOM % 3)) || return 0
    position
    end=$chosen
    one_of "$end" "$begin"
    key+=,$chosen
    one_of '' '' b
    key+=$chosen
}
make_options() {
    options=()
    local key num=$((RANDOM % 4))
    for ((; num > 0; num--)); do
        make_key
        options+=("-k$key")
    done
    ((RANDOM % 2)) && one_of -n -n -r -f -b -s -u -h -M -d -i -nr && options+=("$chosen")
    ((RANDOM % 2)) && one_of -s -u -r -u && options+=("$chosen")
    ((RANDOM % 5)) || options+=(-z)
    ((RANDOM % 2)) && one_of , , ' ' ';' a '\0' && options+=("-t$chosen")
}

# compare NAME FILE...: 'clsort sort' and sort(1) with the options and those arguments, in memory or
# through the temporary file.
compare() {
    local expected=0 got=0 memory=()
    sort "${options[@]}" "$@" >expected 2>expected.err || expected=$?
    ((RANDOM % 3)) || memory=(-S 64K -T .)
    "$tool" sort "${options[@]}" "${memory[@]}" "$@" >out 2>err || got=$?
    [ $got -eq $expected ] ||
        fail "clsort sort ${options[*]} ${memory[*]} $*: exit status $got, not $expected"
    [ $got -ne 0 ] || cmp -s expected out ||
        fail "clsort sort ${options[*]} ${memory[*]} $*: not what sort(1) writes"
    # For a look at what has failed.
    ((num_failed == 0)) || [ -z "${KEEP-}" ] || { mkdir -p "$KEEP" && cp -r . "$KEEP" && exit 1; }
}
random_round() {
    local file
    file=$(one_of "${files[@]}")
    make_options
    case $((RANDOM % 8)) in
    0) compare "$file" "$(one_of "${files[@]}")" ;;
    1)
        sort "${options[@]}" "$file" >in1 2>/dev/null || return 0
        sort "${options[@]}" "$(one_of "${files[@]}")" >in2
        options+=(-m)
        compare in1 in2 "$(one_of in1 "$file")"
        ;;
    2)
        options+=("$(one_of -c -C)")
        compare "$file"
        ;;
    3)
        sort "${options[@]}" "$file" >in1 2>/dev/null || return 0
        options+=("$(one_of -c -C)")
        compare in1
        ;;
    *) compare "$file" ;;
    esac
}
for ((round = 0; round < rounds && num_failed < 5; round++)); do
    ((round % 50)) || make_files
    random_round
    # Numbers that f64 and long double order alike; names that all versions of sort(1) do.
    ((round % 5)) && continue
    options=("-k$((1 + RANDOM % 3))g$(one_of '' r b)" "$(one_of -s -u -r -b)")
    compare general
    options=("-k$((1 + RANDOM % 3))V$(one_of '' r b f)" "$(one_of -s -u -r -b)")
    compare version
done

# ---- Large files: through the temporary file, and by the device --------------------------------
for kind in few mixed prefix digits; do
    words $kind 6000 3 "$RANDOM" >"big.$kind"
done
cat big.* >big
printf 'last' >>big
for memory in 64K 300K; do
    for keys in -k2n '-k2,2fr -u' '-k1,1n -u -r' '-k3 -s' -z '-f -t, -k2'; do
        # shellcheck disable=SC2206 # words
        options=($keys)
        sort "${options[@]}" big big.few >expected
        status "clsort sort $keys -S $memory" 0 "$tool" sort "${options[@]}" --verify -S $memory \
            -T . -o got big big.few
        says "clsort sort $keys -S $memory" "verified: "
        same "clsort sort $keys -S $memory" expected got
    done
done
for keys in -k2n -k2 '-n -s' '-k1,1 -u' '-r -k3,3n' -k1,1M; do
    # shellcheck disable=SC2206
    options=($keys)
    sort "${options[@]}" big big.few >expected
    status "by the device: $keys" 0 "$tool" sort "${options[@]}" "${on[@]}" \
        --verify -o got big big.few
    says "by the device: $keys" "verified: "
    same "by the device: $keys" expected got
done
# The device is being opened while the host sorts by itself.
for ((i = 0; i < 60; i++)); do cat big.digits; done >many
[ "$(stat -c %s many)" -gt 26000000 ] || fail "the file is too small to be worth a device"
sort -s -k2n many >expected
status "while the device is opened" 0 "$tool" sort -s -k2n many
same "while the device is opened" expected out

# Many lines that begin alike, but too few for the device: all threads order them together.
awk 'BEGIN {
    srand(5)
    for (i = 0; i < 300000; i++)
        print (i % 30 < 7 ? "begins alike " int(rand() * 5000) : rand() "-" i), i % 3
}' >alike
for keys in '' -r '-k2 -r' -u '-k1,1 -u' '-s -k1,2' -k4n; do
    # shellcheck disable=SC2206
    options=($keys)
    sort "${options[@]}" alike >expected
    status "many lines that begin alike: $keys" 0 "$tool" sort "${options[@]}" -o got alike
    same "many lines that begin alike: $keys" expected got
done

# ---- Lines are what a file holds, unless an option of raw keys is given
# ---------------------------
sort big >expected
status "no option" 0 "$tool" sort big
same "no option" expected out
status "a pipe" 0 "$tool" sort < <(cat big)
same "a pipe" expected out
status "by the device" 0 "$tool" sort "${on[@]}" big
same "by the device" expected out
status "check" 0 "$tool" check expected
sort big empty big.few >expected
status "several files" 0 "$tool" sort big empty big.few
same "several files" expected out
# notes NAME TEXT|'' COMMAND...: status 0, and one line on stderr that says so, or none.
notes() {
    local name=$1 text=$2
    shift 2
    status "$name" 0 "$@"
    if [ -n "$text" ]; then says "$name" "$text"; elif [ -s err ]; then fail \
        "$name: it says something"; fi
}
sort nuls >expected
note=" has zero bytes and is taken for lines of text; raw keys need -y TYPE"
for device in '' "${on[*]}"; do
    # shellcheck disable=SC2086
    notes "zero bytes $device" "nuls$note" "$tool" sort $device nuls
    same "zero bytes $device" expected out
    # shellcheck disable=SC2086
    notes "zero bytes, --lines $device" '' "$tool" sort $device --lines nuls
    same "zero bytes, --lines $device" expected out
done
notes "zero bytes, piped" "standard input$note" "$tool" sort < <(cat nuls)
notes "zero bytes, piped, by a device" "standard input$note" "$tool" sort "${on[@]}" < <(cat nuls)
notes "zero bytes, several files" "the text$note" "$tool" sort few nuls
notes "zero bytes, check" "expected$note" "$tool" check expected
notes "zero bytes, check --lines" '' "$tool" check --lines expected
notes "zero bytes, a key" '' "$tool" sort -k2 nuls
notes "zero bytes, -z" '' "$tool" sort -z nuls
notes "no zero bytes" '' "$tool" sort big
printf '\2\0\0\0\1\0\0\0' >raw
printf '\1\0\0\0\2\0\0\0' >expected
for option in "-y u32" "--type=u32" "-a auto" "--record-size 4" "--record-size 4 --key-offset 0"; do
    # shellcheck disable=SC2086
    notes "raw by $option" '' "$tool" sort $option raw
    same "raw by $option" expected out
done
refuses "raw keys of two files" "one FILE at most" "$tool" sort -y u32 raw raw
refuses "top of lines" "'clsort sort' takes other text" "$tool" top big
refuses "merge of lines" "'clsort sort -m' merges lines of text" "$tool" merge big big

# Positions, of lines and of rows by keys, counted from 0; headers are no rows.
positions() { od -An -v -w"$1" -t u"$1" out | tr -d ' '; }
awk '{ print NR - 1 "\t" $0 }' big.few >numbered
sort -s -t "$(printf '\t')" -k2 numbered | cut -f 1 >expected
for way in '' "${on[*]}" "-S 64K ${on[*]}"; do
    for size in 4 8; do
        # shellcheck disable=SC2086
        status "--argsort=$size $way" 0 "$tool" sort --argsort=$size --verify $way big.few
        says "--argsort=$size $way" "the indices are the stable order of the lines"
        positions $size >got
        same "--argsort=$size $way" expected got
    done
done
printf '7,c\n5,a\n' >in.csv
for _ in 1 2 3; do cat in.csv; done >rows.csv
status "--argsort of rows" 0 "$tool" sort --csv --header 1 -s -k1n --argsort rows.csv
printf '0\n2\n4\n1\n3\n' >expected
positions 4 >got
same "--argsort of rows" expected got
status "--argsort -u" 0 "$tool" sort -u --argsort rows.csv
printf '1\n0\n' >expected
positions 4 >got
same "--argsort -u" expected got
refuses "--argsort -c" "exclude" "$tool" sort -c --argsort rows.csv
# In pieces, too: one file and several, keys and whole lines, either size.
for options in '-k2' '-k2 -r' '-n -k1,1 -s' '--lines -r'; do
    for files in big 'big rows.csv big'; do
        [ "$options $files" != '--lines -r big rows.csv big' ] || options=-r
        # shellcheck disable=SC2086 # several words
        {
            status "--argsort $options $files" 0 "$tool" sort $options --argsort $files
            positions 4 >expected
            status "--argsort $options $files in pieces" 0 "$tool" sort $options -S 64K \
                --verify --argsort=8 $files
            positions 8 >got
        }
        same "--argsort $options $files in pieces" expected got
    done
done

# ---- Files that are merged
# -----------------------------------------------------------------------------
# More of them than can be open, of which equal lines keep the files' order.
for ((i = 0; i < 50; i++)); do
    { echo "header $i"; seq $i 7 900 | awk -v i=$i '{ print int($1 / 10) " " i }' | sort -s -n; } \
        >part.$i
    sed 1d part.$i >body.$i
done
for keys in -n '-n -s' '-n -u' '-n -r -s -k2'; do
    # shellcheck disable=SC2086 # several options
    { echo "header 0"; sort -m $keys body.? body.??; } >expected
    # shellcheck disable=SC2086
    status "many files: $keys" 0 bash -c 'ulimit -n 24 && exec "$@"' bash "$tool" sort -m $keys \
        --header 1 -T . part.? part.??
    same "many files: $keys" expected out
    # Some descriptors are inherited, and few are left.
    for left in 4 5 8; do
        # shellcheck disable=SC2086
        status "$left descriptors: $keys" 0 bash -c 'for fd in {3..39}; do
                if [ $fd -lt $((3 + $1)) ]; then eval "exec $fd<&-"; else eval "exec $fd</dev/null"; fi
            done; shift; ulimit -n 40 && exec "$@"' bash \
            $left "$tool" sort -m $keys --header 1 -T . -o got part.? part.??
        same "$left descriptors: $keys" expected got
    done
done
sort -m body.1 body.2 >expected
cp body.1 file
refuses "merged onto one of them" "file is standard output, too" bash -c \
    '"$1" sort -m body.2 file 1<>file' bash "$tool"
same "merged onto one of them" body.1 file
refuses "merged onto one of them, with a header" "file is standard output, too" bash -c \
    '"$1" sort -m --header 1 body.2 file 1<>file' bash "$tool"
same "merged onto one of them, with a header" body.1 file
"$tool" sort -m --header 1 body.2 empty.out >empty.out || fail "merged with its own empty output"
same "merged with its own empty output" body.2 empty.out
status "merged to one of them" 0 "$tool" sort -m -o file body.2 file
same "merged to one of them" expected file
# A header is written when all is read.
{ echo "a longer header"; cat big.few big.few; } >in.txt
cat big.digits >file
{ head -1 in.txt; sed 1d file | sort - big.few big.few; } >expected
"$tool" sort --header 1 -S 64K -T . in.txt file 2>err 1<>file || fail "a header onto a file"
same "a header onto a file" expected file

# ---- Without a device, in pieces that the host sorts alone
# ------------------------------------------
seq 1300000 | awk '{ print $1 * 7919 % 1300021 }' >many
for keys in '' -n '-u -k1.3'; do
    # shellcheck disable=SC2206,SC2086
    options=($keys)
    sort "${options[@]}" many >expected
    status "no device: $keys" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
        "${options[@]}" --verify many
    says "no device: $keys" "verified: "
    same "no device: $keys" expected out
done
status "no device, piped" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
    -u -k1.3 < <(cat many)
same "no device, piped" expected out
for _ in 1 2 3 4; do cat many; done >more
[ "$(stat -c %s more)" -gt 26000000 ] || fail "the file is too small to be worth a device"
sort more >expected
status "no device, a large file" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
    more
same "no device, a large file" expected out
status "no device, positions" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
    --argsort rows.csv
printf '1\n3\n5\n0\n2\n4\n' >expected
positions 4 >got
same "no device, positions" expected got
! hides_drivers || refuses "no device, but one is named" OpenCL env OCL_ICD_VENDORS=/nonexistent "$tool" sort "${on[@]}" more

# ---- What is not sort(1)'s -----------------------------------------------------------------------
# Longer than what is read at once.
seq 300000 | sort >long.sorted
status "standard input, merged twice" 0 "$tool" sort -m - - <long.sorted
same "standard input, merged twice" long.sorted out
printf 'a\n"b\n' >in.csv
refuses "an open quote" in.csv:2: "$tool" sort --csv -k1 in.csv
printf '# 1\n3\n2\n' >in.txt
for line in '' x ' ' - '5 6' 5x; do
    printf '# 1\n3\n2\n%s\n' "$line" >wrong.txt
    for letter in n g h M; do
        refuses "--strict -$letter '$line'" .txt: "$tool" sort --header 1 --strict -$letter in.txt \
            wrong.txt
    done
    refuses "--strict -n '$line'" "wrong.txt:4: key 1 is not a number" "$tool" sort --header 1 \
        --strict -n in.txt wrong.txt
    refuses "--strict -c '$line'" "wrong.txt:4: key 1" "$tool" sort --header 3 \
        --strict -n -c wrong.txt
    refuses "--strict -m '$line'" "wrong.txt:4: key 1" "$tool" sort --header 1 \
        --strict -n -m -o got in.txt wrong.txt
done
status "--strict" 0 "$tool" sort --header 1 --strict -n in.txt
# Digits beyond any number of the machine.
for sign in '' -; do
    for i in 1 2 3; do
        printf '%s' "$sign"
        head -c 100000 /dev/zero | tr '\0' 7
        printf '.%s%s\n' "$(head -c 5000 /dev/zero | tr '\0' 1)" $i
    done
done >in.txt
sort -n in.txt >expected
status "long numbers" 0 "$tool" sort -n in.txt
same "long numbers" expected out
# Not a number, without a sign and with one, before all numbers.
printf '%s\n' -inf -nan 1 nan x >in.txt
printf '%s\n' x nan -nan -inf 1 >expected
status "-g of nan" 0 "$tool" sort -g in.txt
same "-g of nan" expected out
printf '%s\n' .b1 a .. '' . .a a10 a9 >in.txt
printf '%s\n' '' . .. .a .b1 a a9 a10 >expected
status "-V of hidden files" 0 "$tool" sort -V in.txt
same "-V of hidden files" expected out
refuses "a locale" "in the locale C" "$tool" sort --locale de_DE.UTF-8 in.txt
refuses "random order" shuf "$tool" sort -R in.txt
refuses "random order" shuf "$tool" sort -k1R in.txt
refuses "two orders" "do not go together" "$tool" sort -n -g in.txt
refuses "two orders" "do not go together" "$tool" sort -k1nM in.txt
# Options outside of keys count for keys without options alone.
options=('-k1,1V' -dM)
compare version
options=('-k1,1V' -k2 -dM)
compare version
for mode in -c -C -m; do
    refuses "$mode -D" "exclude" "$tool" sort $mode "${on[@]}" in.txt
done
refuses "a type for lines" -y "$tool" sort -n -y u32 in.txt
refuses "a separator of two bytes" "one byte" "$tool" sort -t ab in.txt
for key in '' 0 1. 1.0 1,0 1x 1,2,3 ,2 1,x; do
    refuses "-k '$key'" "-k '$key'" "$tool" sort -k "$key" in.txt
done
refuses "-c with -m" exclude "$tool" sort -c -m in.txt
refuses "-c with --stats" "exit status" "$tool" sort -c --stats in.txt
refuses "-C with --verify" "exit status" "$tool" sort -C --verify in.txt
refuses "-m with --verify" "clsort sort -c" "$tool" sort -m --verify in.txt
refuses "--tsv with another separator" exclude "$tool" sort --tsv -t ';' in.txt
refuses "-c of two files" "one file" "$tool" sort -c in.txt in.txt
refuses "-c of no file" nothing-here "$tool" sort -c nothing-here
refuses "no file" nothing-here "$tool" sort -n in.txt nothing-here
status "-C" 1 "$tool" sort -C -V in.txt
[ ! -s err ] || fail "-C has a message"

echo "$round rounds, $num_failed failures"
exit $((num_failed > 0))
