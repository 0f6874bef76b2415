#!/usr/bin/env bash
# Names the functions of a program that multiply and add with one rounding, and fails if there are any: on a machine without such
# instructions their last bits are others. Compilers make them in spite of -ffp-contract=off, see CMakeLists.txt.
# Usage: nothing_fused.sh PROGRAM
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A line for each function in the listing of a program with its number of fused instructions, then one with the number of functions.
fused_of() {
  objdump --disassemble --demangle --no-show-raw-insn "$1" |
    awk '/^[0-9a-f]+ <.*>:$/ { ++functions; name = substr($0, index($0, "<")) }
         /\tvfn?m(add|sub)/ { ++fused[name] }
         END { for (name in fused) print fused[name], name; print functions + 0, "functions" }'
}

# Whether they are found at all is tried on one that surely has some.
echo 'double product_and_sum(double a, double b, double c) { return a * b + c; }' |
  "${CXX:-c++}" -x c++ -O2 -mfma -ffp-contract=fast -c -o "$folder/fused.o" -
if ! fused_of "$folder/fused.o" | grep -q '^1 <product_and_sum(double, double, double)>:'; then
  echo "a fused instruction that is there was not found" >&2
  exit 1
fi

fused_of "$1" >"$folder/found"
functions=$(awk 'END { print $1 }' "$folder/found")
if ((functions < 1000)); then
  echo "only $functions functions were found in $1" >&2
  exit 1
fi
if (($(wc -l <"$folder/found") > 1)); then
  echo "these functions of $1 multiply and add with one rounding:" >&2
  head -n -1 "$folder/found" >&2
  exit 1
fi
echo "none of $functions functions multiplies and adds with one rounding"
