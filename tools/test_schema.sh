#!/usr/bin/env bash
# Tests the service against its OpenAPI document (tests/server/schema_test.py) in a virtual environment of
# its own. Arguments: the program, or --prepare, which only creates the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=build/schema-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --requirement tests/server/requirements.txt
[ "$1" != --prepare ] || exit 0
program=$(realpath "$1")
SOSIE_BIN=$program "$venv/bin/python" tests/server/schema_test.py
