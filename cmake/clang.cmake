# Toolchain: the clang installed on this system, which is clang++-14 in Debian 12 and clang++-19 in
# Debian 13. `-D CMAKE_CXX_COMPILER=...` selects another one.
if(NOT CMAKE_CXX_COMPILER)
  find_program(SOSIE_CLANG NAMES clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19 clang++)
  if(NOT SOSIE_CLANG)
    message(FATAL_ERROR "There is no clang++: tools/install_packages.sh clang installs it.")
  endif()
  set(CMAKE_CXX_COMPILER ${SOSIE_CLANG})
endif()
