# Finds the libraries that libsosie is linked with. If some are missing, a single message names all of
# them and their packages, because people who build the Python package with pip see nothing else. Each
# library here is also named in cmake/sosieConfig.cmake.in and tools/packages.txt.
set(SOSIE_MISSING "")
set(SOSIE_MISSING_DEBIAN "")
set(SOSIE_MISSING_FEDORA "")
set(SOSIE_MISSING_BREW "")

if(POLICY CMP0167)  # Boost by the package of its own, which the older FindBoost asks for first, too
  cmake_policy(SET CMP0167 NEW)
endif()
macro(sosie_find_library name debian fedora brew)
  find_package(${name} QUIET)
  if(NOT ${name}_FOUND)
    string(APPEND SOSIE_MISSING " ${name}")
    string(APPEND SOSIE_MISSING_DEBIAN " ${debian}")
    string(APPEND SOSIE_MISSING_FEDORA " ${fedora}")
    string(APPEND SOSIE_MISSING_BREW " ${brew}")
  endif()
endmacro()

if(SOSIE_STATIC_LIBRARIES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(Threads REQUIRED)
sosie_find_library(fmt libfmt-dev fmt-devel fmt)
sosie_find_library(simdjson libsimdjson-dev simdjson-devel simdjson)
sosie_find_library(nlohmann_json nlohmann-json3-dev json-devel nlohmann-json)
sosie_find_library(tomlplusplus libtomlplusplus-dev tomlplusplus-devel tomlplusplus)
sosie_find_library(CLI11 libcli11-dev cli11-devel cli11)
sosie_find_library(xxHash libxxhash-dev xxhash-devel xxhash)
sosie_find_library(ZLIB zlib1g-dev zlib-devel zlib)
sosie_find_library(zstd libzstd-dev libzstd-devel zstd)
sosie_find_library(hwy libhwy-dev highway-devel highway)
sosie_find_library(uchardet libuchardet-dev uchardet-devel uchardet)
sosie_find_library(Iconv libc6-dev glibc-devel libiconv)
if(SOSIE_SERVER)  # headers alone: Beast and Asio
  cmake_host_system_information(RESULT codename QUERY DISTRIB_VERSION_CODENAME)
  if(codename STREQUAL "bookworm")
    set(boost libboost1.81-dev)
  else()
    set(boost libboost1.83-dev)
  endif()
  sosie_find_library(Boost ${boost} boost-devel boost)
endif()

if(SOSIE_MISSING)
  message(FATAL_ERROR "Libraries that Sosie needs are missing:${SOSIE_MISSING}. Install them:\n"
    "  Debian, Ubuntu: apt-get install${SOSIE_MISSING_DEBIAN}\n"
    "  Fedora, EPEL:   dnf install${SOSIE_MISSING_FEDORA}\n"
    "  macOS:          brew install${SOSIE_MISSING_BREW}\n"
    "Or have it without a compiler: the wheel, the package or the program of a release (README.md, Install).\n")
endif()

set(SOSIE_ZSTD $<IF:$<TARGET_EXISTS:zstd::libzstd_shared>,zstd::libzstd_shared,zstd::libzstd_static>)
if(SOSIE_STATIC_LIBRARIES)
  set(SOSIE_ZSTD zstd::libzstd_static)
endif()
