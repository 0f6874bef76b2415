#!/usr/bin/env bash
# Runs small scenes with two builds of the program and compares every frame byte for byte, and all that steps.csv says of each step but
# how long it took, to the last digit.
# Usage: same_bits.sh PROGRAM PROGRAM
set -euo pipefail
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# steps.csv without the columns called seconds_*.
without_seconds() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) keep[i] = $i !~ /^seconds_/ }
           { line = ""; for (i = 1; i <= NF; ++i) if (keep[i]) line = line "," $i; print substr(line, 2) }' "$1"
}

# compare PROGRAM PROGRAM SCENE METHOD
compare() {
  local scene=$3 method=$4 run=$folder/$3-$4 program frames steps
  for program in "$1" "$2"; do
    "$program" run "$here/$scene.toml" --set solver.method="$method" -o "$run-$((++count))" --quiet
    without_seconds "$run-$count/steps.csv" >"$run-$count.csv"
  done
  diff -r "$run-1/frames" "$run-2/frames"
  diff "$run-1.csv" "$run-2.csv"
  frames=$(find "$run-1/frames" -name '*.npy' | wc -l)
  steps=$(($(wc -l <"$run-1.csv") - 1))
  if ((frames < 3 || steps < 2)) || ! grep -q ',converged,' "$run-1.csv"; then
    echo "$scene, $method: only $frames frames and $steps steps were written, or none converged" >&2
    exit 1
  fi
  echo "$scene, $method: $frames frames have the same bytes and $steps steps the same digits from two programs"
}

for method in newton-cg newton-cholesky newton-minres; do
  count=0 compare "$1" "$2" same_bits $method
done
count=0 compare "$1" "$2" same_bits_contact newton-cg
"$1" --version
"$2" --version
