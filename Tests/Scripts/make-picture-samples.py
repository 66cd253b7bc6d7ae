#!/usr/bin/env python3
"""Makes the pictures that PicturesTests and CodeScanningTests read.

Needs Pillow, pillow-heif, numpy, segno and qpdf; none of them is needed to run the tests, which read the
committed results. The PNG files are put together here byte by byte, so that every colour type,
depth and interlace exists and no library of the package under test has touched them.

Run from anywhere: python3 Tests/Scripts/make-picture-samples.py
"""

import io
import pathlib
import struct
import subprocess
import zlib

import numpy as np
import pillow_heif
import segno
from PIL import Image, ImageFilter, ImageOps

TESTS = pathlib.Path(__file__).resolve().parent.parent
PICTURES = TESTS / "PicturesTests" / "Samples"
CODES = TESTS / "CodeScanningTests" / "Samples"

# --- PNG ------------------------------------------------------------------------------------

WIDTH, HEIGHT = 13, 11  # Odd, so that every Adam7 pass is ragged.
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2)]


def sample(x, y, channel):
    """The same formula stands in PNGReaderTests: 0 ... 255."""
    return (x * 19 + y * 23 + channel * 71) % 256


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed_row(kind, depth, y, columns):
    values = []
    for x in columns:
        for channel in range(CHANNELS[kind]):
            value = sample(x, y, channel)
            values.append(value * 257 if depth == 16 else value >> (8 - depth))
    if depth == 16:
        return b"".join(struct.pack(">H", value) for value in values)
    bits = "".join(format(value, f"0{depth}b") for value in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def png(kind, depth, interlaced):
    raw = b""
    for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        columns = range(x0, WIDTH, dx)
        if columns:
            for y in range(y0, HEIGHT, dy):
                raw += b"\0" + packed_row(kind, depth, y, columns)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, int(interlaced))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    if kind == PALETTE:
        # Entry i is (i, 255 - i, 2 i mod 256), and opaque in its first half only.
        entries = 1 << depth
        scale = 255 // (entries - 1)
        colours = [i * scale for i in range(entries)]
        data += chunk(b"PLTE", bytes(v for c in colours for v in (c, 255 - c, 2 * c % 256)))
        data += chunk(b"tRNS", bytes(255 if i < entries / 2 else 0 for i in range(entries)))
    return data + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def make_pngs():
    depths = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16),
              RGBA: (8, 16)}
    names = {GREY: "grey", RGB: "rgb", PALETTE: "palette", GREY_ALPHA: "grey-alpha", RGBA: "rgba"}
    for kind, list_of_depths in depths.items():
        for depth in list_of_depths:
            for interlaced in (False, True):
                name = f"{names[kind]}-{depth}{'-interlaced' if interlaced else ''}.png"
                (PICTURES / name).write_bytes(png(kind, depth, interlaced))


# --- JPEG and PDF ---------------------------------------------------------------------------


def quadrants():
    """Upright: top left black, top right dark, bottom left light, bottom right white."""
    picture = np.zeros((32, 48), dtype=np.uint8)
    picture[:16, 24:], picture[16:, :24], picture[16:, 24:] = 80, 160, 255
    return Image.fromarray(picture)


# What a camera did to the upright picture, by the value that it then writes.
STORED = {1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM,
          5: Image.TRANSPOSE, 6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270}


def with_orientation(picture, value, path, **options):
    stored = picture if STORED[value] is None else picture.transpose(STORED[value])
    exif = Image.Exif()
    exif[0x0112] = value
    stored.save(path, exif=exif.tobytes(), **options)
    assert ImageOps.exif_transpose(Image.open(path)).size == picture.size


def make_jpegs():
    for value in STORED:
        with_orientation(quadrants(), value, PICTURES / f"orientation-{value}.jpg", quality=90)
    colour = quadrants().convert("RGB")
    colour.save(PICTURES / "progressive.jpg", quality=90, progressive=True)
    colour.convert("CMYK").save(PICTURES / "cmyk.jpg", quality=95)


def make_other_formats():
    """Each as a phone held sideways stores it, where the format can say so."""
    pillow_heif.register_heif_opener()
    colour = quadrants().convert("RGB")
    for name, options in [("turned.heic", {"quality": 90}), ("turned.avif", {"quality": 90}),
                          ("turned.webp", {"lossless": True}), ("turned.png", {}),
                          ("turned.tif", {"compression": "tiff_lzw"})]:
        with_orientation(colour, 6, PICTURES / name, **options)
    pages = [quadrants(), quadrants().resize((24, 16), Image.NEAREST)]
    pages[0].save(PICTURES / "two-pages.tif", save_all=True, append_images=pages[1:])
    pages[0].save(PICTURES / "animation.gif", save_all=True, duration=100,
                  append_images=[Image.new("L", (48, 32), 128)])
    clear = quadrants().convert("RGBA")
    clear.putalpha(quadrants().point(lambda value: 0 if value == 80 else 255))
    clear.save(PICTURES / "clear.webp", lossless=True)
    for mode in ("1", "L", "RGB", "RGBA"):
        quadrants().convert(mode, dither=Image.NONE).save(PICTURES / f"{mode.lower()}.bmp")


def make_documents():
    first = code("https://example.com/page/1", scale=4)
    second = code("https://example.com/page/2", scale=4)
    first.save(PICTURES / "two-pages.pdf", save_all=True, append_images=[second], resolution=100)
    subprocess.run(["qpdf", "--encrypt", "open", "own", "256", "--", PICTURES / "two-pages.pdf",
                    PICTURES / "password.pdf"], check=True)
    symbol = segno.make("https://example.com/drawing", micro=False, error="m")
    symbol.save(PICTURES / "drawing.svg", scale=4, unit="mm")
    symbol.save(PICTURES / "drawing.eps", scale=4)


# --- Codes ----------------------------------------------------------------------------------


def code(text, scale=4, border=4, **options):
    options.setdefault("micro", False)
    buffer = io.BytesIO()
    segno.make(text, **options).save(buffer, kind="png", scale=scale, border=border)
    return Image.open(buffer).convert("L")


def small(picture, name):
    picture.convert("1", dither=Image.NONE).save(CODES / name, optimize=True)


def make_texts():
    byte = {"mode": "byte"}
    small(code("https://example.com/café/größe/中文/日本", encoding="utf-8", **byte), "utf-8.png")
    small(code("https://example.jp/カフェ/東京", encoding="shift_jis", **byte), "shift-jis.png")
    small(code("漢字とカナ", encoding="shift_jis", mode="kanji"), "kanji-mode.png")
    small(code("café größe été", encoding="iso-8859-1", **byte), "latin-1.png")
    small(code("Привет", encoding="iso-8859-5", eci=True), "eci-8859-5.png")
    small(code("été déjà vu", encoding="utf-8", eci=True), "eci-utf-8.png")
    small(code(b"before\0after", **byte), "zero-byte.png")


def photograph(picture, size, angle, seed, blur=1.2, noise=6.0, shade=0.5):
    """The code on a grey wall: turned, blurred, grainy, darker to the left."""
    wall = Image.new("L", size, 185)
    turned = picture.convert("LA").rotate(angle, expand=True, resample=Image.BICUBIC)
    place = ((size[0] - turned.width) // 2, (size[1] - turned.height) // 2)
    wall.paste(turned.getchannel(0), place, turned.getchannel(1))
    wall = wall.filter(ImageFilter.GaussianBlur(blur))
    pixels = np.asarray(wall, dtype=float)
    pixels *= shade + (1 - shade) * np.linspace(0, 1, size[0])[None, :]
    pixels += np.random.default_rng(seed).normal(0, noise, pixels.shape)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def make_photographs():
    url = "https://fruta.example.com/order/cupertino"
    photo = photograph(code(url, scale=7), (480, 360), 28, 1)
    photo.save(CODES / "photo.jpg", quality=60)
    with_orientation(photo, 6, CODES / "photo-exif-6.jpg", quality=60)
    large = photograph(code(url, scale=36), (3400, 2550), -12, 2, blur=5, noise=0)
    large.save(CODES / "large.jpg", quality=20)
    wall = Image.new("L", (620, 280), 200)
    wall.paste(code("https://example.com/same", scale=5), (20, 40))
    wall.paste(code("https://example.com/same", scale=5).rotate(90), (230, 70))
    wall.paste(code("https://example.com/other", scale=5), (430, 30))
    wall.save(CODES / "wall.png", optimize=True)
    ImageOps.invert(code("https://example.com/inverted", scale=5)).save(
        CODES / "inverted.png", optimize=True)


def make_tiny_code_document():
    """A code of 9 mm on an A5 page: 25 modules with 0.36 mm, too small at 200 dots an inch."""
    page = Image.new("1", (3496, 2480), 1)
    page.paste(code("https://example.com/tiny", scale=4), (2400, 1800))
    page.save(CODES / "tiny-code.pdf", resolution=600)


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    CODES.mkdir(parents=True, exist_ok=True)
    make_pngs()
    make_jpegs()
    make_other_formats()
    make_documents()
    make_texts()
    make_photographs()
    make_tiny_code_document()
