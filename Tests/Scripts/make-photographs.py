#!/usr/bin/env python3
"""Makes photographs of QR codes, and says what is on them.

usage: make-photographs.py SEED OUTDIR [--category NAME]... [--count N]
       make-photographs.py SEED OUTDIR --axis NAME... [--count N]

Sixteen kinds of photographs (blurred, curved, glare, lots …), each in a folder of its own with
`truth.json`: every code's text, size in modules, and corners, its own top left first, then
clockwise in the symbol. The same seed gives the same pictures. With --axis, only one thing gets
worse (blur, tilt, noise …; `all` for every one), in ten levels of --count seeds each.

Needs numpy, opencv-python-headless and segno; nothing of it is needed to build or test.
"""

import argparse
import json
import math
import pathlib
import zlib

import cv2
import numpy as np

from photographs import axes, categories, shots


def make(random, shot, folder, name, truth, **more):
    """Takes a picture and adds it to the folder's truth."""
    truth.append(shots.take(random, shot, folder / f"{name}.jpg") | more)
    (folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


def make_category(name, arguments, folder, truth):
    for index in range(math.ceil(arguments.count * categories.SHARES.get(name, 1))):
        # Each picture has a generator of its own, so that --count changes none of them.
        random = np.random.default_rng([arguments.seed, zlib.crc32(name.encode()), index])
        shot = categories.CATEGORIES[name](random)
        make(random, shot, folder, f"{name}-{index:03}", truth)


def make_axis(name, arguments, folder, truth):
    for level in range(1, axes.LEVELS + 1):
        for index in range(arguments.count):
            key = [arguments.seed, zlib.crc32(name.encode()), level, index]
            random = np.random.default_rng(key)
            shot = axes.shot(name, random, level)
            make(random, shot, folder, f"{name}-{level:02}-{index}", truth, level=level)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("outdir", type=pathlib.Path)
    parser.add_argument("--category", action="append", choices=sorted(categories.CATEGORIES))
    parser.add_argument("--axis", action="append", choices=["all", *axes.AXES])
    parser.add_argument("--count", type=int, help="pictures of each kind (30) or level (8)")
    arguments = parser.parse_args()
    arguments.count = arguments.count or (8 if arguments.axis else 30)
    cv2.setNumThreads(1)
    if arguments.axis:
        names, maker = arguments.axis, make_axis
        names = list(axes.AXES) if "all" in names else names
    else:
        names, maker = arguments.category or sorted(categories.CATEGORIES), make_category
    for name in names:
        folder = arguments.outdir / name
        folder.mkdir(parents=True, exist_ok=True)
        truth = []
        maker(name, arguments, folder, truth)
        print(f"{name}: {len(truth)} pictures, {sum(len(t['codes']) for t in truth)} codes")


main()
