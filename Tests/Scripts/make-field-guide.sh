#!/bin/sh
# Makes the field guide's two pages of paper from the article of the manual, and fails when they are
# not two. Called by `make field-guide`: make-field-guide.sh OUT.pdf
#
# cmark-gfm turns the article into HTML, weasyprint that into pages. Both are Debian's; where they are
# missing, check-dependencies.sh has installed them.
set -eu
package=$(cd "$(dirname "$0")/../.." && pwd)
catalog=$package/Sources/Faces/cliptag/cliptag.docc
out=$1
mkdir -p "$(dirname "$out")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
  printf '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>cliptag: field guide</title>'
  printf '<meta name="keywords" content="App Clip, QR code, NFC tag"></head><body>\n'
  # Pictures, tables, nothing that is not in the article.
  cmark-gfm --extension table "$catalog/FieldGuide.md"
  printf '</body></html>\n'
} >"$work/guide.html"
# The same article gives the same bytes: no date but the one that is asked for.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0} weasyprint --quiet --base-url "$catalog/" \
  --stylesheet "$package/Tests/Scripts/field-guide.css" "$work/guide.html" "$work/guide.pdf"

pages=$(pdfinfo "$work/guide.pdf" | sed -n 's/^Pages: *//p')
size=$(pdfinfo "$work/guide.pdf" | sed -n 's/^Page size: *//p')
case "$pages:$size" in
  2:*A4*) ;;
  *) echo "field guide: $pages pages of $size, expected 2 of A4; shorten FieldGuide.md" >&2; exit 1 ;;
esac
mv "$work/guide.pdf" "$out"
echo "made $out: 2 pages of A4"
