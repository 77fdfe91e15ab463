#!/usr/bin/env bash
# Runs all tests under a sanitizer, in parts. A run can be resumed: parts that have passed on this
# commit are not repeated. usage: sanitize_all.sh [asan|tsan [PART]]   (default: both, all parts)
set -euo pipefail
cd "$(dirname "$0")/.."
parts=12
export TSAN_OPTIONS="suppressions=$PWD/tools/tsan_suppressions.txt"
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "uncommitted changes: parts are remembered by commit" >&2
commit=$(git rev-parse --short=12 HEAD)

prepare() {
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1"
}

# clang 14's ThreadSanitizer cannot run if the kernel randomises addresses by more than 28 bits.
run_part() {
  local sanitizer=$1 part=$2 as_is=()
  local passed=build/$sanitizer/passed-$commit-$part
  [ ! -e "$passed" ] || { echo "$sanitizer, part $part of $parts: passed before"; return; }
  if [ "$sanitizer" = tsan ] && setarch -R true 2>/dev/null; then as_is=(setarch -R); fi
  echo "== $sanitizer, part $part of $parts"
  "${as_is[@]}" ctest --output-on-failure --no-tests=error --parallel "$(nproc)" --timeout 3600 \
    --test-dir "build/$sanitizer" --tests-information "$part,,$parts"
  touch "$passed"
}

for sanitizer in ${1:-asan tsan}; do
  prepare "$sanitizer"
  for part in ${2:-$(seq "$parts")}; do run_part "$sanitizer" "$part"; done
done
