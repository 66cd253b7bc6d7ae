#!/bin/sh
# Checks what the build needs and installs what is missing where it can (Debian, root or sudo).
# Called by make: check-dependencies.sh SWIFT LIBRARIES PROGRAMS PACKAGES FILES
# FILES are data by Debian's names, which elsewhere may have others: there they are not looked for.
set -eu
swift=$1 libraries=$2 programs=$3 packages=$4 files=$5
command -v apt-get >/dev/null 2>&1 || files=""

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
  say "next: install it from https://www.swift.org/install/linux/ (Debian 12 is listed there), then run make again."
  exit 69
fi
version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
set -- $version
if [ "${1:-0}" -lt 6 ] || { [ "${1:-0}" -eq 6 ] && [ "${2:-0}" -lt 2 ]; }; then
  say "make: Swift ${1:-?}.${2:-?} is too old; cliptag needs 6.2 or newer."
  say "next: install a newer one from https://www.swift.org/install/linux/, then run make again."
  exit 69
fi

lacking=$(missing | tr '\n' ' ')
[ -n "$lacking" ] || exit 0
say "make: missing: $lacking"
install="apt-get install -y --no-install-recommends $packages"
if ! command -v apt-get >/dev/null 2>&1; then
  say "next: install the equivalents of these Debian packages with your system's package manager: $packages"
  exit 69
fi
if [ "$(id -u)" -eq 0 ]; then
  as=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as="sudo"
else
  say "next: run this as root, then make again: $install"
  exit 69
fi
case " $packages " in *" postgresql "*)
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
# sudo drops the environment, so it is set behind it.
apt="$as env DEBIAN_FRONTEND=noninteractive"
if ! $apt $install >"$log" 2>&1; then
  say "make: the package lists may be old; updating them"
  $apt apt-get update >"$log" 2>&1 && $apt $install >"$log" 2>&1 || {
    cat "$log" >&2
    say "next: see why apt-get fails, then run make again; it needs: $packages"
    exit 69
  }
fi
lacking=$(missing | tr '\n' ' ')
if [ -n "$lacking" ]; then
  say "make: still missing after the installation: $lacking"
  exit 69
fi
say "make: everything that is needed is installed"
