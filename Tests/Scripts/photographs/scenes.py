"""The flat world in front of the camera: a table, paper, print, and the symbols on it.

World coordinates are in units of one module of the main symbol; (0, 0) is the middle.
"""

import dataclasses

import cv2
import numpy as np

from photographs import symbols


@dataclasses.dataclass
class Placed:
    """A symbol that lies in the world."""

    symbol: symbols.Symbol
    x: float
    y: float
    scale: float = 1.0  # World units per module.
    angle: float = 0.0  # Degrees, clockwise.
    counted: bool = True  # Whether a scanner is expected to read it.

    def corners(self):
        turn = np.deg2rad(self.angle)
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return self.symbol.corners() * self.scale @ matrix.T + [self.x, self.y]


class World:
    """A texture of the plane, `density` pixels per unit."""

    def __init__(self, half_width, half_height, density):
        self.half_width, self.half_height, self.density = half_width, half_height, density
        self.image = np.zeros(
            (int(2 * half_height * density), int(2 * half_width * density), 3), np.uint8
        )
        self.placed = []

    def to_texture(self, points):
        """World coordinates as those of the texture's pixels."""
        return (np.asarray(points) + [self.half_width, self.half_height]) * self.density

    def place(self, placed):
        """Puts a symbol down with its quiet zone."""
        image = placed.symbol.image
        step = placed.scale * self.density / symbols.PER_MODULE
        turn = np.deg2rad(placed.angle)
        linear = step * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        height, width = image.shape[:2]
        middle = self.to_texture([placed.x, placed.y])
        shift = middle - linear @ [width / 2, height / 2]
        self.paste(image, linear, shift, step)
        self.placed.append(placed)

    def paste(self, image, linear, shift, step):
        """Lays a picture over the texture by an affine map of pixel edges."""
        if step < 0.75:  # Otherwise bilinear sampling would alias.
            image = cv2.GaussianBlur(image, (0, 0), 0.45 / step)
        height, width = image.shape[:2]
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ linear.T + shift
        low = np.maximum(np.floor(frame.min(0)).astype(int) - 1, 0)
        high = np.ceil(frame.max(0)).astype(int) + 1
        high = np.minimum(high, [self.image.shape[1], self.image.shape[0]])
        if (high <= low).any():
            return
        # Pixel centres lie half a pixel from the edges on both sides.
        offset = shift - low + linear @ [0.5, 0.5] - 0.5
        affine = np.column_stack([linear, offset])
        size = tuple(int(v) for v in high - low)
        colour = cv2.warpAffine(
            image, affine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), affine, size)
        region = self.image[low[1] : high[1], low[0] : high[0]]
        share = mask[:, :, None].astype(np.float32) / 255
        region[:] = (region * (1 - share) + colour * share).astype(np.uint8)


def field(random, height, width, cells, octaves=3):
    """Smooth noise, mean 0, about −1 to 1; `cells` bumps across the longer side."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        count = cells * 2**octave / max(height, width)
        rows, columns = max(2, int(height * count) + 2), max(2, int(width * count) + 2)
        if rows > height or columns > width:
            break
        small = random.standard_normal((rows, columns)).astype(np.float32)
        total += cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC) / 2**octave
    return total / 2


def cover(random, image, kind):
    """Fills a picture with a material."""
    height, width = image.shape[:2]
    base = {
        "wood": (150, 105, 65), "cloth": (90, 100, 125), "stone": (140, 140, 135),
        "paper": (238, 236, 230), "board": (185, 150, 110), "white": (248, 248, 248),
    }[kind]  # fmt: skip
    base = np.clip(np.array(base) * random.uniform(0.75, 1.04), 0, 250)
    small_height, small_width = min(height, 1000), min(width, 1000)
    if kind == "wood":
        warp = field(random, small_height, small_width, 3) * 6
        lines = np.sin(np.linspace(0, 60, small_height)[:, None] + warp)
        noise = 0.12 * lines + 0.1 * field(random, small_height, small_width, 60)
    elif kind == "cloth":
        y, x = np.mgrid[0:small_height, 0:small_width].astype(np.float32)
        noise = 0.1 * np.sin(x * 0.9) * np.sin(y * 0.9)
        noise += 0.12 * field(random, small_height, small_width, 5)
    elif kind == "stone":
        noise = 0.25 * field(random, small_height, small_width, 40, 4)
    else:
        strength = {"paper": 0.012, "board": 0.05, "white": 0.004}[kind]
        noise = strength * field(random, small_height, small_width, 200, 2)
    noise = cv2.resize(noise.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    image[:] = np.clip(base * (1 + noise[:, :, None]), 0, 255).astype(np.uint8)


FONTS = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]
WORDS = (
    "scan order menu table open pay ticket here today coffee smoothie garden museum enjoy".split()
)


def text(random, world, x, y, width, height, ink=(30, 30, 30)):
    """Lines of print in a rectangle of world units."""
    size = random.uniform(0.12, 0.3) * min(height, 12)
    scale = size * world.density / 22
    font = FONTS[random.integers(len(FONTS))]
    line = y + size
    while line < y + height and scale > 0.15:
        words = " ".join(random.choice(WORDS, 12))
        count = max(1, int(width / size * 1.15))
        start = world.to_texture([x, line]).astype(int)
        thick = max(1, int(scale * random.uniform(1, 3)))
        start = (int(start[0]), int(start[1]))
        cv2.putText(world.image, words[:count], start, font, scale, ink, thick, cv2.LINE_AA)
        line += size * 1.7


def bars(random, world, count, colour=True):
    """Rectangles as on packages and posters."""
    for _ in range(count):
        middle = world.to_texture(
            [
                random.uniform(-world.half_width, world.half_width),
                random.uniform(-world.half_height, world.half_height),
            ]
        )
        reach = random.uniform(1, 14, 2) * world.density
        low, high = (middle - reach).astype(int), (middle + reach).astype(int)
        tone = random.integers(10, 240, 3) if colour else [random.integers(10, 240)] * 3
        tone = tuple(int(v) for v in tone)
        cv2.rectangle(world.image, tuple(map(int, low)), tuple(map(int, high)), tone, -1)


def sheet(random, world, x, y, width, height, tone=None):
    """A piece of paper, with a soft shadow at its edges."""
    low = np.maximum(world.to_texture([x, y]).astype(int), 0)
    high = world.to_texture([x + width, y + height]).astype(int)
    region = world.image[low[1] : max(high[1], 0), low[0] : max(high[0], 0)]
    if region.size == 0:
        return
    cover(random, region, "paper" if random.random() < 0.6 else "white")
    if tone is not None:
        region[:] = (region.astype(np.float32) * np.array(tone) / 255).astype(np.uint8)
