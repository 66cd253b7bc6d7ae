"""What a lens, a sensor and a phone's picture processing make of linear light."""

import cv2
import numpy as np


def disc(radius):
    """The kernel of a lens out of focus; a fraction of a pixel counts."""
    side = int(np.ceil(radius)) * 2 + 1
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return (kernel / kernel.sum()).astype(np.float32)


def streak(length, angle):
    """The kernel of a camera that moved, `length` pixels at `angle` degrees."""
    side = int(np.ceil(length)) | 1
    side = max(side + 2, 3)
    kernel = np.zeros((side, side), np.float32)
    for position in np.linspace(-0.5, 0.5, max(8, side * 4)):
        x = side / 2 - 0.5 + position * length * np.cos(np.deg2rad(angle))
        y = side / 2 - 0.5 + position * length * np.sin(np.deg2rad(angle))
        column, row = int(np.floor(x)), int(np.floor(y))
        for dy in (0, 1):
            for dx in (0, 1):
                weight = (1 - abs(x - column - dx)) * (1 - abs(y - row - dy))
                if 0 <= row + dy < side and 0 <= column + dx < side:
                    kernel[row + dy, column + dx] += weight
    return kernel / kernel.sum()


def blur(image, radius):
    return cv2.filter2D(image, -1, disc(radius), borderType=cv2.BORDER_REFLECT) if radius > 0.2 \
        else image  # fmt: skip


def shake(image, length, angle):
    return cv2.filter2D(image, -1, streak(length, angle), borderType=cv2.BORDER_REFLECT) \
        if length > 0.5 else image  # fmt: skip


def veil(image, share):
    """Light scattered in the lens over the whole picture."""
    if share <= 0:
        return image
    height, width = image.shape[:2]
    small = cv2.resize(image, (64, 64), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 12)
    wide = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return image * (1 - share) + wide * share


def grain(random, height, width):
    """Noise of deviation 1 for three channels; demosaicing made neighbours alike."""
    side = min(1024, max(height, width))  # Repeated beyond, which no scanner can tell.
    tile = random.standard_normal((side, side, 3), dtype=np.float32)
    tile = cv2.GaussianBlur(tile, (0, 0), 0.6, borderType=cv2.BORDER_REFLECT) * 1.9
    return np.tile(tile, (-(-height // side), -(-width // side), 1))[:height, :width]


def expose(random, image, exposure=1.0, noise=0.005, smear=0.0, sharpen=0.5):
    """Linear light to 8-bit sRGB as a phone does it.

    `noise` is the standard deviation of a mid grey in linear light (0.005 daylight, 0.05 night);
    `smear` 0 to 1 is how hard the noise reduction works.
    """
    lit = image * exposure
    height, width = lit.shape[:2]
    if noise > 0:
        deviation = cv2.sqrt(np.maximum(lit, 0) * 4 + 0.1) * noise
        lit += grain(random, height, width) * deviation
    shown = cv2.pow(np.clip(lit, 0, 1, out=lit), 1 / 2.2)
    shown = cv2.convertScaleAbs(shown, alpha=255)
    if smear > 0.15:
        reach = 5 if smear < 0.5 else 9
        shown = cv2.bilateralFilter(shown, reach, 25 + 60 * smear, 1 + 3 * smear)
    if sharpen > 0:
        soft = cv2.GaussianBlur(shown, (0, 0), 1.2)
        shown = cv2.addWeighted(shown, 1 + sharpen, soft, -sharpen, 0)
    return shown


def save(image, path, quality):
    """Writes a JPEG; channels are red, green, blue."""
    done, data = cv2.imencode(
        ".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, int(quality)]
    )
    if not done:
        raise OSError(f"cannot encode {path}")
    path.write_bytes(data.tobytes())
