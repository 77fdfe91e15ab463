#!/usr/bin/env bash
# Builds the files of a release in dist/: tarballs of the static program, Debian packages, wheels, an
# SBOM (SPDX) and SHA256SUMS. usage: build_dist.sh [tarballs|debs|wheels]... (default: all)
# CMAKE_OPTIONS holds additional options for CMake. Files inside the archives carry the time of the last
# commit, so building a tree twice gives the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^project\(sosie VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
parts=("$@")
[ $# -gt 0 ] || parts=(tarballs debs wheels)

# The Debian 12 package that contains a missing tool.
need() {  # TOOL PACKAGE
  command -v "$1" >/dev/null || { echo "build_dist: needs $1: apt-get install $2" >&2; exit 1; }
}

tarball() {  # ARCHITECTURE
  local name=sosie-$version-linux-$1 build=build/static-$1
  tools/build_static.sh "$1"
  rm -rf "build/dist/$name" && mkdir -p build/dist
  cp -r "$build/installed" "build/dist/$name"
  local docs=build/dist/$name/share/doc/sosie
  cp README.md CHANGELOG.md "$docs"
  cp -r "build/libraries/$1/licences" "$docs/licences"
  (cd build/dist && find "$name" -print0 | LC_ALL=C sort -z |
    tar --no-recursion --null --files-from=- --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
      --numeric-owner --mode=u+rwX,go+rX,go-w -cf - | gzip -9n) >"dist/$name.tar.gz"
}

tarballs() {
  need tar tar
  need gzip gzip
  need readelf binutils
  rm -f dist/*.tar.gz
  tarball "$(uname -m)"
  if [ "$(uname -m)" = x86_64 ]; then
    need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
    tarball aarch64
  fi
}

debs() {
  need dpkg-shlibdeps dpkg-dev
  need file file
  rm -f dist/*.deb
  # shellcheck disable=SC2086  # several options
  cmake --preset release -B build/deb -D CMAKE_INSTALL_PREFIX=/usr ${CMAKE_OPTIONS:-} >/dev/null
  cmake --build build/deb
  rm -rf build/deb/packages
  cpack --config build/deb/CPackConfig.cmake -B build/deb/packages >build/deb/cpack.log ||
    { cat build/deb/cpack.log >&2; exit 1; }
  cp build/deb/packages/*.deb dist
}

wheels() {
  rm -f dist/*.whl
  tools/build_wheels.sh dist
}

need cmake cmake
need ninja ninja-build
need g++ g++
need python3 python3
need sha256sum coreutils
mkdir -p dist
for part in "${parts[@]}"; do
  case $part in
    tarballs | debs | wheels) "$part" ;;
    *) echo "build_dist: $part: no part of a release; tarballs, debs and wheels are" >&2; exit 2 ;;
  esac
done
python3 tools/write_sbom.py >"dist/sosie-$version.spdx.json"
(cd dist && rm -f SHA256SUMS && LC_ALL=C sha256sum -- * >../build/SHA256SUMS && mv ../build/SHA256SUMS .)
(cd dist && ls -l)
