"""The sixteen kinds of photographs. Each function makes the Shot of one picture.

The numbers were set so that zxing-cpp and zbar read about as much of each kind as they do of real
photographs of that kind; `score-scanners.py` measures it.
"""

import numpy as np

from photographs import damage, light, scenes, shots, symbols
from photographs.scenes import Placed
from photographs.shots import Shot

MATERIALS = ["wood", "cloth", "stone", "board", "white", "paper"]


def base(random, codes=1, large=0.12, small=0.4, fill=(0.25, 0.55), **changes):
    """An ordinary photograph: `codes` symbols on a sheet, the first filling `fill` of the width."""
    width, height = shots.size_of(random, large, small)
    placements = changes.pop("placements", None) or row(random, codes)
    low, high = shots.bounds(placements)
    module = random.uniform(*fill) * min(width, height) / (placements[0].symbol.span
                                                              * placements[0].scale)
    module = min(module, 0.9 * width / (high - low)[0], 0.9 * height / (high - low)[1])
    shot = Shot(
        width=width, height=height, module=max(module, 1.2), tilt=random.uniform(0, 15),
        azimuth=random.uniform(0, 360), roll=random.normal(0, 6),
        shift=tuple(random.uniform(-0.06, 0.06, 2) * min(width, height)),
        material=str(random.choice(MATERIALS)), clutter=int(random.integers(0, 14)),
        uneven=random.uniform(0, 0.5), blur=random.uniform(0, 0.12),
        exposure=random.uniform(0.8, 1.15), noise=random.uniform(0.004, 0.02),
        smear=random.uniform(0, 0.6), sharpen=random.uniform(0.2, 1.0),
        quality=int(random.integers(72, 96)), placements=placements,
    )  # fmt: skip
    for name, value in changes.items():
        setattr(shot, name, value)
    return shot


def row(random, count, **options):
    """Symbols of several sizes in rows, centred."""
    columns = int(np.ceil(np.sqrt(count))) if count > 3 else count
    made = [symbols.make(random, **options) for _ in range(count)]
    cell = max(s.span for s in made) * 1.15
    rows = -(-count // columns)
    placements = []
    for index, symbol in enumerate(made):
        x = (index % columns - (columns - 1) / 2) * cell
        y = (index // columns - (rows - 1) / 2) * cell
        # Printed at about the same side, whatever their version.
        placements.append(Placed(symbol, x, y, cell / 1.15 / symbol.span))
    return placements


def nominal(random):
    return base(random, int(random.choice([1, 1, 1, 2])), noise=random.uniform(0.01, 0.06),
                blur=random.uniform(0, 0.4), sharpen=random.uniform(0.4, 1.4),
                fill=(0.2, 0.75))  # fmt: skip


def blurred(random):
    shot = base(random, int(random.choice([1, 1, 2])), fill=(0.2, 0.6))
    if random.random() < 0.6:
        shot.blur = random.uniform(0.4, 1.05)
    else:
        shot.shake = random.uniform(0.8, 2.2)
    shot.quality = int(random.integers(60, 92))
    return shot


def bright_spots(random):
    """Sun on parts of the print: the sensor is too bright there or too dark elsewhere."""
    shot = base(random, 3, fill=(0.14, 0.28), noise=random.uniform(0.008, 0.025))
    gain = random.uniform(8, 30)
    # Anything between a picture exposed for the shade and one exposed for the sun.
    shot.exposure = random.uniform(1.0, 1.6) / gain ** random.uniform(0.3, 0.95)
    shot.veil = random.uniform(0.03, 0.1)

    def sun(random, picture, centres, reach):
        edge = reach * random.uniform(0.02, 0.15)
        mask = light.spots(random, *picture.shape[:2], centres, reach, gain, edge, 1.0)
        picture = picture * mask[:, :, None]
        # What saturates spills over its edge.
        over = np.maximum(picture[:, :, 1] - 1 / shot.exposure, 0)
        return picture + 0.12 * light.soft(over, reach * random.uniform(0.03, 0.12))[:, :, None]

    shot.lights.append(sun)
    return shot


def brightness(random):
    shot = base(random, 3, fill=(0.16, 0.3))
    if random.random() < 0.6:
        shot.exposure = 10 ** random.uniform(-2.0, -0.7)
        shot.noise = random.uniform(0.004, 0.012)
    else:
        shot.exposure = random.uniform(2, 9)
        shot.veil = random.uniform(0.05, 0.2)
    return shot


def close(random):
    return base(random, 1, large=0.4, small=0, fill=(0.75, 0.95), tilt=random.uniform(0, 12),
                noise=random.uniform(0.02, 0.05), smear=random.uniform(0.0, 0.4))  # fmt: skip


def curved(random):
    shot = base(random, 1, fill=(0.2, 0.5))
    span = shot.placements[0].symbol.size
    if random.random() < 0.65:
        shot.radius = span / random.uniform(0.3, 1.4)
        shot.axis = random.choice([0, 90]) + random.normal(0, 8)
        shot.tilt = random.uniform(0, 30)
    else:
        shot.crumple = random.uniform(0.3, 1.3)
    return shot


def damaged(random):
    shot = base(random, 1, fill=(0.3, 0.7))
    kinds = random.choice(8, int(random.choice([1, 1, 2])), replace=False)

    def hurt(random, world):
        region, module = damage.region_of(world, world.placed[0])
        for kind in kinds:
            [
                lambda: damage.scratches(random, region, module, int(random.integers(3, 14))),
                lambda: damage.scribble(random, region, module, int(random.integers(1, 4))),
                lambda: damage.stains(random, region, module, int(random.integers(1, 5)), 2),
                lambda: damage.tear(random, region, module, random.uniform(0.1, 0.3)),
                lambda: damage.worn(random, region, module, random.uniform(0.1, 0.4)),
                lambda: damage.holes(random, region, module, int(random.integers(1, 6))),
                lambda: damage.folds(random, region, module, int(random.integers(1, 4))),
                lambda: damage.hit_finder(random, world, world.placed[0]),
            ][kind]()

    shot.on_world.append(hurt)
    return shot


def glare(random):
    shot = base(random, 1, fill=(0.25, 0.6), veil=0.03)

    def shine(random, picture, centres, reach):
        strength = random.uniform(0.6, 3)
        size = random.uniform(0.08, 0.42)
        height, width = picture.shape[:2]
        shine = light.glare(random, height, width, centres[0], reach, strength, size)
        return picture + shine[:, :, None]

    shot.lights.append(shine)
    return shot


def high_version(random):
    version = int(random.integers(15, 41))
    placements = row(random, 1, version=version)
    placements[0].scale = 1.0
    return base(random, placements=placements, large=0.4, small=0, fill=(0.6, 0.95),
                tilt=random.uniform(0, 16), blur=random.uniform(0, 0.5),
                crumple=random.choice([0, 0, 0.25]))  # fmt: skip


def lots(random):
    count = int(random.integers(40, 66))
    placements = row(random, count)
    return base(random, placements=placements, large=0.6, small=0, fill=(0.9, 0.95),
                print_text=False, tilt=random.uniform(0, 14), clutter=0,
                noise=random.uniform(0.01, 0.03))  # fmt: skip


def monitor(random):
    """A display: every module some screen pixels, every screen pixel three stripes."""
    shot = base(random, 1, large=0.3, small=0.2, fill=(0.4, 0.85), print_text=False,
                noise=random.uniform(0.008, 0.025), material="white", uneven=0.15)  # fmt: skip
    per_module = int(random.integers(3, 9))

    def pixels(random, world):
        pitch = world.density / per_module
        height, width = world.image.shape[:2]
        x = (np.arange(width, dtype=np.float32) / pitch) % 1
        y = (np.arange(height, dtype=np.float32) / pitch) % 1
        soft = 0.12 + 0.3 / max(pitch, 1)
        for channel in range(3):
            away = np.abs((x - (channel + 0.5) / 3 + 0.5) % 1 - 0.5)
            across = np.clip((0.26 - away) / soft + 0.5, 0, 1) * 2.1
            down = np.clip((0.44 - np.abs(y - 0.5)) / soft + 0.5, 0, 1)
            for top in range(0, height, 512):
                part = world.image[top : top + 512, :, channel]
                grid = down[top : top + 512, None] * across[None] * 0.9
                part[:] = np.clip(np.maximum(part, 12) * np.sqrt(grid), 0, 255).astype(np.uint8)

    shot.on_world.append(pixels)
    return shot


COLOURS = [
    ((180, 20, 30), (250, 250, 250)), ((20, 60, 160), (255, 240, 200)),
    ((10, 110, 60), (245, 245, 245)), ((120, 60, 150), (240, 230, 245)),
    ((200, 90, 20), (255, 255, 255)), ((245, 245, 245), (30, 30, 40)),
    ((240, 220, 120), (40, 60, 120)), ((30, 30, 30), (150, 200, 90)),
]  # fmt: skip


def noncompliant(random):
    ink, paper = COLOURS[random.integers(len(COLOURS))]
    style = symbols.Style(
        ink=ink, paper=paper, quiet=float(random.choice([0, 0.5, 1, 4])),
        shape=str(random.choice(["square", "dot", "rounded", "small"])),
        round_finders=bool(random.random() < 0.4), logo=random.choice([0, 0, 0.18, 0.24]),
        second_ink=COLOURS[random.integers(5)][0] if random.random() < 0.3 else None,
    )  # fmt: skip
    level = "H" if style.logo else None
    placements = row(random, int(random.choice([1, 2])), style=style, level=level)
    tone = tuple(int(v) for v in random.integers(60, 255, 3)) if random.random() < 0.5 else None
    return base(random, placements=placements, paper_tone=tone)


def pathological(random):
    kind = int(random.integers(5))
    shot = base(random, 1, fill=(0.3, 0.6))
    main = shot.placements[0]

    def alike(random, world):
        for _ in range(int(random.integers(4, 14))):
            decoy(random, world, main)

    def behind(random, world):
        region, module = damage.region_of(world, main)
        damage.mesh(random, region, module, random.uniform(3, 7), random.uniform(0.3, 0.8))

    def covered(random, world):
        damage.hit_finder(random, world, main, random.uniform(0.3, 0.6))

    if kind == 0:
        shot.on_world.append(alike)
    elif kind == 1:  # A wall of codes that touch each other.
        side = main.symbol.size
        version = (side - 17) // 4
        for x, y in ((1, 0), (0, 1), (1, 1)):
            symbol = symbols.make(random, version=version)
            shot.placements.append(Placed(symbol, main.x + x * (side + 2), main.y + y * (side + 2)))
        shot.module *= 0.5
    elif kind == 2:
        shot.on_world.append(behind)
    else:
        shot.on_world.append(covered)
    return shot


def decoy(random, world, main):
    """Something that looks like a finder pattern, beside the symbol."""
    module = main.scale * world.density
    half = main.symbol.size / 2 + main.symbol.style.quiet
    angle = random.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    away = away / np.abs(away).max() * (half + 5) * random.uniform(1, 1.3)
    middle = world.to_texture(np.array([main.x, main.y]) + away * main.scale).astype(int)
    side = int(7 * module * random.uniform(0.7, 1.3))
    if (middle < side).any() or (middle + side >= world.image.shape[1::-1]).any():
        return
    x, y = int(middle[0] - side / 2), int(middle[1] - side / 2)
    round_off = side / 2 if random.random() < 0.4 else 0
    for inset, tone in ((0, (20, 20, 20)), (1, (240, 240, 240)), (2, (20, 20, 20))):
        step = int(inset * side / 7)
        symbols.box(world.image, x + step, y + step, side - 2 * step, tone, round_off)


def perspective(random):
    return base(random, 1, fill=(0.3, 0.6), tilt=random.uniform(54, 74),
                noise=random.uniform(0.006, 0.02))  # fmt: skip


def rotations(random):
    return base(random, 3, fill=(0.18, 0.3), roll=random.uniform(0, 360),
                noise=random.uniform(0.01, 0.025))  # fmt: skip


def shadows(random):
    shot = base(random, int(random.choice([1, 1, 2])), fill=(0.3, 0.6), noise=0.006)

    def cast(random, picture, centres, reach):
        height, width = picture.shape[:2]
        mask = light.shadow(random, height, width, centres[0], reach, random.uniform(0.15, 0.4),
                            reach * random.uniform(0.01, 0.12))  # fmt: skip
        return picture * mask[:, :, None]

    shot.lights.append(cast)
    return shot


CATEGORIES = {
    function.__name__: function
    for function in (
        blurred, bright_spots, brightness, close, curved, damaged, glare, high_version, lots,
        monitor, nominal, noncompliant, pathological, perspective, rotations, shadows,
    )
}  # fmt: skip

# Pictures of many codes count for many.
SHARES = {"lots": 0.25}
