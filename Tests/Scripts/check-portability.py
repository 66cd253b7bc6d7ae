#!/usr/bin/python3
"""Looks for what would not compile on another system than this one.

Called by make lint: check-portability.py [FOLDER], where FOLDER is the package; by default this one. The
rules: only CliptagPlatform names a C library; FoundationEssentials has Foundation to stand in for it; the
kernel's own headers are imported behind `#if os(Linux)`, and depended on for Linux only; no link leads out
of the package, and no header is included by a system's folder.
"""

import pathlib
import re
import sys

package = pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).parents[2])
LINUX_ONLY = ["CLinuxDevices"]
IMPORT = re.compile(r"\s*(?:@\w+ )*(?:(?:public|package|internal|private) )?import (?:\w+ )?(\w+)")
INCLUDE = re.compile(r"[\"<](/[^\">]*\.h)[\">]")
CONDITION = re.compile(r"\s*#(if|elseif|else|endif)\b\s*(.*)")

faults = []


def look_through(file):
    """Every import of a file, with the conditions under which it is compiled."""
    conditions = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if directive := CONDITION.match(line):
            word, condition = directive.groups()
            if word in ("elseif", "else", "endif"):
                conditions.pop()
            if word != "endif":
                conditions.append(condition.strip() or "else")
        elif found := IMPORT.match(line):
            check(f"{file.relative_to(package)}:{number}", found.group(1), conditions)


def check(place, module, conditions):
    if module in ("Glibc", "Musl", "Darwin"):
        if not place.startswith("Sources/System/CliptagPlatform/"):
            faults.append(f"{place}: import CliptagPlatform instead of {module}")
        elif not conditions:
            faults.append(f"{place}: {module} is not on every system")
    if module == "FoundationEssentials" and "canImport(FoundationEssentials)" not in conditions:
        faults.append(f"{place}: {module} is on Linux only; see how other files guard it")
    if module in LINUX_ONLY and place.startswith("Sources/") and "os(Linux)" not in conditions:
        faults.append(f"{place}: {module} is on Linux only; import it behind #if os(Linux)")


for top in ("Sources", "Tests", "Samples"):
    for file in sorted((package / top).rglob("*.swift")):
        look_through(file)
for file in sorted((package / "Sources").rglob("*")):
    place = file.relative_to(package)
    if file.is_symlink() and file.readlink().is_absolute():
        faults.append(f"{place}: a link to {file.readlink()}, which is not on every system")
    elif file.suffix in (".c", ".h") and (found := INCLUDE.search(file.read_text())):
        faults.append(f"{place}: {found.group(1)} is not on every system")
manifest = (package / "Package.swift").read_text()
for module in LINUX_ONLY:
    # Where the target is declared, and where the one dependency on it has its condition.
    rest = re.sub(rf'shim\("\w+/{module}"', "", manifest, count=1)
    rest = re.sub(rf'name: "{module}",\s*condition: \.when\(platforms: \[\.linux\]\)', "", rest)
    if re.search(rf'\b{module}"', rest):
        faults.append(f"Package.swift: a dependency on {module} is not for Linux only")
sys.exit("\n".join(faults) or 0)
