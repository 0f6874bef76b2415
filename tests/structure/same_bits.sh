#!/usr/bin/env bash
# Runs a small scene with two builds of the program and compares every frame byte for byte.
# Usage: same_bits.sh PROGRAM PROGRAM
set -euo pipefail
scene=$(dirname "$0")/same_bits.toml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" run "$scene" -o "$folder/a" --quiet
"$2" run "$scene" -o "$folder/b" --quiet
diff -r "$folder/a/frames" "$folder/b/frames"
count=$(find "$folder/a/frames" -name '*.npy' | wc -l)
if ((count < 2)); then
  echo "only $count frames were written" >&2
  exit 1
fi
echo "$count frames have the same bytes from two programs:"
"$1" --version
"$2" --version
