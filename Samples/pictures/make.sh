#!/usr/bin/env bash
# Makes the pictures of the README and of the manual with cliptag itself: a poster, a photograph of a
# wall that is drawn and not borrowed, and the same with the verdicts; the designs of posters on papers of
# all shapes, kinds of prints by template, and a poster on a designer's page.
#
# Called by `make pictures`. CLIPTAG names the command. The pictures are committed; the codes' names in
# the small print are new each time.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
samples=$(dirname "$here")
guide=$(cd "$samples/../Sources/Faces/cliptag/cliptag.docc" && pwd)
cliptag=${CLIPTAG:-cliptag}
python=${PYTHON:-$("$samples/demo/check-python.sh" --print)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CLIPTAG_REGISTRY=$work/registry.sqlite NO_COLOR=1
fruta=https://fruta.example.com
red=c8102e orange=e08a1e green=0b6e4f

poster() { "$cliptag" poster --quiet --dpi 90 "$@" 2>/dev/null; }
small() { "$python" "$here/small.py" "$@"; }

cd "$work"
"$cliptag" registry import --quiet "$samples/fruta/registry.yaml"
poster $fruta/order/cupertino -o 1.png --design bold --accent $red --nfc-target
# The one that belongs to another shop, and what nobody should have printed.
poster $fruta/order/san-francisco -o 2.png --design bold --accent $red --nfc-target
poster $fruta/order10 -o 3.png --unregistered --design editorial --accent $green \
  --brand Fruta --headline "Skip the line"
poster $fruta/summer -o 4.png --unregistered --design bold --accent $orange \
  --brand "Fruta Summer" --headline "Two smoothies for one"
poster https://evil.example.net/order/cupertino -o 5.png --unregistered \
  --brand Fruta --headline "Free smoothie"
poster $fruta/order1 -o 6.png

small 1.png 640 "$here/poster.png"
"$python" "$samples/demo/photograph.py" wall large.jpg [1-6].png --as-they-are
small large.jpg 1500 "$here/wall.jpg"
# In the name of the file that the README's reader has.
cp "$here/wall.jpg" wall.jpg
"$cliptag" scan wall.jpg --at 37.3230,-122.0322 --annotate wall-checked.png --quiet && exit 70
small wall-checked.png 1100 "$here/wall-checked.jpg"

# The field guide's: the first three codes with their flags, side by side, and the poster in small.
small 1.png 360 "$guide/field-guide-poster.png"
"$python" - wall-checked.png "$guide/field-guide-verdicts.png" <<'PYTHON'
import sys
from PIL import Image
wall = Image.open(sys.argv[1]).convert("RGB")
width, height, gap = 400, 300, 40
strip = Image.new("RGB", (3 * width + 2 * gap, height), "white")
for column, (x, y) in enumerate([(226, 440), (690, 488), (1146, 372)]):
    strip.paste(wall.crop((x, y, x + width, y + height)), (column * (width + gap), 0))
strip.quantize(96, dither=Image.Dither.NONE).save(sys.argv[2], optimize=True, dpi=(200, 200))
PYTHON

# The designs on papers of all shapes: a code, with a ring, with an App Clip Code, with both, and with a
# long German word. What has no room on a paper is left out.
"$cliptag" clipcode import --quiet "$samples/fruta/app-clip-codes"
for design in classic bold editorial; do
  for paper in A4 100x100 60x200 200x60 85x55 297x210; do
    for content in code ring clip both long; do
      case $content in
      code) words=() ;;
      ring) words=(--nfc-target) ;;
      clip) words=(--app-clip-code auto) ;;
      both) words=(--app-clip-code auto --nfc-target) ;;
      long) words=(--language de --headline Erdbeersmoothiebestellung) ;;
      esac
      "$cliptag" poster $fruta/order1/1 -o page.pdf --quiet --design $design \
        --paper $paper --accent $green --no-small-print "${words[@]}" 2>/dev/null || continue
      pdftoppm -scale-to 300 -png -singlefile page.pdf "$design-$paper-$content"
    done
  done
done
"$python" - "$guide/poster-designs.png" <<'PYTHON'
import sys
from pathlib import Path
from PIL import Image
designs, contents = ["classic", "bold", "editorial"], ["code", "ring", "clip", "both", "long"]
papers = ["A4", "100x100", "60x200", "200x60", "85x55", "297x210"]
cell, gap = 84, 6
sheet = Image.new(
    "RGB", (len(papers) * len(contents) // 2 * (cell + gap) + gap, 2 * len(designs) * (cell * 5 // 4 + gap) + gap),
    "#9a9a9a")
for row, design in enumerate(designs):
    for index in range(len(papers) * len(contents)):
        paper, content = papers[index // len(contents)], contents[index % len(contents)]
        path = Path(f"{design}-{paper}-{content}.png")
        if not path.exists():
            continue
        poster = Image.open(path).convert("RGB")
        poster.thumbnail((cell, cell * 5 // 4), Image.Resampling.LANCZOS)
        half, column = divmod(index, len(papers) * len(contents) // 2)
        sheet.paste(poster, (gap + column * (cell + gap), gap + (2 * row + half) * (cell * 5 // 4 + gap)))
sheet.quantize(64, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True, dpi=(144, 144))
PYTHON
"$cliptag" poster $fruta/order/cupertino -o card.pdf --quiet \
  --artwork "$samples/fruta/table-card.svg" --text table="Table 12" \
  --field headline=8,10,62,24,size=26pt,weight=800 --field table=8,36,62,9,weight=700,colour=fa9f42

# What shops order, by template.
template() {
  local name=$1
  shift
  "$cliptag" poster $fruta/order/cupertino -o page.pdf --quiet --template "$name" --bleed 0 "$@"
  pdftoppm -scale-to 420 -png -singlefile page.pdf "template-$name"
}
template business-card --design editorial --accent $green
template door-sticker --accent $green --headline "Order without queueing" --second-language es
template menu --accent $orange --headline Smoothies \
  --text "menu=Green smoothie | 4.50 €; Mango and passion fruit | 5.20 €; Berry | 4.80 €"
template opening-hours --accent $green --headline "Opening hours" --second-language de \
  --text "hours=Monday to Friday | 8–18; Saturday | 9–14; Sunday | closed"
template round-sticker --accent $red
template scooter-plate --accent 1d3557 --headline "Fruta Ride" --text vehicle=A-1207
template shelf-strip --accent $red --headline "Mango smoothie" --text "price=5.20 €"
template steps --accent $green --headline "Order without queueing" --logo "$samples/fruta/logo.svg" \
  --text "steps=Scan the code; Choose your smoothie; Pay with Apple Pay; Pick it up"
template table-number --accent $red --text table=12
template table-tent --design bold --accent $green
template window --accent $red
template wristband --accent 1d3557 --headline "Fruta Festival"
"$python" - "$guide/poster-templates.png" <<'PYTHON'
import sys
from pathlib import Path
from PIL import Image
width, height, gap, columns = 210, 220, 12, 4
files = sorted(Path(".").glob("template-*.png"))
rows = -(-len(files) // columns)
sheet = Image.new("RGB", (columns * (width + gap) + gap, rows * (height + gap) + gap), "#9a9a9a")
for index, file in enumerate(files):
    page = Image.open(file).convert("RGB")
    page.thumbnail((width, height), Image.Resampling.LANCZOS)
    row, column = divmod(index, columns)
    sheet.paste(
        page,
        (gap + column * (width + gap) + (width - page.width) // 2,
         gap + row * (height + gap) + (height - page.height) // 2))
sheet.quantize(64, dither=Image.Dither.NONE).save(sys.argv[1], optimize=True, dpi=(144, 144))
PYTHON
pdftoppm -r 110 -png -singlefile card.pdf card
small card.png 300 "$guide/poster-artwork.png"

CLIPTAG=$cliptag PYTHON=$python "$here/articles.sh"
ls -l "$here"/*.png "$here"/*.jpg "$guide"/*.png
