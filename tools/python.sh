#!/usr/bin/env bash
# Builds the Python package into a build folder that CMake knows already and tests it there; for an environment of its own, in
# which nothing of the machine's Python is touched.
# Usage: python.sh BUILD [PYTEST OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
python=$PWD/build/python/bin/python
[[ -x $python ]] || python3 -m venv build/python
"$python" -m pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
cmake -B "$build" -DPLIANT_PYTHON=ON -DPython_EXECUTABLE="$python" >/dev/null
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target pliant_python_stub
PYTHONPATH=$PWD/$build/python PLIANT_PROGRAM=$PWD/$build/pliant "$python" -m pytest -q "$@"
