# The target "docs": the public headers as HTML, build/.../docs/html/index.html, by Doxygen. A
# member, function or macro without a comment is an error.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -E echo
            "The target docs needs Doxygen (Debian: doxygen). Install it and run cmake again."
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
set(DOXYGEN_SORT_MEMBER_DOCS NO)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_IF_UNDOCUMENTED YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_MACRO_EXPANSION YES)
set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
set(DOXYGEN_PREDEFINED
    CLSORT_DOXYGEN __NV_CL_C_VERSION CLSORT_API= CLSORT_MPI_API= CLSORT_INLINE=)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/docs.md @ONLY CONTENT
"# clsort @PROJECT_VERSION@ {#mainpage}
- clsort.h: sorting buffers on a device and arrays on the host. clsort_lists.h has its enumerators as
  lists; clsort_plan.h plans, times and the tuning.
- clsort_device.h and clsort_subgroup.h: sorting inside your own kernels.
- clsort_mpi.h: sorting over the ranks of an MPI communicator.

What the headers leave to pages: promises and limits, drivers, arrays on the host, a comparison in
OpenCL C. Complete programs are in `tests/examples/` of the sources.
")
set(pages limits drivers host comparison)
list(TRANSFORM pages REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/docs/\\1.md")
doxygen_add_docs(docs ${PROJECT_BINARY_DIR}/docs.md ${pages} ${PROJECT_SOURCE_DIR}/include
    COMMENT "Making docs/html/index.html")
