#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates a JSON document on stdin against docs/findings.schema.json.

Knows the part of JSON Schema 2020-12 that the schema uses, and refuses a schema that uses more.
Exits 1 with a path and a message per violation; --self-test checks that broken documents are refused.
"""
import copy
import json
import pathlib
import re
import sys

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "findings.schema.json"

DEFINITIONS = json.loads(SCHEMA.read_text()).get("$defs", {})

REMARKS = {"$schema", "$id", "title", "description"}
KNOWN = REMARKS | {
    "type", "enum", "const", "properties", "required", "additionalProperties", "patternProperties",
    "dependentRequired", "items", "if", "then", "else", "minimum", "maximum",
    "minItems", "minLength", "$defs", "$ref",
}
REFERENCE = "#/$defs/"


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": number,
    "integer": lambda value: number(value) and value == int(value),
}


def same(one, other):
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def check_object(value, schema, path):
    properties = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield path, f"lacks '{key}'"
    for key, others in schema.get("dependentRequired", {}).items():
        for other in others:
            if key in value and other not in value:
                yield path, f"has '{key}' but lacks '{other}'"
    for key, member in value.items():
        inside = f"{path}/{key}"
        rules = [properties[key]] if key in properties else []
        rules += [rule for pattern, rule in patterns.items() if re.search(pattern, key)]
        if not rules:
            rules = [schema.get("additionalProperties", True)]
        for rule in rules:
            yield from check(member, rule, inside)


def check_scalar(value, schema, path):
    if "type" in schema:
        words = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[word](value) for word in words):
            yield path, f"is not of type {' or '.join(words)}"
    if "const" in schema and not same(value, schema["const"]):
        yield path, f"is not {json.dumps(schema['const'])}"
    if "enum" in schema and not any(same(value, each) for each in schema["enum"]):
        yield path, f"is none of {json.dumps(schema['enum'])}"
    if "minimum" in schema and number(value) and value < schema["minimum"]:
        yield path, f"is below {schema['minimum']}"
    if "maximum" in schema and number(value) and value > schema["maximum"]:
        yield path, f"is above {schema['maximum']}"
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        yield path, f"has fewer than {schema['minItems']} items"
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        yield path, f"is shorter than {schema['minLength']}"


def check(value, schema, path=""):
    """Yields (path, message) for everything wrong with value."""
    if schema is True:
        return
    if schema is False:
        yield path, "does not belong here"
        return
    unknown = set(schema) - KNOWN
    if unknown:
        raise NotImplementedError(f"the schema uses {', '.join(sorted(unknown))}")
    if "$ref" in schema:
        yield from check(value, DEFINITIONS[schema["$ref"].removeprefix(REFERENCE)], path)
    yield from check_scalar(value, schema, path)
    if isinstance(value, dict):
        yield from check_object(value, schema, path)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from check(item, schema.get("items", True), f"{path}/{index}")
    if "if" in schema:
        holds = not any(check(value, schema["if"], path))
        yield from check(value, schema.get("then" if holds else "else", True), path)


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def refuse_twice(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return members


def parse(text):
    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_twice)


EXAMPLE = """
{ "schema": 1, "tool": { "name": "xray", "version": "0.1" },
  "context": { "date": "", "host": "", "cpu": "", "hypervisor": "", "kernel": "", "compiler": "", "cpus": 4,
               "pinned": 1, "quota": 0.5, "pages": { "base": 4096 }, "noise": "quiet", "command": "xray" },
  "findings": {
    "cache.l1d.size": { "outcome": "measured", "value": 32768, "unit": "bytes", "low": 32768, "high": 32768,
      "confidence": 0.999, "claimed": { "value": 32768, "source": "sysfs" }, "agrees": true,
      "method": "compact-set", "seconds": 0.31, "samples": 412,
      "evidence": [ { "what": "chase", "x": 1, "value": 4.0, "verdict": "fits" } ] },
    "cpu.fma.f64": { "outcome": "measured", "value": true, "unit": "bool", "method": "", "seconds": 0, "samples": 1 },
    "smp.siblings": { "outcome": "measured", "value": "0-1 2-3", "unit": "text", "number": 2, "method": "",
      "seconds": 0, "samples": 1 },
    "comm.latency": { "outcome": "measured", "unit": "matrix", "number": 51.2, "low": 51.2, "high": 51.2,
      "value": { "unit": "ns", "labels": [0, 1], "cells": [[null, 51.2], [51.2, null]] }, "confidence": 0.9,
      "method": "", "seconds": 0, "samples": 1 },
    "comm.tree": { "outcome": "measured", "value": [[0, 1], [2, [3, 4]]], "unit": "tree", "number": 3, "method": "",
      "seconds": 0, "samples": 1 },
    "cache.l3.size": { "outcome": "unclear", "unit": "bytes", "reason": "shared", "method": "", "seconds": 0,
      "samples": 0 } } }
"""

GONE = object()

# Where, and what to put there: each makes the example a document that must be refused.
CORRUPTIONS = [
    (["schema"], 2),
    (["schema"], True),
    (["tool", "name"], "x-ray"),
    (["extra"], 1),
    (["context"], GONE),
    (["context", "date"], GONE),
    (["context", "pinned"], -1),
    (["context", "pages"], 4096),
    (["findings", "Cache.L1"], {}),
    (["findings", "cache.l1d.size"], 32768),
    (["findings", "cache.l1d.size", "outcome"], "certain"),
    (["findings", "cache.l1d.size", "outcome"], "failed"),
    (["findings", "cache.l1d.size", "value"], GONE),
    (["findings", "cache.l1d.size", "value"], "32768"),
    (["findings", "cache.l1d.size", "value"], True),
    (["findings", "cache.l1d.size", "unit"], "KiB"),
    (["findings", "cache.l1d.size", "reason"], "because"),
    (["findings", "cache.l1d.size", "confidence"], 1.5),
    (["findings", "cache.l1d.size", "agrees"], GONE),
    (["findings", "cache.l1d.size", "samples"], 1.5),
    (["findings", "cache.l1d.size", "evidence", 0, "what"], GONE),
    (["findings", "cache.l1d.size", "evidence", 0, "y"], 1),
    (["findings", "cpu.fma.f64", "value"], 1),
    (["findings", "cpu.fma.f64", "low"], 1),
    (["context", "quota"], GONE),
    (["context", "quota"], "none"),
    (["findings", "cache.l1d.size", "number"], 1),
    (["findings", "smp.siblings", "value"], ""),
    (["findings", "smp.siblings", "value"], 2),
    (["findings", "smp.siblings", "number"], GONE),
    (["findings", "smp.siblings", "low"], 2),
    (["findings", "smp.siblings", "confidence"], 1.5),
    (["findings", "comm.latency", "value"], 51.2),
    (["findings", "comm.latency", "value", "unit"], "tree"),
    (["findings", "comm.latency", "value", "labels"], GONE),
    (["findings", "comm.latency", "value", "labels", 0], -1),
    (["findings", "comm.latency", "value", "cells", 0], []),
    (["findings", "comm.latency", "value", "cells", 0, 0], "x"),
    (["findings", "comm.latency", "number"], GONE),
    (["findings", "comm.tree", "value"], []),
    (["findings", "comm.tree", "value"], "[0,1]"),
    (["findings", "comm.tree", "value", 1, 1, 0], 3.5),
    (["findings", "comm.tree", "value", 1, 1], []),
    (["findings", "comm.tree", "high"], 3),
    (["findings", "cache.l3.size", "number"], 1),
    (["findings", "cache.l3.size", "reason"], GONE),
    (["findings", "cache.l3.size", "value"], 1),
]


def corrupted(document, where, what):
    document = copy.deepcopy(document)
    place = document
    for key in where[:-1]:
        place = place[key]
    if what is GONE:
        del place[where[-1]]
    else:
        place[where[-1]] = what
    return document


def self_test(schema):
    example = parse(EXAMPLE)
    wrong = [f"{path}: {message}" for path, message in check(example, schema)]
    for where, what in CORRUPTIONS:
        if not any(check(corrupted(example, where, what), schema)):
            wrong.append(f"accepted a document with {'/'.join(map(str, where))} broken")
    for text in ('{"schema": NaN}', '{"schema": 1, "schema": 1}', "{"):
        try:
            parse(text)
            wrong.append(f"accepted {text}")
        except ValueError:
            pass
    return wrong


def main():
    schema = json.loads(SCHEMA.read_text())
    if sys.argv[1:] == ["--self-test"]:
        wrong = self_test(schema)
    elif len(sys.argv) > 1:
        sys.exit("usage: schema.py < DOCUMENT | schema.py --self-test")
    else:
        try:
            wrong = [f"{path or '/'}: {message}" for path, message in check(parse(sys.stdin.buffer.read()), schema)]
        except ValueError as error:
            wrong = [f"/: not JSON: {error}"]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
