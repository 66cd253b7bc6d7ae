#!/usr/bin/env python3
"""Decode the pages that cliptag draws with renderers and readers that are not ours.

usage: independent-page-readers.py CLIPTAG [PAPER...]

Every poster of every design, paper, error-correction level and file format is drawn, rendered at
300 dots per inch (PDF by poppler and by MuPDF, SVG by librsvg, EPS by Ghostscript, PNG as it is),
and its code is read by zbar and by zxing-cpp. PDF files are checked by qpdf, and for printing with
black ink alone by Ghostscript.

Needs: zbar-tools, librsvg2-bin, poppler-utils, mupdf-tools, ghostscript, qpdf, and the Python
packages zxing-cpp and Pillow.
"""

import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import zxingcpp
from PIL import Image

Image.MAX_IMAGE_PIXELS = None

URL = "https://fruta.example.com/order/cupertino"
PAPERS = ["A3", "A4", "A5", "A6", "letter", "90x160"]
DESIGNS = ["classic", "bold", "editorial"]
LEVELS = ["L", "M", "Q", "H"]
FORMATS = ["pdf", "svg", "eps", "png"]
# A word of every script, so that every page has letters of several fonts.
WORDS = ["--unregistered", "--headline", "Order Παράγγειλε اطلب 注文", "--place-name", "Cupertino"]


def run(*command):
    return subprocess.run(command, capture_output=True, check=False)


def renderings(path):
    """The page as pictures: which renderer, and the picture."""
    target = path.with_suffix(path.suffix + ".rendered")
    if path.suffix == ".png":
        return [("itself", path)]
    programs = {
        ".pdf": [
            ("poppler", ["pdftoppm", "-png", "-singlefile", "-r", "300", path, f"{target}.p"]),
            ("mupdf", ["mutool", "draw", "-q", "-r", "300", "-o", f"{target}.m.png", path]),
        ],
        ".svg": [
            ("librsvg", ["rsvg-convert", "-d", "300", "-p", "300", "-b", "white"]
             + ["-o", f"{target}.p.png", path]),
        ],
        ".eps": [
            ("ghostscript", ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dEPSCrop", "-r300"]
             + ["-sDEVICE=png16m", f"-sOutputFile={target}.p.png", path]),
        ],
    }  # fmt: skip
    pictures = []
    for name, program in programs[path.suffix]:
        picture = pathlib.Path(f"{target}.{'m' if name == 'mupdf' else 'p'}.png")
        if run(*program).returncode != 0 or not picture.exists():
            raise ValueError(f"{name} does not render it")
        pictures.append((name, picture))
    return pictures


def faults(path):
    """Yields what is wrong with one file."""
    for name, picture in renderings(path):
        decoded = run("zbarimg", "-q", "--raw", "-Sdisable", "-Sqrcode.enable", picture)
        if decoded.stdout.decode().strip() != URL:
            yield f"zbar reads {decoded.stdout!r} from {name}"
        codes = zxingcpp.read_barcodes(Image.open(picture), zxingcpp.BarcodeFormat.QRCode)
        if [code.text for code in codes] != [URL]:
            yield f"zxing-cpp reads {[code.text for code in codes]} from {name}"
        if picture != path:
            picture.unlink()
    if path.suffix == ".pdf":
        if run("qpdf", "--check", path).returncode != 0:
            yield "qpdf finds fault with it"
        ink = run("gs", "-q", "-sDEVICE=inkcov", "-o", "-", path).stdout.split()
        if ink[:3] != [b"0.00000"] * 3:
            yield f"it prints with more than black ink: {ink}"


def examine(cliptag, folder, case):
    paper, design, level = case
    name = pathlib.Path(folder) / f"{paper}-{design}-{level}"
    outputs = [f"{name}.{ending}" for ending in FORMATS]
    command = [cliptag, "poster", URL, "--json", "--dpi", "300", "--paper", paper, "--design"]
    command += [design, "--error-correction", level, *WORDS, "--registry", f"{name}.sqlite"]
    for output in outputs:
        command += ["-o", output]
    done = run(*command)
    if done.returncode != 0:
        return 0, 0, [f"{case}: status {done.returncode}: {done.stdout.decode()[-300:]}"]
    levels = {json.loads(line)["errorCorrection"] for line in done.stdout.splitlines()}
    found, reads = [], 0
    for output in outputs:
        path = pathlib.Path(output)
        try:
            found += [f"{case} as {path.suffix[1:]}: {fault}" for fault in faults(path)]
        except ValueError as fault:
            found.append(f"{case} as {path.suffix[1:]}: {fault}")
        reads += 4 if path.suffix == ".pdf" else 2
        path.unlink()
    if any(LEVELS.index(used) < LEVELS.index(level) for used in levels):
        found.append(f"{case}: the code has level {levels}")
    return len(outputs), reads, found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cases = list(itertools.product(sys.argv[2:] or PAPERS, DESIGNS, LEVELS))
    files, reads, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            examined = pool.map(lambda case: examine(sys.argv[1], folder, case), cases)
            for number, times, found in examined:
                files, reads, wrong = files + number, reads + times, wrong + len(found)
                for fault in found:
                    print(fault, flush=True)
    print(f"{len(cases)} posters in {len(FORMATS)} formats: {files} files, {reads} readings,", end=" ")
    print(f"{wrong} faults")
    sys.exit(1 if wrong or files == 0 else 0)


main()
