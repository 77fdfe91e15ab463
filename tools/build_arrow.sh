#!/usr/bin/env bash
# Builds build/release/libsosie_arrow.so next to the program, with either the system's Arrow C++ or the
# one in a pyarrow wheel, which is installed into a virtual environment in the build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/arrow-venv
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet "$(grep ^pyarrow tests/python/requirements.txt)"
fi
cmake --preset release -D SOSIE_ARROW=ON \
  -D SOSIE_PYARROW="$PWD/$venv/bin/python" >/dev/null
cmake --build --preset release --target sosie_cli sosie_arrow
