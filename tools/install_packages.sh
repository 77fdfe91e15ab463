#!/usr/bin/env bash
# Installs the missing packages of tools/packages.txt, if it may; else names them and fails.
# usage: install_packages.sh [PURPOSE...]   (default: all; purposes are the [sections] of the file)
set -euo pipefail
list=$(dirname "$0")/packages.txt

packages() {
  awk -v purposes="$*" '
    BEGIN { n = split(purposes, names); for (i = 1; i <= n; i++) wanted[names[i]] = 1 }
    /^\[/ { section = substr($1, 2, length($1) - 2); next }
    /^[^#]/ && (n == 0 || section in wanted) { print $1 }' "$list"
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

for purpose in "$@"; do
  grep -qxF "[$purpose]" "$list" || { echo "no [$purpose] in $list" >&2; exit 2; }
done
if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: not checking for the packages of $list." >&2
  exit 0
fi

missing=()
for package in $(packages "$@"); do
  installed "$package" || missing+=("$package")
done
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
echo "Installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
