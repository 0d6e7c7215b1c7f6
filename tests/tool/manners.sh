#!/usr/bin/env bash
# tests/tool/manners.sh TOOL
#
# What the tool says about itself: help, suggestions, completion, JSON, exit statuses, and that the
# manual agrees. JSON_LINES is the program that parses JSON; without it --json is not tested.
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/common.sh"
manual=$root/tools/clsort/clsort.1
folder=$root/tools/clsort/cli
commands=$("$tool" --complete '' | grep -v '^-' | grep -vx help)
[ "$(echo "$commands" | wc -l)" -ge 6 ] || fail "--complete lists too few commands"
printf '3\n1\n2\n' >numbers.txt
printf 'abcdefgh' >bytes

# ---- help ----------------------------------------------------------------------------------------
"$tool" --help >expected
status help 0 "$tool" help
status "help help" 0 "$tool" help help
same help expected out
for command in $commands; do
    grep -q "^  $command " expected || fail "--help does not name $command"
    "$tool" "$command" --help >help
    status "help $command" 0 "$tool" help "$command"
    same "help $command" help out
    for option in --help -h; do
        status "$option $command" 0 "$tool" $option "$command"
        same "$option $command" help out
    done
    grep -q "^Usage: clsort $command" out || fail "help $command: its usage is not the first line"
    [ "$(sed '1,/^Examples:$/d' help | grep -cE "^  ([A-Z_]+=[^ ]+ )?clsort ")" = 3 ] ||
        fail "help $command: it does not end with three examples"
    # Help, completion and the manual have the same long options.
    grep -oE -- '(^|[ ,])--[a-z][a-z0-9-]*' help | tr -d ' ,' | sort -u >in_help
    "$tool" --complete "$command" -- | sort -u >in_table
    grep -vxF -f in_help in_table >more && fail "help $command does not name $(tr '\n' ' ' <more)"
    while read -r option; do
        grep -qE "^\.(It|Op|Fl|Nm).* -${option#--}( |\$)" "$manual" ||
            fail "clsort.1 does not name $option of $command"
    done <in_table
done
refuses "help of two" "one too many" "$tool" help sort check
refuses "--help of two" "one too many" "$tool" --help sort check
refuses "--help of nothing" "unknown command 'sotr'; did you mean 'sort'?" "$tool" --help sotr

"$tool" --version >expected
status "sort --version" 0 "$tool" sort --version
same "sort --version" expected out

for command in sort check; do
    "$tool" "$command" --help | sed -n 3p | grep -q '^Lines or numbers? ' ||
        fail "help $command does not begin with lines and numbers"
done

# ---- Did you mean --------------------------------------------------------------------------------
while read -r word meant; do
    refuses "$word" "unknown command '$word'; did you mean '$meant'?" "$tool" "$word"
    refuses "help $word" "did you mean '$meant'?" "$tool" help "$word"
done <<'END'
srot sort
sor sort
sortt sort
chekc check
device devices
plna plan
bnech bench
tnue tune
hlep help
--verison --version
--hepl --help
END
for word in xyzzy foo; do
    refuses "no command is near" "unknown command '$word'; try 'clsort --help'" "$tool" $word
done
while read -r command word meant; do
    refuses "$command $word" "option '$word' is unknown; did you mean '$meant'?" "$tool" \
        "$command" "$word"
done <<'END'
sort --revrese --reverse
sort --tpye=u8 --type
sort --buffersize --buffer-size
plan --vlaues=4 --values
bench --distr=random --dist
tune --qiuck --quick
devices --jsno --json
sort --output-file=x --output
sort --separator --field-separator
sort --header-lines --header
END
refuses "no option is near" "option '--frobnicate' is unknown; try 'clsort sort --help'" "$tool" \
    sort --frobnicate
refuses "top -k" "the fields to sort by; the number of keys is -N, --count" "$tool" top -k 3
refuses "a number that is an option" "'-k3' is not a whole number" "$tool" sort --header -k3
refuses "no threads" "the number of threads is at least 1, not 0" "$tool" sort --parallel 0 \
    numbers.txt
refuses "a number of another type" "'1.5' is not one u32 number; is -y right?" "$tool" sort \
    --text - <<<1.5
refuses "an option without argument" "takes no argument" "$tool" sort --stable=3

# ---- Completion ----------------------------------------------------------------------------------
# offers NAME EXPECTED WORD...: what --complete prints, in one line.
offers() {
    local name=$1 expected=$2
    shift 2
    status "$name" 0 "$tool" --complete "$@"
    [ "$(tr '\n' ' ' <out)" = "$expected${expected:+ }" ] || fail "$name: $(tr '\n' ' ' <out)"
    [ ! -s err ] || fail "$name: something is on stderr"
}
types=$("$tool" sort -y nothing 2>&1 | sed 's/.*the types are //')
offers "a command" "sort" so
offers "help of a command" "bench" help be
offers "an option" "--record-size" sort --rec
offers "a letter's value" "$types" sort -y ''
offers "a cluster's value" "f32 f64 f16" sort -ry f
offers "a long option's value" "rank radix" plan --algorithm r
offers "a value behind =" "quick" bench --algorithm=q
offers "an optional value" "4 8" sort --argsort=
offers "an item of a list" "u32,i32 u32,i64 u32,i8 u32,i16" bench -y u32,i
offers "an order of sort(1)" "month" sort --sort m
offers "no file for a number" "" bench --repeat=
offers "no file for lengths" "" bench --segments=
offers "how to check" "diagnose-first quiet silent" sort --check=
for word in $("$tool" --complete sort --sort ''); do
    status "sort --sort $word" 0 "$tool" sort --sort "$word" numbers.txt
done
for word in $("$tool" --complete sort --check=); do
    status "sort --check=$word" 1 "$tool" sort --check="$word" numbers.txt
done
offers "a number" "" plan -N ''
offers "a file" ":files" sort ''
offers "an option's file" ":files" sort -o ''
offers "a file of values" ":files" sort -y u32 --values ''
offers "a value's size" "" plan --values ''
offers "behind a word that is no command" "" frob ''

# bash_replies WORD...: COMPREPLY, sorted, for a line whose words bash has split.
bash_replies() {
    PATH=$dir/bin:$PATH bash \
        -c \
        '. "$0"; COMP_WORDS=(clsort "$@"); COMP_CWORD=$#; _clsort; printf "%s\n" "${COMPREPLY[@]}"' \
        "$folder/completion.bash" "$@" | sort | tr '\n' ' '
}
mkdir bin
ln -s "$tool" bin/clsort
[ "$(bash_replies sor)" = 'sort ' ] || fail "bash: a command"
[ "$(bash_replies sort --re)" = '--record-size --reverse ' ] || fail "bash: an option"
[ "$(bash_replies plan --algorithm = me)" = 'merge ' ] || fail "bash: a value behind ="
[ "$(bash_replies plan --algorithm =)" = "$(bash_replies plan -a '')" ] ||
    fail "bash: a value behind = alone"
[ "$(bash_replies plan --algorithm=me)" = '--algorithm=merge ' ] || fail "bash: a value in one word"
[ "$(bash_replies sort --output=numb)" = '--output=numbers.txt ' ] ||
    fail "bash: a file in one word"
[ "$(bash_replies sort -o numb)" = 'numbers.txt ' ] || fail "bash: a file"
[ "$(bash_replies sort --output = numb)" = 'numbers.txt ' ] || fail "bash: a file behind ="
: >'with blank.txt'
[ "$(bash_replies check with)" = 'with blank.txt ' ] || fail "bash: a file with a blank"
bash -c 'complete -p clsort 2>/dev/null; . "$0"; complete -p clsort' "$folder/completion.bash" |
    grep -q -- '-F _clsort' ||
    fail "bash: it is not registered"
if command -v zsh >/dev/null; then
    # zsh_replies WORD...: what compadd gets, or "files".
    zsh_replies() {
        PATH=$dir/bin:$PATH zsh \
            -f -c 'compadd() { print -rl -- "${(@P)2}" }; _files() { print files }
            compset() { PREFIX=${PREFIX#*=} }
            words=(clsort "${@[2,-1]}"); CURRENT=$#words; PREFIX=$words[CURRENT]; run() { source $1 }; run $1' \
            zsh "$folder/completion.zsh" "$@" | sort | tr '\n' ' '
    }
    zsh -n "$folder/completion.zsh" || fail "zsh: a mistake in completion.zsh"
    [ "$(zsh_replies sor)" = 'sort ' ] || fail "zsh: a command: $(zsh_replies sor)"
    [ "$(zsh_replies sort --re)" = '--record-size --reverse ' ] || fail "zsh: an option"
    [ "$(zsh_replies plan --algorithm=me)" = 'merge ' ] || fail "zsh: a value behind ="
    [ "$(zsh_replies sort -o '')" = 'files ' ] || fail "zsh: a file"
else
    echo "skipped: zsh (it is not there)"
fi

# ---- The cache of PoCL ---------------------------------------------------------------------------
status "an empty POCL_CACHE_DIR" 0 env POCL_CACHE_DIR= XDG_CACHE_HOME="$PWD/cache" "$tool" devices

# ---- JSON ----------------------------------------------------------------------------------------
# json NAME STREAM MEMBER...: the stream's lines are JSON objects with these members.
json() {
    local name=$1 stream=$2 why
    shift 2
    why=$("$JSON_LINES" "$@" <"$stream") || fail "$name: $why"
}
if [ -n "${JSON_LINES-}" ]; then
    status "devices --json" 0 "$tool" devices --json
    json "devices --json" out index chosen device platform driver kind memory
    status "plan --json" 0 "$tool" plan -N 1e6 -a radix --json
    json "plan --json" out device algorithm stable steps scratch_size
    status "plan --json of the host" 0 "$tool" plan -N 100 --json
    json "plan --json of the host" out device algorithm stable steps
    status "sort --json" 0 "$tool" sort --json -y u32 -o sorted bytes
    json "sort --json" err algorithm type keys seconds
    status "sort --json without a device" 0 env -u CLSORT_DEVICE "$tool" sort --json -y u32 \
        -o sorted bytes
    grep -q '^{"device":null,' err || fail "sort --json without a device: it names one"
    status "sort --json of lines" 0 "$tool" sort --lines --json -o sorted numbers.txt
    json "sort --json of lines" err algorithm type keys seconds
    status "sort --json of text" 0 "$tool" sort --text --json -o sorted numbers.txt
    json "sort --json of text" err algorithm type keys seconds
    status "check --json" 0 "$tool" check -y u64 --json bytes
    json "check --json" out type order sorted
    grep -q '"sorted":true}$' out || fail "check --json: it is not sorted"
    status "check --json of disorder" 1 "$tool" check --text --json numbers.txt
    json "check --json of disorder" out sorted line
    grep -q '"sorted":false,"line":2}' out || fail "check --json: not line 2"
    status "check --json of a raw file" 1 "$tool" check -r -y u8 --json bytes
    grep -q '"sorted":false,"key":1}' out || fail "check --json: not key 1"
    status "check --json of lines" 1 "$tool" check --lines --json numbers.txt
    grep -q '"type":"lines","order":"ascending","sorted":false,"line":2}' out ||
        fail "check --json of lines: not line 2"
    status "bench --json" 0 "$tool" bench -N 300 -a rank --repeat 1 --json rows.json
    json "bench --json" rows.json keys type sort host_median_s device clsort
    status "tune --json" 0 "$tool" tune --quick -N 2^10 -y u32 --seconds 1 --json -o tuned
    json "tune --json" err device keys seconds tried_all rows
    for command in merge top; do
        echo "$commands" | grep -qx $command || continue
        status "$command --json" 0 "$tool" $command --json -y u8 -o written bytes
        json "$command --json" err keys
    done
    for command in $commands; do
        "$tool" --complete "$command" --js | grep -qx -- --json || fail "$command has no --json"
    done
else
    echo "skipped: --json (no cJSON to read it by)"
fi

# ---- Progress, on a terminal alone ---------------------------------------------------------------
if command -v script >/dev/null; then
    # The share goes on by the clock, and so does what is left. A search that is done ends before
    # its time, so each line is compared with the clock and not with the line of another second.
    script -qec "'$tool' tune --quick -N 2^18 -y u32,u64 --seconds 8 -o tuned" typescript \
        >/dev/null 2>&1 ||
        fail "tune on a terminal"
    tr '\r' '\n' <typescript |
        grep -oE 'tuning \[[#-]{30}\] +[0-9]+%, [0-9]+ s, at most [0-9]+ s left' >shown
    shares=$(grep -oE '[0-9]+%' shown | uniq)
    [ "$(echo "$shares" | wc -l)" -ge 2 ] || fail "tune: its progress stands: $(echo $shares)"
    echo "$shares" | tr -d % | sort -nc 2>/dev/null || fail "tune: its progress goes back"
    # tuning [##--] SHARE%, ELAPSED s, at most LEFT s left: both are rounded.
    tr -d '%,' <shown | awk '{ share = $(NF - 7); elapsed = $(NF - 6) + 0; left = $(NF - 2) }
        elapsed + left < 7 || elapsed + left > 9 { exit 1 }
        share - 12.5 * elapsed > 13 || 12.5 * elapsed - share > 13 { exit 1 }' ||
        fail "tune: the time that is left is not 8 s less what went by: $(cat shown)"
    # What is typed is not wiped out, and a pipe's bytes are told.
    (sleep 2; echo typed) | script -qec "'$tool' sort" typescript >/dev/null 2>&1
    grep -q sorting typescript && fail "progress over what is typed"
    mkfifo slowly
    (head -c 1000000 /dev/zero; sleep 2.5) >slowly &
    script -qec "'$tool' top -y u8 -N 1 -o got slowly" typescript >/dev/null 2>&1
    grep -q 'reading, 768.0 KiB, 2 s' typescript || fail "top: no progress of a pipe"
    status "tune without a terminal" 0 "$tool" tune --quick -N 2^10 -y u32 --seconds 1 -o tuned
    [ ! -s err ] || fail "tune shows its progress without a terminal"
else
    echo "skipped: progress (script is not there)"
fi

# ---- Exit statuses -------------------------------------------------------------------------------
# The table of the manual: a status, and what stands for it there.
sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$manual" | grep -oE '^\.It [0-9]+' >statuses
[ "$(tr '\n' ' ' <statuses)" = '.It 0 .It 1 .It 2 ' ] ||
    fail "clsort.1: not the statuses 0, 1 and 2"
printf '\1\2\3\4' >sorted
status "done" 0 "$tool" sort -y u8 -o again sorted
status "sorted" 0 "$tool" check -y u8 sorted
status "not sorted" 1 "$tool" check -r -y u8 sorted
status "usage" 2 "$tool" sort --frob
status "no input" 2 "$tool" sort nothing
status "no input to check" 2 "$tool" check nothing
status "not a whole number of keys" 2 "$tool" check -y u32 numbers.txt
status "no number" 2 "$tool" check --text sorted
status "no output" 2 "$tool" sort -y u8 -o /nonexistent/out sorted
status "a full disk" 2 bash -c '"$1" sort -y u8 sorted >/dev/full' bash "$tool"
status "no device" 2 "$tool" sort -D no-such-device -y u8 sorted
status "no device to plan for" 2 "$tool" plan -D no-such-device -N 5
status "no such tuning" 2 env CLSORT_TUNING=nothing "$tool" plan -a radix -N 5
status "help that is not read" 2 bash -c '"$1" --help >/dev/full' bash "$tool"

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
