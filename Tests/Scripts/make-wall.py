#!/usr/bin/env python3
"""Makes a photograph of a wall with many QR codes, as somebody who walks by takes it.

usage: make-wall.py SEED OUT.jpg CODE.png…

12 megapixels. The codes hang in a loose grid, each with its own size (2.4 to 9 pixels a module for
symbols of version 3), turned by up to 30 degrees, seen from up to 50 degrees aside, and in its own
light, from a shadow to a reflection; then the lens and the sensor add blur, noise and JPEG. The same
seed and codes give the same picture. Prints where each code came to lie, as JSON.

Needs numpy and opencv-python-headless; nothing of it is needed to build or test.
"""

import json
import math
import sys

import cv2
import numpy as np

WIDTH, HEIGHT = 4000, 3000


def wall(random):
    """Plaster: coarse and fine stains of a light grey."""
    image = np.full((HEIGHT, WIDTH, 3), (172, 180, 184), np.float32)
    for size, depth in ((8, 16), (40, 10), (300, 7)):
        stains = random.normal(0, depth, (max(2, HEIGHT // size), max(2, WIDTH // size), 1))
        image += cv2.resize(stains.astype(np.float32), (WIDTH, HEIGHT))[..., None]
    return image


def corners(random, middle, side):
    """A square sheet, turned and seen from aside."""
    turn = math.radians(random.uniform(-30, 30))
    aside = math.radians(random.uniform(0, 50))
    direction = random.uniform(0, 2 * math.pi)
    points = []
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        along = x * math.cos(direction) + y * math.sin(direction)
        across = -x * math.sin(direction) + y * math.cos(direction)
        # From aside the way along shrinks, and what is farther away is smaller.
        depth = 1 + 0.22 * along * math.sin(aside)
        along, across = along * math.cos(aside) / depth, across / depth
        points.append(
            (
                middle[0] + side / 2 * (along * math.cos(direction) - across * math.sin(direction)),
                middle[1] + side / 2 * (along * math.sin(direction) + across * math.cos(direction)),
            )
        )
    return np.array(points, np.float32)


def hang(image, random, code, middle):
    """Puts a code with its white sheet on the wall."""
    side = random.uniform(100, 380)
    sheet = cv2.resize(code, (760, 760), interpolation=cv2.INTER_AREA)
    here = corners(random, middle, side)
    there = np.array([(0, 0), (760, 0), (760, 760), (0, 760)], np.float32)
    matrix = cv2.getPerspectiveTransform(there, here)
    blur = max(0.0, 0.45 * 760 / side - 0.5)
    if blur > 0:
        sheet = cv2.GaussianBlur(sheet, (0, 0), blur)
    left, top = np.maximum(here.min(axis=0).astype(int) - 2, 0)
    right, bottom = np.minimum(here.max(axis=0).astype(int) + 3, (WIDTH, HEIGHT))
    size = (int(right - left), int(bottom - top))
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    drawn = cv2.warpPerspective(sheet, shift @ matrix, size)
    mask = cv2.warpPerspective(np.full((760, 760), 1.0, np.float32), shift @ matrix, size)[..., None]
    light = random.uniform(0.3, 1.15)
    ink = 26 + drawn.astype(np.float32) * (228 - 26) / 255
    part = image[top:bottom, left:right]
    part[:] = part * (1 - mask) + ink * light * mask
    return here


def main():
    seed, output, paths = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    cv2.setNumThreads(1)
    random = np.random.default_rng([seed, len(paths)])
    columns = math.ceil(math.sqrt(len(paths) * WIDTH / HEIGHT))
    rows = math.ceil(len(paths) / columns)
    image = wall(random)
    places = []
    for index, path in enumerate(paths):
        code = cv2.imread(path, cv2.IMREAD_COLOR)
        if code is None:
            sys.exit(f"{path} is no picture")
        middle = (
            (index % columns + 0.5 + random.uniform(-0.12, 0.12)) * WIDTH / columns,
            (index // columns + 0.5 + random.uniform(-0.12, 0.12)) * HEIGHT / rows,
        )
        here = hang(image, random, code, middle)
        places.append({"code": path, "corners": np.round(here, 1).tolist()})
    # A window to the left, and a lamp that reflects.
    across = np.linspace(1.12, 0.62, WIDTH, dtype=np.float32)[None, :, None]
    x = np.arange(WIDTH, dtype=np.float32)[None, :]
    y = np.arange(HEIGHT, dtype=np.float32)[:, None]
    lamp = 70 * np.exp(-((x - 2900) ** 2 + (y - 800) ** 2) / np.float32(2 * 260.0**2))
    image *= across
    image += lamp[..., None]
    image = cv2.GaussianBlur(image, (0, 0), 0.8)
    # What a sensor counts varies by the square root of the count.
    noise = random.standard_normal((HEIGHT, WIDTH, 3), np.float32)
    noise *= np.sqrt(np.clip(image, 4, 255)) * np.float32(0.5)
    image += noise
    cv2.imwrite(output, np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
    print(json.dumps(places))


main()
