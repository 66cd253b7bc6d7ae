#!/bin/sh
# Checks how a program was linked: check-binary.sh PROGRAM
#
# It must take libraries from the system's folders alone, bind every function before it runs (BIND_NOW),
# have its tables of functions read-only from then on (RELRO), and lie anywhere in memory (PIE) with a
# stack that is never run.
set -eu
program=$1
fail() {
  echo "$program: $*" >&2
  exit 1
}
dynamic=$(LC_ALL=C readelf -dW "$program")
segments=$(LC_ALL=C readelf -lW "$program")
case $dynamic in *"(RUNPATH)"* | *"(RPATH)"*) fail "it has a search path for libraries" ;; esac
case $dynamic in *BIND_NOW* | *"Flags: NOW"*) ;; *) fail "it binds functions when they are called" ;; esac
case $dynamic in *PIE*) ;; *) fail "it lies at one place in memory" ;; esac
case $segments in *GNU_RELRO*) ;; *) fail "its tables of functions can be written" ;; esac
echo "$segments" | awk '$1 == "GNU_STACK" && $7 !~ /E/ { found = 1 } END { exit !found }' ||
  fail "its stack can be run"
echo "fine: $program takes no library from its own folder, and its tables are read-only"
