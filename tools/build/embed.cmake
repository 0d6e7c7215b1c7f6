# Writes the files of LIST to OUTPUT as byte arrays, for struct embedded_file of
# src/program/source.h. A file's name is its path below ROOT; of another file, the last part of
# its path. String literals will not do, since C limits their length.
#
#     cmake -D LIST=embedded.list -D ROOT=cl -D OUTPUT=embedded.c -P embed.cmake
cmake_minimum_required(VERSION 3.22)

file(READ "${LIST}" paths)

set(arrays "")
set(entries "")
set(number 0)
# One more file for clsort_device_source(): the device header after the header that it includes.
set(device "")
foreach(name clsort_subgroup.h clsort_device.h)
    foreach(path IN LISTS paths)
        if(path MATCHES "/${name}$")
            file(READ "${path}" text)
            string(APPEND device "${text}")
        endif()
    endforeach()
endforeach()
get_filename_component(folder "${OUTPUT}" DIRECTORY)
file(WRITE "${folder}/clsort_device_source.h" "${device}")
list(APPEND paths "${folder}/clsort_device_source.h")

foreach(path IN LISTS paths)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${ROOT}" OUTPUT_VARIABLE name)
    if(name MATCHES "^\\.\\.")
        get_filename_component(name "${path}" NAME)
    endif()

    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "................................" "\\0\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays
        "\n/* ${name} */\nstatic const unsigned char file_${number}[] = {\n    ${bytes}0x00};\n")
    string(APPEND entries
        "    {\"${name}\", (const char *)file_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}"
"/* Made by tools/build/embed.cmake from cl/ and include/clsort/: do not edit. */
#include \"program/source.h\"
${arrays}
const struct embedded_file embedded_files[] = {
${entries}    {NULL, NULL},
};
")
