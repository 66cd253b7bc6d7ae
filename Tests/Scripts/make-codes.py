#!/usr/bin/env python3
"""Writes the table of what codes mean from the doc comments of the codes, for `cliptag explain`.

    Tests/Scripts/make-codes.py [--check]

The first paragraph above `static let x = Code(rawValue: "…")` is the meaning of the code. With
--check nothing is written, and the status is 1 when the table is another one.
"""
import pathlib
import re
import sys

package = pathlib.Path(__file__).resolve().parents[2]
table = package / "Sources/cliptag/Failures/CodeMeanings.swift"

# Findings in the order in which people read of them: the payload, its carrier, the work on it, the
# web. Files that are not named come last.
finding_files = [
    "Invocation/Check/Finding.swift", "Publishing/Association/AssociationFetcher.swift",
    "Verifying/Observations/Finding+Tags.swift", "Verifying/Observations/Finding+Authenticity.swift",
    "Verifying/Observations/Finding+Symbols.swift",
    "Verifying/Observations/Finding+Positions.swift", "Auditing/Parcels/ParcelCheck.swift",
    "Auditing/Walks/Finding+Walks.swift", "Registry/Lint/RegistryFindings.swift",
    "Invocation/Association/AssociationFinding.swift",
    "Invocation/Association/SmartAppBanner.swift", "Registry/Record/RecordVerifier.swift",
]
# Errors that reach people as such; others come as one of these, or as findings.
error_types = [
    "TagError", "Type5ImageError", "TagDumpError", "NFCReaderError", "AuthenticityError", "SimulatedReaderError",
    "QRSymbolError", "AppClipCodeError", "CodeDrawingError", "TextError", "PictureError", "LiveSourceError",
    "PositionError", "PathTemplateError", "EntitlementsFileError",
    "SiteAssociationFileError", "RegistryError", "WebFetchError", "WebPageError",
    "AppStoreConnectError", "IssuingError",
]
# Told as findings, or as mistakes of a key file.
other_codes = {"AuthenticityError": {"missing", "not-authentic", "invalid-value"}}

declaration = re.compile(
    r"((?:[ ]*///[^\n]*\n)+)[ ]*(?:public |package )static let \w+(?:: *[\w.]+)? *="
    r"\s*[\w.]*\(\s*rawValue: \"([a-z0-9-]+)\"\s*\)")
owner = re.compile(r"^(?:public |package )?(?:struct|enum|extension) ([\w.]+)", re.MULTILINE)


def sentence(comment):
    lines = [line.strip().removeprefix("///").strip() for line in comment.strip().split("\n")]
    paragraph = lines[: lines.index("")] if "" in lines else lines
    return " ".join(paragraph).replace("``", "`")


def codes():
    """Every code: the type it belongs to, its file, name and meaning."""
    for path in sorted((package / "Sources").rglob("*.swift")):
        file = str(path.relative_to(package / "Sources"))
        if file.startswith("cliptag/"):
            continue
        text = path.read_text()
        for match in declaration.finditer(text):
            owners = [found.group(1) for found in owner.finditer(text, 0, match.start())]
            kind = owners[-1].removesuffix(".Code") if owners else ""
            yield kind, file, match.group(2), sentence(match.group(1))


def entry(name, meaning, indent):
    meaning = meaning.replace("\\", "\\\\").replace('"', '\\"')
    line = f'{indent}("{name}", "{meaning}"),'
    if len(line) <= 100:
        return line
    # As swift-format breaks it.
    inner = f'{indent}  "{name}",\n{indent}  "{meaning}"'
    if len(f'{indent}  "{name}", "{meaning}"') <= 100:
        inner = f'{indent}  "{name}", "{meaning}"'
    return f"{indent}(\n{inner}\n{indent}),"


def text():
    all_codes = list(codes())
    place = {file: index for index, file in enumerate(finding_files)}
    findings = sorted(
        (code for code in all_codes if code[0] == "Finding"),
        key=lambda code: place.get(code[1], len(place)))
    lines = [
        "/// What each code of the libraries means, made by `make codes` from the doc comments of the",
        "/// codes: change them, not this.",
        "enum CodeMeanings {",
        "  /// The reasons of a verdict, in the order of the documentation.",
        "  static let findings: [(code: String, meaning: String)] = [",
    ]
    lines += [entry(name, meaning, "    ") for _, _, name, meaning in findings]
    lines += ["  ]", "", "  /// The kinds of failure, by the type of their errors.",
              "  static let failures: [String: [(code: String, meaning: String)]] = ["]
    for kind in error_types:
        lines.append(f'    "{kind}": [')
        names = [
            (name, meaning) for owner, file, name, meaning in all_codes
            if owner == kind and name not in other_codes.get(kind, ())]
        lines += [entry(name, meaning, "      ") for name, meaning in names]
        lines.append("    ],")
    return "\n".join(lines + ["  ]", "}", ""])


made = text()
if "--check" in sys.argv[1:]:
    # However it is laid out.
    def bare(text):
        return re.sub(r",(?=[)\]])", "", re.sub(r"\s+", "", text))

    if bare(made) != bare(table.read_text() if table.exists() else ""):
        sys.exit(f"{table.relative_to(package)} is not what the doc comments say: run make codes")
else:
    table.write_text(made)
