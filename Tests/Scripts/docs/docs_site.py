"""Makes one site of the merged archives: a first page, one list of all pages, a search, text without JavaScript."""

import html
import json
import pathlib
import re

import docc_pages

HERE = pathlib.Path(__file__).resolve().parent
TITLE = "cliptag"
FIRST_PAGE = "All documentation"
ROOT = f"doc://{FIRST_PAGE.replace(' ', '-')}/documentation"

# What the first page and the list beside every page show, in this order. Every archive is in it once.
GROUPS = {
    "The command": ["cliptag"],
    "Whole jobs": ["Jobs", "Issuing", "Verifying", "Auditing", "Publishing"],
    "URLs, App Clip Codes and places": ["Invocation", "RegistryDocuments", "AppClipCodes", "AppClipCodeFiles", "AppStoreConnect",
        "PositionSources"],
    "NFC tags": ["NDEF", "TagTypes", "TagAuthenticity", "NFCReader", "SimulatedReader"],
    "Print and pictures": ["QRSymbol", "CodeDrawing", "CodeScanning", "Pictures"],
    "Records, the web and errors": ["Registry", "WebFetching", "CliptagBasics"],
}

# Headings that say nothing of what is below them; nothing is before the first one.
WITHOUT_NAME = {"", "Overview", "Discussion", "Parameters", "Return Value"}

# Of the pages without JavaScript.
PLAIN_STYLE = (
    "<style>#loading-placeholder{display:none} main{max-width:46rem;margin:0 auto;padding:1rem}"
    " main :is(p,pre,table,ul,ol,dl){margin:.8rem 0} pre{overflow-x:auto} td{border:1px solid #8888;padding:.2rem .4rem}"
    " img{max-width:100%}</style>")


def finish(site, base):
    """Completes the merged site, which is served under the path `base` (empty for a server's root), and
    returns how many pages and entries of the search it has."""
    write_first_page(site, base)
    write_navigator(site)
    # Every page asks for it.
    (site / "theme-settings.json").write_text("{}")
    pages = docc_pages.pages(site)
    header = (HERE / "header.html").read_text().replace("BASE", html.escape(base))
    topics = {page.data["identifier"]["url"]: topic(page) for page in pages.values()}
    list_default_implementations(pages.values(), topics)
    for page in pages.values():
        add_first_page_above(page, topics)
        add_missing_topics(page, topics)
        page.file.write_text(json.dumps(page.data))
        write_html(page, base, header)
    entries = [entry for page in pages.values() for entry in search_entries(page)]
    folder = site / "search"
    folder.mkdir()
    (folder / "index.html").write_text((HERE / "search.html").read_text())
    (folder / "entries.json").write_text(json.dumps(entries, ensure_ascii=False, separators=(",", ":")))
    # The archive's own page at the root leads nowhere.
    (site / "index.html").write_text(
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{TITLE}</title>\n'
        '<meta http-equiv="refresh" content="0; url=documentation/">\n'
        '<a href="documentation/">Documentation</a>\n</html>\n')
    return len(pages), len(entries)


def identifier(name):
    return f"doc://{name}/documentation/{name}"


def write_first_page(site, base):
    """Groups the archives on the first page, which DocC lists by name, and says how to find something."""
    file = site / "data" / "documentation.json"
    page = json.loads(file.read_text())
    grouped = [identifier(name) for names in GROUPS.values() for name in names]
    listed = [name for section in page["topicSections"] for name in section["identifiers"]]
    if sorted(grouped) != sorted(listed):
        raise SystemExit(f"GROUPS does not have every library once: {sorted(set(grouped) ^ set(listed))}")
    page["topicSections"] = [
        {"title": title, "anchor": anchor(title), "identifiers": [identifier(name) for name in names]}
        for title, names in GROUPS.items()]
    page["topicSectionsStyle"] = "list"
    page["abstract"] = [{"type": "text", "text": "The manual of the command, and the libraries that it is made of."}]
    page["references"]["search"] = {
        "type": "link", "identifier": "search", "title": "Search", "url": f"{base}/search/",
        "titleInlineContent": [{"type": "text", "text": "Search"}]}
    command = {"type": "reference", "identifier": identifier("cliptag"), "isActive": True}
    page["primaryContentSections"] = [{"kind": "content", "content": [
        {"type": "heading", "level": 2, "text": "Overview", "anchor": "overview"},
        {"type": "paragraph", "inlineContent": [
            {"type": "text", "text": "The manual of the command, "}, command,
            {"type": "text", "text": ", has one article for each task. Each library can be used alone."}]},
        {"type": "paragraph", "inlineContent": [
            {"type": "reference", "identifier": "search", "isActive": True},
            {"type": "text", "text":
                " finds words in the text of all pages: codes of errors, JSON keys, options, symbols. The filter"
                " of the list beside each page finds the titles of articles and the names of symbols."}]},
    ]}]
    file.write_text(json.dumps(page))


def anchor(title):
    return re.sub(r"[^A-Za-z0-9]+", "-", title)


def write_navigator(site):
    """Groups the archives in the list beside the pages, too.

    The browser shows the list of the nearest "module" only. As collections below one module they are all in
    the list of every page, and its filter finds what other archives have."""
    file = site / "index" / "index.json"
    index = json.loads(file.read_text())
    root = index["interfaceLanguages"]["swift"][0]
    archives = {child["title"]: child | {"type": "collection"} for child in root["children"]}
    root["children"] = [
        node for title, names in GROUPS.items()
        for node in [{"type": "groupMarker", "title": title}, *(archives[name] for name in names)]]
    file.write_text(json.dumps(index))


def topic(page):
    """A page as others refer to it."""
    return {
        "type": "topic", "kind": page.data["kind"], "role": page.data["metadata"].get("role", ""),
        "identifier": page.data["identifier"]["url"], "title": page.title, "url": f"/{page.path}",
        "abstract": page.data.get("abstract", [])}


def list_default_implementations(pages, topics):
    """Lists what DocC makes pages of, but links from nowhere: what an extension of a protocol implements of a
    protocol of another archive."""
    linked = {
        identifier for page in pages for identifier in page.references if identifier != page.data["identifier"]["url"]}
    parents = {page.data["identifier"]["url"]: page for page in pages}
    for page in pages:
        name = page.data["identifier"]["url"]
        if name in linked or name == ROOT:
            continue
        parent = parents[page.data["hierarchy"]["paths"][0][-1]]
        parent.references[name] = topics[name]
        sections = parent.data.setdefault("topicSections", [])
        if not sections or sections[-1]["title"] != "Default Implementations":
            sections.append({"title": "Default Implementations", "anchor": "Default-Implementations", "identifiers": []})
        sections[-1]["identifiers"].append(name)


def add_first_page_above(page, topics):
    """Puts the site's first page at the beginning of the path that a page shows above its title."""
    for path in page.data.get("hierarchy", {}).get("paths", []):
        path.insert(0, ROOT)
        page.references[ROOT] = topics[ROOT]


def add_missing_topics(page, topics):
    """Adds what the sentence about a symbol of another archive refers to, which DocC leaves out."""
    for reference in list(page.references.values()):
        for span in reference.get("abstract", []):
            if span["type"] == "reference" and span["identifier"] not in page.references:
                page.references[span["identifier"]] = topics[span["identifier"]] | {"abstract": []}


def write_html(page, base, header):
    """Gives a page's file its title, its description, the site's header, and its text for readers without JavaScript."""
    content = page.html_file.read_text()
    title = TITLE if page.path == "documentation" else f"{page.title} | {TITLE}"
    head = f'<title>{html.escape(title)}</title><meta name="description" content="{html.escape(page.abstract())}">'
    paths = page.data.get("hierarchy", {}).get("paths", [[]])
    writer = docc_pages.Writer(page.references, base)
    above = " / ".join(writer.link(parent) for parent in paths[0])
    text = f"<noscript>{PLAIN_STYLE}<main><p>{above}</p>\n{page.as_html(base)}</main></noscript>"
    content = content.replace("<title>Documentation</title>", head, 1)
    content, count = re.subn(r"<noscript>.*</noscript>", lambda _: header + text, content, count=1, flags=re.DOTALL)
    if head not in content or count != 1:
        raise SystemExit(f"{page.html_file}: DocC's page has changed, and docs_site.py must follow.")
    page.html_file.write_text(content)


def search_entries(page):
    """What the search may show of a page: address, title, titles of the pages above, kind, text. Sections and
    rows of tables have entries of their own."""
    above = page.parents()[1:]
    own = [page.abstract()]
    for anchor, heading, blocks in page.parts():
        heading = heading.replace("`", "")
        address = f"{page.path}/#{anchor}" if anchor else f"{page.path}/"
        for row in (row for block in blocks if block["type"] == "table" for row in block["rows"][1:]):
            first, *rest = (docc_pages.text(cell, page.references) for cell in row)
            where = [*above, page.title, *([heading] if anchor else [])]
            yield [address, first, " › ".join(where), "Row", " · ".join(rest)]
        words = docc_pages.text([block for block in blocks if block["type"] != "table"], page.references)
        if heading in WITHOUT_NAME:
            own.append(words)
        else:
            yield [address, heading, " › ".join([*above, page.title]), "Section", words]
    own.append("".join(token["text"] for token in page.declaration()))
    yield [f"{page.path}/", page.title, " › ".join(above), page.kind, " ".join(filter(None, own))]
