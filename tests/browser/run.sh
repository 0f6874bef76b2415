#!/usr/bin/env bash
# The page of the viewer: its unit tests, then all of it in Chromium against the real program.
# Usage: run.sh PROGRAM [RUN]; with a run it measures how quickly that is shown instead
set -euo pipefail
program=$(realpath "${1:?Usage: run.sh PROGRAM [RUN]}")
run=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../.."
work=$PWD/build/browser
chromium=${CHROMIUM:-$(command -v chromium || true)}
if [[ -z $chromium ]]; then
  echo "Chromium was not found; install Debian's chromium, or name another with CHROMIUM=PATH" >&2
  exit 1
fi
modules=$(dirname "$program")/viewer/node_modules
if [[ ! -d $modules ]]; then
  echo "$program was built without the viewer's page; build it with PLIANT_VIEWER=ON" >&2
  exit 1
fi

# Nothing is written into the source tree.
if [[ -z $run ]]; then
  rm -rf "$work/viewer"
  mkdir -p "$work/viewer"
  cp -r viewer/src viewer/tests viewer/*.json viewer/*.js "$work/viewer"
  ln -s "$modules" "$work/viewer/node_modules"
  (cd "$work/viewer" && node_modules/.bin/tsc --noEmit && node_modules/.bin/vitest run)
fi
mkdir -p "$work"

if ! cmp -s tests/browser/package-lock.json "$work/fetched"; then
  cp tests/browser/package.json tests/browser/package-lock.json tests/browser/.npmrc "$work"
  (cd "$work" && npm ci --loglevel=error)
  cp tests/browser/package-lock.json "$work/fetched"
fi
cp tests/browser/*.mjs "$work"
if [[ -n $run ]]; then
  cd "$work"
  PLIANT=$program CHROMIUM=$chromium node measure.mjs "$run"
  exit
fi
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
cd "$work"
PLIANT=$program CHROMIUM=$chromium SCENE=$OLDPWD/tests/browser/ring.toml RUNS=$runs node --test viewer_test.mjs live_test.mjs
