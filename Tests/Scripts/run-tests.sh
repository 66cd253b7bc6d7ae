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

# Ten tests at once for each processor, where Swift Testing would begin all of them: a test that
# waits for a reader or a program must not wait behind a thousand others. A newer Swift that no
# longer knows this variable ignores it.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((10 * $(nproc)))

# The call stack of each error that is thrown, also of those that a test expects, would be recorded; no report
# shows it.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0

# A throwaway server of PostgreSQL runs beside them. The pipe's status would be that of tee.
{ "$(dirname "$0")/with-postgresql.sh" "$swift" test --skip-build --disable-xctest "$@" 2>&1; echo $? >"$log.status"; } | tee "$log"
status=$(cat "$log.status")
rm -f "$log.status"
if [ "$status" -ne 0 ]; then
  printf '\nWhat failed:\n'
  grep -aiE -A 3 'recorded an issue|fatal error|fatal access|exited with' "$log" | grep -avE '^(✔|◇)' | cut -c 1-300
  # A crash ends with pages of other threads and registers: its reason, its own thread, and the tests
  # that were under way.
  sed -n '/^\*\*\* Program crashed/p; /^Thread .* crashed:$/,/^Thread [0-9]* *"*[^"]*"*:$/p' "$log" | head -80 | cut -c 1-300
  if grep -aq '^\*\*\* Program crashed' "$log"; then
    echo 'Tests under way:'
    sed -n -E 's/^◇ (Test .*) started\.$/+\1/p; s/^(✔|✘) (Test .*) (passed|failed) after .*$/-\2/p' "$log" \
      | grep -avE '^.Test (case|run)' \
      | sed -E 's/ with [0-9]+ test cases$//' \
      | awk '{ name = substr($0, 2) } /^[+]/ { open[name]++ } /^-/ { open[name]-- } END { for (name in open) if (open[name] > 0) print name }' \
      | sort | head -60
  fi
fi
# What the tests of recorded sessions compared.
grep -aE '^[0-9]+ recorded sessions of ' "$log" | tail -1
exit "$status"
