#!/usr/bin/env bash
# All that must hold before a change is good, in phases. Stops at the first that fails; says how long each took and for how long
# it kept processors busy, which depends less on what else the machine does.
# With ROOM=contact: the tests of that room alone, in a build of their own that is quick to make.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { printf '%-30s %8s %8s\n' "$@"; }

summary() {
  echo
  row phase seconds "of CPUs"
  cat "$work/rows"
  row total $SECONDS "$(awk '{ sum += $NF } END { print sum }' "$work/rows")"
}

# Runs a phase in a shell of its own, which knows the processor time of all that it waited for.
phase() {
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  (
    status=0 spent=$work/spent.$BASHPID
    "$@" || status=$?
    times >"$spent"
    row "$name" $((SECONDS - start)) \
      "$(awk -F '[ms ]+' '{ sum += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", sum }' "$spent")" >>"$work/rows"
    exit $status
  ) && return
  echo "$name" >"$work/failed"
  return 1
}

finish() {
  summary
  if [[ -e $work/failed ]]; then
    echo "FAILED in phase: $(<"$work/failed")"
    exit 1
  fi
}

build() {
  cmake --preset "$1" && cmake --build "build/$1" --parallel "$jobs" "${@:2}"
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
    build/consumer/build/core-consumer && build/consumer/build/readme-consumer && build/consumer/build/consumer &&
    "$prefix/bin/pliant" --version
}

# Our solver of quadratic programs beside OSQP, from the Python index.
osqp() {
  [[ -x build/python/bin/python ]] || python3 -m venv build/python || return
  build/python/bin/pip install --quiet --disable-pip-version-check -r tests/osqp/requirements.txt &&
    build/python/bin/python tests/osqp/compare.py build/release/tests/solve_programs
}

all() {
  phase "packages" tools/packages.sh packages.txt tests/browser/packages.txt || return
  phase "build" build release --target pliant-program solve_programs tests_as_used || return
  phase "tests" run_tests release --label-regex as-used || return
  phase "python" tools/python.sh build/release || return
  phase "nothing is fused" tests/structure/nothing_fused.sh build/release/pliant || return
  phase "viewer in Chromium" tests/browser/run.sh build/release/pliant || return
  phase "install and use" consumer || return
  phase "against OSQP" osqp || return
  phase "sanitizer build" build sanitize || return
  phase "sanitizer tests" run_tests sanitize || return
  phase "portable = native, bit by bit" tests/structure/same_bits.sh build/release/pliant build/sanitize/pliant &&
    phase "lint" make --no-print-directory lint
}

one_room() {
  if [[ ! -d tests/$ROOM ]]; then
    echo "There is no tests/$ROOM" >&2
    exit 2
  fi
  phase "build" build room --target "test_$ROOM" && phase "tests" run_tests room --tests-regex "^$ROOM\."
}

if [[ -n ${ROOM:-} ]]; then one_room; else all; fi
finish
