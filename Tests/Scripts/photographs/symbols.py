"""QR symbols as pictures: plain ones, and those that a designer or a bad printer made."""

import dataclasses

import cv2
import numpy as np
import segno

PER_MODULE = 12  # Pixels in which a module is drawn before it is placed in a scene.

HOSTS = ["fruta.example.com", "a.co", "menu.example.org", "tickets.example.net", "kaffee.example"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_"


@dataclasses.dataclass
class Style:
    """How a symbol looks. Colours are sRGB, 0 to 255."""

    ink: tuple = (20, 20, 20)
    paper: tuple = (245, 245, 245)
    quiet: float = 4  # Modules of paper around it; 0 puts it on whatever lies beneath.
    shape: str = "square"  # Also "dot", "rounded", "small".
    round_finders: bool = False
    logo: float = 0  # Side of a logo in the middle as a share of the symbol's.
    gain: float = 0  # Spread of the ink in modules; negative loses ink.
    grain: float = 0  # How unevenly the ink covers, 0 to 1.
    second_ink: tuple | None = None  # The other end of a gradient.


@dataclasses.dataclass
class Symbol:
    text: str
    matrix: np.ndarray
    style: Style
    image: np.ndarray  # sRGB with quiet zone, PER_MODULE pixels per module.

    @property
    def size(self):
        return self.matrix.shape[0]

    @property
    def span(self):
        """Modules on a side with the quiet zone."""
        return self.size + 2 * self.style.quiet

    def corners(self):
        """Own top left, top right, bottom right, bottom left, in modules from the centre."""
        half = self.size / 2
        return np.array([[-half, -half], [half, -half], [half, half], [-half, half]])


def printed(random):
    """Black on white as printers make it: neither black nor white, with grain and some dot gain."""
    return Style(
        ink=(float(random.uniform(35, 80)),) * 3, paper=(float(random.uniform(215, 250)),) * 3,
        gain=float(random.choice([0, 0, 0.08, 0.12, -0.08])), grain=random.uniform(0, 0.3),
    )  # fmt: skip


def url(random, length):
    """A URL of about `length` characters."""
    text = "https://" + HOSTS[random.integers(len(HOSTS))] + "/"
    while len(text) < length:
        text += LETTERS[random.integers(len(LETTERS))] if random.random() > 0.08 else "/"
    return text


def make(random, version=None, level=None, style=None):
    """A symbol with random content, at the given version and level or at common ones."""
    level = level or random.choice(["L", "M", "Q", "H"], p=[0.35, 0.4, 0.15, 0.1])
    style = style or printed(random)
    if version is None:
        text = url(random, int(random.integers(14, 70)))
        code = segno.make(text, error=level, micro=False, boost_error=False)
    else:
        code = fill(random, version, level)
        text = code[1]
        code = code[0]
    matrix = np.array([[bool(v) for v in row] for row in code.matrix])
    return Symbol(text, matrix, style, draw(random, matrix, style))


def fill(random, version, level):
    """A URL that needs just this version."""
    low, high = 10, 2960
    while low < high:  # The longest that fits.
        middle = (low + high + 1) // 2
        try:
            segno.make("a" * middle, version=version, error=level, micro=False, boost_error=False)
            low = middle
        except segno.DataOverflowError:
            high = middle - 1
    text = url(random, max(10, int(low * random.uniform(0.88, 1.0))))[:low]
    code = segno.make(text, version=version, error=level, micro=False, boost_error=False)
    return code, text


def draw(random, matrix, style):
    """Draws a matrix with its quiet zone."""
    ink = coverage(matrix, style)
    if style.gain:
        width = max(1, int(round(abs(style.gain) * PER_MODULE)))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
        ink = cv2.dilate(ink, kernel) if style.gain > 0 else cv2.erode(ink, kernel)
    height = ink.shape[0]
    if style.grain:
        specks = random.standard_normal((height, height)).astype(np.float32)
        specks = cv2.GaussianBlur(specks, (0, 0), 1.1) * 3.5 * style.grain
        ink = np.clip(ink - np.abs(specks) * ink, 0, 1)
    ramp = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    first = np.array(style.ink, np.float32)
    colour = first + ramp * (np.array(style.second_ink or style.ink, np.float32) - first)
    paper = np.array(style.paper, np.float32)
    image = paper + ink[:, :, None] * (colour - paper)
    if style.logo:
        put_logo(random, image, style)
    return np.clip(image, 0, 255).astype(np.uint8)


def coverage(matrix, style):
    """Where ink lies, 0 to 1."""
    size = matrix.shape[0]
    border = int(round(style.quiet * PER_MODULE))
    if style.shape == "square":
        tile = np.ones((PER_MODULE, PER_MODULE), np.float32)
    else:
        tile = np.zeros((PER_MODULE, PER_MODULE), np.float32)
        radius = {"dot": 0.46, "rounded": 0.54, "small": 0.36}[style.shape] * PER_MODULE
        middle = PER_MODULE / 2 - 0.5
        cv2.circle(tile, (int(middle), int(middle)), int(radius), 1, -1, cv2.LINE_AA)
    ink = np.kron(matrix.astype(np.float32), tile)
    if style.shape != "square":
        finders(ink, size, style.round_finders)
    elif style.round_finders:
        finders(ink, size, True)
    return np.pad(ink, border)


def finders(ink, size, rounded):
    """Draws the three finder patterns in one piece."""
    for row, column in ((0, 0), (0, size - 7), (size - 7, 0)):
        y, x = row * PER_MODULE, column * PER_MODULE
        side = 7 * PER_MODULE
        ink[y : y + side, x : x + side] = 0
        for inset, value in ((0, 1), (1, 0), (2, 1)):
            a = inset * PER_MODULE
            box(ink, x + a, y + a, side - 2 * a, value, side * 0.28 if rounded else 0)


def box(image, x, y, side, value, radius):
    """A filled square with round corners."""
    radius = int(min(radius, side / 2))
    cv2.rectangle(image, (x + radius, y), (x + side - 1 - radius, y + side - 1), value, -1)
    cv2.rectangle(image, (x, y + radius), (x + side - 1, y + side - 1 - radius), value, -1)
    for centre_x in (x + radius, x + side - 1 - radius):
        for centre_y in (y + radius, y + side - 1 - radius):
            cv2.circle(image, (centre_x, centre_y), radius, value, -1)


def put_logo(random, image, style):
    """A sign in the middle, on a patch of paper."""
    height = image.shape[0]
    half = int((height - 2 * style.quiet * PER_MODULE) * style.logo / 2)
    middle = height // 2
    paper = [float(v) for v in style.paper]
    colour = [float(v) for v in random.integers(0, 200, 3)]
    cv2.rectangle(image, (middle - half, middle - half), (middle + half, middle + half), paper, -1)
    if random.random() < 0.5:
        cv2.circle(image, (middle, middle), int(half * 0.85), colour, -1, cv2.LINE_AA)
        cv2.circle(image, (middle, middle), int(half * 0.4), paper, -1, cv2.LINE_AA)
    else:
        points = middle + half * 0.85 * np.array([[-1, 1], [0, -1], [1, 1]])
        cv2.fillPoly(image, [points.astype(np.int32)], colour, cv2.LINE_AA)
