# Debian's uchardet has no CMake package; this defines the target uchardet::uchardet. It is installed
# next to sosieConfig.cmake, which needs it if libsosie is static.
find_path(uchardet_INCLUDE_DIR uchardet/uchardet.h)
find_library(uchardet_LIBRARY uchardet)
mark_as_advanced(uchardet_INCLUDE_DIR uchardet_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(uchardet REQUIRED_VARS uchardet_LIBRARY uchardet_INCLUDE_DIR)

if(uchardet_FOUND AND NOT TARGET uchardet::uchardet)
  add_library(uchardet::uchardet UNKNOWN IMPORTED)
  set_target_properties(uchardet::uchardet PROPERTIES
    IMPORTED_LOCATION "${uchardet_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${uchardet_INCLUDE_DIR}")
endif()
