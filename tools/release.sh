#!/usr/bin/env bash
# Makes a release of the version in CMakeLists.txt: checks that the tree is ready, builds and tests
# dist/, creates the tag, and lists what to upload. usage: release.sh [--dry-run]
# --dry-run does everything except the tag; it continues after a failed check, but then exits with status 1.
set -euo pipefail
cd "$(dirname "$0")/.."
dry_run=
case ${1:-} in
  --dry-run) dry_run=yes ;;
  '') ;;
  *) echo "usage: release.sh [--dry-run]" >&2; exit 2 ;;
esac
version=$(sed -nE 's/^project\(sosie VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
failed=0

check() {  # WORDS COMMAND...: what must hold
  local words=$1
  shift
  if "$@" >build/release-check.log 2>&1; then
    printf 'ok      %s\n' "$words"
    return
  fi
  printf 'FAILED  %s\n' "$words"
  tail -n 5 build/release-check.log >&2
  failed=1
  [ -n "$dry_run" ] || exit 1
}

clean() { [ -z "$(git status --porcelain)" ]; }
no_tag() { ! git rev-parse --quiet --verify "refs/tags/v$version"; }
# The version has its own section with a date: "## [0.2.0] - 2026-12-01".
changelog() { grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md; }
has_a_home() { grep -q '^Homepage = ' pyproject.toml && ! grep -q '\.invalid>' cmake/packages.cmake; }
upgrade_notes() { sed -n "/^## \[${version//./\\.}\]/,/^## \[0/p" CHANGELOG.md | grep -q '^### Upgrading'; }
proved() { [ -e docs/dist-check.md ] && ! grep -q "\*\*no\*\*" docs/dist-check.md; }

mkdir -p build
check "the tree is committed" clean
check "no tag v$version yet" no_tag
check "CHANGELOG.md has a dated section for $version" changelog
check "CHANGELOG.md says how to upgrade to $version" upgrade_notes
check "metadata name the project's home and an address that exists" has_a_home
check "documents are as generated" build/release/apps/docs/sosie_docs --check .
check "make dist" make --no-print-directory dist
check "make dist-check" make --no-print-directory dist-check
check "docs/dist-check.md holds no failure" proved
if [ $failed -ne 0 ]; then
  echo "release: $version is not ready" >&2
  exit 1
fi
if [ -n "$dry_run" ]; then
  echo "release: $version is ready; without --dry-run it is tagged v$version"
  exit
fi
git tag -a "v$version" -m "sosie $version"
echo "release: tagged v$version. To upload: git push origin v$version; dist/* to the release page;"
echo "python3 -m twine upload dist/*.whl"
