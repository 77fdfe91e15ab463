#!/usr/bin/env bash
# Builds an executable without shared libraries, which runs on any Linux of its architecture:
# build/static-ARCH/sosie. usage: build_static.sh [x86_64|aarch64]
set -euo pipefail
cd "$(dirname "$0")/.."
architecture=${1:-$(uname -m)}
build=build/static-$architecture
most_bytes=12000000
prefix=$(tools/build_libraries.sh "$architecture")

read -ra options <<<"${CMAKE_OPTIONS:-}"
options+=(-D SOSIE_STATIC=ON -D SOSIE_SERVER=OFF -D CMAKE_PREFIX_PATH="$prefix")
if [ "$architecture" != "$(uname -m)" ]; then
  options+=(-D CMAKE_TOOLCHAIN_FILE="$PWD/cmake/$architecture-linux.cmake" -D CMAKE_FIND_ROOT_PATH="$prefix")
fi
cmake --preset release -B "$build" "${options[@]}" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
cmake --build "$build" --target sosie_cli
rm -rf "$build/installed"
cmake --install "$build" --prefix "$build/installed" --component program >/dev/null
file=$build/installed/bin/sosie
headers=$(readelf --wide --file-header --program-headers --dynamic "$file")
! grep -q NEEDED <<<"$headers" || { echo "build_static: $file needs shared libraries" >&2; exit 1; }
! grep -q INTERP <<<"$headers" || { echo "build_static: $file needs a dynamic linker" >&2; exit 1; }
grep -q 'Type: *DYN' <<<"$headers" || { echo "build_static: $file is not position-independent" >&2; exit 1; }
bytes=$(stat -c %s "$file")
[ "$bytes" -le $most_bytes ] || { echo "build_static: $file has $bytes bytes, $most_bytes are allowed" >&2; exit 1; }
echo "static program: $file, $bytes bytes"
