#!/usr/bin/env bash
# Lists the C++ files that clang-format would change, and fails if there are any. --fix changes them.
set -euo pipefail
cd "$(dirname "$0")/.."
clang_format=$(tools/check_tool.sh clang-format)
export clang_format

files() {
  find include src reference apps tests fuzz bench examples bindings \
    \( -name '*.h' -o -name '*.cc' \) -print0 2>/dev/null || true  # not every folder exists
}

if [ "${1:-}" = --fix ]; then
  files | xargs -0 --no-run-if-empty "$clang_format" -i
  exit
fi
unformatted=$(files | xargs -0 --no-run-if-empty -n 1 -P "$(nproc)" bash -c '
  "$clang_format" --dry-run --Werror "$1" >/dev/null 2>&1 || echo "$1"' -)
if [ -n "$unformatted" ]; then
  sort <<<"$unformatted"
  echo "not formatted; tools/check_format.sh --fix formats them" >&2
  exit 1
fi
