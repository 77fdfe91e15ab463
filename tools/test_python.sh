#!/usr/bin/env bash
# Builds the wheel of the Python package, installs it into a virtual environment in the build folder
# and runs its tests from there.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/python-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --requirement tests/python/requirements.txt
rm -rf build/wheel
# In the folder of the release build, for what is compiled there already.
"$venv/bin/python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel \
  --config-settings build-dir=build/release .
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps build/wheel/*.whl
cd tests/python  # not beside the sources: what is tested is what was installed
exec ../../"$venv/bin/python" -m pytest --quiet "$@"
