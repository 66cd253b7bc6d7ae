#!/usr/bin/python3
"""Writes the components of a build as an SPDX 2.3 document in JSON.

Called by make: make-sbom.py SWIFT PROGRAM OUTPUT LIBRARIES PROGRAMS. LIBRARIES are names of pkg-config
and PROGRAMS those that are run, as in the Makefile. PROGRAM is listed with its checksums if it is there.
The versions of Swift packages are those of Package.resolved; those of the system's libraries and programs
are dpkg's or, on other systems, pkg-config's. The same build gives the same bytes: the document's time is
SOURCE_DATE_EPOCH or that of the last commit.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

APACHE_SWIFT = "Apache-2.0 WITH Swift-exception"

# The licence of each Swift package, by its identity in Package.resolved.
SWIFT_PACKAGES = {
    "grdb.swift": "MIT",
    "swift-argument-parser": APACHE_SWIFT,
    "swift-atomics": APACHE_SWIFT,
    "swift-collections": APACHE_SWIFT,
    "swift-nio": "Apache-2.0 AND MIT",
    "swift-subprocess": "Apache-2.0",
    "swift-system": APACHE_SWIFT,
    "yams": "MIT",
}

LINKED = "DYNAMIC_LINK"
ON_DEMAND = "RUNTIME_DEPENDENCY_OF"
BUILD = "BUILD_DEPENDENCY_OF"
TESTS = "TEST_DEPENDENCY_OF"

# The name, licence and relation of each library, by its name in pkg-config.
LIBRARIES = {
    "expat": ("Expat", "MIT", LINKED),
    "fontconfig": ("fontconfig", "HPND-sell-variant", ON_DEMAND),
    "harfbuzz-subset": ("HarfBuzz", "MIT-Modern-Variant", ON_DEMAND),
    "libarchive": ("libarchive", "BSD-2-Clause", ON_DEMAND),
    "libcrypto": ("OpenSSL", "Apache-2.0", LINKED),
    "libcurl": ("libcurl", "curl", ON_DEMAND),
    "libdeflate": ("libdeflate", "MIT", LINKED),
    "libjpeg": ("libjpeg-turbo", "BSD-3-Clause AND IJG AND Zlib", LINKED),
    "libnfc": ("libnfc", "LGPL-3.0-or-later", ON_DEMAND),
    "libpcsclite": ("pcsc-lite", "BSD-3-Clause", ON_DEMAND),
    "libpng": ("libpng", "libpng-2.0", LINKED),
    "libpq": ("libpq", "PostgreSQL", ON_DEMAND),
    "libqrencode": ("libqrencode", "LGPL-2.1-or-later", ON_DEMAND),
    "libxml-2.0": ("libxml2", "MIT", ON_DEMAND),
    "pangoft2": ("Pango", "LGPL-2.0-or-later", ON_DEMAND),
    "sqlite3": ("SQLite", "blessing", LINKED),
    "zbar": ("zbar", "LGPL-2.1-or-later", ON_DEMAND),
}

# Those that pkg-config does not know, or that come with one of the others, by the library's file.
FURTHER_LIBRARIES = {
    "c": ("GNU C library", "LGPL-2.1-or-later", LINKED),
    "freetype": ("FreeType", "FTL OR GPL-2.0-or-later", ON_DEMAND),
    "gcc_s": ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", LINKED),
    "glib-2.0": ("GLib", "LGPL-2.1-or-later", ON_DEMAND),
    "hyphen": ("libhyphen", "GPL-2.0-or-later OR LGPL-2.1-or-later OR MPL-1.1", ON_DEMAND),
    "stdc++": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1", LINKED),
}

# The name, licence and relation of what each program belongs to.
PROGRAMS = {
    "gs": ("Ghostscript", "AGPL-3.0-or-later", ON_DEMAND),
    "pdfinfo": ("poppler", "GPL-2.0-only OR GPL-3.0-only", ON_DEMAND),
    "pdftoppm": ("poppler", "GPL-2.0-only OR GPL-3.0-only", ON_DEMAND),
    "qpdf": ("qpdf", "Apache-2.0", ON_DEMAND),
    "readelf": ("GNU binutils", "GPL-3.0-or-later", BUILD),
    "rsvg-convert": ("librsvg", "LGPL-2.1-or-later", ON_DEMAND),
    "vips": ("libvips", "LGPL-2.1-or-later", ON_DEMAND),
    "vipsheader": ("libvips", "LGPL-2.1-or-later", ON_DEMAND),
    "weasyprint": ("WeasyPrint", "BSD-3-Clause", ON_DEMAND),
}

root = pathlib.Path(__file__).resolve().parent.parent.parent.parent


def output_of(*command):
    """What a program prints, or nothing if it fails or is not installed."""
    if not shutil.which(command[0]):
        return ""
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else ""


def known(table, name, kind):
    if name not in table:
        sys.exit(f"error: {kind} {name} has no licence in {pathlib.Path(__file__).name}")
    return table[name]


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def package(name, licence, version=None, supplier=None, location="NOASSERTION", purl=None, **more):
    fields = {
        "SPDXID": identifier(name), "name": name, "downloadLocation": location,
        "supplier": f"Organization: {supplier}" if supplier else "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": licence, **more,
    }
    if version:
        fields["versionInfo"] = version
    if purl:
        fields["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl,
        }]
    return fields


def swift_packages():
    for pin in json.loads((root / "Package.resolved").read_text())["pins"]:
        licence = known(SWIFT_PACKAGES, pin["identity"], "the Swift package")
        state, url = pin["state"], pin["location"]
        version = state.get("version") or state["revision"]
        address = urllib.parse.urlparse(url)
        path = (address.netloc + address.path).removesuffix(".git")
        yield package(
            path.rsplit("/", 1)[-1], licence, version, path.rsplit("/", 2)[-2],
            f"git+{url}@{state['revision']}", f"pkg:swift/{path}@{urllib.parse.quote(version)}")


def system(key):
    """A value of /etc/os-release, such as `debian` for `ID`."""
    text = pathlib.Path("/etc/os-release").read_text()
    return re.search(rf'^{key}="?([^"\n]+)', text, re.M)[1]


def debian_package(file):
    """The name, version and architecture of the Debian package that has a file, or `None`."""
    real = os.path.realpath(file)
    # dpkg knows a file by the folder that its package names, before the link from /lib to /usr/lib.
    for path in (real, real.removeprefix("/usr")):
        owner = output_of("dpkg-query", "--search", path)
        if owner:
            fields = output_of(
                "dpkg-query", "--show", "--showformat", "${Package}\t${Version}\t${Architecture}",
                owner.split(": ")[0].split(",")[0])
            if fields:
                return fields.split("\t")
    return None


def system_package(name, licence, file, version=None):
    owner = debian_package(file) if file else None
    if not owner:
        return package(name, licence, version)
    debian, version, architecture = owner
    purl = f"pkg:deb/{system('ID')}/{debian}@{urllib.parse.quote(version, safe='')}?arch={architecture}"
    return package(name, licence, version, system("NAME"), purl=purl, sourceInfo=f"package {debian}")


def library_files():
    """The path of each shared library of the system, by its name without `lib` and `.so`."""
    listed = output_of("/sbin/ldconfig", "-p")
    files = re.findall(r"^\s*lib(\S+?)\.so\S* \(.*\) => (\S+)$", listed, re.M)
    # The first is the one that the loader takes.
    return dict(reversed(files))


def system_libraries(names):
    files = library_files()
    for name in names:
        title, licence, relation = known(LIBRARIES, name, "the library")
        flags = output_of("pkg-config", "--libs-only-l", name).split()
        file = files.get(flags[0].removeprefix("-l")) if flags else None
        yield system_package(
            title, licence, file, output_of("pkg-config", "--modversion", name)), relation
    for name, (title, licence, relation) in FURTHER_LIBRARIES.items():
        yield system_package(title, licence, files.get(name)), relation


def system_programs(names):
    found = {}
    for name in names:
        title, licence, relation = known(PROGRAMS, name, "the program")
        if title not in found:
            found[title] = system_package(title, licence, shutil.which(name)), relation
    return found.values()


def relationship(subject, kind, other):
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": other}


def main(swift, program, output, libraries, programs):
    source = (root / "Sources/Faces/cliptag/Cliptag.swift").read_text()
    version = re.search(r'static let version = "([^"]+)"', source)[1]
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct") or "0"
    commit = output_of("git", "rev-parse", "HEAD")
    ours = package(
        "cliptag", "Apache-2.0", version, "the cliptag authors",
        **({"sourceInfo": f"git commit {commit}"} if commit else {}))
    packages, relationships, files = [ours], [], []

    def add(found, kind):
        packages.append(found)
        # The relations whose names end in "OF" begin with the dependency.
        ends = (found, ours) if kind.endswith("_OF") else (ours, found)
        relationships.append(relationship(ends[0]["SPDXID"], kind, ends[1]["SPDXID"]))

    for found in swift_packages():
        add(found, "DEPENDS_ON")
    compiler = re.search(r"Swift version (\S+)", output_of(swift, "--version"))
    add(package(
        "Swift runtime", f"{APACHE_SWIFT} AND Unicode-3.0", compiler and compiler[1],
        "the Swift project", "https://www.swift.org/download/",
        comment="The standard library, Foundation with ICU, and Dispatch, linked statically."), "STATIC_LINK")
    for found, kind in [*system_libraries(libraries.split()), *system_programs(programs.split())]:
        add(found, kind)

    relationships.append(relationship("SPDXRef-DOCUMENT", "DESCRIBES", ours["SPDXID"]))
    if os.path.isfile(program):
        content = pathlib.Path(program).read_bytes()
        files.append({
            "SPDXID": "SPDXRef-program", "fileName": "./" + os.path.basename(program),
            "fileTypes": ["BINARY"], "licenseConcluded": "Apache-2.0",
            "copyrightText": "NOASSERTION", "checksums": [
                {"algorithm": name.upper(), "checksumValue": hashlib.new(name, content).hexdigest()}
                for name in ("sha1", "sha256")],
        })
        relationships.append(relationship("SPDXRef-program", "GENERATED_FROM", ours["SPDXID"]))

    body = {
        "packages": sorted(packages, key=lambda found: found["SPDXID"]),
        "files": files,
        "relationships": sorted(relationships, key=lambda found: list(found.values())),
    }
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3", "SPDXID": "SPDXRef-DOCUMENT", "dataLicense": "CC0-1.0",
        "name": f"cliptag-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/cliptag-{version}-{digest[:32]}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: the cliptag authors", "Tool: cliptag-make-sbom"],
        },
        **body,
    }
    target = pathlib.Path(output)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    unfinished.replace(target)
    print(f"made {target}: {len(packages)} components, {len(files)} file{'' if len(files) == 1 else 's'}")


main(*sys.argv[1:])
