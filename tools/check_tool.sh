#!/usr/bin/env bash
# Prints the path of clang-format or clang-tidy in the version given in tools/check-requirements.txt. It is
# installed into a virtual environment in build/, which is created if missing. usage: check_tool.sh NAME
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/check-venv
if ! cmp -s tools/check-requirements.txt $venv/installed.txt; then
  rm -rf $venv
  python3 -m venv $venv
  $venv/bin/python -m pip install --quiet --requirement tools/check-requirements.txt >&2
  cp tools/check-requirements.txt $venv/installed.txt
fi
# Not bin/NAME, which starts Python each time.
tool=$(echo "$PWD"/$venv/lib/python3*/site-packages/"${1//-/_}/data/bin/$1")
[ -x "$tool" ] || { echo "check_tool: no $1 in $venv" >&2; exit 1; }
echo "$tool"
