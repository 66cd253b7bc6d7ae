#!/usr/bin/env bash
# Makes the pictures of single articles with cliptag itself, small enough to be committed: what the article's
# command prints, and the same for the libraries that do it.
#
# Called by make.sh. CLIPTAG names the command. The station's picture needs Debian's chromium-driver; without
# it the old one stays.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
samples=$(dirname "$here")
sources=$(cd "$samples/../Sources" && pwd)
manual=$sources/cliptag/cliptag.docc
cliptag=${CLIPTAG:-cliptag}
python=${PYTHON:-$("$samples/demo/check-python.sh" --print)}
work=$(mktemp -d)
station=
trap '[ -z "$station" ] || kill "$station"; rm -rf "$work"' EXIT
export CLIPTAG_REGISTRY=$work/registry.sqlite XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work NO_COLOR=1
fruta=https://fruta.example.com
position=37.3230,-122.0322

small() { "$python" "$here/small.py" "$@"; }
# PDF WIDTH OUT: its first page.
page() {
  pdftoppm -r 150 -png -singlefile "$1" "$work/page"
  small "$work/page.png" "$2" "$3"
}

cd "$work"
"$cliptag" registry import --quiet "$samples/fruta/registry.yaml"
"$cliptag" clipcode import --quiet "$samples/fruta/app-clip-codes"

"$cliptag" qr $fruta/order/cupertino -o code.png --quiet --width 40
small code.png 200 "$manual/printed-code.png"

"$cliptag" sheet "$samples/fruta/tables.csv" -o tables.pdf --quiet --template L7163 --caption label --outlines 2>messages || cat messages >&2
page tables.pdf 420 "$manual/label-sheet.png"

"$cliptag" poster $fruta/order1/1 -o clip.pdf --quiet --app-clip-code auto --paper A6 --accent 0b6e4f --no-small-print
page clip.pdf 240 "$manual/app-clip-code-poster.png"

"$cliptag" poster $fruta/order/cupertino -o poster.pdf --quiet --design bold --accent c8102e --no-small-print
page poster.pdf 260 "$sources/CodeDrawing/CodeDrawing.docc/poster.png"

# The wall of the README, with a flag on each code.
cp "$here/wall.jpg" wall.jpg
"$cliptag" scan wall.jpg --at $position --annotate checked.png --quiet && exit 70
small checked.png 520 "$sources/CodeScanning/CodeScanning.docc/found-codes.jpg"

# A walk past it, with a record that has three of its codes and nothing of the prints above.
export CLIPTAG_REGISTRY=$work/walk.sqlite CLIPTAG_BY=Ada
"$cliptag" registry import --quiet "$samples/fruta/registry.yaml"
for code in order/cupertino order/san-francisco order1; do
  "$cliptag" qr $fruta/$code -o code.svg --quiet 2>/dev/null
done
"$cliptag" audit wall.jpg --at $position --name "Autumn 2026" --quiet >/dev/null 2>&1 || true
"$cliptag" audit report "Autumn 2026" -o walk.pdf --quiet >/dev/null 2>messages || [ -s walk.pdf ] || cat messages >&2
page walk.pdf 460 "$manual/walk-report.png"

if command -v chromedriver >/dev/null; then
  "$cliptag" station --port 0 --json --no-location >station.json 2>/dev/null &
  station=$!
  for _ in $(seq 100); do [ -s station.json ] && break; sleep 0.1; done
  address=$("$python" -c 'import json, sys; print(json.loads(sys.stdin.readline())["url"])' <station.json)
  "$python" "$here/station.py" "$address" station.png
  small station.png 800 "$manual/station.png"
fi

ls -l "$manual"/*.png "$sources"/Code*/*.docc/*.{png,jpg}
