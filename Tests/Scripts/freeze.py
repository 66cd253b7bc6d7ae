#!/usr/bin/python3
"""Writes what users and scripts rely on into Tests/Freeze, or compares it with what is there.

Called by make: freeze.py SWIFT [--check]. The command and the modules are those of the debug build. A fact is a
line, so that a difference can be read. Nothing in it depends on this machine, the time, a folder, or the versions
of what cliptag is built with, but for two: declarations are spelled by the compiler, and text in documents is laid
out by the metrics of its fonts, which demonstration.txt therefore has the hash of.
"""

import concurrent.futures
import difflib
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "docs"))
import modules  # noqa: E402

PACKAGE = modules.PACKAGE
FROZEN = PACKAGE / "Tests" / "Freeze"
CLIPTAG = PACKAGE / ".build" / "debug" / "cliptag"
# The first second of 2026.
EPOCH = "1767225600"


class Absent(Exception):
    """What a part needs and this machine does not have."""


def surroundings(home):
    """The variables that a program may depend on, the same everywhere."""
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "SOURCE_DATE_EPOCH": EPOCH, "CLIPTAG": str(CLIPTAG), "CLIPTAG_BY": "Anna", "CLIPTAG_STATION": "frozen"}


def run(*command, home, text=None, more=None):
    """What a program prints; its end with another status than 0 is a fault, with all that it said."""
    ended = subprocess.run(
        command, cwd=PACKAGE, env=surroundings(home) | (more or {}), input=text, text=True, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if ended.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {ended.returncode}\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    return ended.stdout


def json_lines(*arguments, home):
    return [json.loads(line) for line in run(CLIPTAG, *arguments, "--json", home=home).splitlines()]


def digest(content):
    return hashlib.sha256(content).hexdigest()


def one_line(text):
    return " ".join(text.split())


# The interface and the results.

def facts(value, place=()):
    """The facts of a JSON document, a line each. What is short is one fact, and so is a property without others."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    is_one = len(text) <= 160 or place[-2:-1] == ("properties",) and '"properties"' not in text
    if isinstance(value, dict) and (not is_one or place[-1:] == ("properties",)):
        return [line for key, entry in value.items() for line in facts(entry, (*place, key))]
    if isinstance(value, list) and not is_one and isinstance(value[0], dict):
        # Numbers would change all lines after a new entry.
        return [line for entry in value for line in facts(entry, (*place, entry.get("name", "…")))]
    return [f"{' '.join(place)}: {text}"]


def document():
    return json.loads((PACKAGE / "Sources" / "Faces" / "CStationPage" / "page" / "openapi.json").read_text())


def interface(home):
    """The station's document without its schemas."""
    told = document()
    del told["components"]["schemas"]
    paths = told.pop("paths")
    return facts(told) + [
        line for path in sorted(paths) for method in paths[path]
        for key, value in paths[path][method].items()
        for line in facts(value, (method.upper(), path, key))]


def keys(home):
    """The keys of results, in their order, with their kinds and meanings, and the keys of registry files."""
    schemas = document()["components"]["schemas"]
    lines = [
        line for name in sorted(schemas) for key, value in schemas[name].items()
        for line in facts(value, (name, key))]
    return lines + sorted(
        f"registry file: {entry['mapping']}.{entry['key']}: {entry['value']}"
        f"{', required' if entry['required'] else ''}: {entry['meaning']}"
        for entry in json_lines("registry", "keys", home=home))


def codes(home):
    """Exit statuses, and the codes of failures and findings, with their meanings."""
    listed = home / "codes.md"
    run(CLIPTAG, "manual", "--codes", listed, home=home)
    statuses = re.findall(r"^\| (\d+) \| (.*) \|$", listed.read_text(), re.MULTILINE)
    return [f"exit status {number}: {meaning}" for number, meaning in statuses] + sorted(
        f"{entry['kind']} {entry['code']} {entry['exitStatuses']} {entry['severity'] or ''}".rstrip()
        + f": {entry['meaning']}" + (f" Next: {entry['hint']}" if entry["hint"] else "")
        for entry in json_lines("explain", home=home))


# The command.

def head(argument):
    """An option or an argument as it is typed, with its value."""
    names = argument.get("names") or []
    spellings = ["-" * (1 + (name["kind"] == "long")) + name["name"] for name in names]
    if argument["kind"] != "flag":
        spellings.append(f"<{argument.get('valueName', 'value')}>")
    return " ".join(spellings) + (" ..." if argument["isRepeating"] else "")


def about(argument):
    """All that the help says about an argument, and whether it may be left out."""
    values, section = argument.get("allValues"), argument.get("sectionTitle")
    told = [
        argument.get("abstract"), argument.get("discussion"), not argument["isOptional"] and "required",
        values and f"values {', '.join(values)}", "defaultValue" in argument and f"default {argument['defaultValue']}",
        section and f"below {section}", not argument["shouldDisplay"] and "hidden"]
    return one_line("; ".join(filter(None, told)))


def notes(page):
    """The environment and the files that a man page names."""
    for title, name in (("ENVIRONMENT", "Ev"), ("FILES", "Pa")):
        section = re.search(rf"^\.Sh {title}\n(.*?)^\.El", page, re.MULTILINE | re.DOTALL)
        text = re.sub(r"\\(%|-|\(ti)", lambda found: {"%": "", "-": "-", "(ti": "~"}[found[1]], section[1])
        for entry in text.split(f".It {name} ")[1:]:
            names, _, meaning = entry.partition("\n")
            yield f"{title.lower()}: {names}: {one_line(meaning)}"


def commands(home):
    """The help of every command: its texts, arguments and options, and what the manual says of the environment."""
    every = []

    def walk(command, path):
        every.append((" ".join((*path, command["commandName"])), command))
        for child in command.get("subcommands", []):
            if child["commandName"] != "help":
                walk(child, (*path, command["commandName"]))

    walk(json.loads(run(CLIPTAG, "--experimental-dump-help", home=home))["command"], ())
    leaves = [
        {f"{head(entry)}: {about(entry)}" for entry in command.get("arguments", [])}
        for _, command in every if command["shouldDisplay"] and not command.get("subcommands")]
    common = set.intersection(*leaves)
    lines = sorted(f"every command: {line}" for line in common)
    for path, command in sorted(every, key=lambda entry: entry[0]):
        hidden = "" if command["shouldDisplay"] else " (hidden)"
        lines.append(f"{path}{hidden}: {one_line(command.get('abstract', ''))}")
        lines += [f"{path} (text): {line}" for line in command.get("discussion", "").splitlines() if line.strip()]
        if "defaultSubcommand" in command:
            lines.append(f"{path}: runs {command['defaultSubcommand']} unless another is named")
        told = [f"{head(entry)}: {about(entry)}" for entry in command.get("arguments", [])]
        lines += [f"{path} {line}" for line in told if line not in common]
    run(CLIPTAG, "manual", "--output", home / "man", home=home)
    return lines + list(notes((home / "man" / "man1" / "cliptag.1").read_text()))


def transcripts(home):
    """The hashes of the command's transcripts, which are beside its tests."""
    folder = PACKAGE / "Tests" / "Faces" / "CommandTests" / "Transcripts"
    return [f"{file.name}: {digest(file.read_bytes())}" for file in sorted(folder.iterdir())]


# The libraries.

# What newer compilers derive for every type.
DERIVED = {"Copyable", "Escapable", "BitwiseCopyable", "SendableMetatype"}


def symbols(home):
    """The public declarations of the libraries but the whole kit, and what their types conform to."""
    products = {
        name: re.findall(r"\w+", targets) for name, targets in
        re.findall(r'\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]', (PACKAGE / "Package.swift").read_text())}
    names = sorted({target for name, targets in products.items() if name != "CliptagKit" for target in targets})
    folder = home / "symbols"
    modules.symbol_graphs(SWIFT, names, folder)
    lines = {f"product {name}: {', '.join(sorted(targets))}" for name, targets in products.items()}
    for file in folder.glob("*.symbols.json"):
        graph = json.loads(file.read_text())
        module = graph["module"]["name"]
        paths = {}
        for symbol in graph["symbols"]:
            path = paths[symbol["identifier"]["precise"]] = ".".join([module, *symbol["pathComponents"]])
            declared = one_line("".join(part["spelling"] for part in symbol["declarationFragments"]))
            lines.add(f"{path}: {declared}")
        for link in graph["relationships"]:
            other = paths.get(link["target"]) or link.get("targetFallback", link["target"])
            if link["kind"] in ("conformsTo", "inheritsFrom") and other.split(".")[-1] not in DERIVED:
                lines.add(f"{paths.get(link['source'], link['source'])} conforms to {other}")
    return sorted(lines)


# The files of the demonstration.

# What is not the same in every run or on every machine, and the reason.
LEFT_OUT = {
    r".*\.sqlite": "its codes and its recorder have random names; see sqlite.txt for its schema",
    r".*\.jpg": "made by Pillow",
    r"wall-checked\.png": "drawn on a picture made by Pillow",
    r"walk\.pdf": "its codes have random names, and its pictures are made by Pillow; walk.html says the same",
}


def without_chance(text):
    """A text without random names, pictures made by Pillow, and the time of the run."""
    text = re.sub(r"\bc-[0-9A-HJKMNP-TV-Z]{26}(-[0-9A-Z]{4})?", "CODE", text)
    text = re.sub(r"\bf-[0-9a-f]{20}", "FINDING", text)
    text = re.sub(r"data:image/\w+;base64,[A-Za-z0-9+/=]+", "PICTURE", text)
    text = re.sub(r"SHA-256 [0-9a-f]{64}", "HASH OF A PICTURE", text)
    text = re.sub(r"/dev/pts/\d+", "READER", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\dT[0-9:.]+Z", "MOMENT", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2} (January|February|March|April|May|June|July|August|September|October"
                  r"|November|December) \d{4}\b", "DAY", text)
    return re.sub(r"\b\d\d:\d\d(:\d\d)?\b", "TIME", text)


def of_pdf(content):
    """What a PDF has before it is compressed, without the places of its objects; and the hash of its fonts."""
    kept, fonts = hashlib.sha256(), hashlib.sha256()
    for number, body in re.findall(rb"(\d+) 0 obj\n(.*?)\nendobj", content, re.DOTALL):
        facts, _, stream = body.partition(b"\nstream\n")
        stream = stream.removesuffix(b"\nendstream")
        if b"/FlateDecode" in facts:
            stream = zlib.decompress(stream)
        if b"/Length1 " in facts:
            fonts.update(stream)
            continue
        # The tag of a subset is made from the font.
        facts = re.sub(rb"/[A-Z]{6}\+", b"/", re.sub(rb"/Length \d+", b"", facts))
        # The title names the file of the labels with its folder.
        kept.update((b"%s %s\n%s\n" % (number, facts, stream)).replace(bytes(PACKAGE), b""))
    return f"{kept.hexdigest()}, fonts {fonts.hexdigest()[:16]}"


def of_png(content):
    """The chunks of a PNG, with what its pixels are before they are compressed."""
    kept, pixels, at = hashlib.sha256(), b"", 8
    while at < len(content):
        size = int.from_bytes(content[at:at + 4], "big")
        kind, chunk = content[at + 4:at + 8], content[at + 8:at + 8 + size]
        if kind == b"IDAT":
            pixels += chunk
        else:
            kept.update(kind + chunk)
        at += 12 + size
    kept.update(zlib.decompress(pixels))
    return kept.hexdigest()


def of_file(file):
    content = file.read_bytes()
    if file.suffix == ".pdf":
        return of_pdf(content)
    if file.suffix == ".png":
        return of_png(content)
    if file.suffix in (".html", ".csv"):
        return digest(without_chance(content.decode()).encode())
    return digest(content)


def demonstration(home):
    """The hashes of the files that the demonstration makes."""
    python = subprocess.run(
        [PACKAGE / "Samples" / "demo" / "check-python.sh", "--print"], stdout=subprocess.PIPE, text=True)
    if python.returncode != 0:
        raise Absent("Python with Pillow")
    folder = home / "demo"
    run(PACKAGE / "Samples" / "demo" / "run.sh", home=home, more={"DEMO": str(folder), "PYTHON": python.stdout.strip()})
    lines = []
    # Whether SQLite's own files are still there depends on what ended last.
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-shm", "-wal")))
    for file in sorted(files):
        reason = next((why for name, why in LEFT_OUT.items() if re.fullmatch(name, file.name)), None)
        lines.append(f"{file.relative_to(folder)}: {f'not compared: {reason}' if reason else of_file(file)}")
    return lines


# The registry.

def sqlite(home):
    """The schema of a new registry in a file."""
    file = home / "registry.sqlite"
    run(CLIPTAG, "registry", "init", file, home=home)
    with sqlite3.connect(file) as database:
        lines = [
            f"pragma {name}: {database.execute(f'PRAGMA {name}').fetchone()[0]}"
            for name in ("application_id", "user_version", "encoding", "journal_mode")]
        rows = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
        for kind, name, text in rows:
            lines += [f"{kind} {name}: {line}" for line in text.splitlines()]
    return lines


# Each gives a line a row. Of a function the text is hashed, of a view only its columns are told: servers print
# its text differently. What an owner may do is not told, nor the rights that only newer servers have.
SERVER = r"""
SELECT format('%s %s: owner %s%s%s', CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S'
    THEN 'sequence' ELSE c.relkind::text END, c.relname, pg_get_userbyid(c.relowner),
    CASE WHEN c.relrowsecurity THEN ', row security' END, ', ' || array_to_string(c.reloptions, ', '))
  FROM pg_class AS c WHERE c.relnamespace = :s AND c.relkind NOT IN ('i', 't');
SELECT format('column %s.%s %s: %s%s%s%s', c.relname, lpad(a.attnum::text, 2, '0'), a.attname,
    format_type(a.atttypid, a.atttypmod), CASE WHEN a.attcollation <> t.typcollation
      THEN ' COLLATE ' || (SELECT collname FROM pg_collation WHERE oid = a.attcollation) END,
    CASE WHEN a.attnotnull THEN ' NOT NULL' END, ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid))
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type AS t ON t.oid = a.atttypid LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = :s AND c.relkind IN ('r', 'v');
SELECT format('constraint %s.%s: %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = :s AND contype <> 'n';
SELECT format('index %s: %s', c.relname, pg_get_indexdef(c.oid))
  FROM pg_class AS c WHERE c.relnamespace = :s AND c.relkind = 'i';
SELECT format('trigger %s.%s: %s, enabled %s', t.tgrelid::regclass, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled)
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid WHERE c.relnamespace = :s AND NOT t.tgisinternal;
SELECT format('event trigger %s: %s %s, enabled %s', evtname, evtevent, evtfoid::regproc, evtenabled)
  FROM pg_event_trigger;
SELECT format('policy %s.%s: %s to %s', tablename, policyname, cmd, roles)
  FROM pg_policies WHERE schemaname = 'cliptag';
SELECT format('function %s: %s, %s, %s%s, owner %s%s, text %s', p.oid::regprocedure,
    pg_get_function_result(p.oid), l.lanname,
    CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
    CASE WHEN p.prosecdef THEN ', security definer' END, pg_get_userbyid(p.proowner),
    ', ' || array_to_string(p.proconfig, ', '), encode(sha256(convert_to(p.prosrc, 'UTF8')), 'hex'))
  FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang WHERE p.pronamespace = :s;
SELECT format('role %s: %s%s%s', r.rolname, CASE WHEN r.rolcanlogin THEN 'login' ELSE 'no login' END,
    CASE WHEN r.rolinherit THEN ', inherits' END, ', in ' || (SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname)
      FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.roleid WHERE m.member = r.oid))
  FROM pg_roles AS r WHERE r.rolname LIKE 'shops\_%';
WITH rights (object, owner, rights) AS (
  SELECT 'schema ' || nspname, nspowner, coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace WHERE oid = :s
  UNION ALL SELECT 'database', datdba, coalesce(datacl, acldefault('d', datdba)) FROM pg_database
    WHERE datname = current_database()
  UNION ALL SELECT 'relation ' || relname, relowner,
    coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner)) FROM pg_class
    WHERE relnamespace = :s AND relkind IN ('r', 'v', 'S')
  UNION ALL SELECT format('column %s.%s', c.relname, a.attname), c.relowner, a.attacl
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid WHERE c.relnamespace = :s AND a.attacl IS NOT NULL
  UNION ALL SELECT 'function ' || oid::regprocedure, proowner, coalesce(proacl, acldefault('f', proowner))
    FROM pg_proc WHERE pronamespace = :s)
SELECT format('grant to %s: %s on %s', CASE WHEN e.grantee = 0 THEN 'everybody' ELSE pg_get_userbyid(e.grantee) END,
    string_agg(e.privilege_type || CASE WHEN e.is_grantable THEN ' (to be granted)' ELSE '' END, ', '
      ORDER BY e.privilege_type), r.object)
  FROM rights AS r, aclexplode(r.rights) AS e WHERE e.grantee <> r.owner AND e.privilege_type <> 'MAINTAIN'
  GROUP BY e.grantee, r.object;
SELECT format('meta: version %s', version) FROM meta;
"""


def postgresql(home):
    """The schema of a new registry on a server, its roles and their rights."""
    script = """
      [ -n "$CLIPTAG_TEST_POSTGRESQL" ] || exit 0
      psql -XqAt -v ON_ERROR_STOP=1 "$CLIPTAG_TEST_POSTGRESQL" -c 'CREATE DATABASE shops'
      address=$(echo "$CLIPTAG_TEST_POSTGRESQL" | sed s,/postgres?,/shops?,)
      "$CLIPTAG" registry init "$address" >/dev/null
      psql -XqAt -v ON_ERROR_STOP=1 -v s="'cliptag'::regnamespace" "$address" \
        -c 'SET search_path = cliptag, pg_catalog' -f -"""
    lines = run(HERE / "with-postgresql.sh", "sh", "-eu", "-c", script, home=home, text=SERVER).splitlines()
    if not lines:
        raise Absent("a server of PostgreSQL")
    return sorted(lines)


PARTS = [demonstration, symbols, postgresql, commands, codes, keys, interface, sqlite, transcripts]


def made():
    """The text of every part by its name, or what this machine does not have for it; the slow ones come first."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(PARTS)) as pool:
        homes = {part: pathlib.Path(folder, part.__name__) for part in PARTS}
        for home in homes.values():
            home.mkdir()
        texts = {part.__name__: pool.submit(part, homes[part]) for part in PARTS}
        for name, text in texts.items():
            try:
                yield name, "".join(f"{line}\n" for line in text.result()), None
            except Absent as absent:
                yield name, None, str(absent)
            except (RuntimeError, subprocess.SubprocessError) as fault:
                sys.exit(f"freeze: {name}: {fault}")


def main(swift, check):
    global SWIFT
    SWIFT, begin = swift, time.monotonic()
    texts, missing = {}, []
    for name, text, absent in made():
        if absent:
            missing.append(f"{name} ({absent} is not here)")
        else:
            texts[f"{name}.txt"] = text
    size = sum(len(text.encode()) for text in texts.values())
    summary = f"{len(texts)} parts, {size / 1000:.0f} kB, in {time.monotonic() - begin:.0f} s"
    if missing:
        summary += f"; not looked at: {', '.join(missing)}"
    if not check:
        FROZEN.mkdir(exist_ok=True)
        for name, text in texts.items():
            (FROZEN / name).write_text(text)
        print(f"freeze: {summary}")
        return 0
    differ = []
    for name, text in sorted(texts.items()):
        file = FROZEN / name
        before = file.read_text() if file.exists() else ""
        if before != text:
            differ.append(name.removesuffix(".txt"))
            sys.stdout.writelines(
                line + "\n" for line in difflib.unified_diff(
                    before.splitlines(), text.splitlines(), f"Tests/Freeze/{name}", f"{name} as it is now",
                    lineterm="", n=0))
    if differ:
        print(f"freeze-check: {', '.join(differ)} changed ({summary}). State the difference in the commit and in "
              "CHANGELOG.md, then run make freeze.")
        return 1
    print(f"freeze-check: equal ({summary})")
    return 0


sys.exit(main(sys.argv[1], "--check" in sys.argv[2:]))
