# debian.cmake: cpack runs it when the files of all packages are in place. Each .deb gets what
# Debian asks for: the licence as "copyright", a changelog, and compressed manual pages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
find_program(GZIP gzip REQUIRED)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(share ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share)
    set(doc ${share}/doc/${package})
    file(REMOVE ${share}/doc/clsort/LICENSE)
    file(MAKE_DIRECTORY ${doc})
    configure_file(${CPACK_RESOURCE_FILE_LICENSE} ${doc}/copyright COPYONLY)
    file(WRITE ${doc}/changelog.Debian
"clsort (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md of libclsort-dev says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    file(GLOB manuals ${share}/man/man1/*.1)
    execute_process(COMMAND ${GZIP} -9n ${doc}/changelog.Debian ${manuals} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
