#!/usr/bin/env bash
# Checks and builds the page (web/), compares it with the committed build, and runs its tests in headless
# Chromium. Arguments: the program, or --prepare, which only downloads what the build needs.
# Needs Node 20 and npm; exits with 77 without them.
set -euo pipefail
cd "$(dirname "$0")/.."
major=$(node --version 2>/dev/null | sed -nE 's/^v([0-9]+).*/\1/p')
if [ "${major:-0}" -lt 20 ] || ! command -v npm >/dev/null; then
  echo "test_page: skipped, the page's tests need Node 20 or later, and npm" >&2
  exit 77
fi
[ -d web/node_modules ] && [ web/node_modules -nt web/package-lock.json ] ||
  npm --prefix web ci --no-audit --no-fund --silent
[ "$1" != --prepare ] || exit 0
program=$(realpath "$1")
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
(cd web && npx tsc --noEmit && npx vite build --logLevel warn --outDir "$built" --emptyOutDir)
diff -r "$built" src/write/page ||
  { echo "test_page: src/write/page is not what web/ gives: run npm --prefix web run build" >&2; exit 1; }
bytes=$(cat "$built"/* | gzip -9 | wc -c)
[ "$bytes" -le 60000 ] || { echo "test_page: $bytes bytes in all, 60000 are allowed" >&2; exit 1; }
SOSIE_BIN=$program node --test tests/web/review_test.mjs tests/web/link_review_test.mjs
