#!/usr/bin/env python3
"""Makes pictures of codes that look photographed: tilted, turned, blurred, grainy, on a wall.

usage: photograph.py single CODE.png OUT.jpg [--turn DEGREES] [--blur PIXELS] [--width PIXELS]
       photograph.py wall OUT.jpg CODE.png ... [--as-they-are]

Each CODE.png is put on a paper sign with a headline (--as-they-are: it is a sign already), the sign
on a wall, and the wall is seen by a camera that stands a little to the side, is slightly out of
focus and has noise. The same arguments give the same picture.
"""

import argparse
import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter


def sign(code_path, colour):
    """A paper sign, 600 by 840 pixels, with the code in its lower half."""
    paper = Image.new("RGB", (600, 840), (250, 248, 242))
    draw = ImageDraw.Draw(paper)
    draw.rectangle((0, 0, 600, 150), fill=colour)
    for row, width in enumerate((380, 250)):  # bars stand for lines of text
        draw.rounded_rectangle((60, 40 + 45 * row, 60 + width, 66 + 45 * row), 8, fill="white")
    draw.rounded_rectangle((60, 200, 460, 216), 6, fill=(120, 120, 120))
    draw.rounded_rectangle((60, 236, 360, 252), 6, fill=(170, 170, 170))
    code = Image.open(code_path).convert("L").resize((460, 460), Image.Resampling.LANCZOS)
    paper.paste(code.convert("RGB"), (70, 300))
    return paper


def coefficients(source, target):
    """The eight numbers of the projective map that takes each target point to its source."""
    rows, right = [], []
    for (x, y), (u, v) in zip(target, source):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
        right += [u, v]
    for column in range(8):  # Gaussian elimination with pivoting
        pivot = max(range(column, 8), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        right[column], right[pivot] = right[pivot], right[column]
        for row in range(8):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
                right[row] -= factor * right[column]
    return [right[i] / rows[i][i] for i in range(8)]


def place(wall, paper, centre, height, turn, lean):
    """Hangs the paper on the wall: turned by some degrees, its right side further away."""
    width = height * paper.width / paper.height
    angle = math.radians(turn)
    corners = []
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = sx * width / 2, sy * height / 2 * (1 - lean * sx)
        corners.append((centre[0] + x * math.cos(angle) - y * math.sin(angle),
                        centre[1] + x * math.sin(angle) + y * math.cos(angle)))
    box = [(0, 0), (paper.width, 0), (paper.width, paper.height), (0, paper.height)]
    numbers = coefficients(box, corners)
    mask = Image.new("L", paper.size, 255)
    warp = dict(method=Image.Transform.PERSPECTIVE, data=numbers,
                resample=Image.Resampling.BICUBIC)
    flat = paper.transform(wall.size, **warp)
    mask = mask.transform(wall.size, **warp)
    shadow = ImageChops.offset(mask.filter(ImageFilter.GaussianBlur(12)), 10, 14)
    wall.paste(Image.new("RGB", wall.size, (70, 66, 60)), (0, 0), shadow.point(lambda p: p // 2))
    wall.paste(flat, (0, 0), mask)


def background(size, rng):
    """A plastered wall, lit from the upper left."""
    wall = Image.new("RGB", size, (196, 188, 176))
    draw = ImageDraw.Draw(wall)
    for _ in range(900):
        x, y, r = rng.randrange(size[0]), rng.randrange(size[1]), rng.randrange(4, 30)
        grey = rng.randrange(170, 205)
        draw.ellipse((x, y, x + r, y + r * 0.6), fill=(grey, grey - 7, grey - 18))
    wall = wall.filter(ImageFilter.GaussianBlur(6))
    return wall


def camera(picture, rng, blur):
    """Uneven light, focus, grain."""
    light = Image.linear_gradient("L").resize(picture.size).rotate(25, fillcolor=128)
    light = light.point(lambda p: 165 + p * 90 // 255)
    picture = ImageChops.multiply(picture, Image.merge("RGB", (light,) * 3))
    picture = picture.filter(ImageFilter.GaussianBlur(blur))
    rng_bytes = bytes(rng.randrange(256) for _ in range(1 << 16))
    tile = Image.frombytes("L", (256, 256), rng_bytes)
    grain = Image.new("L", picture.size)
    for x in range(0, picture.width, 256):
        for y in range(0, picture.height, 256):
            grain.paste(tile, (x, y))
    grain = grain.point(lambda p: p // 12)
    picture = ImageChops.add(picture, Image.merge("RGB", (grain,) * 3), offset=-10)
    return ImageEnhance.Contrast(picture).enhance(0.92)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    single = commands.add_parser("single")
    single.add_argument("code")
    single.add_argument("out")
    single.add_argument("--turn", type=float, default=12)
    single.add_argument("--blur", type=float, default=1.6)
    single.add_argument("--width", type=int, default=1600, help="pixels across (height is 5/4)")
    wall = commands.add_parser("wall")
    wall.add_argument("out")
    wall.add_argument("codes", nargs="+")
    wall.add_argument("--as-they-are", action="store_true", help="the pictures are signs themselves")
    arguments = parser.parse_args()

    rng = random.Random(20)
    colours = [(206, 62, 74), (38, 122, 96), (44, 92, 170), (214, 140, 38), (110, 74, 150)]
    if arguments.command == "single":
        picture = background((1600, 2000), rng)
        place(picture, sign(arguments.code, colours[0]), (800, 1000), 1350, arguments.turn, 0.06)
        picture = picture.resize((arguments.width, arguments.width * 5 // 4),
                                 Image.Resampling.BICUBIC)
        picture = camera(picture, rng, arguments.blur)
    else:
        columns = min(3, len(arguments.codes))
        rows = -(-len(arguments.codes) // columns)
        picture = background((900 * columns + 300, 1150 * rows + 200), rng)
        for index, code in enumerate(arguments.codes):
            column, row = index % columns, index // columns
            centre = (600 + 900 * column + rng.randrange(-40, 40),
                      680 + 1150 * row + rng.randrange(-40, 40))
            paper = (Image.open(code).convert("RGB") if arguments.as_they_are
                     else sign(code, colours[index % len(colours)]))
            place(picture, paper, centre, 960,
                  rng.uniform(-11, 11), rng.uniform(-0.05, 0.05))
        picture = camera(picture, rng, 1.2)
    picture.save(arguments.out, quality=85, dpi=(72, 72))


if __name__ == "__main__":
    main()
