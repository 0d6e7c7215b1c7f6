# The target "docs": the documents and the public headers as HTML, build/.../docs/html/index.html,
# by Doxygen, with its own search, which needs no server. A member, function or macro without a
# comment is an error.
find_package(Doxygen QUIET)
find_program(PYTHON3 python3)
if(NOT DOXYGEN_FOUND OR NOT PYTHON3)
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -E echo
            "The target docs needs Doxygen and Python (Debian: doxygen, python3)."
            "Install them and run cmake again."
        COMMAND ${CMAKE_COMMAND} -E false
        VERBATIM)
    return()
endif()

set(DOXYGEN_PROJECT_NAME clsort)
set(DOXYGEN_PROJECT_NUMBER ${PROJECT_VERSION})
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_ALWAYS_DETAILED_SEC YES)
set(DOXYGEN_TYPEDEF_HIDES_STRUCT YES)
set(DOXYGEN_SHOW_INCLUDE_FILES NO)
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_STRIP_FROM_INC_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_SORT_MEMBER_DOCS NO)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_IF_UNDOCUMENTED YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_MACRO_EXPANSION YES)
set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
set(DOXYGEN_PREDEFINED
    CLSORT_DOXYGEN __NV_CL_C_VERSION CLSORT_API= CLSORT_MPI_API= CLSORT_INLINE=)

set(DOXYGEN_SEARCHENGINE YES)
set(DOXYGEN_GENERATE_TREEVIEW YES)
set(DOXYGEN_VERBATIM_HEADERS NO)
set(DOXYGEN_TOC_INCLUDE_HEADINGS 2)
file(GLOB DOXYGEN_HTML_EXTRA_FILES CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/docs/pictures/*.svg ${PROJECT_SOURCE_DIR}/tests/examples/*.c*
    ${PROJECT_SOURCE_DIR}/tests/examples/*.py)
list(APPEND DOXYGEN_HTML_EXTRA_FILES ${PROJECT_SOURCE_DIR}/tools/rates.svg)

set(pages ${PROJECT_BINARY_DIR}/docs/pages)
file(CONFIGURE OUTPUT ${pages}/reference.md @ONLY CONTENT
"# Reference {#reference}
- clsort.h: sorting buffers on a device and arrays on the host. clsort_lists.h has its enumerators
  as lists; clsort_plan.h plans, times and the tuning.
- clsort.hpp: the same for C++17.
- clsort_device.h and clsort_subgroup.h: sorting inside your own kernels.
- clsort_mpi.h: sorting over the ranks of an MPI communicator.

What the headers leave to pages: [promises and limits](limits.html), [drivers](drivers.html),
[arrays on the host](host.html), [a comparison in OpenCL C](comparison.html),
[tuning](tuning.html), [packages](packages.html).
")
# An earlier build's pages would have links that lead nowhere.
add_custom_target(docs_pages
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/docs/html
    COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/pages.py ${PROJECT_SOURCE_DIR} ${pages} VERBATIM)
doxygen_add_docs(docs ${pages} ${PROJECT_SOURCE_DIR}/include
    COMMENT "Making docs/html/index.html")
add_dependencies(docs docs_pages)
add_custom_command(TARGET docs POST_BUILD
    COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/pages.py --check ${PROJECT_BINARY_DIR}/docs/html
    VERBATIM)
