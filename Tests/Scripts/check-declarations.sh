#!/usr/bin/env bash
# Compares what the C shims declare of a library themselves with the library's headers.
#
# Called by make lint: check-declarations.sh [FOLDER], where FOLDER is the package; by default this one.
# A shim with a Declarations.h is compiled with it, and with the headers of this system instead of it: when
# every type and number is the same, so is every byte of the code. Shims whose headers are not here are named
# and left out.
set -euo pipefail
cd "${1:-$(dirname "$0")/../..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The modules of pkg-config that have a shim's headers; none where the compiler finds them.
modules() {
  case $1 in
  CArchive) echo libarchive ;;
  CHTML) echo libxml-2.0 ;;
  CHyphen) ;;
  CPango) echo pangoft2 fontconfig ;;
  CPCSC) echo libpcsclite ;;
  CPostgreSQL) echo libpq ;;
  *)
    echo "check-declarations: name the modules of pkg-config for $1 in this script" >&2
    exit 1
    ;;
  esac
}

status=0
for declarations in Sources/*/*/Declarations.h; do
  folder=${declarations%/*}
  shim=${folder##*/}
  read -ra named <<<"$(modules "$shim")"
  flags=()
  if [ ${#named[@]} -gt 0 ]; then
    if ! found=$(pkg-config --cflags "${named[@]}" 2>/dev/null); then
      echo "$shim: not compared, ${named[*]} is not here"
      continue
    fi
    read -ra flags <<<"$found"
  fi
  compile() {
    clang -O1 -D_GNU_SOURCE -ISources/System/COnDemand/include "-I$folder/include" "$@" -c "$folder/$shim.c"
  }
  if ! compile -DSHIM_OF_SYSTEM_HEADERS -w "${flags[@]}" -o "$work/headers.o" 2>"$work/log"; then
    if grep -q 'file not found' "$work/log"; then
      echo "$shim: not compared, its headers are not here"
    else
      cat "$work/log"
      status=1
    fi
    continue
  fi
  compile -Wall -Wextra -Werror -o "$work/declarations.o"
  if ! cmp -s "$work/headers.o" "$work/declarations.o"; then
    echo "$declarations: with the library's own headers, $shim.c becomes other code:"
    for kind in headers declarations; do
      objdump --disassemble --reloc --full-contents "$work/$kind.o" | sed 1,3d >"$work/$kind"
    done
    diff "$work/headers" "$work/declarations" | head -n 8 || true
    status=1
  fi
done
exit $status
