"""Light that falls on a scene, and light that is mirrored into the lens."""

import cv2
import numpy as np


def gradient(random, height, width, strength):
    """Uneven light: falls off towards one side; `strength` 0 is even, 1 leaves a tenth."""
    angle = random.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:64, 0:64].astype(np.float32) / 64 - 0.5
    ramp = np.clip(x * np.cos(angle) + y * np.sin(angle) + 0.5, 0, 1)
    small = np.power(0.1, strength * ramp).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)


def polygon(random, middle, reach, corners):
    """A star-shaped outline."""
    angles = np.sort(random.uniform(0, 2 * np.pi, corners))
    radii = reach * random.uniform(0.5, 1.2, corners)
    return (middle + np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]).astype(
        np.int32
    )


def soft(mask, sigma):
    """Blurs a mask at a size at which that is cheap."""
    height, width = mask.shape
    shrink = max(1, int(sigma / 4))
    if shrink == 1:
        return cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.3))
    small = cv2.resize(mask, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / shrink)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)


def shadow(random, height, width, middle, reach, depth, penumbra):
    """Hard shadows over the place of interest; `depth` is the share of light that is left."""
    mask = np.zeros((height, width), np.float32)
    kind = random.integers(3)
    if kind == 0:  # An edge: somebody stands in the light.
        angle = random.uniform(0, 2 * np.pi)
        normal = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-normal[1], normal[0]])
        start = middle + normal * random.uniform(-0.4, 0.4) * reach
        far = 4 * max(height, width)
        points = [start - side * far, start + side * far, start + side * far + normal * far,
                  start - side * far + normal * far]  # fmt: skip
        cv2.fillPoly(mask, [np.array(points).astype(np.int32)], 1)
    elif kind == 1:  # Leaves, a hand.
        for _ in range(random.integers(2, 7)):
            centre = middle + random.normal(0, 0.5, 2) * reach
            cv2.fillPoly(mask, [polygon(random, centre, reach * random.uniform(0.2, 0.7), 9)], 1)
    else:  # A railing, a blind.
        angle = random.uniform(0, np.pi)
        direction = np.array([np.cos(angle), np.sin(angle)]) * 4 * max(height, width)
        normal = np.array([-np.sin(angle), np.cos(angle)])
        step = reach * random.uniform(0.25, 0.7)
        for k in range(-6, 7):
            start = middle + normal * step * (k + random.uniform(-0.1, 0.1))
            a, b = (start - direction).astype(int), (start + direction).astype(int)
            cv2.line(mask, tuple(map(int, a)), tuple(map(int, b)), 1, max(1, int(step * 0.45)))
    return 1 - (1 - depth) * soft(mask, penumbra)


def spots(random, height, width, places, reach, gain, edge, cover=0.5):
    """Patches of direct sun: `gain` times brighter, with an edge of `edge` pixels."""
    mask = np.zeros((height, width), np.float32)
    for place in places:
        for _ in range(random.integers(1, 4)):
            centre = place + random.normal(0, 0.45, 2) * reach
            size = reach * random.uniform(0.3, 1.0) * cover
            if random.random() < 0.5:
                axes = (int(size), int(max(2, size * random.uniform(0.3, 1))))
                turn = random.uniform(0, 180)
                cv2.ellipse(mask, tuple(map(int, centre)), axes, turn, 0, 360, 1, -1)
            else:
                cv2.fillPoly(mask, [polygon(random, centre, size, 6)], 1)
    return 1 + (gain - 1) * soft(mask, edge)


def glare(random, height, width, place, reach, strength, size):
    """Light mirrored off a glossy surface, to be added to what the surface shows."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    total = np.zeros((height, width), np.float32)
    for _ in range(random.integers(1, 4)):
        centre = place + random.normal(0, 0.35, 2) * reach
        angle = random.uniform(0, np.pi)
        long = reach * size * random.uniform(0.7, 1.5)
        short = long * random.uniform(0.25, 1.0)
        u = (x - centre[0]) * np.cos(angle) + (y - centre[1]) * np.sin(angle)
        v = -(x - centre[0]) * np.sin(angle) + (y - centre[1]) * np.cos(angle)
        square = (u / long) ** 2 + (v / short) ** 2
        total += np.exp(-(square ** random.uniform(0.8, 2.0))) * random.uniform(0.5, 1.0)
        total += 0.12 * np.exp(-square / 6)
    return strength * total
