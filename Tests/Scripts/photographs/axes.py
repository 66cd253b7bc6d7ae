"""One thing made worse step by step, everything else kept harmless: level 1 is easy, 10 is hard.

Eight seeds of each level show where a scanner stops, and that a change moved that point.
"""

import numpy as np

from photographs import categories, damage, light, symbols
from photographs.scenes import Placed
from photographs.shots import Shot

LEVELS = 10


def plain(random, style=None, version=3, level="M", **changes):
    """A symbol of 29 modules at 8 pixels each on paper, sharp and evenly lit."""
    symbol = symbols.make(random, version=version, level=level, style=style)
    shot = Shot(
        width=640, height=480, module=8, tilt=2, azimuth=random.uniform(0, 360),
        roll=random.normal(0, 3), shift=tuple(random.uniform(-20, 20, 2)), material="white",
        clutter=0, uneven=0.05, noise=0.003, smear=0, sharpen=0.2, quality=95, veil=0,
        placements=[Placed(symbol, 0, 0)],
    )  # fmt: skip
    for name, value in changes.items():
        setattr(shot, name, value)
    return shot


def step(level, first, last):
    """The value at a level, in equal steps."""
    return first + (last - first) * (level - 1) / (LEVELS - 1)


def growth(level, first, last):
    """The value at a level, in equal factors."""
    return first * (last / first) ** ((level - 1) / (LEVELS - 1))


def contrast(random, level):
    reach = growth(level, 100, 3)
    style = symbols.Style(ink=(150 - reach,) * 3, paper=(150 + reach,) * 3)
    return plain(random, style, paper_tone=(160, 160, 160))


def inversion(random, level):
    reach = growth(level, 100, 25)
    style = symbols.Style(ink=(140 + reach,) * 3, paper=(140 - reach,) * 3)
    return plain(random, style)


def colour(random, level):
    """Ink and paper whose luma comes together while their hue stays apart."""
    green, red = np.array([60, 165, 90]), np.array([215, 75, 80])
    share = step(level, 0.0, 1.0)
    ink = tuple(float(v) for v in red * share + np.array([70, 0, 10]) * (1 - share))
    paper = tuple(float(v) for v in green * share + np.array([170, 255, 180]) * (1 - share))
    return plain(random, symbols.Style(ink=ink, paper=paper))


def hurt(random, level):
    shot = plain(random)

    def change(random, world):
        region, module = damage.region_of(world, world.placed[0])
        damage.stains(random, region, module, level, 2.0)

    shot.on_world.append(change)
    return shot


def shine(random, level):
    shot = plain(random)

    def change(random, picture, centres, reach):
        size = step(level, 0.1, 0.8)
        height, width = picture.shape[:2]
        return picture + light.glare(random, height, width, centres[0], reach, 3, size)[..., None]

    shot.lights.append(change)
    return shot


def clutter(random, level):
    shot = plain(random, clutter=level * 12, print_text=True)

    def change(random, world):
        for _ in range(level * 2):
            categories.decoy(random, world, world.placed[0])

    shot.on_world.append(change)
    return shot


def large(random, level):
    """Big modules need a big picture."""
    module = growth(level, 14, 90)
    side = int(module * 36)
    return plain(random, width=side, height=side, module=module, shift=(0, 0))


def version(random, level):
    """Symbols of more and more modules, each of 4 pixels."""
    number = max(1, 4 * level)
    side = int((17 + 4 * number + 16) * 4.2)
    return plain(random, version=number, width=side, height=side, module=4, shift=(0, 0))


def quiet(random, level):
    """The quiet zone shrinks, on paper of a tone that comes near the ink's."""
    style = symbols.Style(quiet=round(max(0, step(level, 4, -1)) * 2) / 2)
    tone = int(step(level, 230, 30))
    return plain(random, style, paper_tone=(tone, tone, tone))


AXES = {
    "blur": lambda r, k: plain(r, blur=step(k, 0.1, 1.2)),
    "motion": lambda r, k: plain(r, shake=step(k, 0.3, 2.7)),
    "noise": lambda r, k: plain(r, noise=growth(k, 0.01, 0.6)),
    "contrast": contrast,
    "rotation": lambda r, k: plain(r, roll=step(k, 0, 180) + r.uniform(0, 20)),
    "tilt": lambda r, k: plain(r, tilt=step(k, 10, 73)),
    "module": lambda r, k: plain(r, module=growth(k, 5, 1.1), width=300, height=300),
    "large": large,
    "light": lambda r, k: plain(r, uneven=step(k, 0.2, 2.5), noise=0.002),
    "dark": lambda r, k: plain(r, exposure=growth(k, 0.5, 0.006), noise=0.004),
    "bright": lambda r, k: plain(r, exposure=growth(k, 1.5, 40), veil=0.02),
    "damage": hurt,
    "glare": shine,
    "jpeg": lambda r, k: plain(r, quality=int(growth(k, 60, 2)), module=5),
    "dot-gain": lambda r, k: plain(r, symbols.Style(gain=step(k, 0.04, 0.4))),
    "ink-loss": lambda r, k: plain(r, symbols.Style(gain=-step(k, 0.04, 0.4))),
    "inversion": inversion,
    "colour": colour,
    "curvature": lambda r, k: plain(r, radius=29 / step(k, 0.2, 2.2)),
    "crumple": lambda r, k: plain(r, crumple=step(k, 0.3, 3.0)),
    "quiet": quiet,
    "logo": lambda r, k: plain(r, symbols.Style(logo=step(k, 0.1, 0.4)), level="H"),
    "clutter": clutter,
    "version": version,
}  # fmt: skip


def shot(name, random, level):
    """The Shot of an axis at a level from 1 to LEVELS."""
    made: Shot = AXES[name](random, level)
    return made
