"""The manual's page of all results: every line that the command prints with --json, its keys and their meanings.

It says what the schemas in openapi.json say, which `make schemas` writes from the types.
"""

import json

BEGIN = """\
# The results of commands

The JSON that commands print with --json: each line, its keys and their meanings.

## Overview

This list is made from the types of the results. With `--json`, a command prints one object a
line; its `type` names it. All keys of an object are present, in this order, unless the list
says *in some*; an absent fact is `null`. Numbers have at most three decimals, positions all of
them. New keys may be added; those that are listed stay. The station answers with the same
objects, and the document of its interface (`/api/openapi.json`) has their schemas.

## Lines
"""
KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "truth value"}


def name_of(reference):
    return reference["$ref"].rpartition("/")[2]


def kind_of(schema):
    """The kind of a value for people."""
    if "$ref" in schema:
        return name_of(schema)
    if "anyOf" in schema:
        return f"{kind_of(schema['anyOf'][0])} or `null`"
    kind = schema.get("type")
    if isinstance(kind, list):
        return f"{kind_of({**schema, 'type': kind[0]})} or `null`"
    if kind == "array":
        return f"list of {kind_of(schema['items'])}"
    if kind == "object":
        inner = schema["additionalProperties"]
        return "texts by name" if inner == {"type": "string"} else f"{kind_of(inner)} by trouble"
    return KINDS.get(kind, "any value")


def kinds_of(schema):
    """The values of `type` in an object that is a line of output."""
    member = schema["properties"]["type"]
    return [member["const"]] if "const" in member else member["enum"]


def description(schema, is_line):
    """What an object is and its keys; the `type` of a line is in its heading."""
    text = f"\n\n{schema['description']}\n"
    if "anyOf" in schema:
        return f"{text}It is one of {', '.join(map(name_of, schema['anyOf']))}.\n"
    text += "\n| key | value | meaning |\n| --- | --- | --- |\n"
    for key, member in schema["properties"].items():
        if is_line and key == "type":
            continue
        some = "" if key in schema.get("required", []) else ", in some"
        text += f"| `{key}` | {kind_of(member)}{some} | {member['description']} |\n"
    if "additionalProperties" in schema:
        text += f"| any other | {kind_of(schema['additionalProperties'])} | The value under that name. |\n"
    return text


def page(document):
    """The page, from the text of openapi.json."""
    schemas = json.loads(document)["components"]["schemas"]
    lines = [name_of(entry) for entry in schemas["Result"]["anyOf"]]
    of_kind = sorted(((kind, name) for name in lines for kind in kinds_of(schemas[name])), key=lambda entry: entry[0])
    every = [kind for kind, _ in of_kind]
    text = BEGIN
    for kind, name in of_kind:
        text += f"\n### `{kind}`{f' ({name})' if every.count(kind) > 1 else ''}{description(schemas[name], True)}"
    text += "\n## Parts of lines\n"
    names = list(schemas)
    for name in names[names.index("Result") + 1:]:
        if name not in lines:
            text += f"\n### {name}{description(schemas[name], False)}"
    return text
