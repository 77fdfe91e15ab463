#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment in the build folder
# and runs its tests from there. They test the program's plugin for Parquet, too: only here is there
# an Arrow to build it with.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/python-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --requirement tests/python/requirements.txt
rm -rf build/wheel
# In the folder of the release build, for what is compiled there already.
"$venv/bin/python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel \
  --config-settings build-dir=build/release \
  --config-settings cmake.define.SOSIE_ARROW=ON \
  --config-settings cmake.define.SOSIE_PYARROW="$PWD/$venv/bin/python" .
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps build/wheel/*.whl
cmake --build build/release --target sosie_cli sosie_arrow
cd tests/python  # not beside the sources: what is tested is what was installed
SOSIE_BIN=../../build/release/sosie exec ../../"$venv/bin/python" -m pytest --quiet "$@"
