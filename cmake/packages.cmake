# Debian packages built by CPack: `sosie` (the program and its sample) and `libsosie-dev` (library,
# headers, CMake package). tools/build_dist.sh makes them in a build with the prefix /usr.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR NOT TARGET sosie_cli)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sosie)
# Debian requires an address; the project has none yet, and .invalid is reserved for such cases (RFC 2606).
# tools/release.sh does not release with it.
set(CPACK_PACKAGE_CONTACT "The Sosie authors <authors@sosie.invalid>")
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sosie)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "finds near-duplicate documents, sets, vectors and strings
Every reported pair is verified; the recall is the one that is asked for.
Links records of the same entity, and keeps an index of a growing collection.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsosie-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "library of sosie, for C++20 programs
Headers, the static library and a CMake package: find_package(sosie).")
# The libraries of a static library are linked by the user's program.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libsimdjson-dev, libxxhash-dev, zlib1g-dev, \
libzstd-dev, libuchardet-dev")

# Debian policy requires a compressed man page, and a changelog and a copyright file for each package.
find_program(SOSIE_GZIP gzip REQUIRED)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or of SOURCE_DATE_EPOCH
set(folder ${PROJECT_BINARY_DIR}/packaging)
file(WRITE ${folder}/changelog "sosie (${PROJECT_VERSION}) stable; urgency=medium

  * Changes: CHANGELOG.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
configure_file(${PROJECT_SOURCE_DIR}/docs/man/sosie.1 ${folder}/sosie.1 COPYONLY)
execute_process(COMMAND ${SOSIE_GZIP} -9nkf ${folder}/changelog ${folder}/sosie.1
  COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${folder}/sosie.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
foreach(pair "program;sosie" "development;libsosie-dev")
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES ${folder}/changelog.gz ${PROJECT_SOURCE_DIR}/packaging/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
