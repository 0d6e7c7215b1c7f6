# bash completion of clsort. The tool itself says what fits, so this knows no option.
_clsort() {
    local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} line words=() i
    # bash takes "--type=u32" for three words.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ ${#words[@]} -gt 0 && (${COMP_WORDS[i]} = = || ${COMP_WORDS[i - 1]} = =) &&
            ${words[${#words[@]} - 1]} = --* ]]; then
            words[${#words[@]} - 1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}")
        fi
    done
    [[ $cur != = ]] || cur=
    COMPREPLY=()
    while read -r line; do
        case $line in
        :files)
            compopt -o filenames 2>/dev/null
            COMPREPLY+=($(compgen -f -- "${cur#--*=}"))
            ;;
        *) COMPREPLY+=("$line") ;;
        esac
    done < <("${COMP_WORDS[0]}" --complete "${words[@]}" 2>/dev/null)
}
complete -F _clsort clsort
