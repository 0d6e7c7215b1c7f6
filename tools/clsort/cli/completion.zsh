#compdef clsort
# zsh completion of clsort. The tool itself says what fits, so this knows no option.
local -a lines
lines=("${(@f)$("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
[[ $PREFIX == --*=* ]] && compset -P '*='
if [[ ${lines[1]} == :files ]]; then
    _files
else
    compadd -a lines
fi
