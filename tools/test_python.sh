#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment in the build folder and
# runs its tests there. These also test the program's plugin for Parquet, because only this environment
# has an Arrow to build it with. Arguments: those of pytest; --prepare only creates the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/python-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --requirement tests/python/requirements.txt
[ "${1:-}" != --prepare ] || exit 0  # the rest needs time, and no network
rm -rf build/wheel
# In the folder of the release build, to reuse its objects and its configuration.
"$venv/bin/python" -m build --wheel --no-isolation --outdir build/wheel \
  --config-setting build-dir=build/release \
  --config-setting cmake.define.SOSIE_SERVER=ON \
  --config-setting cmake.define.SOSIE_ARROW=ON \
  --config-setting cmake.define.SOSIE_PYARROW="$PWD/$venv/bin/python" . >build/wheel.log || {
  cat build/wheel.log >&2
  exit 1
}
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps build/wheel/*.whl
cmake --build build/release --target sosie_cli sosie_arrow sosie_server
cd tests/python  # not beside the sources: what is tested is what was installed
SOSIE_BIN=../../build/release/sosie exec ../../"$venv/bin/python" -m pytest --quiet "$@"
