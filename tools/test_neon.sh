#!/usr/bin/env bash
# Runs the tests of src/kernels on NEON: compiled for aarch64 and run in qemu, with libraries from Debian's
# arm64 packages, which are unpacked but not installed. Everything is in build/neon. Exits with 77 if this
# is not possible.
set -euo pipefail
cd "$(dirname "$0")/.."
export build=$PWD/build/neon
export root=$build/root/usr
libraries=$root/lib/aarch64-linux-gnu
packages=(libhwy-dev libgtest-dev librapidcheck-dev)

skip() {
  echo "skipped: needs $*" >&2
  exit 77
}

# apt for an arm64 system without any packages; the package sources are the same as here.
foreign_apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
    -o Dir::State="$build/apt" -o Dir::State::status="$build/apt/status" \
    -o Dir::Cache="$build/apt/cache" "$@"
}

unpack_packages() {
  rm -rf "$build/apt" "$build/unpacked"
  mkdir -p "$build"/apt/{lists/partial,cache/archives/partial} "$build/unpacked"
  touch "$build/apt/status"
  foreign_apt update || true  # a list that is missing need not be one of Debian
  (cd "$build/apt" && foreign_apt download "${packages[@]}") ||
    skip "Debian's arm64 packages ${packages[*]}"
  for package in "$build"/apt/*.deb; do dpkg -x "$package" "$build/unpacked"; done
  mv "$build/unpacked" "$build/root"
  rm -r "$build/apt"
}

compile() {  # without SVE, as in src/CMakeLists.txt
  aarch64-linux-gnu-g++ -std=c++20 -O3 -ffp-contract=off -Wall -Wextra -Isrc -isystem "$root/include" \
    '-DHWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)' \
    -c "$1" -o "$build/objects/$(basename "$1" .cc).o"
}
export -f compile

link() {
  aarch64-linux-gnu-g++ "$@" -L"$libraries" -lgtest_main -lgtest -lrapidcheck -pthread
}

run() {  # on a CPU that has nothing newer than NEON
  qemu-aarch64 -cpu cortex-a53 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$libraries" "$@"
}

for tool in apt-get aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v "$tool" >/dev/null || skip "$tool (tools/install_packages.sh neon)"
done
[ -e "$root" ] || unpack_packages

rm -rf "$build/objects"
mkdir "$build/objects"
cat >"$build/targets.cc" <<'CODE'
#include <iostream>
#include "kernels/simd.h"
int main() {
  for (const auto target : sosie::kernels::simd_targets()) std::cout << target << '\n';
}
CODE
ls -S src/kernels/*.cc "$build/targets.cc" |  # the largest first
  xargs -d '\n' -n 1 -P "$(nproc)" bash -c 'compile "$1"' -
cd "$build/objects"
link targets.o simd.o supported_targets.o amx_products.o -o "$build/targets"
rm targets.o
link ./*.o -o "$build/kernels_test"

targets=$(run "$build/targets")
echo "targets:" $targets
[ "$targets" = NEON ] || { echo "expected NEON alone" >&2; exit 1; }
run "$build/kernels_test" --gtest_brief=1
