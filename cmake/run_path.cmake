# sosie_run_path(TARGET PATH): after installation, TARGET looks for libraries in PATH. CMake pads the
# run path of the build tree with ":" to the length of PATH, and an empty entry means the current
# folder, where anybody may have put a library. The build tree therefore uses the installed run path,
# unless it must find a shared libsosie there; in that case, a further entry makes it the longer one.
function(sosie_run_path target path)
  get_target_property(type sosie TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  else()
    set_target_properties(${target} PROPERTIES BUILD_RPATH "${PROJECT_BINARY_DIR}/lib;${PROJECT_BINARY_DIR}/src/lib")
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${path}")
endfunction()
