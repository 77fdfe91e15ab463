#!/usr/bin/env bash
# Builds the documentation as a site in build/site/html: docs/ with Sphinx, the public headers with
# Doxygen, and the Python package from the wheel built by tools/test_python.sh. Warnings are errors.
# --prepare only creates the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/docs-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --requirement docs/site/requirements.txt
[ "${1:-}" != --prepare ] || exit 0
wheels=(build/wheel/*.whl)
[ -e "${wheels[0]}" ] || { echo "docs_site: no wheel in build/wheel: make test-python builds it" >&2; exit 2; }
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps "${wheels[0]}"
export SOSIE_SITE=$PWD/build/site SOSIE_VERSION
SOSIE_VERSION=$(sed -nE 's/^project\(sosie VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
rm -rf build/site
mkdir -p build/site/doxygen
{ cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = build/site/doxygen"; echo "WARN_AS_ERROR = YES"; } | doxygen -
"$venv/bin/python" -m sphinx -W --keep-going -q -b html -c docs/site -d build/site/doctrees docs build/site/html
echo "site: build/site/html/index.html"
