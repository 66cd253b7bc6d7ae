#!/usr/bin/python3
"""Makes the documentation of every library and of the command, as one site.

Called by make: make-docs.py SWIFT FOLDER [BASE_PATH]. Fails when a public symbol is undocumented, at every
warning of DocC, and at every broken link. FOLDER/site can be served by any web server: from its root, or
under the path BASE_PATH, such as /cliptag for https://example.org/cliptag/documentation/.
"""

import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

import docs_site
import results_page
from modules import PACKAGE as package, output_of, symbol_graphs

swift, folder = sys.argv[1], pathlib.Path(sys.argv[2])
base = "".join(f"/{part}" for part in "".join(sys.argv[3:4]).split("/") if part)
here = pathlib.Path(__file__).resolve().parent


def docc():
    """The documentation compiler of the same toolchain, wherever its manager keeps that."""
    target = json.loads(output_of(swift, "-print-target-info"))
    resources = pathlib.Path(target["paths"]["runtimeResourcePath"])
    return str(resources.parent.parent / "bin" / "docc")


def libraries():
    """The libraries, each with the libraries that it imports and those that these import, lowest first."""
    manifest = json.loads(output_of(swift, "package", "dump-package"))
    names = {
        target for product in manifest["products"] if "library" in product["type"] for target in product["targets"]}
    imports = {
        target["name"]: [entry["byName"][0] for entry in target["dependencies"] if "byName" in entry]
        for target in manifest["targets"]}

    def below(name):
        return {name for child in imports.get(name, []) for name in (child, *below(child))}

    return sorted(((name, sorted(below(name) & names)) for name in names), key=lambda entry: (len(entry[1]), entry[0]))


def describe_codes(graphs, requirements):
    """Gives the codes of errors and findings their meanings as documentation, and what each type of
    codes must have the words of the protocol."""
    for graph in graphs:
        content = json.loads(graph.read_text())
        for symbol in content["symbols"]:
            path = symbol["pathComponents"]
            if symbol.get("docComment") or path[-2:-1] != ["Code"]:
                continue
            lines = requirements.get(path[-1])
            if symbol["kind"]["identifier"] == "swift.type.property" and "location" in symbol:
                place = symbol["location"]
                file = pathlib.Path(urllib.parse.unquote(place["uri"].removeprefix("file://")))
                text = "\n".join(file.read_text().splitlines()[place["position"]["line"]:])
                declared = re.match(
                    r'[^\n]*= Self\(\s*"[^"]*",[^"]*("(?:[^"\\]|\\.)*")\s*\)', text)
                if declared:
                    lines = [{"text": json.loads(declared.group(1))}]
            if lines:
                symbol["docComment"] = {"lines": lines}
        graph.write_text(json.dumps(content))


def requirements_of_codes(graph):
    """The documentation of what the protocols of codes ask for, by name."""
    return {
        symbol["pathComponents"][-1]: symbol["docComment"]["lines"]
        for symbol in json.loads(graph.read_text())["symbols"]
        if symbol["pathComponents"][0] in ("ErrorCode", "FailureCode")
        and len(symbol["pathComponents"]) == 2 and "docComment" in symbol}


def undocumented(graphs):
    """How many symbols there are, and the names of those without documentation."""
    symbols = [
        symbol for graph in graphs for symbol in json.loads(graph.read_text())["symbols"]
        if symbol["kind"]["identifier"] != "swift.extension"]
    bare = [
        ".".join(symbol["pathComponents"]) for symbol in symbols
        if not symbol.get("docComment", {}).get("lines")]
    return len(symbols), bare


def convert(name, catalog, graphs, imported):
    """One archive, whose links may lead into those of the libraries that it imports, which begin earlier. The
    graphs lie in a folder of their own: DocC takes all that it finds. Returns whether it succeeded."""
    concurrent.futures.wait([conversions[other] for other in imported])
    with tempfile.TemporaryDirectory() as own:
        for graph in graphs:
            shutil.copy(graph, own)
        run = subprocess.run(
            [tool, "convert", catalog, "--additional-symbol-graph-dir", own,
             "--fallback-display-name", name, "--fallback-bundle-identifier", name,
             "--fallback-default-module-kind", "Library", "--warnings-as-errors", "--ide-console-output",
             "--enable-experimental-external-link-support",
             *(part for other in imported for part in ("--dependency", archive_of(other))),
             "--hosting-base-path", base or "/", "--output-path", archive_of(name)],
            cwd=package, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        problems = [line for line in run.stdout.splitlines() if " error: " in line]
        print("\n".join(problems) or run.stdout)
    return run.returncode == 0


def archive_of(name):
    return folder / f"{name}.doccarchive"


begin = time.monotonic()
tool = docc()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
every = libraries()
names = [name for name, _ in every]
source = folder / "symbols"
symbol_graphs(swift, names, source)
words = requirements_of_codes(source / "CliptagBasics.symbols.json")
failed, totals = set(), collections.Counter()
# DocC waits for most of its time.
pool, conversions = concurrent.futures.ThreadPoolExecutor(4), {}

print(f"{'library':<18}{'documented':>12}{'of':>7}{'articles':>10}")
for name, imported in every:
    catalog = next((package / "Sources").glob(f"*/{name}")) / f"{name}.docc"
    graphs = [source / f"{name}.symbols.json", *source.glob(f"{name}@*.symbols.json")]
    describe_codes(graphs, words)
    count, bare = undocumented(graphs)
    articles = len(list(catalog.glob("*.md")))
    totals.update(symbols=count, documented=count - len(bare), articles=articles)
    print(f"{name:<18}{count - len(bare):>12}{count:>7}{articles:>10}")
    for symbol in bare:
        print(f"  without documentation: {symbol}")
        failed.add(name)
    conversions[name] = pool.submit(convert, name, catalog, graphs, imported)
print(f"{'all':<18}{totals['documented']:>12}{totals['symbols']:>7}{totals['articles']:>10}")

# The manual of the command is articles only: a program has no public symbols. One of them is made here.
manual = folder / "cliptag.docc"
shutil.copytree(package / "Sources" / "Faces" / "cliptag" / "cliptag.docc", manual)
(manual / "Results.md").write_text(
    results_page.page((package / "Sources" / "Faces" / "CStationPage" / "page" / "openapi.json").read_text()))
print(f"cliptag: {len(list(manual.glob('*.md')))} articles")
conversions["cliptag"] = pool.submit(convert, "cliptag", manual, [], names)

failed |= {name for name, conversion in conversions.items() if not conversion.result()}
if failed:
    sys.exit(f"The documentation is not right: {', '.join(sorted(failed))}.")

site = folder / "site"
subprocess.run(
    [tool, "merge", *map(archive_of, ["cliptag", *names]), "--synthesized-landing-page-name", docs_site.FIRST_PAGE,
     "--synthesized-landing-page-kind", docs_site.TITLE, "--output-path", site],
    check=True, stdout=subprocess.DEVNULL)
pages, entries = docs_site.finish(site, base)
size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
words = (site / "search" / "entries.json").stat().st_size
print(f"{pages} pages, {size / 1e6:.0f} MB; {entries} entries of the search, {words / 1e6:.1f} MB")
for check in ([here / "check-links.py", "--site", site, base], [here / "try-site.py", site, base]):
    if subprocess.run(check).returncode != 0:
        sys.exit(f"The site in {site} is not right.")
print(f"{site} in {time.monotonic() - begin:.0f} s; to read it: "
      f"python3 -m http.server --directory {folder}/site")
