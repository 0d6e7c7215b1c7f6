# installed.cmake: the tests that an installed library passes, for packagers. They see its public
# headers and functions only. CMakeLists.txt reads this file if it is configured by itself:
#
#     cmake -S tests -B DIR -D CMAKE_PREFIX_PATH=PREFIX && cmake --build DIR && ctest --test-dir DIR
find_package(clsort REQUIRED)
find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY cmocka REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
message(STATUS "Testing clsort ${clsort_VERSION} in ${clsort_DIR}")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

enable_testing()
get_target_property(clsort_headers clsort::clsort INTERFACE_INCLUDE_DIRECTORIES)
include(functions.cmake)

clsort_add_test(test_oracle)
clsort_add_test(test_names)
clsort_add_test(test_quick DEVICE TIMEOUT 900)
foreach(test plan enqueue timing strings)
    clsort_add_test(test_${test} DEVICE)
endforeach()
clsort_add_test(test_host DEVICE SOURCES host_case.c)
clsort_add_test(test_columns DEVICE SOURCES rows.c)
if(UNIX)
    clsort_add_test(test_buffers DEVICE)
    clsort_add_program(test_nodevice)
    add_subdirectory(examples)
endif()
clsort_end_folder()
