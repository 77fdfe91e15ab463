#!/usr/bin/env bash
# Tests sosie.spark on a local Spark, using the wheel built by tools/test_python.sh in a virtual
# environment of its own (tests/spark/requirements.txt). Without Java, prints a message and passes.
# Arguments: those of pytest; --prepare only creates the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/spark-venv
make_environment() {
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --requirement tests/spark/requirements.txt
}
if [ "${1:-}" = --prepare ]; then
  make_environment
  exit
fi
if ! command -v java >/dev/null; then
  echo "tests/spark: skipped, there is no Java (tools/install_packages.sh spark installs it)" >&2
  exit 0
fi
make_environment
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps build/wheel/*.whl
cd tests/spark  # not beside the sources: what is tested is what was installed
exec ../../"$venv/bin/python" -m pytest --quiet -p no:cacheprovider "$@"
