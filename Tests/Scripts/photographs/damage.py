"""What happens to a print: scratches, stains, tears, pens, and things in front of it."""

import cv2
import numpy as np

from photographs import light


def region_of(world, placed):
    """The square of texture in which a symbol lies, its origin and pixels per module."""
    corners = world.to_texture(placed.corners())
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int), world.image.shape[1::-1])
    return world.image[low[1] : high[1], low[0] : high[0]], placed.scale * world.density


def curve(random, width, height):
    """A bent line across a rectangle."""
    start, end = random.uniform(0, 1, 2), random.uniform(0, 1, 2)
    bend = random.uniform(-0.3, 0.3, 2)
    t = np.linspace(0, 1, 24)[:, None]
    points = start + (end - start) * t + bend * np.sin(np.pi * t)
    return (points * [width, height]).astype(np.int32)


def scratches(random, region, module, count, width=0.5):
    for _ in range(count):
        tone = 235 if random.random() < 0.7 else 60
        thick = max(1, int(module * width * random.uniform(0.3, 1.5)))
        points = curve(random, *region.shape[1::-1])
        cv2.polylines(region, [points], False, (tone, tone, tone), thick, cv2.LINE_AA)


def scribble(random, region, module, count):
    """A marker: translucent ink."""
    for _ in range(count):
        over = region.copy()
        tone = tuple(int(v) for v in random.integers(0, 130, 3))
        width = max(1, int(module * random.uniform(0.7, 2.2)))
        cv2.polylines(over, [curve(random, *region.shape[1::-1])], False, tone, width, cv2.LINE_AA)
        share = random.uniform(0.6, 1)
        cv2.addWeighted(over, share, region, 1 - share, 0, dst=region)


def stains(random, region, module, count, reach=3.0):
    height, width = region.shape[:2]
    for _ in range(count):
        mask = np.zeros((height, width), np.float32)
        middle = random.uniform(0, 1, 2) * [width, height]
        size = module * reach * random.uniform(0.5, 1.5)
        cv2.fillPoly(mask, [light.polygon(random, middle, size, 11)], 1)
        mask = light.soft(mask, module * 0.3)[:, :, None] * random.uniform(0.5, 1)
        low, high = (30, 170) if random.random() < 0.6 else (200, 255)
        tone = random.integers(low, high, 3)
        region[:] = (region * (1 - mask) + tone * mask).astype(np.uint8)


def tear(random, region, module, share, corner=None):
    """A corner that is gone; `share` of the side."""
    height, width = region.shape[:2]
    x, y = [(0, 0), (1, 0), (1, 1), (0, 1)][random.integers(4) if corner is None else corner]
    t = np.linspace(0, 1, 12)
    edge = share * np.column_stack([t, 1 - t])
    edge *= 1 + random.uniform(-0.15, 0.15, edge.shape)
    points = np.vstack([[0, 0], edge])
    points = np.abs(np.array([x, y]) - points) * [width, height]
    tone = tuple(int(v) for v in random.integers(60, 240, 3))
    cv2.fillPoly(region, [points.astype(np.int32)], tone, cv2.LINE_AA)


def worn(random, region, module, strength):
    """Ink rubbed off in patches."""
    height, width = region.shape[:2]
    cells = max(2, int(6 / max(strength, 0.1)))
    small = random.standard_normal((cells * 3, cells * 3)).astype(np.float32)
    noise = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    rows, columns = (max(2, int(side / module * 2)) for side in (height, width))
    fine = random.standard_normal((rows, columns))
    noise += 0.6 * cv2.resize(fine.astype(np.float32), (width, height))
    mask = np.clip((noise - 1.6 + 2 * strength) * 1.5, 0, 1)[:, :, None]
    region[:] = (region * (1 - mask) + 230 * mask).astype(np.uint8)


def holes(random, region, module, count, reach=2.0):
    for _ in range(count):
        middle = (random.uniform(0, 1, 2) * region.shape[1::-1]).astype(int)
        tone = tuple(int(v) for v in random.integers(20, 250, 3))
        radius = int(module * reach * random.uniform(0.5, 1.4))
        cv2.circle(region, tuple(map(int, middle)), radius, tone, -1, cv2.LINE_AA)


def folds(random, region, module, count):
    """Creases: ink lost along a line."""
    for _ in range(count):
        vertical = random.random() < 0.5
        length = region.shape[1] if vertical else region.shape[0]
        at = int(random.uniform(0.1, 0.9) * length)
        half = max(1, int(module * random.uniform(0.3, 0.9)))
        strip = region[:, max(0, at - half) : at + half] if vertical \
            else region[max(0, at - half) : at + half]  # fmt: skip
        tone = random.uniform(150, 240)
        strip[:] = (strip * 0.25 + tone * 0.75).astype(np.uint8)


def mesh(random, region, module, pitch=4.0, width=0.5):
    """A grid in front of the print."""
    step, thick = max(2, int(module * pitch)), max(1, int(module * width))
    tone = tuple([int(random.integers(0, 90))] * 3)
    for x in range(int(random.integers(step)), region.shape[1], step):
        cv2.line(region, (x, 0), (x, region.shape[0]), tone, thick, cv2.LINE_AA)
    for y in range(int(random.integers(step)), region.shape[0], step):
        cv2.line(region, (0, y), (region.shape[1], y), tone, thick, cv2.LINE_AA)


def hit_finder(random, world, placed, share=0.6):
    """Covers a part of one finder pattern."""
    region, module = region_of(world, placed)
    height, width = region.shape[:2]
    x, y = [(0, 0), (1, 0), (0, 1)][random.integers(3)]
    middle = np.array([x * width + (1 - 2 * x) * 3.5 * module,
                       y * height + (1 - 2 * y) * 3.5 * module])  # fmt: skip
    middle = middle + random.normal(0, 1.5, 2) * module
    outline = light.polygon(random, middle, share * 5 * module, 9)
    tone = tuple(int(v) for v in random.integers(20, 250, 3))
    cv2.fillPoly(region, [outline], tone, cv2.LINE_AA)
