#!/usr/bin/env bash
# Builds every fuzz target and runs each for a while. New inputs go to build/fuzz/found/NAME, crashes to
# build/fuzz/crashes. fuzz/NAME_fuzz.options, if present, holds additional flags for libFuzzer.
# usage: fuzz_all.sh SECONDS [NAME...]   (seconds for each target; default: all)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in fuzz/*_fuzz.cc; do names+=("$(basename "$source" _fuzz.cc)"); done
fi
venv=$PWD/build/arrow-venv/bin/python  # of tools/build_arrow.sh
cmake --preset fuzz -D SOSIE_ARROW=ON $([ ! -x "$venv" ] || echo "-D SOSIE_PYARROW=$venv") >/dev/null
if ! ninja -C build/fuzz -t query arrow_files_fuzz >/dev/null 2>&1; then
  echo "arrow_files: left out, no Arrow was found"
  mapfile -t names < <(printf '%s\n' "${names[@]}" | grep -vx arrow_files)
fi
cmake --build --preset fuzz --target "${names[@]/%/_fuzz}"
mkdir -p build/fuzz/crashes
export work=$PWD/build/fuzz seconds
# Arrow requests as much memory as a file says, and is told that there is not enough.
export ASAN_OPTIONS=allocator_may_return_null=1:malloc_context_size=4

# Without libFuzzer's weighting of inputs by rare features, which took half of the time.
fuzz() {
  mkdir -p "$work/found/$1"
  local flags=()
  if [ -f "fuzz/$1_fuzz.options" ]; then mapfile -t flags <"fuzz/$1_fuzz.options"; fi
  "$work/fuzz/$1_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -entropic=0 "${flags[@]}" -artifact_prefix="$work/crashes/$1-" "$work/found/$1" "fuzz/corpus/$1" >"$work/$1.log" 2>&1 &&
    echo "$1: $(grep -c '^#' "$work/$1.log") lines of log, no crash" ||
    { echo "$1: CRASHED, see build/fuzz/$1.log"; return 1; }
}
export -f fuzz
printf '%s\n' "${names[@]}" | xargs -n 1 -P "$(nproc)" bash -c 'fuzz "$1"' -
