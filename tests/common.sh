# common.sh: what the tests in shell share. Each reads it by `. "$(dirname "$0")/common.sh"`.

unset CDPATH # it would lead cd elsewhere

# fail SENTENCE: ends the test. If `log` names a file, its last lines are shown.
fail() {
    printf 'FAILED: %s\n' "$*"
    [ ! -s "${log-}" ] || tail -n 20 "$log" | sed 's/^/    /'
    exit 1
}

# skip REASON: ends the test as skipped, which CTest sees by the status 77.
skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

# fresh_dir DIR: an empty folder, whatever was there.
fresh_dir() {
    rm -rf "$1"
    mkdir -p "$1"
}

# announced_output FILE: what the head of an example says that it prints, with single blanks.
announced_output() {
    awk '/^ \* Output: / { on = 1; sub(/^ \* Output:/, "") }
        on { sub(/^ \*/, ""); end = sub(/ \*\/$/, ""); print; if (end) exit }' "$1" | one_line
}
# one_line: the standard input with each run of white space as one blank.
one_line() { tr -s ' \n\r' '   ' | sed 's/^ //; s/ $//'; }
