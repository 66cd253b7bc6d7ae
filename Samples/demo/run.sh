#!/usr/bin/env bash
# The main job, from nothing, with real output: issue codes, read them back from pictures that
# look photographed and from a tag, check them, and confirm where they hang.
#
# Called by `make demo`. CLIPTAG names the command, DEMO the folder for what is made (default
# ./demo-output). Every step states what it expects; the first that comes out otherwise ends the
# demonstration with status 1.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cliptag=${CLIPTAG:-cliptag}
demo=${DEMO:-demo-output}
python=${PYTHON:-$("$here/check-python.sh" --print)}
mkdir -p "$demo"
demo=$(cd "$demo" && pwd)
rm -rf "${demo:?}"/*
cd "$demo"
export CLIPTAG_REGISTRY=$demo/registry.sqlite
unset LIBNFC_DEVICE LIBNFC_DEFAULT_DEVICE 2>/dev/null || true

cupertino=37.3230,-122.0322
san_francisco=37.7749,-122.4194
base=https://fruta.example.com
step=0
simulator=

stop_simulator() {
  if [ -n "$simulator" ]; then
    kill "$simulator" 2>/dev/null || true
    wait "$simulator" 2>/dev/null || true
    simulator=
  fi
}
trap stop_simulator EXIT

if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[2m' off=$'\e[0m'; else bold='' dim='' off=''; fi

title() { printf '\n%s%s%s\n' "$bold" "$*" "$off"; }

# expect STATUS 'WHAT THE OUTPUT HOLDS' 'WHAT IT SHOWS' -- ARGUMENTS OF cliptag ...
# Runs the command for people, shows its output, and compares status and words.
expect() {
  local status=$1 words=$2 meaning=$3 output actual=0
  shift 4
  step=$((step + 1))
  printf '\n%s%d. %s%s\n%s$ cliptag %s%s\n' "$bold" "$step" "$meaning" "$off" "$dim" "$*" "$off"
  output=$("$cliptag" "$@" 2>&1) || actual=$?
  printf '%s\n' "$output"
  if [ "$actual" -ne "$status" ]; then
    printf '\nDEMONSTRATION FAILED at step %d: exit status %d, expected %d\n' "$step" "$actual" "$status"
    exit 1
  fi
  local word
  while IFS= read -r word; do
    case $output in
      *"$word"*) ;;
      *)
        printf '\nDEMONSTRATION FAILED at step %d: the output does not say “%s”\n' "$step" "$word"
        exit 1
        ;;
    esac
  done <<<"$words"
}

# simulate ARGUMENTS ...: starts a simulated reader and leaves its connection string in $reader.
simulate() {
  stop_simulator
  rm -f reader.txt
  mkfifo reader.fifo
  "$cliptag" reader simulate "$@" >reader.fifo 2>simulator.log &
  simulator=$!
  IFS= read -r reader <reader.fifo
  rm -f reader.fifo
  printf '\n%s$ cliptag reader simulate %s &%s\n%s\n' "$dim" "$*" "$off" "$reader"
}

title "cliptag, from nothing: $("$cliptag" --version), files in $demo"

title "The registry: which clips there are, what their experiences cover, where the places are"
expect 0 "2 added" "The sample registry of Fruta, a smoothie shop with two stores" \
  -- registry import "$here/../fruta/registry.yaml"
expect 0 "ACCEPTED
Order a smoothie
Fruta Cupertino" "What a phone would do with a payload" \
  -- check $base/order/cupertino

title "Issue: QR codes for two stores, each file read back from its pixels before it is written"
expect 0 "read back from its pixels" "Cupertino, as SVG, PNG and PDF, at most 40 mm wide" \
  -- qr $base/order/cupertino -o cupertino.svg -o cupertino.png -o cupertino.pdf --width 40
expect 0 "read back from its pixels" "San Francisco, the same" \
  -- qr $base/order/san-francisco -o san-francisco.svg -o san-francisco.png -o san-francisco.pdf --width 40
expect 1 "REJECTED
not-https" "A payload that no phone would take is refused" \
  -- qr http://fruta.example.com/order/cupertino -o refused.svg
if [ -e refused.svg ]; then echo "DEMONSTRATION FAILED: refused.svg exists"; exit 1; fi

title "Read: pictures that look photographed"
"$python" "$here/photograph.py" single cupertino.png cupertino-tilted.jpg --turn 14 --blur 1.8
"$python" "$here/photograph.py" single san-francisco.png san-francisco-upside-down.jpg --turn 193 --blur 2.2
echo "made cupertino-tilted.jpg, san-francisco-upside-down.jpg"
expect 0 "ACCEPTED
inside: 0 m" "In Cupertino: the Cupertino sign belongs here" \
  -- scan cupertino-tilted.jpg --at $cupertino
expect 1 "REJECTED
outside
60.7 km" "In Cupertino: a San Francisco sign came in the wrong parcel" \
  -- scan san-francisco-upside-down.jpg --at $cupertino
expect 0 "ACCEPTED
inside: 0 m" "In San Francisco: the same picture is right" \
  -- scan san-francisco-upside-down.jpg --at $san_francisco
expect 1 "UNDECIDED
undecided" "A position that is good to 150 m does not prove 100 m" \
  -- scan cupertino-tilted.jpg --at $cupertino --accuracy 150

title "A wall: good signs, and everything that goes wrong with signs"
# The print shop can be told to make what the check refuses; it says so and records it so.
for code in order10:$base/order10 default:https://rewards.example.com/terms \
  foreign:https://evil.example.net/order/cupertino plain:http://fruta.example.com/order/cupertino \
  summer:$base/summer; do
  "$cliptag" qr --unregistered "${code#*:}" -o "${code%%:*}.png" --width 40 --quiet
done
"$python" "$here/photograph.py" wall wall.jpg cupertino.png san-francisco.png order10.png default.png \
  foreign.png plain.png
echo "made wall.jpg with six signs"
expect 1 "ACCEPTED  $base/order/cupertino
REJECTED  $base/order/san-francisco
UNDECIDED $base/order10
ambiguous-prefix
UNDECIDED https://rewards.example.com/terms
default-only
REJECTED  https://evil.example.net/order/cupertino
unregistered
REJECTED  http://fruta.example.com/order/cupertino
malformed
wall-checked.png  shows 6 codes" "Stand in Cupertino before the wall, and see which sign is wrong in wall-checked.png" \
  -- scan wall.jpg --at $cupertino --annotate wall-checked.png
expect 1 "REJECTED
inactive" "A sign of last summer's campaign" -- scan summer.png --at $cupertino
expect 0 "ACCEPTED" "The PDF that goes to the printer" -- scan cupertino.pdf --at $cupertino

title "A tag: written, read back, verified, without hardware"
simulate --tag ntag215 --uid 04E10CDA993C80 --memory cupertino-tag.bin
expect 0 "11 pages
exchanges" "What would be written" -- tag write $base/order/cupertino --dry-run --reader "$reader"
expect 0 "11 pages written, read back, equal" "Write the Cupertino tag" \
  -- tag write $base/order/cupertino --reader "$reader"
expect 0 "already correct, nothing written" "Once more: a right tag is left alone" \
  -- tag write $base/order/cupertino --reader "$reader"
expect 0 "ACCEPTED
NTAG215 04E10CDA993C80
inside: 0 m" "Read it in Cupertino" -- tag read --reader "$reader" --at $cupertino
expect 1 "REJECTED
60.7 km" "Read it in San Francisco: somebody moved it" \
  -- tag read --reader "$reader" --at $san_francisco

title "A tag that somebody planted over ours"
simulate --tag ntag213 --uid 04A1B2C3D4E5F6 --memory planted-tag.bin
"$cliptag" tag write https://evil.example.net/order/cupertino --unregistered --reader "$reader" \
  --registry "$demo/elsewhere.sqlite" --quiet 2>/dev/null
expect 1 "REJECTED
unregistered" "It looks like an order, but the host is not ours" \
  -- tag read --reader "$reader" --at $cupertino
expect 1 "foreign data" "Nothing is overwritten unasked" \
  -- tag write $base/order/cupertino --reader "$reader"

title "A tag pulled away in the middle of writing"
simulate --tag ntag213 --uid 04C0FFEE123480 --memory torn-tag.bin --fault tear-write=5
expect 74 "run the command again" "The tag leaves during its fifth page" \
  -- tag write $base/order/san-francisco --reader "$reader"
expect 1 "The tag is formatted and empty" "What a phone finds on it: nothing, rather than half a URL" \
  -- tag read --reader "$reader" --at $san_francisco
expect 0 "read back, equal" "The same command again finishes the job" \
  -- tag write $base/order/san-francisco --reader "$reader"
expect 0 "ACCEPTED" "And the tag is right" -- tag read --reader "$reader" --at $san_francisco

title "Many tags: a CSV file, a deck of five blank tags, one after another"
expect 0 "5 rows checked
would write 5 tags and permanently lock them" "The whole file is checked before the first tag is touched" \
  -- tag batch "$here/../fruta/tables.csv" --lock --dry-run
simulate --deck 5 --tag ntag213 --uid 04BA7C12345680 --memory deck
expect 0 "row 1 of 5
04BA7C12345681 13 pages written, read back, equal, not-genuine
2 of 5 rows done, 3 to do" "Two tags, then the power fails" \
  -- tag batch "$here/../fruta/tables.csv" --lock --limit 2 --timeout 10 --reader "$reader"
expect 0 "row 3 of 5
locked
5 of 5 rows done, 3 in this run" "The same command goes on where it was" \
  -- tag batch "$here/../fruta/tables.csv" --lock --timeout 10 --reader "$reader"
stop_simulator

title "On paper: a poster, and labels for every table"
expect 0 "read back from the page's pixels
Noto Sans" "A sign for the wall, with a ring for the tag behind it" \
  -- poster $base/order/cupertino -o sign.pdf --design bold --accent 0b6e4f --nfc-target
expect 0 "5 of 5 rows, each read back" "Labels for the tables, with their names" \
  -- sheet "$here/../fruta/tables.csv" -o tables.pdf --template 60x40,3x6,14,20,61,42 --caption label
expect 0 "5 rows to tables, each file read back" "And each code as a file of its own" \
  -- sheet "$here/../fruta/tables.csv" -o tables --format svg --width 30

title "A walk: what hangs in Cupertino, and what does not"
simulate --tag ntag215 --uid 04E10CDA993C80 --memory cupertino-tag.bin
expect 0 "ACCEPTED
1 stop with 1 code added" "The Cupertino tag is where it belongs" \
  -- audit --tags --count 1 --place cupertino --name November --reader "$reader"
stop_simulator
expect 1 "belongs to Fruta San Francisco and is mounted at Fruta Cupertino
1 stop with 6 codes added" "The wall in Cupertino, one picture with six signs, is one stop" \
  -- audit wall.jpg --place cupertino --name November
expect 1 "1 known before" "After a crash the same command goes on: what was seen is not seen twice" \
  -- audit wall.jpg summer.png --place cupertino --name November
expect 1 "missing-code
wrong-place
not visited: Fruta San Francisco
wrote walk.html
wrote walk.pdf" "The report for a manager, with a marked picture of the wall: walk.html, walk.pdf" \
  -- audit report November -o walk.html -o walk.pdf
expect 0 "nothing was changed" "Nobody changed the record" -- code verify

title "The record"
expect 0 "04E10CDA993C80
04C0FFEE123480
not registered" "What was issued" -- code list

printf '\n%sAll %d steps came out as expected.%s Everything that was made is in %s\n' \
  "$bold" "$step" "$off" "$demo"
