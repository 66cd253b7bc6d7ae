#!/usr/bin/env python3
"""Scores scanners on pictures whose codes are known, and prints a table in Markdown.

usage: score-scanners.py [--scanner NAME]... [--turn DEGREES]... [--misses] FOLDER...

NAME is `zbar` (through pyzbar), `zxing-cpp`, or the path of a cliptag. A folder's codes stand in
`truth.json` as make-photographs.py writes it, or beside each picture in NAME.txt (the exact text)
or NAME.json (the texts that are right); a picture with none of these shows no code. Folders below
the given ones are scored each by itself. A text counts as exact after trimming white space at its
ends and taking CR LF for LF; a text that no code of the picture has counts as wrong.

Times are of decoding a grey picture that is loaded already; for cliptag that of the whole command
divided by the pictures, which includes loading and checking the URL.

Needs opencv-python-headless, pyzbar and zxing-cpp.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

ENDINGS = {".png", ".jpg", ".jpeg"}


def folders_below(root):
    """The folder and those below it that hold pictures, without hidden ones."""
    pictures = (p for p in root.rglob("*") if p.suffix.lower() in ENDINGS)
    folders = {p.parent for p in pictures}
    return sorted(f for f in folders if not any(
        part.startswith(".") for part in f.relative_to(root).parts))  # fmt: skip


def plain(text):
    return text.replace("\r\n", "\n").strip()


def entries(folder):
    """Pictures of a folder with, for each code, the texts that are right."""
    known = {}
    if (folder / "truth.json").exists():
        for entry in json.loads((folder / "truth.json").read_text()):
            known[entry["file"]] = [{plain(code["text"])} for code in entry["codes"]]
    for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS):
        text, texts = path.with_suffix(".txt"), path.with_suffix(".json")
        if path.name in known:
            yield path, known[path.name]
        elif text.exists():
            yield path, [{plain(text.read_text())}]
        elif texts.exists():
            yield path, [{plain(text) for text in json.loads(texts.read_text())}]
        else:
            yield path, []


def matched(codes, found):
    """How many codes were read exactly, and how many readings no code has."""
    left = list(codes)
    exact = wrong = 0
    for text in map(plain, found):
        place = next((i for i, right in enumerate(left) if text in right), None)
        if place is not None:
            exact += 1
            left.pop(place)
        elif not any(text in right for right in codes):
            wrong += 1
    return exact, wrong


def read_zbar(picture):
    from pyzbar import pyzbar

    codes = pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE])
    return [code.data.decode("utf-8", "replace") for code in codes]


def read_zxing(picture):
    import zxingcpp

    # Its own default writes control characters as <SOH> and the like.
    options = {"formats": zxingcpp.BarcodeFormat.QRCode, "text_mode": zxingcpp.TextMode.Plain}
    return [code.text for code in zxingcpp.read_barcodes(picture, **options)]


def in_process(read, paths, turn):
    """Reads every picture with a function; texts and seconds of each."""
    for path in paths:
        picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        picture = np.ascontiguousarray(np.rot90(picture, -turn // 90))
        start = time.perf_counter()
        texts = read(picture)
        yield texts, time.perf_counter() - start


def command(cliptag, paths, turn):
    """Reads every picture with one run of a command."""
    with tempfile.TemporaryDirectory() as folder:
        files = list(map(str, paths))
        if turn:
            for index, path in enumerate(paths):
                files[index] = f"{folder}/{index}.ppm"
                cv2.imwrite(files[index], np.rot90(cv2.imread(str(path)), -turn // 90))
        arguments = [cliptag, "scan", "--json", "--no-location", "--", *files]
        start = time.perf_counter()
        done = subprocess.run(arguments, capture_output=True, check=False)
        seconds = (time.perf_counter() - start) / max(1, len(files))
        if done.returncode < 0:
            sys.exit(f"{cliptag} died of signal {-done.returncode}")
        texts = {file: [] for file in files}
        for line in done.stdout.decode().splitlines():
            report = json.loads(line)
            if report["type"] == "verification" and report["carrier"] == "qr":
                texts[report["source"]].append(report["payload"])
        yield from ((texts[file], seconds) for file in files)


def score(scanner, folder, turns, misses):
    """One row: counts over all pictures of a folder and all turns."""
    row = {"pictures": 0, "codes": 0, "exact": 0, "wrong": 0, "seen": 0, "times": []}
    known = list(entries(folder))
    for turn in turns:
        paths = [path for path, _ in known]
        results = {
            "zbar": lambda: in_process(read_zbar, paths, turn),
            "zxing-cpp": lambda: in_process(read_zxing, paths, turn),
        }.get(scanner, lambda: command(scanner, paths, turn))()
        for (path, codes), (texts, seconds) in zip(known, results, strict=True):
            exact, wrong = matched(codes, texts)
            row["pictures"] += 1
            row["codes"] += len(codes)
            row["exact"] += exact
            row["wrong"] += wrong
            row["seen"] += exact > 0
            row["times"].append(seconds * 1000)
            if misses and (exact < len(codes) or wrong):
                print(f"{scanner}: {path} turned {turn}: {exact} of {len(codes)}, {wrong} wrong",
                      file=sys.stderr)  # fmt: skip
    return row


def cell(row):
    share = f" ({100 * row['exact'] / row['codes']:.0f} %)" if row["codes"] else ""
    wrong = f", {row['wrong']} wrong" if row["wrong"] else ""
    times = sorted(row["times"])
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    return f"{row['exact']}{share}{wrong}; {statistics.median(times):.0f} / {p95:.0f} ms"


def together(rows):
    """All folders as one, and the mean of their rates."""
    total = {k: sum((row[k] for row in rows), [] if k == "times" else 0) for k in rows[0]}
    rates = [100 * row["exact"] / row["codes"] for row in rows if row["codes"]]
    return total, statistics.mean(rates) if rates else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--scanner", action="append", help="zbar, zxing-cpp or a cliptag")
    parser.add_argument("--turn", action="append", type=int, choices=[0, 90, 180, 270])
    parser.add_argument("--misses", action="store_true", help="name what was not read")
    arguments = parser.parse_args()
    scanners = arguments.scanner or ["zbar", "zxing-cpp"]
    turns = arguments.turn or [0]
    folders = [folder for root in arguments.folders for folder in folders_below(root)]
    if not folders:
        sys.exit("no pictures there")
    cv2.setNumThreads(1)
    print("| folder | pictures | codes | " + " | ".join(scanners) + " |")
    print("|---" * (3 + len(scanners)) + "|")
    columns = {scanner: [] for scanner in scanners}
    for folder in folders:
        for scanner in scanners:
            columns[scanner].append(score(scanner, folder, turns, arguments.misses))
        last = [columns[scanner][-1] for scanner in scanners]
        counts = f"{last[0]['pictures']} | {last[0]['codes']}"
        print(f"| {folder.name} | {counts} | " + " | ".join(map(cell, last)) + " |", flush=True)
    sums = [together(columns[scanner]) for scanner in scanners]
    cells = " | ".join(
        f"**{cell(total)}**; mean of folders {mean:.1f} %; pictures read {total['seen']}"
        for total, mean in sums
    )
    print(f"| **all** | {sums[0][0]['pictures']} | {sums[0][0]['codes']} | {cells} |")


main()
