#!/usr/bin/env bash
# Compiles the libraries listed in tools/static_sources.txt as static, position-independent libraries and
# prints the folder that holds them: build/libraries/ARCH. usage: build_libraries.sh [x86_64|aarch64]
set -euo pipefail
cd "$(dirname "$0")/.."
list=$PWD/tools/static_sources.txt
build=$PWD/build/libraries
architecture=${1:-$(uname -m)}
prefix=$build/$architecture

# apt with the source packages of the suites from which this system installs, and with separate lists.
source_apt() {
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$build/sources" \
    -o Dir::State::Lists="$build/lists" -o APT::Sandbox::User=root "$@"
}

name_sources() {
  rm -rf "$build/sources" && mkdir -p "$build/sources" "$build/lists/partial"
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types: .*/Types: deb-src/' "$file" >"$build/sources/$(basename "$file")"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$build/sources/$(basename "$file" .list).list"
  done
  source_apt update >"$build/apt.log" 2>&1 || true  # a list that is missing need not be one of Debian
}

fetch() {  # PACKAGE FILE CHECKSUM
  local place=$build/packages/$2
  mkdir -p "$build/packages"
  if [ ! -e "$place" ]; then
    command -v apt-get >/dev/null || {
      echo "build_libraries: no apt-get to fetch $2 with: put it into build/libraries/packages" >&2
      exit 1
    }
    [ -d "$build/sources" ] || name_sources
    (cd "$build/packages" && source_apt source --download-only --only-source "$1" >>"$build/apt.log" 2>&1) || true
  fi
  [ -e "$place" ] || {
    echo "build_libraries: Debian's source package $1 has no $2 (any more): see tools/static_sources.txt" >&2
    tail -n 3 "$build/apt.log" >&2
    exit 1
  }
  echo "$3  $place" | sha256sum --check --quiet >&2
}

# The commands are called before "||", where `set -e` has no effect.
compile() {  # PACKAGE FILE FOLDER
  local source=$build/$architecture-sources/$1
  rm -rf "$source" && mkdir -p "$source" "$prefix/licences/$1" &&
    tar -xf "$build/packages/$2" -C "$source" --strip-components=1 || return
  if [ "$1" = zlib ]; then  # Debian takes a folder out that its CMakeLists.txt names
    mkdir -p "$source/win32" && touch "$source/win32/zlib1.rc" || return
  fi
  # Each library receives the switches of all libraries, and uses its own.
  cmake -S "$source/$3" -B "$source/build" -G Ninja -D CMAKE_BUILD_TYPE=Release \
    -D BUILD_SHARED_LIBS=OFF -D CMAKE_POSITION_INDEPENDENT_CODE=ON \
    -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_INSTALL_LIBDIR=lib -D BUILD_TESTING=OFF \
    -D SIMDJSON_DEVELOPER_MODE=OFF -D FMT_TEST=OFF -D FMT_DOC=OFF -D XXHASH_BUILD_XXHSUM=OFF \
    -D ZSTD_BUILD_PROGRAMS=OFF -D ZSTD_BUILD_SHARED=OFF -D BUILD_BINARY=OFF \
    -D ZSTD_LEGACY_SUPPORT=OFF -D ZSTD_MULTITHREAD_SUPPORT=OFF \
    -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -ffunction-sections -fdata-sections" \
    -D CMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -ffunction-sections -fdata-sections" "${toolchain[@]}" &&
    cmake --build "$source/build" --target install && rm -rf "$source/build" &&
    find "$source" -maxdepth 1 -type f \( -iname 'LICEN[SC]E*' -o -iname 'COPYING*' \) \
      -exec cp -t "$prefix/licences/$1" {} +
}

# The headers and the CMake package of an installed library.
copy_headers() {  # PACKAGE VERSION
  local there file place
  there=$(dpkg-query -W -f '${Version}' "$1")
  [ "$there" = "$2" ] || { echo "build_libraries: $1 is $there here, $2 in tools/static_sources.txt" >&2; return 1; }
  dpkg -L "$1" | grep -E '^/usr/(include|share/cmake|lib/[^/]+/cmake)/' | while read -r file; do
    [ -f "$file" ] || continue
    place=$prefix/$(sed "s,lib/[^/]*/cmake,lib/$architecture-linux-gnu/cmake," <<<"${file#/usr/}")
    mkdir -p "$(dirname "$place")"
    cp "$file" "$place"
  done
  mkdir -p "$prefix/licences/$1"
  cp "/usr/share/doc/$1/copyright" "$prefix/licences/$1"
}

toolchain=()
if [ "$architecture" != "$(uname -m)" ]; then
  toolchain=(-D CMAKE_TOOLCHAIN_FILE="$PWD/cmake/$architecture-linux.cmake" -D CMAKE_FIND_ROOT_PATH="$prefix")
  [ -e "cmake/$architecture-linux.cmake" ] || { echo "build_libraries: $architecture: no toolchain in cmake/" >&2; exit 2; }
fi
if [ ! -e "$prefix/complete" ] || [ "$list" -nt "$prefix/complete" ] || [ tools/build_libraries.sh -nt "$prefix/complete" ]; then
  rm -rf "$prefix"
  mkdir -p "$build"
  while read -r package file checksum folder _; do
    [[ $package == \#* ]] && continue
    if [ "$checksum" = - ]; then
      copy_headers "$package" "$file"
      continue
    fi
    fetch "$package" "$file" "$checksum"
    compile "$package" "$file" "$folder" </dev/null >"$build/$architecture-$package.log" 2>&1 || {
      tail -n 20 "$build/$architecture-$package.log" >&2
      exit 1
    }
  done <"$list"
  rm -f "$prefix"/lib/*.so*  # zlib builds a shared one in any case
  for package in libc6 gcc-12-base; do  # the C and the C++ library of the compiler
    mkdir -p "$prefix/licences/$package"
    cp "/usr/share/doc/$package/copyright" "$prefix/licences/$package"
  done
  # Only Highway's headers are used, but Debian's CMake package also requires its library.
  rm -rf "$prefix/lib/$architecture-linux-gnu/cmake/hwy"
  mkdir -p "$prefix/lib/cmake/hwy"
  printf '%s\n' 'add_library(hwy::hwy INTERFACE IMPORTED)' \
    'get_filename_component(include "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)' \
    'set_target_properties(hwy::hwy PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${include}")' >"$prefix/lib/cmake/hwy/hwyConfig.cmake"
  touch "$prefix/complete"
fi
echo "$prefix"
