#!/usr/bin/env bash
# Does the README's five tasks as they are printed, and compares what they print.
#
# usage: readme-tasks.sh CLIPTAG
#
# Takes the console blocks below "## Five tasks in five minutes", runs their commands one after another
# in a folder of its own that holds nothing but the samples, and fails when one ends with a status
# above 1 (a verdict) or does not print the lines that the README shows, in their order. Names of codes
# and terminals differ each time; "…" stands for lines that are left out. Commands of make are left
# out, too. Where the text starts the simulated reader, one is started, and where it wants a real one,
# another. Prints the time of each task.
set -euo pipefail

package=$(cd "$(dirname "$0")/../.." && pwd)
cliptag=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
simulator=
stop_simulator() {
  [ -z "$simulator" ] || { kill "$simulator" && wait "$simulator"; } 2>/dev/null || true
  simulator=
}
trap 'stop_simulator; rm -rf "$work"' EXIT
cp -R "$package/Samples" "$work"
mkdir "$work/bin"
ln -s "$cliptag" "$work/bin/cliptag"
export PATH="$work/bin:$PATH" CLIPTAG_REGISTRY="$work/registry.sqlite" NO_COLOR=1
unset LIBNFC_DEVICE LIBNFC_DEFAULT_DEVICE CLIPTAG_KEYS 2>/dev/null || true
cd "$work"

# Starts the simulated reader with these arguments and names it in LIBNFC_DEVICE.
simulate() {
  stop_simulator
  mkfifo reader
  cliptag reader simulate "$@" >reader 2>/dev/null &
  simulator=$!
  IFS= read -r LIBNFC_DEVICE <reader
  rm reader
  export LIBNFC_DEVICE
  printf '%s\n' "$LIBNFC_DEVICE" >actual
}

# What differs each time, made the same; the sign of an omission becomes a line of its own kind.
plain() { sed -E 's/c-[0-9A-Z]{26}/c-CODE/g; s#/dev/pts/[0-9]+#/dev/pts/N#g; s/^ *…$/…/' "$1"; }

# Whether the lines of `expected` stand in `actual` in this order, with nothing in between where
# there is no omission.
compare() {
  awk '
    NR == FNR { actual[++count] = $0; next }
    $0 == "…" { gap = 1; next }
    {
      if (gap) { while (at < count && actual[at + 1] != $0) at++ }
      if (at >= count || actual[at + 1] != $0) { print; exit 1 }
      at++; gap = 0
    }' <(plain actual) <(plain expected)
}

command="" title="what comes before"
began=$(date +%s%N)
finish() { # the command whose expected lines are complete
  [ -n "$command" ] || return 0
  local status=0 arguments=${command%%#*} missing
  case $command in
    'make '* | 'export PATH='* | 'sudo '*) return 0 ;;
    'cliptag reader simulate '*)
      arguments=${arguments#cliptag reader simulate }
      # shellcheck disable=SC2086 # Several words.
      simulate ${arguments%&*}
      ;;
    'export LIBNFC_DEVICE='*) return 0 ;; # It is named already, as it is called today.
    *'unset LIBNFC_DEVICE'*)
      simulate --tag ntag215 --memory another-tag.bin
      echo "  (a simulated reader stands for the real one)"
      return 0
      ;;
    *) eval "$command" >actual 2>messages || status=$? ;;
  esac
  if [ "$status" -gt 1 ]; then
    printf 'README, %s: “%s” ended with status %s\n' "$title" "$command" "$status" >&2
    cat messages >&2
    exit 1
  fi
  [ -s expected ] || return 0
  if ! missing=$(compare); then
    printf 'README, %s: “%s” does not print, or not here:\n  %s\nbut:\n' "$title" "$command" "$missing" >&2
    cat actual >&2
    exit 1
  fi
}
report() {
  local now
  now=$(date +%s%N)
  printf '%5d ms  %s\n' $(((now - began) / 1000000)) "$title"
  began=$now
}

tasks=0 inside=
: >expected
while IFS= read -r line <&3; do
  case $line in
    '### '*)
      report
      title=${line#\#\#\# }
      tasks=$((tasks + 1))
      ;;
    '```console') inside=yes ;;
    '```')
      finish
      command="" inside=""
      : >expected
      ;;
    '$ '*)
      if [ -n "$inside" ]; then
        finish
        command=${line#\$ }
        : >expected
      fi
      ;;
    *) [ -z "$inside" ] || printf '%s\n' "$line" >>expected ;;
  esac
done 3< <(sed -n '/^## Five tasks/,/^## Install/p' "$package/README.md")
report
[ "$tasks" -eq 5 ] || { echo "README: there are $tasks tasks, not five" >&2; exit 1; }
