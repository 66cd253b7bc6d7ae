"""One picture from start to end: what lies where, how it is seen, lit and recorded."""

import dataclasses

import cv2
import numpy as np

from photographs import camera, light, scenes, sensor

# Picture sizes of phones, and how often.
SIZES = [(600, 800), (800, 600), (1500, 2000), (2000, 1500), (3024, 4032), (4032, 3024)]


@dataclasses.dataclass
class Shot:
    """Everything that a category may choose. Lengths in pixels unless they say modules."""

    width: int = 1500
    height: int = 2000
    module: float = 8
    tilt: float = 5
    azimuth: float = 0
    roll: float = 0
    shift: tuple = (0, 0)
    radius: float = 0  # Of a cylinder, in modules.
    axis: float = 90
    crumple: float = 0  # In modules.
    material: str = "wood"
    clutter: int = 6
    print_text: bool = True
    uneven: float = 0.3
    blur: float = 0  # In modules.
    shake: float = 0  # In modules.
    veil: float = 0.01
    exposure: float = 1.0
    noise: float = 0.006
    smear: float = 0.2
    sharpen: float = 0.6
    quality: int = 90
    paper_tone: tuple | None = None
    placements: list = dataclasses.field(default_factory=list)
    on_world: list = dataclasses.field(default_factory=list)  # Functions of random, world.
    lights: list = dataclasses.field(default_factory=list)  # Of random, picture, centres, reach.
    view: object = None


def size_of(random, large=0.15, small=0.4):
    """A picture size; `large` and `small` are shares of 12 megapixels and of half a megapixel."""
    u = random.random()
    first = 4 if u < large else 0 if u < large + small else 2
    return SIZES[first + int(random.integers(2))]


def view_of(random, shot):
    """The camera, as near as the shot wants it but so that every symbol is in the picture."""
    for _ in range(40):
        view = camera.Pinhole(
            shot.width, shot.height, shot.module, shot.tilt, shot.azimuth, shot.roll, shot.shift,
            focal=0.9, radius=shot.radius, axis=shot.axis,
        )  # fmt: skip
        seen = view.to_picture(np.vstack([p.corners() for p in shot.placements]))
        margin = 0.01 * min(shot.width, shot.height)
        if (seen > margin).all() and (seen < [shot.width - margin, shot.height - margin]).all():
            break
        shot.module *= 0.95
    if shot.crumple:
        height, width = shot.height, shot.width
        cells = max(3, int(max(width, height) / (shot.module * 18)))
        amount = shot.crumple * shot.module
        fields = [scenes.field(random, height, width, cells, 1) * amount for _ in range(2)]
        view = camera.Crumpled(view, *fields)
    return view


def world_of(random, shot, view):
    limit = 14_000 / max(shot.module, 1) / 2
    half_width, half_height = camera.visible(view, shot.width, shot.height, max(limit, 40))
    area = 4 * half_width * half_height
    density = min(max(shot.module * 1.25, 3), 40, (50e6 / area) ** 0.5)
    density = min(density, 15000 / max(half_width, half_height))
    world = scenes.World(half_width, half_height, density)
    scenes.cover(random, world.image, shot.material)
    scenes.bars(random, world, shot.clutter)
    low, high = bounds(shot.placements)
    margin = random.uniform(2, 10)
    x, y = low - margin
    width, height = high - low + 2 * margin
    text_room = random.uniform(0.1, 0.5) * height if shot.print_text else 0
    scenes.sheet(random, world, x, y, width, height + text_room, shot.paper_tone)
    if text_room > 1:
        scenes.text(random, world, x + 1, y + height - margin * 0.6, width - 2, text_room)
    for placed in shot.placements:
        world.place(placed)
    for change in shot.on_world:
        change(random, world)
    return world


def bounds(placements):
    """The box around all symbols with their quiet zones."""
    points = np.vstack([p.corners() for p in placements])
    border = max(max(p.symbol.style.quiet, 1) * p.scale for p in placements)
    return points.min(0) - border, points.max(0) + border


def supersampling(shot):
    pixels = shot.width * shot.height
    return 3 if pixels < 600_000 else 2 if pixels < 4_000_000 else 1


def take(random, shot, path):
    """Makes the picture and returns what is in it."""
    view = shot.view or view_of(random, shot)
    world = world_of(random, shot, view)
    picture = camera.photograph(world, view, shot.width, shot.height, supersampling(shot))
    codes = truth(world, view, shot)
    height, width = picture.shape[:2]
    if shot.uneven:
        picture *= light.gradient(random, height, width, shot.uneven)[:, :, None]
    centres = [np.mean(c["corners"], axis=0) for c in codes] or [np.array([width, height]) / 2]
    reach = max([np.ptp(np.array(c["corners"]), axis=0).max() for c in codes] or [width / 2]) / 2
    for change in shot.lights:
        picture = change(random, picture, centres, reach)
    picture = sensor.veil(picture, shot.veil)
    picture = sensor.blur(picture, shot.blur * shot.module)
    picture = sensor.shake(picture, shot.shake * shot.module, random.uniform(0, 180))
    shown = sensor.expose(
        random, picture.astype(np.float32), shot.exposure, shot.noise, shot.smear, shot.sharpen
    )
    sensor.save(shown, path, shot.quality)
    return {"file": path.name, "width": width, "height": height, "codes": codes}


def truth(world, view, shot):
    """The symbols that lie wholly in the picture."""
    codes = []
    for placed in world.placed:
        corners = view.to_picture(placed.corners())
        inside = (corners >= 0).all() and (corners <= [shot.width, shot.height]).all()
        if not placed.counted or not inside:
            continue
        area = cv2.contourArea(corners.astype(np.float32))
        codes.append({
            "text": placed.symbol.text,
            "corners": [[round(float(v), 2) for v in corner] for corner in corners],
            "size": placed.symbol.size,
            "modulePixels": round(float(area) ** 0.5 / placed.symbol.size, 2),
        })  # fmt: skip
    return codes
