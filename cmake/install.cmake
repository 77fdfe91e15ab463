# Defines what `cmake --install` installs: the executable with its man page and completions, the
# library, include/sosie, and a CMake package, so that users only need `find_package(sosie)` and
# `target_link_libraries(... sosie::sosie)`. libsosie is static unless BUILD_SHARED_LIBS says
# otherwise. tests/install tests both. There are two components, from which cmake/packages.cmake
# makes packages: `program`, and `development` (a shared libsosie belongs to the program).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(SOSIE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sosie)

get_target_property(sosie_type sosie TYPE)
if(sosie_type STREQUAL "STATIC_LIBRARY")
  set(SOSIE_IS_STATIC ON)
else()
  set(SOSIE_IS_STATIC OFF)
endif()

install(TARGETS sosie EXPORT sosieTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sosie DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.h")
if(TARGET sosie_cli)
  # A program without debug symbols is installed as by `cmake --install BUILD --strip`, which makes
  # it a fifth smaller. The build tree keeps the symbol table, which profilers read.
  install(CODE "if(CMAKE_INSTALL_CONFIG_NAME MATCHES \"^(Release|MinSizeRel)$\")
  set(CMAKE_INSTALL_DO_STRIP ON)
endif()" ALL_COMPONENTS)
  install(TARGETS sosie_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  if(TARGET sosie_server)
    install(TARGETS sosie_server RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/sosie
      COMPONENT program)
  endif()
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # there it is compressed (cmake/packages.cmake)
    install(FILES ${PROJECT_SOURCE_DIR}/docs/man/sosie.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
      COMPONENT program)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/sosie.bash RENAME sosie
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/_sosie
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/completions/sosie.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  # The sample for `sosie demo`, which looks for it relative to the program's folder. It is not part of
  # the program, whose licence does not apply to it (samples/README.md).
  install(FILES ${PROJECT_SOURCE_DIR}/samples/man-pages.jsonl ${PROJECT_SOURCE_DIR}/samples/README.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/sosie COMPONENT program)
  file(COPY ${PROJECT_SOURCE_DIR}/samples/man-pages.jsonl DESTINATION ${PROJECT_BINARY_DIR}/share/sosie)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/sosieConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/sosieConfig.cmake
  INSTALL_DESTINATION ${SOSIE_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/sosieConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT sosieTargets NAMESPACE sosie:: DESTINATION ${SOSIE_PACKAGE_DIR}
  COMPONENT development)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/sosieConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/sosieConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindxxHash.cmake
  ${PROJECT_SOURCE_DIR}/cmake/Finduchardet.cmake
  DESTINATION ${SOSIE_PACKAGE_DIR} COMPONENT development)
