#!/bin/sh
# Finds a Python 3 with Pillow for the pictures of the demonstration, and installs Debian's where
# there is none. With --print, prints its path only.
set -eu

find_python() {
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import PIL' >/dev/null 2>&1; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}

if python=$(find_python); then
  [ "${1:-}" = --print ] && echo "$python"
  exit 0
fi
install="apt-get install -y --no-install-recommends python3 python3-pil"
if ! command -v apt-get >/dev/null 2>&1; then
  echo "demo: install Python 3 with Pillow, then run make demo again." >&2
  exit 69
elif [ "$(id -u)" -eq 0 ]; then
  as=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as=sudo
else
  echo "demo: run this as root, then make demo again: $install" >&2
  exit 69
fi
echo "demo: installing with: $install" >&2
apt="$as env DEBIAN_FRONTEND=noninteractive"
# shellcheck disable=SC2086 # Several words.
$apt $install >/dev/null 2>&1 ||
  { $apt apt-get update >/dev/null && $apt $install >/dev/null; } || {
  echo "demo: see why apt-get fails, then run make demo again." >&2
  exit 69
}
python=$(find_python)
[ "${1:-}" = --print ] && echo "$python"
exit 0
