#!/usr/bin/env bash
# All that must hold before a change is good, in phases. Stops at the first that fails; says how long each took.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
times=()

summary() {
  printf '\n%-28s %8s\n' phase seconds
  printf '%s\n' "${times[@]}"
  printf '%-28s %8d\n\n' total $SECONDS
}

phase() {
  local name=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  times+=("$(printf '%-28s %8d' "$name" $((SECONDS - start)))")
  if ((status != 0)); then
    summary
    echo "FAILED in phase: $name"
    exit 1
  fi
}

build() {
  cmake --preset "$1" && cmake --build "build/$1" --parallel "$jobs"
}

run_tests() {
  ctest --test-dir "build/$1" --parallel 2 --output-on-failure --no-tests=error "${@:2}"
}

# Programs of someone else: built against the installed library, with none of our flags; one of them against its core.
consumer() {
  local prefix=$PWD/build/consumer/prefix
  rm -rf build/consumer
  cmake --install build/release --prefix "$prefix" >/dev/null &&
    cmake -S tests/consumer -B build/consumer/build -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH="$prefix" &&
    cmake --build build/consumer/build --parallel "$jobs" &&
    build/consumer/build/core-consumer && build/consumer/build/consumer &&
    "$prefix/bin/pliant" --version
}

# Our solver of quadratic programs beside OSQP, from the Python index.
osqp() {
  [[ -x build/python/bin/python ]] || python3 -m venv build/python || return
  build/python/bin/pip install --quiet --disable-pip-version-check -r tests/osqp/requirements.txt &&
    build/python/bin/python tests/osqp/compare.py build/release/tests/solve_programs
}

phase "packages" tools/packages.sh packages.txt tests/browser/packages.txt
phase "build" build release
phase "tests" run_tests release
phase "viewer in Chromium" tests/browser/run.sh build/release/pliant
phase "install and use" consumer
phase "against OSQP" osqp
phase "sanitizer build" build sanitize
# Those that mesh hundreds of shapes or build every scene run the same code as others, for minutes.
phase "sanitizer tests" run_tests sanitize --exclude-regex 'Mesher\.(FillsTwoHundred|KeepsItsAngles)|Gallery\.EverySceneInItCanBeBuilt'
phase "portable = native, bit by bit" tests/structure/same_bits.sh build/release/pliant build/sanitize/pliant
phase "lint" make --no-print-directory lint
summary
