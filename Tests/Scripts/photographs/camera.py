"""Where a point of the world appears in the picture, and the picture that results.

World coordinates as in scenes.py; picture coordinates in pixels, (0, 0) the corner of the first.
"""

import cv2
import numpy as np


def rotation(tilt, azimuth, roll):
    """Tilts by `tilt` degrees about an axis at `azimuth`, then rolls about the line of sight."""
    a, t, r = np.deg2rad([azimuth, tilt, roll])
    axis = np.array([np.cos(a), np.sin(a), 0])
    tilted = cv2.Rodrigues(axis * t)[0]
    return cv2.Rodrigues(np.array([0, 0, r]))[0] @ tilted


class Pinhole:
    """A plane, or a cylinder that touches it, seen by a pinhole camera.

    `module` is how many pixels a world unit measures where the camera looks at the world's middle;
    `radius` that of the cylinder in world units (0: a plane), its axis at `axis` degrees.
    """

    def __init__(self, width, height, module, tilt=0, azimuth=0, roll=0, shift=(0, 0),
                 focal=1.0, radius=0, axis=90):  # fmt: skip
        self.focal = focal * max(width, height)
        self.matrix = rotation(tilt, azimuth, roll)
        self.distance = self.focal / module
        self.centre = np.array([width / 2 + shift[0], height / 2 + shift[1]])
        self.radius = radius
        a = np.deg2rad(axis - 90)
        self.turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])

    def to_picture(self, points):
        points = np.asarray(points, np.float64)
        space = np.column_stack([points, np.zeros(len(points))])
        if self.radius:
            across, along = (points @ self.turn.T).T
            angle = across / self.radius
            bent = np.column_stack([self.radius * np.sin(angle), along])
            space[:, :2] = bent @ self.turn
            space[:, 2] = self.radius * (1 - np.cos(angle))
        seen = space @ self.matrix.T + [0, 0, self.distance]
        return seen[:, :2] / seen[:, 2:] * self.focal + self.centre

    def to_world(self, x, y):
        """World coordinates that picture coordinates show; far away where they show none."""
        rays = [(x - self.centre[0]) / self.focal, (y - self.centre[1]) / self.focal]
        inverse = self.matrix.T
        direction = [inverse[i, 0] * rays[0] + inverse[i, 1] * rays[1] + inverse[i, 2]
                     for i in range(3)]  # fmt: skip
        origin = -inverse @ [0, 0, self.distance]
        if self.radius:
            return self.cylinder(origin, direction)
        depth = np.where(np.abs(direction[2]) < 1e-6, 1e-6, direction[2])
        reach = -origin[2] / depth
        reach = np.where(reach > 0, reach, 1e6)
        return origin[0] + reach * direction[0], origin[1] + reach * direction[1]

    def cylinder(self, origin, direction):
        """Meets x² + (z − R)² = R², x across the axis."""
        turn, radius = self.turn, self.radius
        across = turn[0, 0] * direction[0] + turn[0, 1] * direction[1]
        along = turn[1, 0] * direction[0] + turn[1, 1] * direction[1]
        start = turn @ origin[:2]
        depth = origin[2] - radius
        a = across**2 + direction[2] ** 2
        b = across * start[0] + direction[2] * depth
        c = start[0] ** 2 + depth**2 - radius**2
        root = b * b - a * c
        reach = (-b - np.sqrt(np.maximum(root, 0))) / a
        x, z = start[0] + reach * across, depth + reach * direction[2]
        bent = radius * np.arctan2(x, -z)
        far = start[1] + reach * along
        bent = np.where(root > 0, bent, 1e6)
        return bent * turn[0, 0] + far * turn[1, 0], bent * turn[0, 1] + far * turn[1, 1]


class Crumpled:
    """A view whose picture is displaced smoothly, as paper that does not lie flat displaces it."""

    def __init__(self, view, dx, dy):
        self.view, self.dx, self.dy = view, dx.astype(np.float32), dy.astype(np.float32)

    def at(self, field, x, y):
        height, width = field.shape
        x = np.clip(x, 0, width - 1).astype(np.float32).reshape(1, -1)
        y = np.clip(y, 0, height - 1).astype(np.float32).reshape(1, -1)
        return cv2.remap(field, x, y, cv2.INTER_LINEAR)[0]

    def to_world(self, x, y):
        height, width = self.dx.shape
        dx = cv2.resize(self.dx, (x.shape[1], x.shape[0])) if x.shape != self.dx.shape else self.dx
        dy = cv2.resize(self.dy, (x.shape[1], x.shape[0])) if x.shape != self.dy.shape else self.dy
        return self.view.to_world(x + dx, y + dy)

    def to_picture(self, points):
        goal = self.view.to_picture(points)
        found = goal.copy()
        for _ in range(20):
            shift = np.column_stack([self.at(self.dx, *found.T), self.at(self.dy, *found.T)])
            found = goal - shift
        return found


def visible(view, width, height, limit):
    """Half width and half height of the world that the picture shows, at most `limit` units."""
    x, y = np.meshgrid(np.linspace(0, width, 9), np.linspace(0, height, 9))
    u, v = view.to_world(x.astype(np.float32), y.astype(np.float32))
    return (
        float(np.clip(np.abs(u).max() * 1.02, 8, limit)),
        float(np.clip(np.abs(v).max() * 1.02, 8, limit)),
    )


def photograph(world, view, width, height, supersampling=1):
    """The world as the view shows it, linear light 0 to 1, before any lens or sensor."""
    side_x, side_y = width * supersampling, height * supersampling
    out = np.empty((height, width, 3), np.float32)
    band = max(1, 2_000_000 // (side_x * supersampling))  # Rows at a time, to bound the memory.
    linear = (np.arange(256, dtype=np.float32) / 255) ** 2.2
    columns = (np.arange(side_x, dtype=np.float32) + 0.5) / supersampling
    whole = isinstance(view, Crumpled)
    band = height if whole else band
    for top in range(0, height, band):
        rows = min(band, height - top)
        lines = top + (np.arange(rows * supersampling, dtype=np.float32) + 0.5) / supersampling
        x, y = np.meshgrid(columns, lines)
        u, v = view.to_world(x, y)
        u = np.clip((u + world.half_width) * world.density - 0.5, -30000, 30000)
        v = np.clip((v + world.half_height) * world.density - 0.5, -30000, 30000)
        part = cv2.remap(
            world.image, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )  # fmt: skip
        part = cv2.LUT(part, linear)
        if supersampling > 1:
            part = cv2.resize(part, (width, rows), interpolation=cv2.INTER_AREA)
        out[top : top + rows] = part
    return out
