#!/usr/bin/env python3
"""Decode what `cliptag qr` draws with readers that are not ours, and measure it.

usage: independent-qr-readers.py COMMAND [ARGUMENT...]

COMMAND is called as `COMMAND ARGUMENT... URL -o FILE --json` for URLs that need every version
from 1 to 40, and for odd URLs; for example

    Tests/Scripts/independent-qr-readers.py .build/debug/cliptag qr --unregistered

Every file is rendered (rsvg-convert, pdftoppm, gs), decoded by zbarimg and by zxing-cpp, and its
size is read from the file itself and compared with the size that the command reports. PDF files
are checked by qpdf, and PDF and EPS for printing with black ink alone (gs). A URL that the command
refuses with status 1 or 65 is counted as refused, not as wrong.

Needs: zbar-tools, librsvg2-bin, poppler-utils, ghostscript, qpdf, and the Python packages
zxing-cpp and Pillow.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import zxingcpp
from PIL import Image

# Bytes that fill versions 1 to 40 at level M (ISO/IEC 18004:2015, table 7).
BYTES_AT_M = [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
    711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911,
    1989, 2099, 2213, 2331,
]  # fmt: skip

ODD_URLS = [
    "https://fruta.example.com/order/cupertino",
    "https://fruta.example.com/?p=%C3%A9&q=a%20b&id=0123456789012345",
    "HTTPS://FRUTA.EXAMPLE.COM/ORDER/12345",
    "https://fruta.example.com/a-b_c.d~e!$&'()*+,;=:@/%25#frag<>\"",
    "https://appclip.apple.com/id?p=com.example.fruta.Clip&token=1234567890",
    "https://fruta.example.com/0123456789/ABCDEFGHIJ/abcdefghij/0123456789",
]

PIXELS_PER_MODULE = 4


def run(*command):
    return subprocess.run(command, capture_output=True, check=False)


def render(path, modules):
    """Makes a PNG of a file at a whole number of pixels per module."""
    side = modules * PIXELS_PER_MODULE
    target = path.with_suffix(path.suffix + ".rendered.png")
    if path.suffix == ".png":
        return path
    if path.suffix == ".svg":
        done = run("rsvg-convert", "-w", str(side), "-h", str(side), "-o", target, path)
    elif path.suffix == ".pdf":
        prefix = target.with_suffix("")
        done = run("pdftoppm", "-png", "-singlefile", "-scale-to", str(side), path, prefix)
    else:
        resolution = side * 72 / eps_points(path)
        done = run(
            "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dEPSCrop", f"-r{resolution}",
            "-sDEVICE=pnggray", f"-sOutputFile={target}", path,
        )  # fmt: skip
    if done.returncode != 0:
        raise ValueError(f"{path.suffix} does not render: {done.stderr.decode()}")
    return target


def eps_points(path):
    box = re.search(rb"^%%HiResBoundingBox: 0 0 ([0-9.]+) ([0-9.]+)$", path.read_bytes(), re.M)
    if not box or box[1] != box[2]:
        raise ValueError("no square HiResBoundingBox")
    return float(box[1])


def millimetres(path):
    """The width that the file itself states."""
    if path.suffix == ".png":
        image = Image.open(path)
        return image.width / image.info["dpi"][0] * 25.4
    if path.suffix == ".svg":
        return float(re.search(r'<svg [^>]*width="([0-9.]+)mm"', path.read_text())[1])
    if path.suffix == ".pdf":
        page = run("pdfinfo", "-box", path).stdout.decode()
        points = re.search(r"MediaBox: +0.00 +0.00 +([0-9.]+) +([0-9.]+)", page)
        # pdfinfo rounds to hundredths of a point, which is finer than the comparison below.
        return float(points[1]) / 72 * 25.4
    return eps_points(path) / 72 * 25.4


def checks(path, url, report):
    """Yields what is wrong with one file."""
    modules = 17 + 4 * report["version"] + 8
    if abs(millimetres(path) - report["width"]) > 0.01:
        yield f"measures {millimetres(path)} mm, not {report['width']}"
    if abs(report["moduleSize"] * modules - report["width"]) > 0.02 * modules:
        yield f"{modules} modules of {report['moduleSize']} mm are not {report['width']} mm"
    picture = render(path, modules)
    decoded = run("zbarimg", "-q", "--raw", "-Sbinary", "-Sdisable", "-Sqrcode.enable", picture)
    if decoded.stdout.rstrip(b"\n") != url.encode():
        yield f"zbarimg reads {decoded.stdout!r}"
    image = Image.open(picture)
    texts = [code.text for code in zxingcpp.read_barcodes(image, zxingcpp.BarcodeFormat.QRCode)]
    if texts != [url]:
        yield f"zxing-cpp reads {texts}"
    if path.suffix == ".pdf" and run("qpdf", "--check", path).returncode != 0:
        yield "qpdf finds fault with it"
    if path.suffix in (".pdf", ".eps"):
        ink = run(
            "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dEPSCrop", "-sDEVICE=inkcov", "-o", "-", path
        )
        if not ink.stdout.split()[:3] == [b"0.00000"] * 3:
            yield f"prints with more than black ink: {ink.stdout.decode().strip()}"


def urls():
    base = "https://a.co/"
    for size in BYTES_AT_M:
        letters = "".join(chr(ord("a") + (7 * i * i + i) % 26) for i in range(size - len(base)))
        yield base + letters
    yield from ODD_URLS


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    files, refused, wrong, versions = 0, 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for number, url in enumerate(urls()):
            for ending in ("svg", "png", "pdf", "eps"):
                path = pathlib.Path(folder) / f"{number}.{ending}"
                done = run(*command, url, "-o", str(path), "--json")
                if done.returncode in (1, 65) and not path.exists():
                    refused += 1
                    continue
                if done.returncode != 0:
                    wrong += 1
                    print(f"{url[:60]} as {ending}: status {done.returncode}: {done.stderr!r}")
                    continue
                report = json.loads(done.stdout.splitlines()[-1])
                versions.add(report["version"])
                files += 1
                for trouble in checks(path, url, report):
                    wrong += 1
                    print(f"{url[:60]} as {ending}: {trouble}")
    missing = sorted(set(range(1, 41)) - versions)
    print(f"{files} files read by zbar and zxing-cpp, {refused} refused, {wrong} faults;", end=" ")
    print(f"versions not drawn: {missing or 'none'}")
    sys.exit(1 if wrong or files == 0 else 0)


main()
