# Renames what the static library ARCHIVE defines and programs do not call: X becomes clsort__X, in
# definitions and in uses. It also renames uses of names that were renamed in the archive OTHER
# before; OTHER may be empty. Names that the compiler makes begin with __ and stay.
#
#     cmake -D NM=nm -D OBJCOPY=objcopy -D ARCHIVE=libclsort.a -D OTHER= -P rename.cmake
#
# If it cannot be done, the archive stays as it is. That is an error if it calls what was renamed in
# OTHER, since no program could link it.
cmake_minimum_required(VERSION 3.22)

set(calls "")
macro(keep_names reason)
    if(calls)
        message(FATAL_ERROR "${ARCHIVE} cannot be renamed as ${OTHER} was: ${reason}")
    endif()
    message(STATUS "${ARCHIVE} keeps its internal names: ${reason}")
    return()
endmacro()

# The names that an archive defines.
macro(read_names archive names_ret)
    execute_process(COMMAND ${NM} -g --defined-only --format=posix ${archive}
                    OUTPUT_VARIABLE output ERROR_VARIABLE error RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        keep_names("${NM} fails: ${error}")
    endif()
    string(REGEX MATCHALL "\n[A-Za-z0-9_.$]+ [A-Za-z] " ${names_ret} "\n${output}")
    list(TRANSFORM ${names_ret} REPLACE "^\n(.*) . $" "\\1")
    list(REMOVE_DUPLICATES ${names_ret})
endmacro()

# What was renamed in OTHER.
if(OTHER)
    read_names("${OTHER}" calls)
    list(FILTER calls INCLUDE REGEX "^clsort__")
endif()

# Code for the optimiser at link time has names that objcopy does not reach.
file(STRINGS "${ARCHIVE}" lto REGEX "[.](gnu|llvm)[.]lto" LIMIT_COUNT 1)
if(lto)
    keep_names("it is compiled for optimisation at link time")
endif()

set(map "")
read_names("${ARCHIVE}" names)
foreach(name IN LISTS names)
    if(NOT name MATCHES "^(clsort_|__)")
        string(APPEND map "${name} clsort__${name}\n")
    endif()
endforeach()
foreach(call IN LISTS calls)
    string(REGEX REPLACE "^clsort__" "" name "${call}")
    if(NOT name IN_LIST names)
        string(APPEND map "${name} ${call}\n")
    endif()
endforeach()

# On a copy, since objcopy may change an archive of code that it does not know.
file(WRITE "${ARCHIVE}.names" "${map}")
execute_process(COMMAND ${OBJCOPY} -D --redefine-syms=${ARCHIVE}.names ${ARCHIVE} ${ARCHIVE}.new
                ERROR_VARIABLE error RESULT_VARIABLE status)
file(REMOVE "${ARCHIVE}.names")
if(NOT status EQUAL 0)
    file(REMOVE "${ARCHIVE}.new")
    keep_names("${OBJCOPY} fails: ${error}")
endif()
read_names("${ARCHIVE}.new" names)
list(FILTER names EXCLUDE REGEX "^(clsort_|__)")
if(names)
    file(REMOVE "${ARCHIVE}.new")
    keep_names("${OBJCOPY} left some names as they were")
endif()
file(RENAME "${ARCHIVE}.new" "${ARCHIVE}")
