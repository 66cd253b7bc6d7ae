#!/usr/bin/env bash
# Installs the package on a Debian that has nothing else, and runs the installed command there.
#
#   Tests/Scripts/try-package.sh PACKAGE.deb      (as root; SUITE=bookworm, MIRROR=… to choose)
#
# The Debian is made with debootstrap in a new folder and removed afterwards (KEEP=1 leaves it); its
# packages come from MIRROR or, without it, from where this machine's own packages come from.
set -euo pipefail
package=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
suite=${SUITE:-bookworm}

[ "$(id -u)" -eq 0 ] || { echo "try-package: run this as root: it makes a root folder" >&2; exit 69; }
command -v debootstrap >/dev/null 2>&1 ||
  { echo "try-package: install debootstrap (apt-get install debootstrap)" >&2; exit 69; }

# What this machine's apt uses, where nobody named a mirror.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(SUITE) $(CREATED_BY)' 2>/dev/null |
  awk '$3 == "Packages" && $2 !~ /security|updates|backports/ { print $1; exit }')}
[ -n "$mirror" ] || { echo "try-package: name a mirror in MIRROR" >&2; exit 69; }

root=$(mktemp -d)
log=$root.log
finish() {
  rm -f "$log" "$log.install"
  umount "$root/proc" "$root/dev/pts" 2>/dev/null || true
  [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}
trap finish EXIT

echo "making Debian $suite in a new folder ..."
start=$SECONDS
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
echo "made in $((SECONDS - start)) s: $(chroot "$root" dpkg-query -f '.\n' -W | wc -l) packages," \
  "$(du -sm --one-file-system "$root" | cut -f 1) MB"
mount -t proc proc "$root/proc"
# Terminals of its own, for the simulated reader; nothing of this machine's devices is seen there.
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
# How this machine reaches its packages.
for file in /etc/resolv.conf /etc/apt/apt.conf.d/*proxy*; do
  [ ! -f "$file" ] || install -D -m 644 "$file" "$root$file"
done
cp "$package" "$root/tmp/package.deb"
cp "$here/smoke-installed.sh" "$root/tmp/"

within() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive "$@"; }

within dpkg-query -f '${Package}\n' -W | LC_ALL=C sort >"$root/tmp/before"
echo "apt-get install --no-install-recommends ./package.deb ..."
start=$SECONDS
# A mirror that is a copy of some day may be older than its signature allows.
valid=$(apt-config dump --format '%v%n' Acquire::Check-Valid-Until | tail -n 1)
[ -z "$valid" ] ||
  echo "Acquire::Check-Valid-Until \"$valid\";" >"$root/etc/apt/apt.conf.d/99-valid-until"
within apt-get update >>"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
within apt-get install -y --no-install-recommends /tmp/package.deb >"$log.install" 2>&1 ||
  { tail -30 "$log.install" >&2; exit 1; }
seconds=$((SECONDS - start))
grep -E '^(0 upgraded|[0-9]+ upgraded|Need to get|After this operation|Setting up cliptag)' "$log.install" || true
within dpkg-query -f '${Package}\n' -W | LC_ALL=C sort >"$root/tmp/after"
added=$(LC_ALL=C comm -13 "$root/tmp/before" "$root/tmp/after" | wc -l)
size=$(LC_ALL=C comm -13 "$root/tmp/before" "$root/tmp/after" |
  xargs chroot "$root" dpkg-query -f '${Installed-Size}\n' -W | awk '{ s += $1 } END { printf "%.0f", s / 1024 }')
echo "installed in $seconds s: $added packages, $size MB"

if within sh -c 'command -v swift || ls /usr/lib/swift* /opt/swift* /usr/libexec/swift* 2>/dev/null'; then
  echo "try-package: there is a Swift in there, so nothing is shown" >&2
  exit 1
fi
echo "no Swift is there"
within bash /tmp/smoke-installed.sh
within apt-get remove -y --purge cliptag >>"$log.install" 2>&1 || { tail -20 "$log.install" >&2; exit 1; }
left=$(within sh -c 'find /usr -name "*cliptag*" | head -3')
[ -z "$left" ] || { echo "try-package: left behind after removal: $left" >&2; exit 1; }
echo "removed without a trace"
