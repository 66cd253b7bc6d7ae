#!/bin/sh
# Puts axe-core, which finds what keeps people from using a page, into a folder: a fixed version, from the
# Python package that carries it. What is there stays. Called by make: fetch-axe.sh FOLDER
set -eu
folder=$1
package=axe-playwright-python==0.1.8
sum=84494fec757e4710dc751c8d7a636e457f4532f08f85c86dc9070133fbff53bc

[ -f "$folder/axe.min.js" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" "$package"
/usr/bin/python3 -m zipfile -e "$work"/*.whl "$work/wheel"
mkdir -p "$folder"
found=$(find "$work/wheel" -name axe.min.js)
echo "$sum  $found" | sha256sum --check --quiet
cp "$found" "$folder/axe.min.js"
