#!/bin/sh
# test_lengths.sh SOURCE_DIR
#
# In C, C++, OpenCL C and tuning rows no line has more than 100 columns, and no function more than 60
# lines between its braces.
set -eu
unset CDPATH # it would lead cd elsewhere
cd "$1"
export LC_ALL=C # bytes for every awk
files=$(find include src cl tests tools -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cl' -o -name '*.tuning' |
    grep -v '^tests/.*/build/')
[ "$(echo "$files" | wc -l)" -gt 500 ] || {
    echo "FAILED: too few files were found in $1"
    exit 1
}
# shellcheck disable=SC2086 # no name has a space
awk 'FNR == 1 { begin = 0 }
    length($0) > 100 {
        characters = $0
        gsub(/[\200-\277]/, "", characters) # all bytes of a character but its first
        if (length(characters) > 100) {
            print FILENAME ":" FNR ": " length(characters) " columns"
            wrong = 1
        }
    }
    /^{/ { begin = FNR }
    /^}/ {
        if (begin && FNR - begin - 1 > 60) {
            print FILENAME ":" begin ": a function of " FNR - begin - 1 " lines"
            wrong = 1
        }
        begin = 0
    }
    END { exit wrong }' $files || {
    echo "FAILED: see CONTRIBUTING.md, Names and style"
    exit 1
}
echo "lengths: $(echo "$files" | wc -l) files"
