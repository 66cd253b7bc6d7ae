#!/usr/bin/env bash
# Makes a Debian package of what is built: make-deb.sh BINARY OUTPUT-FOLDER
#
# Called by `make deb`, which builds first. The same commit and the same binary give the same bytes:
# every time in the package is that of the last commit, or SOURCE_DATE_EPOCH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
binary=$1 output=$2

# A package of a commit that is not the release has a version before it, or after it once it is tagged,
# and after those of earlier commits.
version=$("$binary" --version | cut -d' ' -f1)
commit=$(git log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd.g%h 2>/dev/null || true)
if [ -n "$commit" ] && [ "$(git describe --exact-match --match "v$version" 2>/dev/null)" != "v$version" ]; then
  if git merge-base --is-ancestor "v$version" HEAD 2>/dev/null; then
    version=$version+$commit
  else
    version=$version~$commit
  fi
fi
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>' 2>/dev/null || true)}
[ -n "$maintainer" ] || maintainer="the cliptag authors <cliptag@localhost>"
name=cliptag_${version}_${architecture}
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
umask 022

make --no-print-directory install DESTDIR="$root" PREFIX=/usr BINARY="$binary" >/dev/null
Tests/Scripts/check-binary.sh "$root/usr/bin/cliptag"
documents=$root/usr/share/doc/cliptag
make --no-print-directory sbom BINARY="$root/usr/bin/cliptag" SBOM="$documents/cliptag.spdx.json" >/dev/null

# Debian keeps man pages and the changelog compressed, without the time of day in them, and the full
# texts of common licences in a package of their own.
find "$root/usr/share/man" -type f -name '*.[1-8]' -exec gzip -9n {} + 2>/dev/null || true
date=$(date -uR -d "@$SOURCE_DATE_EPOCH")
{
  printf 'cliptag (%s) unstable; urgency=medium\n\n' "$version"
  printf '  * What changed for users is told in CHANGELOG.md.\n\n'
  printf ' -- %s  %s\n' "$maintainer" "$date"
} | gzip -9n >"$documents/changelog.gz"
[ ! -e "$documents/CHANGELOG.md" ] || gzip -9n "$documents/CHANGELOG.md"
rm -f "$documents"/LICENSE*
# A completion is read, not run.
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/cliptag"
# Yams brings its own copy of libyaml, which it builds against.
install -d "$root/usr/share/lintian/overrides"
echo 'cliptag: embedded-library libyaml *' >"$root/usr/share/lintian/overrides/cliptag"

# The libraries that are linked, with the versions that have the functions we call.
mkdir -p "$work/check/debian"
printf 'Source: cliptag\n\nPackage: cliptag\nArchitecture: any\n' >"$work/check/debian/control"
linked=$(cd "$work/check" && dpkg-shlibdeps -O "$root/usr/bin/cliptag" 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')
# Opened or run when they are needed, so no tool sees them. What issuing, proving, scanning and
# writing need is a dependency; what one kind of file or one task more needs is recommended.
depends="libqrencode4, libzbar0, libpangoft2-1.0-0, libharfbuzz-subset0, libnfc6, fonts-noto-core, poppler-utils, librsvg2-bin"
depends="$depends, ghostscript"
recommends="qpdf, libvips-tools, weasyprint, libcurl4, libxml2 | libxml2-16, libarchive13, libpcsclite1, libpq5, fonts-noto-cjk, glabels-data, libhyphen0, hyphen-de, hyphen-en-us"

# Read by apt, deepest folders last, so that sizes do not depend on the file system.
size=$(find "$root" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: cliptag
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $linked, $depends
Recommends: $recommends
Suggests: gpsd, cups-client
Section: utils
Priority: optional
Description: issue, read and check App Clip codes as QR codes and NFC tags
 Prints QR codes and writes NFC tags whose links open an App Clip on an iPhone,
 reads every file and tag back before it is given away, and checks codes in the
 field from pictures, cameras, scanners and NFC readers: whether the link is
 registered, and whether the code hangs where it belongs.
CONTROL
# A reader that is plugged in already gets its permissions now.
cat >"$root/DEBIAN/postinst" <<'POSTINST'
#!/bin/sh
set -e
if [ "$1" = configure ] && command -v udevadm >/dev/null && [ -d /run/udev ]; then
  udevadm control --reload || true
  udevadm trigger --action=add --subsystem-match=usb || true
fi
POSTINST
chmod 755 "$root/DEBIAN/postinst"
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) >"$root/DEBIAN/md5sums"

find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# One thread makes the same archive on every machine.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" "$output/$name.deb" >/dev/null
echo "made $output/$name.deb: $(stat -c %s "$output/$name.deb") bytes, $size KiB installed"
sed -n '/^Depends/p; /^Recommends/p' "$root/DEBIAN/control"
