# bash completion of clsort. The tool itself says what fits, so this knows no option.
_clsort() {
    local tool=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} line words=() i front=
    # bash has not expanded the words.
    [[ $tool != \~/* ]] || tool=$HOME/${tool#\~/}
    # bash takes "--type=u32" for three words, unless COMP_WORDBREAKS has been changed.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ ${#words[@]} -gt 0 && (${COMP_WORDS[i]} = = || ${COMP_WORDS[i - 1]} = =) &&
            ${words[${#words[@]} - 1]} = --* ]]; then
            words[${#words[@]} - 1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    [[ $cur != = ]] || cur=
    [[ $cur != --*=* ]] || front=${cur%%=*}=
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :files)
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -P "$front" -f -- "${cur#"$front"}")
            ;;
        *) COMPREPLY+=("$front$line") ;;
        esac
    done < <("$tool" --complete "${words[@]}" 2>/dev/null)
}
complete -F _clsort clsort
