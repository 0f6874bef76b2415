#!/usr/bin/env bash
# Installs the packages of packages.txt, or of the lists given, that are missing. Where that is not possible, says what is
# missing and leaves it to the build to find out whether it was needed.
# Usage: packages.sh [LIST...]
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t wanted < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "${@:-packages.txt}")

if ! command -v apt-get >/dev/null; then
  echo "No apt-get here. Pliant needs what Debian calls: ${wanted[*]%%/*}"
  exit 0
fi
missing=()
for entry in "${wanted[@]}"; do
  package=${entry%%/*}
  if [[ $entry == */* ]] && command -v "${entry#*/}" >/dev/null; then continue; fi
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) || status=none
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit 0; fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Not root and no sudo. As root: apt-get install ${missing[*]}"
    exit 0
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}"
