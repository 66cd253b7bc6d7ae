#!/usr/bin/env python3
"""Ask four decoders which shapes of modules they read as well as squares.

usage: module-shapes.py COMMAND [SHAPE...]

COMMAND is the built cliptag. SHAPE is drawn by this script from the square code that the command
makes: `rounded:0.25` (the radius of outward corners) or `dots:0.9` (the diameter; finder and
alignment patterns stay in one piece), in modules.

Codes of versions 1 to 10 at all four levels, each filled to its last byte, at 4, 6 and 10 pixels a
module, as PNG of one bit and as SVG drawn by rsvg-convert, clean and under a Gaussian blur of 0.3
modules, are read by zxing-cpp, OpenCV, zbarimg and `cliptag scan`. Printed are the reads of each
decoder, and in brackets those that it loses against the same picture with square modules. The
status is 1 when a shape loses any. SEED in the environment makes other texts.

Needs: zbar-tools, librsvg2-bin, and the Python packages opencv-python, numpy and zxing-cpp.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import cv2
import numpy
import zxingcpp

# Bytes that fill versions 1 to 10 (ISO/IEC 18004:2015, table 7).
CAPACITY = {
    "L": [17, 32, 53, 78, 106, 134, 154, 192, 230, 271],
    "M": [14, 26, 42, 62, 84, 106, 122, 152, 180, 213],
    "Q": [11, 20, 32, 46, 60, 74, 86, 108, 130, 151],
    "H": [7, 14, 24, 34, 44, 58, 64, 84, 98, 119],
}
ALIGNMENT = {7: [6, 22, 38], 8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50]}
PIXELS = [4, 6, 10]
BLUR = 0.3
QUIET = 4
CANDIDATES = [
    "rounded:0.15", "rounded:0.2", "rounded:0.25", "rounded:0.3", "rounded:0.5",
    "dots:0.8", "dots:0.9", "dots:1",
]  # fmt: skip
DECODERS = ["zxing-cpp", "OpenCV", "zbarimg", "cliptag"]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, check=True)


def is_solid(column, row, version):
    """Whether a module belongs to a finder or alignment pattern."""
    side = 17 + 4 * version
    if min(row, column) < 7 and max(row, column) >= side - 7 or max(row, column) < 7:
        return True
    centres = ALIGNMENT.get(version, [6, 10 + 4 * version] if version > 1 else [])
    last = side - 7
    return any(
        abs(column - x) <= 2 and abs(row - y) <= 2
        for x in centres
        for y in centres
        if (x, y) not in [(6, 6), (6, last), (last, 6)]
    )


class Drawn:
    """A candidate shape, drawn from the modules of the square code."""

    def __init__(self, modules, version, shape):
        kind, size = shape.split(":")
        self.modules, self.version = modules, version
        self.is_dots, self.radius = kind == "dots", float(size) / (2 if kind == "dots" else 1)
        self.side = len(modules) + 2 * QUIET

    def corners(self, column, row):
        """The radius of the corners, clockwise from the top left."""
        if self.is_dots:
            return [0 if is_solid(column, row, self.version) else self.radius] * 4
        grid = numpy.pad(self.modules, 1)
        x, y = column + 1, row + 1
        up, right, down, left = grid[y - 1][x], grid[y][x + 1], grid[y + 1][x], grid[y][x - 1]
        pairs = [(up, left), (up, right), (down, right), (down, left)]
        return [0 if a or b else self.radius for a, b in pairs]

    def dark(self):
        for row, column in numpy.argwhere(self.modules):
            inset = 0.5 - self.radius if self.is_dots else 0
            corners = self.corners(column, row)
            yield column + QUIET, row + QUIET, corners, inset if any(corners) else 0

    def png(self, pixels):
        picture = numpy.full((self.side * pixels,) * 2, 255, numpy.uint8)
        centres = (numpy.arange(pixels) + 0.5) / pixels
        x, y = numpy.meshgrid(centres, centres)
        for column, row, corners, inset in self.dark():
            inside = numpy.ones((pixels, pixels), bool)
            for radius, far_x, far_y in zip(corners, [0, 1, 1, 0], [0, 0, 1, 1]):
                if radius:
                    # From the edge of the shape at this corner.
                    dx, dy = abs(x - far_x) - inset, abs(y - far_y) - inset
                    inside &= (dx >= 0) & (dy >= 0)
                    cut = (dx < radius) & (dy < radius)
                    inside &= ~cut | ((radius - dx) ** 2 + (radius - dy) ** 2 <= radius**2)
            part = picture[row * pixels :, column * pixels :][:pixels, :pixels]
            part[inside] = 0
        return picture

    def svg(self):
        path = []
        for x, y, (a, b, c, d), inset in self.dark():
            x, y, side = x + inset, y + inset, 1 - 2 * inset
            path.append(
                f"M{x + a} {y}h{side - a - b}a{b} {b} 0 0 1 {b} {b}v{side - b - c}"
                f"a{c} {c} 0 0 1 -{c} {c}h{-(side - c - d)}a{d} {d} 0 0 1 -{d} -{d}"
                f"v{-(side - d - a)}a{a} {a} 0 0 1 {a} -{a}z"
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.side} {self.side}">'
            f'<rect width="{self.side}" height="{self.side}" fill="#fff"/>'
            f'<path d="{"".join(path)}"/></svg>'
        )


def made(command, text, level, folder):
    """Has the command write PNG and SVG at each number of pixels; their pictures by number."""
    pictures = {}
    for pixels in PIXELS:
        png, svg = folder / "square.png", folder / "square.svg"
        done = run(
            command, "qr", text, "--unregistered", "--error-correction", level, "--json",
            "--registry", folder / "registry.sqlite",
            "--dpi", 300, "--module-size", pixels * 25.4 / 300 + 1e-6, "-o", png, "-o", svg,
        )  # fmt: skip
        issue = json.loads(done.stdout.splitlines()[0])
        pictures[pixels] = cv2.imread(str(png), cv2.IMREAD_GRAYSCALE)
    return issue, pictures, svg


def rendered(svg, side, target):
    run("rsvg-convert", "-w", side, "-h", side, "-o", target, svg)
    return cv2.imread(str(target), cv2.IMREAD_GRAYSCALE)


def read(command, files, texts):
    """Which files each decoder reads: its name to the set of files."""
    reads = {decoder: set() for decoder in DECODERS}
    detector = cv2.QRCodeDetector()
    for file in files:
        picture = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        if any(code.text == texts[file] for code in zxingcpp.read_barcodes(picture)):
            reads["zxing-cpp"].add(file)
        if detector.detectAndDecode(picture)[0] == texts[file]:
            reads["OpenCV"].add(file)
    names = {str(file): file for file in files}
    done = subprocess.run(["zbarimg", "--xml", "-q", *names], capture_output=True, check=False)
    for source in xml.etree.ElementTree.fromstring(done.stdout).iter():
        if source.tag.endswith("source"):
            file = names[source.attrib["href"]]
            if any(data.text == texts[file] for data in source.iter() if data.tag.endswith("data")):
                reads["zbarimg"].add(file)
    registry = files[0].parent / "registry.sqlite"
    scan = [command, "scan", "--json", "--registry", str(registry), *names]
    done = subprocess.run(scan, capture_output=True, check=False)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        file = names.get(found.get("source"))
        if file and found.get("payload") == texts[file]:
            reads["cliptag"].add(file)
    return reads


def pictures_of(command, shapes, version, level, text, folder):
    """Every picture of one code: (shape, kind, pixels) to picture."""
    issue, rasters, svg = made(command, text, level, folder)
    if (issue["version"], issue["errorCorrection"]) != (version, level):
        raise ValueError(f"{text} gives {issue['version']}-{issue['errorCorrection']}")
    pixels = PIXELS[0]
    middles = rasters[pixels][pixels // 2 :: pixels, pixels // 2 :: pixels]
    modules = (middles[QUIET:-QUIET, QUIET:-QUIET] == 0).astype(int)
    pictures = {}
    for shape in shapes:
        if shape != "square":
            drawn = Drawn(modules, version, shape)
            svg = folder / "candidate.svg"
            svg.write_text(drawn.svg())
            rasters = {pixels: drawn.png(pixels) for pixels in PIXELS}
        for pixels in PIXELS:
            side = len(middles) * pixels
            pictures[shape, "png", pixels] = rasters[pixels]
            pictures[shape, "svg", pixels] = rendered(svg, side, folder / "drawn.png")
    return pictures


def reads_of(command, shapes, version, level):
    """What is read of one code: the decoder to the set of (shape, kind, pixels, blur)."""
    generator = random.Random(f"{os.environ.get('SEED', '1')} {version} {level}")
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = "".join(generator.choices(letters, k=CAPACITY[level][version - 1]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        places = {}
        pictures = pictures_of(command, shapes, version, level, text, folder)
        for (shape, kind, pixels), picture in pictures.items():
            for blur in [0, BLUR]:
                shown = cv2.GaussianBlur(picture, (0, 0), blur * pixels) if blur else picture
                file = folder / f"{len(places)}.read.png"
                cv2.imwrite(str(file), shown)
                places[file] = (shape, kind, pixels, blur)
        reads = read(command, list(places), dict.fromkeys(places, text))
    return {decoder: {places[file] for file in files} for decoder, files in reads.items()}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    command = str(pathlib.Path(sys.argv[1]).resolve())
    shapes = ["square"] + (sys.argv[2:] or CANDIDATES)
    codes = [(version, level) for version in range(1, 11) for level in CAPACITY]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        waiting = [pool.submit(reads_of, command, shapes, *code) for code in codes]
        reads = [task.result() for task in waiting]
    print(f"{len(codes) * len(PIXELS) * 4} pictures of each shape")
    losses = []
    for shape in shapes:
        line = f"{shape:14}"
        for decoder in DECODERS:
            good, lost = 0, []
            for code, read_here in zip(codes, reads):
                seen = {place[1:] for place in read_here[decoder] if place[0] == shape}
                square = {place[1:] for place in read_here[decoder] if place[0] == "square"}
                good += len(seen)
                lost += [(shape, decoder, *code, *place) for place in sorted(square - seen)]
            line += f"  {decoder} {good} ({len(lost)} lost)"
            losses += lost
        print(line)
    for loss in losses:
        print("lost:", *loss)
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
