#!/usr/bin/python3
"""Builds the packages of Samples, runs what their READMEs show, and compares what comes out.

Called by make: run-samples.py SWIFT FLAGS SCRATCH [--write]. FLAGS are those of the build. The packages share
one scratch folder, so that what they depend on is compiled once. With --write the READMEs get what comes out now.
"""

import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

swift, flags, scratch = sys.argv[1], sys.argv[2].split(), pathlib.Path(sys.argv[3]).absolute()
writes = "--write" in sys.argv[4:]
samples = pathlib.Path(__file__).resolve().parent.parent.parent / "Samples"
# The samples, those with the same traits of cliptag together, and what each resolves besides cliptag.
resolved = {
    "ReadMessage": set(),
    "FindCodes": set(),
    "CoreNFCChannel": set(),
    "ServedURLs": {"yams"},
    "VerifyCode": {"grdb.swift", "yams"},
    "WriteATag": {"grdb.swift", "yams"},
    "JudgePhotograph": {"flyingfox", "grdb.swift", "yams"},
}
block = re.compile(r"(?<=^```console\n).*?(?=^```)", re.MULTILINE | re.DOTALL)


def replayed(shown, folder):
    """The commands of a block, each with what comes out now."""
    lines = []
    for line in shown.splitlines():
        if not line.startswith("$ "):
            continue
        command = re.sub(r"swift run (\w+)", rf"{programs}/\1", line.removeprefix("$ "))
        # With the plan and the flags of the build before, nothing is compiled again.
        command = re.sub(
            r"^swift test",
            shlex.join([swift, "test", "--skip-build", *flags, "--scratch-path", str(scratch)]), command)
        run = subprocess.run(
            command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        lines += [line, *run.stdout.splitlines()]
    return "".join(line + "\n" for line in lines)


# NDEF alone must stay free of every C library.
OURS = re.compile(r"lib(qrencode|zbar|nfc|png|jpeg|crypto|deflate|expat|pango|sqlite3|yaml)")
failed = False
for name, packages in resolved.items():
    begin = time.monotonic()
    folder = samples / name
    # Without the plan of the build before, which was another package's.
    build = [
        swift, "build", "--quiet", "--disable-build-manifest-caching", *flags,
        "--package-path", folder, "--scratch-path", scratch]
    if (folder / "Tests").exists():
        build.append("--build-tests")
    subprocess.run(build, check=True)
    show = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True)
    programs = show.stdout.strip()
    print(f"{name}: built in {time.monotonic() - begin:.0f} s", flush=True)

    readme = folder / "README.md"
    text = readme.read_text()
    now = block.sub(lambda match: replayed(match.group(), folder), text)
    if writes:
        readme.write_text(now)
    elif now != text:
        failed = True
        sys.stdout.writelines(difflib.unified_diff(
            text.splitlines(True), now.splitlines(True), f"{name}/README.md", "what came out"))

    pins = folder / "Package.resolved"
    found = {pin["identity"] for pin in json.loads(pins.read_text())["pins"]} if pins.exists() else set()
    if found != packages:
        failed = True
        print(f"{name} resolves {sorted(found)}, not {sorted(packages)}")
    if name == "ReadMessage":
        linked = subprocess.run(
            ["ldd", os.path.join(programs, name)], check=True, stdout=subprocess.PIPE, text=True)
        if OURS.search(linked.stdout):
            failed = True
            print(f"ReadMessage links more than NDEF:\n{linked.stdout}")
sys.exit("A sample does not do what its README says." if failed else 0)
