# packages.cmake: what cpack makes of a build: a .deb of each component, and one .tar.gz of all.
# tools/package runs it; docs/packages.md says what the packages are.
set(CPACK_PACKAGE_NAME clsort)
set(CPACK_PACKAGE_VENDOR "The clsort authors")
if(NOT CPACK_PACKAGE_CONTACT) # who makes packages for others gives an own address
    set(CPACK_PACKAGE_CONTACT "The clsort authors <clsort@example.org>")
endif()
# Each package has its own, below.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL library development tool)
if(TARGET clsort_mpi)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

# ---- Debian --------------------------------------------------------------------------------------
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The loader's cache of libraries is renewed by this file of the package.
file(CONFIGURE OUTPUT triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
set(CPACK_DEBIAN_MPI_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

# clsort_describe(COMPONENT PACKAGE SECTION SUMMARY TEXT): one package.
function(clsort_describe component package section summary text)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
endfunction()

set(about "clsort sorts numbers, structs, strings and columns on GPUs and CPUs by OpenCL.")
clsort_describe(library libclsort${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} libs
    "sorting on any OpenCL device, shared library" "${about}")
clsort_describe(development libclsort-dev libdevel
    "sorting on any OpenCL device, for developers"
    "${about}\nThis package has the headers, the static library, examples, and files for\nCMake and pkg-config.")
clsort_describe(tool clsort utils "sort files on any OpenCL device"
    "${about}\nThis package has the command-line tool.")
clsort_describe(mpi clsort-mpi science "sort over the ranks of MPI on any OpenCL device"
    "${about}\nThis package has the library over MPI, its header, and a command-line tool.")

set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_TOOL_DEPENDS library)
set(CPACK_COMPONENT_MPI_DEPENDS library)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "ocl-icd-opencl-dev | opencl-dev, opencl-c-headers")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS "libclsort-dev, lib${CLSORT_MPI_FLAVOUR}-dev")
include(CPack)
