#!/bin/sh
# Runs the tests with a sanitizer compiled in: sanitize.sh SWIFT address|thread
#
# Not run here, because they measure or limit what a sanitizer changes (both reserve terabytes of
# address space, and memory and time grow several times):
#   CommandTests: the built command as a process under limits; what it runs is tested in its libraries
#   documents that a child process renders under an address-space limit: see `skipped` below
set -eu
swift=$1 kind=$2
scratch=.build/$kind
# Optimised, unlike other tests: the scanner's loops would take some twenty times as long.
"$swift" build --build-tests --sanitize="$kind" --scratch-path "$scratch" -Xswiftc -O -Xcc -O2
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((2 * $(nproc)))
# Memory that C libraries keep for the life of a process (fontconfig, GLib, Swift metadata) is no
# fault; everything else ends the run.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0
export TSAN_OPTIONS=halt_on_error=0:exitcode=66:suppressions="$PWD/Tests/Scripts/thread-sanitizer.txt"
log=$scratch/tests.log
status=0
# The sanitizer has to be told of Swift's Mutex.
preload=
if [ "$kind" = thread ]; then
  preload=$PWD/$scratch/mutex.so
  clang -Wall -Wextra -Werror -O2 -shared -fPIC -o "$preload" Tests/Scripts/mutex-for-tsan.c
fi
LD_PRELOAD=$preload "$swift" test --skip-build --disable-xctest --sanitize="$kind" \
  --scratch-path "$scratch" -Xswiftc -O -Xcc -O2 --skip CommandTests > "$log" 2>&1 || status=$?
grep -aE 'Test run with' "$log" || true
if [ "$status" -ne 0 ] || grep -aqE 'ERROR: AddressSanitizer|WARNING: ThreadSanitizer' "$log"; then
  grep -aE -A 12 'AddressSanitizer|ThreadSanitizer|recorded an issue|[Ff]atal error' "$log" \
    | cut -c 1-200 | head -n 200
  echo "sanitize: faults under the $kind sanitizer; all of it is in $log" >&2
  exit 1
fi
