#!/bin/sh
# Finds a Python 3 with OpenCV, pyzbar and zxing-cpp for score-scanners.py, and makes a virtual
# environment with them below .build where there is none. Prints its path.
set -eu
cd "$(dirname "$0")/../.."

environment=.build/scanners
for python in "$environment/bin/python" python3; do
  if "$python" -c 'import cv2, pyzbar.pyzbar, zxingcpp' >/dev/null 2>&1; then
    command -v "$python"
    exit 0
  fi
done
python3 -m venv "$environment" >&2 &&
  "$environment/bin/pip" install --quiet opencv-python-headless pyzbar zxing-cpp >&2 || {
  echo "bench: install python3-venv and libzbar0, and let pip reach its index." >&2
  exit 69
}
echo "$environment/bin/python"
