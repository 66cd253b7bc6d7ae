#!/usr/bin/python3
"""Measures what the products of the package cost a package that uses them.

Called by make: measure-products.py SWIFT FOLDER. Each user is a package in FOLDER that names the committed
state of this one by URL and version, and is resolved and built from nothing, without shared caches of
packages. Prints packages, their size, the Swift files compiled, and the processor time of the build.
"""

import pathlib
import re
import resource
import shutil
import subprocess
import sys

swift, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
package = pathlib.Path(__file__).resolve().parent.parent.parent
users = [
    # Product, module, traits of the package (None: all).
    ("NDEF", "NDEF", []),
    ("AppClips", "Invocation", []),
    ("TagTypes", "TagTypes", []),
    ("CodeScanning", "CodeScanning", []),
    ("RegistryDocuments", "RegistryDocuments", ["Documents"]),
    ("CliptagKit", "Jobs", ["Registry"]),
    ("CliptagKit", "Jobs", None),
]


def run(*command, cwd=None):
    return subprocess.run(
        command, cwd=cwd, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def size(path):
    files = (file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(file.stat().st_size for file in files)


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
run("git", "clone", "--quiet", str(package), str(folder / "cliptag"))
run("git", "tag", "99.0.0", cwd=folder / "cliptag")
print(f"{'product':<20}{'traits':<14}{'packages':>9}{'MB':>6}{'files':>7}{'CPU s':>7}")
for product, module, traits in users:
    user = folder / "user"
    shutil.rmtree(user, ignore_errors=True)
    (user / "Sources" / "User").mkdir(parents=True)
    (user / "Sources" / "User" / "main.swift").write_text(f"import {module}\n")
    names = "" if traits is None else f", traits: [{', '.join(map(repr, traits))}]".replace("'", '"')
    (user / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "User", platforms: [.macOS(.v15)],
  dependencies: [.package(url: "file://{folder}/cliptag", from: "99.0.0"{names})],
  targets: [
    .executableTarget(name: "User", dependencies: [.product(name: "{product}", package: "cliptag")])
  ])
""")
    run(swift, "package", "--disable-dependency-cache", "resolve", cwd=user)
    checkouts = [path for path in (user / ".build" / "checkouts").iterdir() if path.name != "cliptag"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    log = run(swift, "build", "--disable-dependency-cache", "-v", cwd=user)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    files = len(set(re.findall(r"-primary-file (\S+\.swift)", log)))
    megabytes = sum(map(size, checkouts)) / 1e6
    words = "all" if traits is None else ", ".join(traits) or "none"
    print(f"{product:<20}{words:<14}{len(checkouts):>9}{megabytes:>6.0f}{files:>7}{cpu:>7.0f}", flush=True)
