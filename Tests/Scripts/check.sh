#!/usr/bin/env bash
# Everything that is run before a release, in one go. Called by make: check.sh [STEP…]
#
# A step that fails does not stop the others; what each said is in .build/check, and the table at the
# end tells how each ended and how long it took.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
all=(lint test address thread fuzz docs package smoke demo)
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=("${all[@]}")
logs=.build/check
mkdir -p "$logs"

run() {
  case $1 in
    lint) make --no-print-directory lint ;;
    test) make --no-print-directory test-all ;;
    address | thread) Tests/Scripts/sanitize.sh "${SWIFT:-swift}" "$1" ;;
    fuzz) make --no-print-directory fuzz SECONDS_EACH="${SECONDS_EACH:-60}" ;;
    docs) make --no-print-directory docs ;;
    package) make --no-print-directory deb ;;
    smoke) make --no-print-directory smoke && make --no-print-directory readme-tasks ;;
    demo) make --no-print-directory demo ;;
    *)
      echo "check: there is no step \"$1\"; there are: ${all[*]}" >&2
      return 64
      ;;
  esac
}

failed=0
table=""
for step in "${steps[@]}"; do
  echo "check: $step …"
  begin=$(date +%s)
  if run "$step" > "$logs/$step.log" 2>&1; then end=passed; else
    end=FAILED failed=1
    tail -n 20 "$logs/$step.log"
  fi
  took=$(($(date +%s) - begin))
  table+=$(printf '%-8s  %-6s  %3d:%02d' "$step" "$end" $((took / 60)) $((took % 60)))$'\n'
done
printf '\n%s' "$table"
[ "$failed" -eq 0 ] || echo "check: what was said is in $logs, one file a step" >&2
exit "$failed"
