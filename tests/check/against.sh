# against.sh: compares the GPUs' forms of this tree with another commit's, one by one. Sourced by
# offline.sh.
#
# Moving code must not change what is compiled. Forms match by device, kernel, record and options,
# in any file; tests/check/renames (old word, new word) lists new names. LOCAL_SIZE, the planned
# bytes of local memory, is no part of a form: a column of the report has the bytes used. A form is
# listed if its instructions, registers, local memory or scratch differ by more than 1 %; if it has
# more of them, the check fails. Forms of one side only are listed too. The list stays in
# $CHECK_DIR/against/differences.TARGET.

old_commit=$(git rev-parse --verify --quiet "$CHECK_AGAINST^{commit}") || {
    failed against "there is no commit $CHECK_AGAINST"
    exit 0
}
old=$CHECK_DIR/against
old_tree=$CHECK_DIR/against.tree
rm -rf "$old_tree"
mkdir -p "$old_tree"
git archive "$old_commit" | tar -xf - -C "$old_tree"
CHECK_TREE=$old_tree build against.build list_variants -D CMAKE_BUILD_TYPE=Release
list_forms against.build "$old"

# compare OLD-REPORT NEW-REPORT: prints a line for each form that differs. The last line has the
# numbers of forms that match, that differ, that have more, and that only the new or the old side
# has.
compare() {
    awk -F'\t' '
    function key(line,   words, n, i, name) { # device, kernel, number of the record, options
        sub(/ -DLOCAL_SIZE=[0-9]+/, "", line)
        n = split(line, words, " ")
        name = words[1] " " $2
        if (match(words[2], /^records_[0-9]+/)) name = name " " substr(words[2], 1, RLENGTH)
        for (i = 3; i <= n; ++i) name = name " " words[i]
        return name
    }
    function differs(what, a, b) { # 1 if it does, 2 if there is more
        if (a == "-" || b == "-" || a == b || (b - a) ^ 2 <= (0.01 * a) ^ 2) return 0
        text = text sprintf(" %s %d -> %d", what, a, b)
        return b > a ? 2 : 1
    }
    FILENAME == ARGV[1] {
        registers[key($9)] = $3
        local[key($9)] = $5
        scratch[key($9)] = $6
        instructions[key($9)] = $8
        next
    }
    {
        name = key($9)
        if (!(name in registers)) { print "only new: " name; ++only_new; next }
        ++both
        text = ""
        more = differs("instructions", instructions[name], $8) > 1
        more += differs("registers", registers[name], $3) > 1
        more += differs("local memory", local[name], $5) > 1
        more += differs("scratch", scratch[name], $6) > 1
        if (text != "") { print (more ? "more:" : "less:") text ": " name; ++differ }
        worse += more > 0
        sum_old += instructions[name]; sum_new += $8
        delete registers[name]
    }
    END {
        for (name in registers) { print "only old: " name; ++only_old }
        printf "%d forms match, %d of them differ, %d with more; ", both, differ, worse
        printf "%d only new, %d only old; instructions %d -> %d\n",
            only_new, only_old, sum_old, sum_new
    }' "$1" "$2"
}

for target in gfx906:amd64 gfx90a:amd64 gfx1030:amd32 nvptx:nvidia; do
    device=${target#*:}
    target=${target%:*}
    [ -s "$CHECK_DIR/offline/report.$target" ] || continue
    compile_forms "$old" "$target" "$device"
    renames=$(awk 'NF == 2 { printf "s/\\b%s\\b/%s/g;", $1, $2 }' tests/check/renames)
    sed -i "$renames" "$old/report.$target"
    compare "$old/report.$target" "$CHECK_DIR/offline/report.$target" >"$old/differences.$target"
    grep -E '^(more|only|less)' "$old/differences.$target" | sort | head -n 20 || true
    summary=$(tail -n 1 "$old/differences.$target")
    if grep -q '^more' "$old/differences.$target"; then
        failed "$target against $CHECK_AGAINST" "$summary"
    else
        passed "$target against $CHECK_AGAINST" "$summary"
    fi
done
