#!/usr/bin/env bash
# Installs the missing packages from tools/packages.txt; without permission to do so, it lists them and
# fails.
# usage: install_packages.sh [--download] [PURPOSE...]   (default: all; purposes are the [sections] of
# the file). --download only fills apt's cache, for a later call that installs the packages.
set -euo pipefail
list=$(dirname "$0")/packages.txt
download=()
if [ "${1:-}" = --download ]; then
  download=(--download-only)
  shift
fi

# Each line has the alternative names of one package, the usual name first.
packages() {
  awk -v purposes="$*" '
    BEGIN { n = split(purposes, names); for (i = 1; i <= n; i++) wanted[names[i]] = 1 }
    /^\[/ { section = substr($1, 2, length($1) - 2); next }
    /^[^#]/ && (n == 0 || section in wanted) { gsub(/[|]/, " "); print }' "$list"
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

any_installed() {
  local name
  for name in "$@"; do
    if installed "$name"; then return; fi
  done
  return 1
}

has_candidate() {
  [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) =~ 'Candidate: '[^\(] ]]
}

# The first name that apt can install; if there is none, the first name, about which apt then complains.
first_available() {
  local name
  for name in "$@"; do
    if has_candidate "$name"; then
      echo "$name"
      return
    fi
  done
  echo "$1"
}

for purpose in "$@"; do
  grep -qxF "[$purpose]" "$list" || { echo "no [$purpose] in $list" >&2; exit 2; }
done
if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: not checking for the packages of $list." >&2
  exit 0
fi

missing=()
find_missing() {
  missing=()
  local names
  while read -ra names; do
    any_installed "${names[@]}" || missing+=("$(first_available "${names[@]}")")
  done < <(packages "$@")
}

find_missing "$@"
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if sudo -n true 2>/dev/null; then
    as_root=(sudo)
  else
    echo "Missing packages; to install them:" >&2
    echo "    sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
fi
# One call at a time, because apt fails if another process has its lock.
exec 9</var/lib/dpkg
flock 9
"${as_root[@]}" apt-get update -qq
find_missing "$@"  # again: only now a fresh system knows its packages, and another call may have come first
[ ${#missing[@]} -gt 0 ] || exit 0
[ ${#download[@]} -gt 0 ] || echo "Installing ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${download[@]}" "${missing[@]}" </dev/null 9<&-
