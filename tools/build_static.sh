#!/usr/bin/env bash
# Builds one executable without any shared library, which runs on any Linux of this architecture:
# build/static/sosie. Libraries of which Debian has shared builds alone are compiled from its source
# packages, whose checksums stand in tools/static_sources.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/build/static
prefix=$build/libraries

# apt with the sources of the packages that this system installs from, and lists of its own.
source_apt() {
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$build/sources" \
    -o Dir::State::Lists="$build/lists" -o APT::Sandbox::User=root "$@"
}

name_sources() {
  rm -rf "$build/sources" && mkdir -p "$build/sources" "$build/lists/partial" "$build/packages"
  for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$list" ] || sed 's/^Types: .*/Types: deb-src/' "$list" >"$build/sources/$(basename "$list")"
  done
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"$build/sources/$(basename "$list")"
  done
  source_apt update 2>&1 | grep -v '^W: Unable to read' || true
}

fetch() {  # PACKAGE FILE CHECKSUM
  local place=$build/packages/$2
  if [ ! -e "$place" ]; then
    [ -d "$build/sources" ] || name_sources
    (cd "$build/packages" && source_apt source --download-only "$1" 2>&1 | grep -v '^W: Unable to read' || true)
  fi
  [ -e "$place" ] || { echo "build_static: Debian's source package $1 has no $2 any more: see tools/static_sources.txt" >&2; exit 1; }
  echo "$3  $place" | sha256sum --check --quiet
}

build_library() {  # PACKAGE FILE, and options of CMake
  local source=$build/sources-of/$1
  rm -rf "$source" && mkdir -p "$source"
  tar -xf "$build/packages/$2" -C "$source" --strip-components=1
  shift 2
  cmake -S "$source" -B "$source/build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D BUILD_SHARED_LIBS=OFF \
    -D CMAKE_POSITION_INDEPENDENT_CODE=ON -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_INSTALL_LIBDIR=lib "$@" >/dev/null
  cmake --build "$source/build" --target install >/dev/null
}

if [ ! -e "$prefix/complete" ] || [ tools/static_sources.txt -nt "$prefix/complete" ]; then
  while read -r package file checksum; do
    [[ $package == \#* ]] && continue
    fetch "$package" "$file" "$checksum"
    build_library "$package" "$file" -D SIMDJSON_DEVELOPER_MODE=OFF -D FMT_TEST=OFF -D FMT_DOC=OFF
  done <tools/static_sources.txt
  touch "$prefix/complete"
fi
cmake --preset release -B "$build" -D SOSIE_STATIC=ON -D SOSIE_SERVER=OFF -D CMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$build" --target sosie_cli
file=$build/sosie
! readelf -d "$file" | grep -q NEEDED || { echo "build_static: $file needs shared libraries" >&2; exit 1; }
strip -o "$build/sosie.stripped" "$file"
echo "static program: build/static/sosie, $(stat -c %s "$build/sosie.stripped") bytes stripped"
