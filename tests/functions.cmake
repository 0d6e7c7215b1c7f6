# functions.cmake: settings of the tests, and functions that add them. clsort_headers is the folder
# of the library's public headers: this checkout's, or those of an installed library.
find_package(Threads REQUIRED)
find_program(SH sh REQUIRED)
get_filename_component(clsort_source_dir ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)

# Time limits fit the machine that they were measured on. tools/test measures how much slower
# another machine is.
set(CLSORT_TEST_TIMEOUT_FACTOR 1 CACHE STRING "How many times longer than usual a test may take")
if(NOT CLSORT_TEST_TIMEOUT_FACTOR MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "CLSORT_TEST_TIMEOUT_FACTOR is ${CLSORT_TEST_TIMEOUT_FACTOR}, not a whole "
        "number")
endif()
# Called at the end of each folder: multiplies its tests' time limits, and marks those of the list
# `heart`.
macro(clsort_end_folder)
    get_property(tests DIRECTORY PROPERTY TESTS)
    set_property(GLOBAL APPEND PROPERTY clsort_tests ${tests})
    foreach(test IN LISTS tests)
        if(test IN_LIST heart)
            set_property(TEST ${test} APPEND PROPERTY LABELS heart)
        endif()
        get_test_property(${test} TIMEOUT seconds)
        if(NOT seconds)
            set(seconds 300)
        endif()
        math(EXPR seconds "${seconds} * ${CLSORT_TEST_TIMEOUT_FACTOR}")
        set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds})
    endforeach()
endmacro()

set(limit "CLSORT_LIMIT=subgroup=0,local=4096,group=32,cpu=0,host=0")
# With this PoCL compiles in less than half the time. GPUs' kernels, which run in limited runs, in
# test_whole, test_passes, test_tuning, test_msd, test_msd_onesweep, test_msd_stretch and
# test_select, need it: README.md has the fault of PoCL's.
set(unoptimised "POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable")
# PoCL leaks the text of that option, which LeakSanitizer would report.
option(CLSORT_TESTS_OPTIMISED "Run test_record and test_host_sort with optimised kernels" OFF)
# test_quicksort covers quicksort's sizes, batches and limited devices. Its many kernels take long.
set(without_quick "CLSORT_TEST_WITHOUT=quick")
set(small_cache "CLSORT_LIMIT=cache=4096,host=0;CLSORT_TEST_ALGORITHM=radix")
# PoCL as if it had its own memory, with chunks of 4 KiB. Then ordinary memory is pinned for the
# call instead.
set(staged CLSORT_LIMIT=unified=0,host=0,chunk=4096 ${unoptimised})
set(pinned CLSORT_TUNING=${clsort_source_dir}/tests/host/pinned.tuning)
# PoCL's compiler spends a sixth of its time in malloc(). With mimalloc, a tenth of all is saved.
find_library(CLSORT_TEST_MIMALLOC NAMES mimalloc libmimalloc.so.2)
mark_as_advanced(CLSORT_TEST_MIMALLOC)
set(preload "")
if(CLSORT_TEST_MIMALLOC AND CMAKE_SYSTEM_NAME STREQUAL Linux
    AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    set(preload LD_PRELOAD=${CLSORT_TEST_MIMALLOC})
endif()
# For programs with allocations.c.
set(wrap_allocations LINKER:--wrap=malloc LINKER:--wrap=calloc LINKER:--wrap=realloc
    LINKER:--wrap=posix_memalign LINKER:--wrap=free)
# Where programs stand, and PoCL's caches, whichever folder they are of.
set(clsort_tests_dir ${CMAKE_CURRENT_BINARY_DIR})
set(empty_dir ${clsort_tests_dir}/empty)
file(MAKE_DIRECTORY ${empty_dir})

# Where a source may stand. The folders left out have programs of their own.
file(GLOB_RECURSE clsort_test_sources RELATIVE ${CMAKE_CURRENT_LIST_DIR}
    ${CMAKE_CURRENT_LIST_DIR}/*.c)
list(FILTER clsort_test_sources EXCLUDE REGEX "^(examples|fuzz|install|mutants)/")
# clsort_find_sources(VARIABLE file...): their paths, whichever folder each stands in. A path as
# made by CMake stays as it is.
function(clsort_find_sources variable)
    set(paths "")
    foreach(name IN LISTS ARGN)
        set(found ${name})
        if(NOT IS_ABSOLUTE ${name})
            string(REPLACE . "\\." pattern ${name})
            set(found ${clsort_test_sources})
            list(FILTER found INCLUDE REGEX "(^|/)${pattern}$")
            list(TRANSFORM found PREPEND ${clsort_source_dir}/tests/)
        endif()
        list(LENGTH found num)
        if(num EQUAL 0)
            message(FATAL_ERROR "No folder of tests/ has a file ${name}")
        elseif(num GREATER 1)
            message(FATAL_ERROR "Several files of tests/ are called ${name}: ${found}")
        endif()
        list(APPEND paths ${found})
    endforeach()
    set(${variable} ${paths} PARENT_SCOPE)
endfunction()

# Settings of all test programs.
add_library(test_settings INTERFACE)
target_compile_features(test_settings INTERFACE c_std_11)
target_compile_options(test_settings INTERFACE ${clsort_warnings})
target_compile_definitions(test_settings INTERFACE
    _POSIX_C_SOURCE=200809L
    CL_TARGET_OPENCL_VERSION=120
    CLSORT_SOURCE_DIR="${clsort_source_dir}")
target_include_directories(test_settings INTERFACE
    ${clsort_headers} ${CMAKE_CURRENT_LIST_DIR})
target_include_directories(test_settings SYSTEM INTERFACE
    ${CMOCKA_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
target_link_libraries(test_settings INTERFACE
    OpenCL::OpenCL ${CMOCKA_LIBRARY} Threads::Threads)

# Shared code: data, oracle, fixture and others.
clsort_find_sources(sources case.c data.c fixture.c gate.c guard.c job.c oracle.c sample.c)
add_library(test_support STATIC ${sources})
target_link_libraries(test_support PUBLIC test_settings)
if(UNIX)
    target_link_libraries(test_support PUBLIC m)
endif()

# clsort_add_program(NAME [WHITE] [CALLS] [SOURCES file...]): adds a program made of NAME.c and
# files, each by its name alone, whichever folder it stands in.
#
# WHITE: it sees the library's internals: it links the objects and finds the headers.
# CALLS: it watches the library's OpenCL calls (calls.h).
function(clsort_add_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "WHITE;CALLS" "" "SOURCES")
    if(arg_CALLS)
        list(APPEND arg_SOURCES calls.c)
    endif()
    clsort_find_sources(sources ${name}.c ${arg_SOURCES})
    add_executable(${name} ${sources})
    set_target_properties(${name} PROPERTIES
        C_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY ${clsort_tests_dir})
    if(arg_WHITE)
        target_include_directories(${name} PRIVATE
            ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/cl ${PROJECT_SOURCE_DIR}/include/clsort)
        target_link_libraries(${name} PRIVATE test_support clsort_objects)
        if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
            # The program reads the device header as C.
            target_compile_options(${name} PRIVATE -Wno-unknown-pragmas -Wno-unused-parameter)
        endif()
    else()
        target_link_libraries(${name} PRIVATE test_support clsort::clsort)
    endif()
    if(arg_CALLS)
        target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
        target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
        set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
    endif()
endfunction()

# clsort_add_run(TEST PROGRAM [ARGS arg...] [LABEL label] [TIMEOUT seconds] [CACHE name]
#                [CONFIGURATION name] [ENVIRONMENT name=value...]): adds one run of a program.
#
# TIMEOUT: seconds, which leave room for sanitizers and cold caches.
# CACHE: the run shares one of PoCL's caches with others. Such runs wait for each other, since PoCL
# 5.0 sometimes fails when processes fill one cache at once. CTest starts them first, then those
# with the largest timeouts. Without CACHE, or with "own", the run has its own cache.
# CONFIGURATION: the run belongs only to ctest -C name.
function(clsort_add_run test program)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "LABEL;TIMEOUT;CACHE;CONFIGURATION"
        "ARGS;ENVIRONMENT")
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    set(cost ${arg_TIMEOUT})
    set(cache ${test})
    set(configuration "")
    if(arg_CONFIGURATION)
        set(configuration CONFIGURATIONS ${arg_CONFIGURATION})
    endif()
    add_test(NAME ${test} COMMAND ${program} ${arg_ARGS} ${configuration})
    if(arg_CACHE AND NOT arg_CACHE STREQUAL own)
        set(cache shared.${arg_CACHE})
        math(EXPR cost "${cost} + 1000")
        set_tests_properties(${test} PROPERTIES RESOURCE_LOCK pocl-cache.${cache})
    endif()
    set(cache ${clsort_tests_dir}/pocl-cache/${cache})
    file(MAKE_DIRECTORY ${cache})
    if(TARGET ${program} AND NOT arg_LABEL STREQUAL host)
        list(APPEND arg_ENVIRONMENT ${preload})
    endif()
    set_tests_properties(${test} PROPERTIES
        SKIP_RETURN_CODE 77
        TIMEOUT ${arg_TIMEOUT}
        COST ${cost}
        LABELS "${arg_LABEL}"
        ENVIRONMENT "POCL_CACHE_DIR=${cache};${arg_ENVIRONMENT}")
endfunction()

# clsort_add_script(TEST [argument...]): adds a run of this folder's test_TEST.sh, which uses no
# device.
function(clsort_add_script test)
    add_test(NAME ${test} COMMAND ${SH} ${CMAKE_CURRENT_SOURCE_DIR}/test_${test}.sh ${ARGN})
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 LABELS host)
endfunction()

# clsort_add_test(NAME [DEVICE] [LIMITED] [UNOPTIMISED] [WITHOUT_QUICK] [QUICK] [WHITE] [CALLS]
#                 [CACHE name] [CACHE_LIMITED name] [TIMEOUT seconds] [SOURCES file...]
#                 [ENVIRONMENT name=value...]): adds a program and its run. The test's name is the
#                 program's without "test_".
#
# DEVICE: it uses a device.
# LIMITED: the same, and it runs again on a limited device, compiled without optimisation.
# UNOPTIMISED: the first run is compiled without optimisation too, which saves time.
# WITHOUT_QUICK: the second run leaves out quicksort.
# CACHE, CACHE_LIMITED: the caches of the two runs, instead of one for all runs of the same kind;
# "own": no shared cache, since few of its kernels are another's.
# QUICK: check/parts/columns.sh makes the first run on every device.
function(clsort_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg
        "DEVICE;LIMITED;UNOPTIMISED;WITHOUT_QUICK;QUICK;WHITE;CALLS" "CACHE;CACHE_LIMITED;TIMEOUT"
        "SOURCES;ENVIRONMENT")
    set(options "")
    foreach(option WHITE CALLS)
        if(arg_${option})
            list(APPEND options ${option})
        endif()
    endforeach()
    clsort_add_program(${name} ${options} SOURCES ${arg_SOURCES})
    string(REGEX REPLACE "^test_" "" test ${name})
    set(label host)
    set(faster "")
    set(cache own)
    set(cache_limited limited)
    if(arg_DEVICE OR arg_LIMITED)
        set(label device)
        set(cache optimised)
    endif()
    if(arg_UNOPTIMISED AND NOT (CLSORT_TESTS_OPTIMISED AND name MATCHES "record|host_sort"))
        set(faster ${unoptimised})
        set(cache unoptimised)
    endif()
    if(arg_CACHE)
        set(cache ${arg_CACHE})
    endif()
    if(arg_CACHE_LIMITED)
        set(cache_limited ${arg_CACHE_LIMITED})
    endif()
    if(arg_QUICK)
        list(APPEND label quick)
    endif()
    set(timeout "") # the usual one
    if(arg_TIMEOUT)
        set(timeout TIMEOUT ${arg_TIMEOUT})
    endif()
    clsort_add_run(${test} ${name} CACHE ${cache}
        LABEL "${label}" ${timeout} ENVIRONMENT ${faster} ${arg_ENVIRONMENT})
    if(arg_LIMITED)
        set(without "")
        if(arg_WITHOUT_QUICK)
            set(without ${without_quick})
        endif()
        clsort_add_run(${test}.limited ${name} CACHE ${cache_limited}
            LABEL "device;limited" ${timeout}
            ENVIRONMENT ${limit} ${unoptimised} ${without} ${arg_ENVIRONMENT})
    endif()
endfunction()
