#!/usr/bin/env bash
# Builds the fuzz targets and runs each for so many seconds. What crashes a reader is left in out/fuzz and belongs, once mended, into
# tests/fuzz/kept.
# Usage: fuzz.sh SECONDS [READER...]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
compiler=$(command -v clang++ || command -v clang++-14)
cmake -S tests/fuzz/libfuzzer -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER="$compiler"
cmake --build build/fuzz --parallel "${JOBS:-$(nproc)}"
readers=("$@")
if ((${#readers[@]} == 0)); then readers=(scene override gmsh vtu medit tetgen obj ply stl gltf npy checkpoint); fi
for reader in "${readers[@]}"; do
  corpus=out/fuzz/$reader
  mkdir -p "$corpus"
  cp tests/fuzz/kept/"$reader"/* "$corpus"
  if [[ $reader == scene ]]; then find scenes tests -name '*.toml' -not -path '*/kept/*' -exec cp -t "$corpus" {} +; fi
  echo "== $reader, $seconds s"
  build/fuzz/fuzz_"$reader" "$corpus" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="out/fuzz/$reader-" -print_final_stats=1 2>&1 | grep -v '^#[0-9]*\s*\(NEW\|REDUCE\|pulse\|RELOAD\)' || exit 1
done
