#!/bin/sh
# Checks what the build needs and installs what is missing where it can: by apt, dnf or apk, as root or with
# sudo. Called by make: check-dependencies.sh SWIFT LIBRARIES PROGRAMS PACKAGES FILES
# PACKAGES have Debian's names; package-names.txt has those of others. FILES are data by Debian's paths,
# which elsewhere may have others: there they are not looked for.
set -eu
swift=$1 libraries=$2 programs=$3 packages=$4 files=$5
manager=""
for program in apt-get dnf apk; do
  if command -v "$program" >/dev/null 2>&1; then
    manager=$program
    break
  fi
done
[ "$manager" = apt-get ] || files=""

say() { printf '%s\n' "$*" >&2; }

missing() {
  command -v pkg-config >/dev/null 2>&1 || { echo pkg-config; return; }
  for library in $libraries; do
    pkg-config --exists "$library" || echo "$library"
  done
  for program in $programs; do
    command -v "$program" >/dev/null 2>&1 || echo "$program"
  done
  for file in $files; do
    [ -e "$file" ] || echo "${file##*/}"
  done
}

if ! command -v "$swift" >/dev/null 2>&1; then
  say "make: no Swift here. cliptag is built with Swift 6.2 or newer."
  say "next: install it from https://www.swift.org/install/linux/ (which names the systems it is made for), then run make again."
  exit 69
fi
version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
# shellcheck disable=SC2086 # Two numbers.
set -- $version
if [ "${1:-0}" -lt 6 ] || { [ "${1:-0}" -eq 6 ] && [ "${2:-0}" -lt 2 ]; }; then
  say "make: Swift ${1:-?}.${2:-?} is too old; cliptag needs 6.2 or newer."
  say "next: install a newer one from https://www.swift.org/install/linux/, then run make again."
  exit 69
fi

lacking=$(missing | tr '\n' ' ')
[ -n "$lacking" ] || exit 0
say "make: missing: $lacking"

# The packages by the names of the column COLUMN of the table.
named() {
  for package in $packages; do
    awk -v name="$package" -v column="$1" \
      '$1 == name { print $column; found = 1 } END { if (!found) print name }' "$names"
  done | tr ',' '\n' | grep -vx -e -
}

names=$(dirname "$0")/package-names.txt
case $manager in
  apt-get) install="apt-get install -y --no-install-recommends" ;;
  dnf)
    packages=$(named 2)
    install="dnf install -y --setopt=install_weak_deps=False"
    ;;
  apk)
    packages=$(named 3)
    install="apk add --update-cache"
    ;;
  *)
    say "next: install the equivalents of these Debian packages with your system's package manager: $packages"
    exit 69
    ;;
esac
install="$install $(echo "$packages" | tr '\n' ' ')"
install=${install% }
if [ "$(id -u)" -eq 0 ]; then
  as=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as="sudo"
else
  say "next: run this as root, then make again: $install"
  exit 69
fi
case "$manager $packages " in apt-get*" postgresql "*)
  # Debian's package begins a database and a server of its own, which nobody here wants.
  if [ ! -e /etc/postgresql-common ]; then
    $as mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | $as tee /etc/postgresql-common/createcluster.conf >/dev/null
    install="$install -o Dpkg::Options::=--force-confold"
  fi ;;
esac
say "make: installing with: $install"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Runs words as root; sudo drops the environment, so it is set behind it.
run() {
  # shellcheck disable=SC2048,SC2086 # Each argument may be several words.
  $as env DEBIAN_FRONTEND=noninteractive $* >"$log" 2>&1
}
failed() {
  cat "$log" >&2
  say "next: see why $manager fails, then run make again; it ran: $install"
  exit 69
}
if ! run "$install"; then
  [ "$manager" = apt-get ] || failed
  say "make: the package lists may be old; updating them"
  run apt-get update || failed
  run "$install" || failed
fi
lacking=$(missing | tr '\n' ' ')
if [ -n "$lacking" ]; then
  say "make: still missing after the installation: $lacking"
  exit 69
fi
say "make: everything that is needed is installed"
