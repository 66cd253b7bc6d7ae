"""The modules of the libraries that were built: what `make docs` and `make freeze` ask the compiler about them."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent.parent


def output_of(*command):
    return subprocess.run(command, cwd=PACKAGE, check=True, stdout=subprocess.PIPE).stdout


def symbol_graphs(swift, names, target):
    """Writes the graphs of the public symbols from the modules that were built into the new folder `target`.

    `swift package dump-symbol-graph` would compile everything again: it turns on all traits of the package, and
    SwiftPM before 6.4 passes them to the compiler in another order then (swiftlang/swift-package-manager#10525).
    """
    target.mkdir()
    plan = PACKAGE / ".build" / "debug.yaml"
    text = plan.read_text()

    def extract(name):
        found = re.search(rf'^ *args: (\[.*"-module-name","{name}",.*\])$', text, re.MULTILINE)
        if not found:
            sys.exit(f"{plan} does not say how {name} is compiled.")
        words = json.loads(found.group(1))
        # How the compiler finds the modules that this one imports.
        paths = [part for pair in zip(words, words[1:]) if pair[0] in ("-target", "-I", "-Xcc") for part in pair]
        output_of(
            swift, "symbolgraph-extract", "-module-name", name, *paths, "-minimum-access-level", "public",
            "-skip-synthesized-members", "-output-dir", target)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(extract, names))
