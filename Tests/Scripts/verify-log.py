#!/usr/bin/env python3
"""Checks a log of "cliptag code export" without cliptag: hashlib, and openssl for the signature.

usage: verify-log.py LOG [CHECKPOINT PUBLIC-KEY]
"""
import base64, hashlib, json, subprocess, sys, tempfile


def field(value):
    data = value if isinstance(value, bytes) else str(value).encode()
    return len(data).to_bytes(4, "big") + data


def facts(texts):
    ordered = sorted(texts.items(), key=lambda member: member[0].encode())
    return field(len(ordered)) + b"".join(field(name) + field(text) for name, text in ordered)


def digest(entry, previous):
    form = [
        "cliptag entry 1", entry["recorder"], entry["number"], previous, entry["code"],
        entry["milliseconds"], entry["kind"], entry["who"], "adopted" if entry["adopted"] else "",
    ]
    form = b"".join(map(field, form)) + facts(entry["details"]) + facts(entry["issued"] or {})
    return hashlib.sha256(form).digest()


def signed_heads(path, key):
    text = open(path, "rb").read()
    statement, signature = text.rsplit(b"\nsignature ", 1)
    with tempfile.NamedTemporaryFile() as body, tempfile.NamedTemporaryFile() as proof:
        body.write(statement + b"\n"), body.flush()
        proof.write(base64.b64decode(signature, validate=False)), proof.flush()
        subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", body.name,
             "-sigfile", proof.name], check=True, stdout=subprocess.DEVNULL)
    lines = [line.split() for line in statement.decode().splitlines()[2:]]
    return {(recorder, int(number)): bytes.fromhex(digits) for _, recorder, number, digits in lines}


chains = {}
heads = signed_heads(*sys.argv[2:4]) if len(sys.argv) > 2 else {}
for line in open(sys.argv[1], encoding="utf-8"):
    entry = json.loads(line)
    if entry["type"] == "counters":  # of tags whose entries are none here; no hash covers them
        continue
    number, previous = chains.get(entry["recorder"], (0, bytes(32)))
    name = f"entry {entry['number']} of recorder {entry['recorder']}"
    if entry["number"] != number + 1 or bytes.fromhex(entry["previous"]) != previous:
        sys.exit(f"{name} does not follow entry {number}")
    previous = digest(entry, previous)
    if bytes.fromhex(entry["hash"]) != previous:
        sys.exit(f"{name} was altered")
    if heads.pop((entry["recorder"], entry["number"]), previous) != previous:
        sys.exit(f"{name} is not the one that the checkpoint saw")
    chains[entry["recorder"]] = (entry["number"], previous)
if heads:
    sys.exit(f"missing: {sorted(heads)}")
print(f"whole: {sum(number for number, _ in chains.values())} entries of {len(chains)} recorders")
