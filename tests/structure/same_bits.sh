#!/usr/bin/env bash
# Runs a small scene with two builds of the program and compares every frame byte for byte, and all that steps.csv says of each step
# but how long it took, to the last digit.
# Usage: same_bits.sh PROGRAM PROGRAM
set -euo pipefail
scene=$(dirname "$0")/same_bits.toml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# steps.csv without the columns called seconds_*.
without_seconds() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) keep[i] = $i !~ /^seconds_/ }
           { line = ""; for (i = 1; i <= NF; ++i) if (keep[i]) line = line "," $i; print substr(line, 2) }' "$1"
}

for method in newton-cg newton-cholesky newton-minres; do
  for which in a b; do
    program=$1
    if [[ $which == b ]]; then program=$2; fi
    run=$folder/$method-$which
    "$program" run "$scene" --set solver.method=$method -o "$run" --quiet
    without_seconds "$run/steps.csv" >"$run/numbers.csv"
  done
  diff -r "$folder/$method-a/frames" "$folder/$method-b/frames"
  diff "$folder/$method-a/numbers.csv" "$folder/$method-b/numbers.csv"
  frames=$(find "$folder/$method-a/frames" -name '*.npy' | wc -l)
  steps=$(($(wc -l <"$folder/$method-a/numbers.csv") - 1))
  if ((frames < 3 || steps < 2)) || ! grep -q ',converged,' "$folder/$method-a/numbers.csv"; then
    echo "$method: only $frames frames and $steps steps were written, or none converged" >&2
    exit 1
  fi
  echo "$method: $frames frames have the same bytes and $steps steps the same digits from two programs"
done
"$1" --version
"$2" --version
