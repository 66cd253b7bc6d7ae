#!/bin/sh
# Takes the search path for libraries (DT_RUNPATH, DT_RPATH) out of a program: drop-runpath.sh PROGRAM
#
# `swift build` always writes $ORIGIN into it. In a program that is installed that would mean: take
# libraries from the folder where the program lies, before the system's. Nothing is found there that
# belongs to it, and whoever may write there could put something.
set -eu
program=$1

# The entry after the others are moved up over it: a table of pairs of 8 bytes that ends with zeros.
while :; do
  row=$(LC_ALL=C readelf -dW "$program" |
    awk '/^ *0x/ { if ($2 == "(RUNPATH)" || $2 == "(RPATH)") { print row + 0; exit } row++ }')
  [ -n "$row" ] || break
  LC_ALL=C readelf -hW "$program" | grep -q 'Class: *ELF64' || {
    echo "$program is no 64-bit ELF program; its search path for libraries stays." >&2
    exit 1
  }
  # shellcheck disable=SC2046 # Two numbers.
  set -- $(LC_ALL=C readelf -lW "$program" | awk '$1 == "DYNAMIC" { print $2, $5 }')
  start=$(($1)) size=$(($2))
  entry=$((start + 16 * row)) rest=$((size - 16 * (row + 1)))
  part=$(mktemp)
  tail -c "+$((entry + 17))" "$program" | head -c "$rest" >"$part"
  dd if="$part" of="$program" bs=65536 oflag=seek_bytes seek="$entry" conv=notrunc status=none
  rm -f "$part"
done
