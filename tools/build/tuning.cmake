# Turns the tuning of src/tuning/data/ into C data, so that the library parses nothing:
#
#     cmake -P tuning.cmake src/tuning/fields.h PREFIX OUTPUT.c FILE.tuning...
#
# A file is the text that 'clsort tune' writes and CLSORT_TUNING names. default.tuning is for every
# device. CLASS.tuning goes before it for the devices of a class, and CLASS-ANYTHING.tuning for those
# that its 'device' lines name. A row that no line sets is of a sort that the device cannot do. Each
# number becomes an initializer, of which the last one counts, so the compiler finds names that are
# wrong; test_tuning_data has the library's reader check the rest. The names of the data begin with
# PREFIX, "tuning" in the library.
cmake_minimum_required(VERSION 3.22)

# The kinds of rows: KIND_rows, such as " key=4 payload=0 " for each, and KIND_first, the number of
# the first one among all rows. A macro for each number says which member of a row it is.
file(STRINGS "${CMAKE_ARGV3}" lines REGEX "^(KIND|NUMBER|POWER|SWITCH|COUNT)\\(")
set(num_rows 0)
set(members "")
foreach(text IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_.]+" words "${text}")
    list(POP_FRONT words type first kind member)
    if(NOT type STREQUAL "KIND")
        string(APPEND members "#define OF_${first}_${kind} .${first}.${member}\n")
        continue()
    endif()
    set(${kind}_first ${num_rows})
    set(${kind}_rows " ")
    string(REGEX MATCHALL "SIZE\\([^)]*\\)" sizes "${text}")
    foreach(size IN LISTS sizes)
        string(REGEX MATCHALL "[a-z0-9]+" values "${size}")
        list(POP_FRONT values name)
        set(rows "")
        foreach(row IN LISTS ${kind}_rows)
            foreach(value IN LISTS values)
                list(APPEND rows "${row}${name}=${value} ")
            endforeach()
        endforeach()
        set(${kind}_rows "${rows}")
    endforeach()
    list(LENGTH ${kind}_rows num)
    math(EXPR num_rows "${num_rows} + ${num}")
endforeach()

# Appends what a line sets, in every row whose sizes it names, to the text of the profile.
macro(read_row kind settings)
    string(REGEX MATCHALL "[^ \t\r]+" words "${settings}")
    set(number "${${kind}_first}")
    foreach(row IN LISTS ${kind}_rows)
        set(text "")
        foreach(word IN LISTS words)
            string(REGEX MATCH "^[^=]*=" name "${word}")
            if("${row}" MATCHES " ${name}" AND NOT "${row}" MATCHES " ${word} ")
                set(text "")
                break()
            elseif(NOT "${row}" MATCHES " ${name}")
                string(REGEX REPLACE "=2\\^" "=UINT64_C(1) << " word "${word}")
                string(APPEND text "    [${number}] OF_${kind}_${word},\n")
            endif()
        endforeach()
        string(APPEND ${profile} "${text}")
        math(EXPR number "${number} + 1")
    endforeach()
endmacro()

# Profiles are the classes and the devices: each has the text of what its files set.
set(profiles default nvidia amd intel cpu)
set(devices "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 6 ${last})
    get_filename_component(profile "${CMAKE_ARGV${i}}" NAME_WE)
    string(REGEX REPLACE "-.*" "" class "${profile}")
    string(TOUPPER "DEVICE_${class}" enumerator)
    file(READ "${CMAKE_ARGV${i}}" rest)
    string(APPEND rest "\n")
    while(rest MATCHES "^([^\n]*)\n(.*)$")
        set(rest "${CMAKE_MATCH_2}")
        string(REGEX REPLACE "#.*" "" line "${CMAKE_MATCH_1}")
        if(line MATCHES "^[ \t\r]*device[ \t\r]+(.*[^ \t\r])")
            string(REGEX REPLACE "([\\\"])" "\\\\\\1" name "${CMAKE_MATCH_1}")
            list(LENGTH profiles profile)
            set(profile device_${profile})
            set(${profile}_class ${class})
            list(APPEND profiles ${profile})
            string(APPEND devices "    {${enumerator}, \"${name}\", &table_${profile}},\n")
        elseif(line MATCHES "^[ \t\r]*([a-z]+)(.*)$")
            read_row(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
        endif()
    endwhile()
endforeach()

set(tables "")
foreach(profile IN LISTS profiles)
    set(text "${default}${${${profile}_class}}")
    if(NOT profile STREQUAL "default")
        string(APPEND text "${${profile}}")
    endif()
    string(APPEND tables "static const struct tuning_table table_${profile} = {{\n${text}}};\n\n")
endforeach()
file(WRITE "${CMAKE_ARGV5}"
"/* Made by tools/build/tuning.cmake from src/tuning/data/: do not edit. */
#include \"tuning/tuning.h\"

#pragma GCC diagnostic ignored \"-Woverride-init\"

${members}
_Static_assert(TUNING_NUM_ROWS == ${num_rows}, \"the rows of fields.h\");

${tables}const struct tuning_table *const ${CMAKE_ARGV4}_classes[] = {
    [DEVICE_OTHER] = &table_default, [DEVICE_NONE] = &table_default,
    [DEVICE_NVIDIA] = &table_nvidia, [DEVICE_AMD] = &table_amd,
    [DEVICE_INTEL] = &table_intel,   [DEVICE_CPU] = &table_cpu,
};

const struct tuning_device ${CMAKE_ARGV4}_devices[] = {
${devices}    {DEVICE_NONE, NULL, NULL},
};
")
