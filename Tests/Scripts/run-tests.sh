#!/bin/sh
# Runs tests that were built, and repeats the failures at the end, below the thousands of lines of
# tests that passed. Called by make: run-tests.sh SWIFT [ARGUMENT of swift test…]
set -u
swift=$1
shift
log=.build/tests.log
trap 'rm -f "$PCSCLITE_CSOCK_NAME"' EXIT

# Where tests of PC/SC have a service of their own. The library looks once, whichever test uses it first.
export PCSCLITE_CSOCK_NAME="/tmp/cliptag-pcsc-$$.socket"

# Four tests at once for each processor, where Swift Testing would begin all of them: a test that
# waits for a reader or a program must not wait behind a thousand others. A newer Swift that no
# longer knows this variable ignores it.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((4 * $(nproc)))

# A throwaway server of PostgreSQL runs beside them. The pipe's status would be that of tee.
{ "$(dirname "$0")/with-postgresql.sh" "$swift" test --skip-build --disable-xctest "$@" 2>&1; echo $? >"$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
if [ "$status" -ne 0 ]; then
  printf '\nWhat failed:\n'
  grep -aE -A 3 'recorded an issue|[Ff]atal error|Exited with' "$log" | grep -avE '^(✔|◇)' | cut -c 1-300
fi
# What the tests of recorded sessions compared.
grep -aE '^[0-9]+ recorded sessions of ' "$log" | tail -1
exit "$status"
