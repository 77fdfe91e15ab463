#!/usr/bin/env bash
# Runs clang-tidy over the C++ files of src and apps, tests and benchmarks left out.
# usage: check_tidy.sh BUILD_FOLDER [FILE...]   (BUILD_FOLDER has compile_commands.json)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
if [ $# -gt 0 ]; then
  printf '%s\0' "$@"
else
  # Largest first, so that no long one is left alone at the end.
  # Not the generated tables, nor the kernels: clang-tidy sees only the fallback of their many targets.
  find src apps -name '*.cc' ! -name '*_test.cc' ! -name '*_bench.cc' ! -name unicode_tables.cc \
    ! -path 'src/kernels/*' -printf '%s %p\0' |
    sort -z -rn | cut -z -d' ' -f2-
# The analyzer within functions only: through calls it takes half of the time.
fi | xargs -0 -n 1 -P "$(nproc)" clang-tidy-14 --quiet -p "$build" \
  --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow \
  2> >(grep -v 'warnings generated' >&2)
