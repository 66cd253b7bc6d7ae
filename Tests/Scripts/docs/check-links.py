#!/usr/bin/python3
"""Checks links without a network.

    check-links.py                       those of the repository's Markdown: to files, and to headings in them
    check-links.py --site SITE BASE      those of the documentation's site, which is served under the path BASE
    check-links.py --external [SITE]     lists the addresses elsewhere, which only their form is checked of

Ends with 1 when a link is broken, after it has listed all that are.
"""

import collections
import functools
import html
import json
import os
import pathlib
import re
import sys
import urllib.parse

import docc_pages

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent.parent


class Links:
    """What was found so far."""

    def __init__(self):
        self.count = 0
        self.broken = []
        self.external = collections.defaultdict(set)

    def report(self, place, link, fault):
        self.broken.append(f"{place}: {link}: {fault}")

    def add_external(self, place, link):
        """Takes an address elsewhere; its form is all that can be checked without a network."""
        self.count += 1
        self.external[link].add(str(place))
        parts = urllib.parse.urlsplit(link)
        if parts.scheme == "mailto":
            correct = "@" in parts.path
        else:
            correct = parts.scheme == "https" and "." in (parts.hostname or "") and not re.search(r"\s", link)
        if not correct:
            self.report(place, link, "not an address with https")


# Markdown.

def markdown_files():
    """The repository's Markdown, without what was built or fetched."""
    for folder, folders, names in os.walk(PACKAGE):
        folders[:] = sorted(set(folders) - {".build", ".git", "node_modules"})
        yield from (pathlib.Path(folder, name) for name in sorted(names) if name.endswith(".md"))


def without_blocks(text):
    """Markdown without blocks of code."""
    return re.sub(r"^(?P<fence>```+|~~~+).*?^(?P=fence)\s*$", "", text, flags=re.DOTALL | re.MULTILINE)


def prose(text):
    """Markdown without blocks and spans of code."""
    return re.sub(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)", "``", without_blocks(text))


@functools.cache
def headings(file):
    """The anchors that GitHub gives a file's headings, and those that it has as HTML."""
    plain = without_blocks(file.read_text())
    found, seen = set(re.findall(r'(?:id|name)="([^"]+)"', plain)), collections.Counter()
    for title in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", plain, flags=re.MULTILINE):
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def check_markdown(links):
    for file in markdown_files():
        place, text = file.relative_to(PACKAGE), prose(file.read_text())
        targets = re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'(][^)]*)?\)", text)
        targets += re.findall(r"^\s*\[[^\]]+\]:\s+<?([^\s>]+)", text, flags=re.MULTILINE)
        targets += re.findall(r"<((?:https?|mailto):[^>\s]+)>", text)
        targets += re.findall(r'(?:href|src|srcset)="([^"]+)"', text)
        for target in targets:
            scheme = urllib.parse.urlsplit(target).scheme
            if scheme == "doc":  # DocC fails at those that lead nowhere.
                continue
            if scheme:
                links.add_external(place, target)
                continue
            links.count += 1
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            other = (file.parent / path).resolve() if path else file
            if path.startswith("/") or not other.is_relative_to(PACKAGE):
                links.report(place, target, "outside of the repository")
            elif not other.exists():
                links.report(place, target, "no such file")
            elif anchor and other.suffix == ".md" and anchor not in headings(other):
                links.report(place, target, "no such heading")


# The site.

class Site:
    """A site by its files: what a path leads to, and the anchors that are there."""

    def __init__(self, folder, base):
        self.folder, self.base = folder, base
        self.pages = docc_pages.pages(folder)
        self.anchors = {path: page.anchors() for path, page in self.pages.items()}
        self.modules = {path.split("/")[1] for path in self.pages if "/" in path}
        self.files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}

    def fault(self, link):
        """Why a path from the site's root leads nowhere; `None` when it leads to a page or a file."""
        path, _, anchor = urllib.parse.unquote(link).partition("#")
        path = path.partition("?")[0].strip("/")
        if path in self.files:
            return None
        if (f"{path}/index.html" if path else "index.html") not in self.files:
            return "no such page"
        if path.startswith("documentation") and path not in self.pages:
            return "a page without content"
        if anchor and anchor not in self.anchors.get(path, ()):
            return "no such heading"
        return None

    def check(self, links, place, link):
        """Checks a link as a browser follows it, which begins with the path that the site is served under."""
        if urllib.parse.urlsplit(link).scheme:
            return links.add_external(place, link)
        links.count += 1
        fault = "outside of the site"
        if link.startswith(f"{self.base}/"):
            fault = self.fault(link.removeprefix(self.base))
        if fault:
            links.report(place, link, fault)


def identifiers(node):
    """What content refers to by its identifier: links, pictures, topics, symbols of a declaration."""
    if isinstance(node, dict):
        if isinstance(node.get("identifier"), str):
            yield node["identifier"]
        yield from (name for name in node.get("identifiers", []) if isinstance(name, str))
        for child in node.values():
            yield from identifiers(child)
    elif isinstance(node, list):
        for child in node:
            yield from identifiers(child)


def check_site(links, site):
    reached = {"documentation"}
    for path, page in site.pages.items():
        # What the browser shows.
        content = {key: value for key, value in page.data.items() if key not in ("references", "identifier")}
        for identifier in {*identifiers(content), *identifiers(
                [reference.get("abstract", []) for reference in page.references.values() if reference])}:
            if not page.references.get(identifier):
                links.report(path, identifier, "DocC did not say where this is")
        for reference in filter(None, page.references.values()):
            if reference["type"] == "unresolvable":
                # Of the standard library; those of our own modules have pages.
                if reference["title"].split(".")[0].lower() in site.modules:
                    links.report(path, reference["title"], "DocC did not find this symbol of ours")
            elif reference["type"] == "link":
                site.check(links, path, reference["url"])
            else:
                for place in [reference, *reference.get("variants", [])]:
                    if "url" in place:
                        site.check(links, path, site.base + place["url"])
                if reference.get("url", "") != f"/{path}":
                    reached.add(reference.get("url", "").partition("#")[0].strip("/"))
                if reference["type"] == "image" and not reference.get("alt"):
                    links.report(path, reference["identifier"], "a picture without a text for those who do not see it")
    # What readers without JavaScript see, and what the pages load.
    for name in sorted(file for file in site.files if file.endswith(".html")):
        text = re.sub(r"<script>.*?</script>", "", (site.folder / name).read_text(), flags=re.DOTALL)
        for link in re.findall(r'<[^<>]*?\s(?:href|src|action)="([^"]*)"', text):
            link = html.unescape(link)
            if not urllib.parse.urlsplit(link).scheme:
                link = urllib.parse.urljoin(f"{site.base}/{name}", link)
            site.check(links, name, link)
    # The list beside the pages, and the search.
    index = json.loads((site.folder / "index" / "index.json").read_text())
    nodes = list(index["interfaceLanguages"]["swift"])
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", [])
        if "path" in node:
            reached.add(node["path"].strip("/"))
            site.check(links, "index/index.json", site.base + node["path"])
    for path in sorted(site.pages.keys() - reached):
        links.report("index/index.json", path, "no page leads here")
    for address, *_ in json.loads((site.folder / "search" / "entries.json").read_text()):
        site.check(links, "search/entries.json", f"{site.base}/{address}")


def main(arguments):
    links, external = Links(), arguments[:1] == ["--external"]
    if arguments[:1] != ["--site"]:
        check_markdown(links)
    if len(arguments) > 1:
        check_site(links, Site(pathlib.Path(arguments[1]), "".join(arguments[2:3])))
    if external:
        for link, places in sorted(links.external.items()):
            print(f"{link}  {', '.join(sorted(places)[:3])}{' …' if len(places) > 3 else ''}")
    print("\n".join(links.broken) + "\n" if links.broken else "", end="")
    print(f"{links.count} links, {len(links.external)} of them different addresses elsewhere; {len(links.broken)} broken")
    return 1 if links.broken else 0


sys.exit(main(sys.argv[1:]))
