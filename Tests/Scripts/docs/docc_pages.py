"""The pages of a DocC archive: their JSON as HTML for readers without JavaScript, and as parts for a search."""

import html
import json
import pathlib

# Elements for blocks and inline content that only wrap others.
WRAPPERS = {
    "emphasis": "em", "strong": "strong", "newTerm": "em", "inlineHead": "strong", "subscript": "sub",
    "superscript": "sup", "strikethrough": "s", "small": "p",
}


class Page:
    """One page: `data/documentation/x.json`, which the browser reads, and `documentation/x/index.html`."""

    def __init__(self, site, file):
        self.file = file
        self.data = json.loads(file.read_text())
        self.path = str(file.relative_to(site / "data").with_suffix(""))
        self.references = self.data.get("references", {})
        self.title = self.data["metadata"]["title"]
        self.kind = self.data["metadata"].get("roleHeading", "")
        self.html_file = site / self.path / "index.html"

    def parents(self):
        """The titles of the pages above this one, from the first page of the site down."""
        paths = self.data.get("hierarchy", {}).get("paths", [[]])
        return [self.references[parent]["title"] for parent in paths[0]]

    def abstract(self):
        return text(self.data.get("abstract", []), self.references)

    def declaration(self):
        for section in self.data.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                return section["declarations"][0]["tokens"]
        return []

    def blocks(self):
        """The content from top to bottom; parameters are a list with their names."""
        for section in self.data.get("primaryContentSections", []):
            if section["kind"] == "content":
                yield from section["content"]
            elif section["kind"] == "parameters":
                yield {"type": "heading", "level": 2, "text": "Parameters", "anchor": "parameters"}
                yield {"type": "termList", "items": [
                    {"term": {"inlineContent": [{"type": "codeVoice", "code": parameter["name"]}]},
                     "definition": {"content": parameter["content"]}}
                    for parameter in section["parameters"]]}

    def parts(self):
        """The content by heading: anchor, heading and blocks. What is before the first has neither."""
        anchor, heading, content = "", "", []
        for block in self.blocks():
            if block["type"] == "heading":
                yield anchor, heading, content
                anchor, heading, content = block["anchor"], block["text"], []
            else:
                content.append(block)
        yield anchor, heading, content

    def anchors(self):
        """Where a link may lead to within the page."""
        return {block["anchor"] for block in self.blocks() if block["type"] == "heading"} | {
            section["anchor"] for key in ("topicSections", "seeAlsoSections")
            for section in self.data.get(key, []) if "anchor" in section} | {"topics", "see-also"}

    def as_html(self, base):
        """The page's content. `base` is the path that the site is served under, without a `/` at the end."""
        writer = Writer(self.references, base)
        out = [f"<h1>{html.escape(self.title)}</h1>", f"<p>{writer.inline(self.data.get('abstract', []))}</p>"]
        if self.declaration():
            out.append(f"<pre><code>{writer.tokens(self.declaration())}</code></pre>")
        out += [writer.block(block) for block in self.blocks()]
        for key in ("topicSections", "relationshipsSections", "seeAlsoSections"):
            for section in self.data.get(key, []):
                out.append(f"<h2>{html.escape(section.get('title', ''))}</h2>")
                out += [writer.topic(identifier) for identifier in section["identifiers"]]
        return "\n".join(out)


class Writer:
    """Writes content as HTML."""

    def __init__(self, references, base):
        self.references, self.base = references, base

    def address(self, url):
        if not url.startswith("/documentation"):
            return html.escape(url)
        path, _, anchor = url.partition("#")
        return html.escape(f"{self.base}{path}/" + (f"#{anchor}" if anchor else ""))

    def link(self, identifier, words=None):
        reference = self.references[identifier]
        words = words or html.escape(reference["title"])
        return f'<a href="{self.address(reference["url"])}">{words}</a>' if "url" in reference else words

    def topic(self, identifier):
        reference = self.references[identifier]
        return f"<p>{self.link(identifier)} {self.inline(reference.get('abstract', []))}</p>"

    def tokens(self, tokens):
        return "".join(
            self.link(token["identifier"], html.escape(token["text"]))
            if token.get("identifier") in self.references else html.escape(token["text"])
            for token in tokens)

    def inline(self, content):
        return "".join(self.span(span) for span in content)

    def span(self, span):
        kind = span["type"]
        if kind == "text":
            return html.escape(span["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(span['code'])}</code>"
        if kind == "reference":
            override = span.get("overridingTitleInlineContent")
            return self.link(span["identifier"], self.inline(override) if override else None)
        if kind == "image":
            image = self.references[span["identifier"]]
            source = html.escape(self.base + image["variants"][0]["url"])
            return f'<img src="{source}" alt="{html.escape(image.get("alt") or "")}">'
        return f"<{WRAPPERS[kind]}>{self.inline(span['inlineContent'])}</{WRAPPERS[kind]}>"

    def all(self, blocks):
        return "\n".join(self.block(block) for block in blocks)

    def block(self, block):
        kind = block["type"]
        if kind == "heading":
            level = block["level"]
            return f'<h{level} id="{html.escape(block["anchor"])}">{html.escape(block["text"])}</h{level}>'
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>"
        if kind == "codeListing":
            return f"<pre><code>{html.escape(chr(10).join(block['code']))}</code></pre>"
        if kind == "aside":
            return f"<p><strong>{html.escape(block.get('name', block['style']))}</strong></p>{self.all(block['content'])}"
        if kind in ("unorderedList", "orderedList"):
            element = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.all(item['content'])}</li>" for item in block["items"])
            return f"<{element}>{items}</{element}>"
        if kind == "termList":
            return "<dl>" + "".join(
                f"<dt>{self.inline(item['term']['inlineContent'])}</dt><dd>{self.all(item['definition']['content'])}</dd>"
                for item in block["items"]) + "</dl>"
        if kind == "table":
            return "<table>" + "".join(
                "<tr>" + "".join(f"<td>{self.all(cell)}</td>" for cell in row) + "</tr>"
                for row in block["rows"]) + "</table>"
        return f"<{WRAPPERS[kind]}>{self.inline(block['inlineContent'])}</{WRAPPERS[kind]}>"


def text(content, references):
    """The words of blocks or of inline content, without their form."""
    found = []

    def visit(node):
        if isinstance(node, list):
            for child in node:
                visit(child)
            return
        kind = node.get("type")
        if kind in ("text", "heading"):
            found.append(node["text"])
        elif kind == "codeVoice":
            found.append(node["code"])
        elif kind == "codeListing":
            found.append("\n".join(node["code"]) + "\n")
        elif kind == "reference" and "overridingTitleInlineContent" not in node:
            found.append(references[node["identifier"]]["title"])
        elif kind == "image":
            found.append(references[node["identifier"]].get("alt") or "")
        for key in ("inlineContent", "overridingTitleInlineContent", "content", "items", "term", "definition", "rows"):
            if key in node:
                visit(node[key])
        if kind not in ("text", "codeVoice", "emphasis", "strong", "reference"):
            found.append(" ")

    visit(content)
    return " ".join("".join(found).split())


def pages(site):
    """Every page of the site, by path."""
    files = sorted((site / "data").rglob("*.json"))
    return {page.path: page for page in (Page(site, file) for file in files)}
