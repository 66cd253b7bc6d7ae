#!/bin/bash
# Do other people's programs work with the simulated reader?
#
#   Tests/Scripts/independent-clients.sh [CLIPTAG]
#
# CLIPTAG is the built command (else $CLIPTAG, else .build/debug/cliptag). Needed besides:
# nfc-list (Debian: libnfc-bin), nfc-mfultralight (libnfc-examples), and nfcpy
# with ndeflib for $PYTHON (else python3). None of them knows of the simulator; a missing one is a
# failure.
# With TIMING=wire or radio, answers come as late as a real line or tag makes them.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cliptag=${1:-${CLIPTAG:-$here/../../.build/debug/cliptag}}
python=${PYTHON:-python3}
folder=$(mktemp -d)
simulator=
failures=0

cleanup() {
  [ -n "$simulator" ] && kill "$simulator" 2>/dev/null
  rm -rf "$folder"
}
trap cleanup EXIT

missing() { echo "MISSING $1: install $2"; failures=$((failures + 1)); }
command -v "$cliptag" >/dev/null || missing "$cliptag" "or name the built command as first argument"
command -v nfc-list >/dev/null || missing nfc-list "Debian's libnfc-bin"
command -v nfc-mfultralight >/dev/null || missing nfc-mfultralight "Debian's libnfc-examples"
"$python" -c "import nfc, ndef" 2>/dev/null || missing "nfcpy" "nfcpy and ndeflib for $python"
[ "$failures" -eq 0 ] || exit 1

# start KIND [OPTION…]: starts a simulator and names it to libnfc.
start() {
  : >"$folder/line"
  local began=$EPOCHREALTIME
  "$cliptag" reader simulate --timing "${TIMING:-none}" --tag "$@" >"$folder/line" &
  simulator=$!
  until [ -s "$folder/line" ]; do
    kill -0 "$simulator" 2>/dev/null || { echo "FAILED the simulator did not start: $*"; exit 1; }
    sleep 0.002
  done
  local ended=$EPOCHREALTIME
  LIBNFC_DEVICE=$(head -n 1 "$folder/line")
  export LIBNFC_DEVICE LIBNFC_LOG_LEVEL=0
  echo "== $* on $LIBNFC_DEVICE, first line after $(((${ended/./} - ${began/./}) / 1000)) ms"
}

stop() {
  kill "-${1:-TERM}" "$simulator"
  wait "$simulator" 2>/dev/null
  simulator=
}

# check NAME PATTERN COMMAND…: the command succeeds and prints the pattern (fixed text, may be empty).
check() {
  local name=$1 pattern=$2
  shift 2
  if "$@" >"$folder/output" 2>&1 </dev/null && [[ $(<"$folder/output") == *"$pattern"* ]]; then
    echo "ok      $name"
  else
    echo "FAILED  $name; it printed:"
    sed 's/^/        /' "$folder/output"
    failures=$((failures + 1))
  fi
}

client() { "$python" "$here/independent-clients.py" "$@"; }
# nfc-mfultralight asks whether to write lock and OTP bytes: no.
write_dump() { yes n 2>/dev/null | nfc-mfultralight w "$1"; return "${PIPESTATUS[1]}"; }
ten_times() { for _ in 1 2 3 4 5 6 7 8 9 10; do nfc-list -t 1 || return 1; done; }

first=https://example.com/menu/dinner/item/1234
second=https://fruta.example.com/order/cupertino

for kind in ntag213:45:NTAG213 ntag215:135:NTAG215 ntag216:231:NTAG216; do
  IFS=: read -r tag pages name <<<"$kind"
  start "$tag" --uid 04A1B2C3D4E5F6 --memory "$folder/$tag.memory"
  check "nfc-list finds the tag" "04  a1  b2  c3  d4  e5  f6" nfc-list -t 1
  check "nfc-mfultralight reads $pages pages of an $name" "$pages of $pages pages read" \
    nfc-mfultralight r "$folder/old"
  check "nfcpy reads it as empty, writes a URL and reads it back" "$first" \
    client nfcpy "${LIBNFC_DEVICE#*:}" - "$first"
  check "nfc-mfultralight reads what nfcpy wrote" "0 pages failed" nfc-mfultralight r "$folder/new"
  check "the dump holds the record" "" client contains "$folder/new" "$first"
  check "a dump with another URL is made" "" \
    client message "$folder/old" "$second" "$folder/other"
  check "nfc-mfultralight writes it" "0 pages failed" write_dump "$folder/other"
  check "nfc-mfultralight reads it" "0 pages failed" nfc-mfultralight r "$folder/back"
  check "both dumps are equal" "" client compare "$folder/other" "$folder/back"
  stop KILL
  start "$tag" --memory "$folder/$tag.memory"
  check "after kill -9 and a new start nfcpy reads the URL and writes another" "$first" \
    client nfcpy "${LIBNFC_DEVICE#*:}" "$second" "$first"
  check "nfc-list ten times, one after another" "04  a1  b2  c3  d4  e5  f6" ten_times
  stop
done

start ultralight
check "nfc-mfultralight reads 16 pages" "16 of 16 pages read" nfc-mfultralight r "$folder/old"
check "a dump with a URL is made" "" client message "$folder/old" "$first" "$folder/other"
check "nfc-mfultralight writes it" "0 pages failed" write_dump "$folder/other"
check "nfc-mfultralight reads it" "0 pages failed" nfc-mfultralight r "$folder/back"
check "both dumps are equal" "" client compare "$folder/other" "$folder/back"
stop

for kind in ntag210 ntag212 type2 ntag413 ntag424 ntag424-random-uid desfire type4 jewel; do
  start "$kind"
  check "nfc-list finds one target" "1 ISO14443A" nfc-list
  check "nfcpy reads it as empty, writes a URL and reads it back" "$first" \
    client nfcpy "${LIBNFC_DEVICE#*:}" - "$first"
  check "nfcpy writes over it" "$second" client nfcpy "${LIBNFC_DEVICE#*:}" "$first" "$second"
  stop
done

for kind in ultralight-c ultralight-ev1-11 ultralight-ev1-21; do
  start "$kind"
  check "nfc-list finds the tag" "SAK (SEL_RES): 00" nfc-list -t 1
  check "nfc-mfultralight reads it" "0 pages failed" nfc-mfultralight r "$folder/old"
  stop
done

for kind in classic1k:08 classic4k:18; do
  start "${kind%:*}"
  check "nfc-list finds the tag" "SAK (SEL_RES): ${kind#*:}" nfc-list -t 1
  stop
done

for kind in felica:Felica typeb:ISO14443B; do
  start "${kind%:*}"
  check "nfc-list names it" "1 ${kind#*:}" nfc-list
  stop
done

start none
check "nfc-list opens the reader and finds no tag" "device opened" nfc-list -t 1
stop

start ntag213 --fault remove-after=6
check "nfc-mfultralight loses a tag that leaves after GET_VERSION and five READs" \
  "20 of 45 pages read" nfc-mfultralight r "$folder/lost"
check "the next client finds the tag put back" "45 of 45 pages read" \
  nfc-mfultralight r "$folder/back"
stop

[ "$failures" -eq 0 ] && echo "All clients work." || echo "$failures checks failed."
exit $((failures > 0))
