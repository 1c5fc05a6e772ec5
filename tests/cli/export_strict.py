#!/usr/bin/env python3
"""export_strict.py openmetrics|kerncraft FILE - reads an export as strictly as its consumer may, prints what it holds

openmetrics: as OpenMetrics 1.0 has it, with what node_exporter's reader of the older format would refuse: only gauges.
kerncraft: YAML as PyYAML's safe loader takes it, keys that Kerncraft knows, sizes that agree with sets, ways and lines.
"""
import re
import sys

import yaml

LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)')


def fail(why):
    sys.exit(f"{sys.argv[2]}: {why}")


def labels_of(text):
    labels, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match or match[1] in labels:
            fail(f"labels {text!r}")
        labels[match[1]] = match[2]
        at = match.end()
        if at < len(text) and text[at] != ",":
            fail(f"labels {text!r}")
        at += at < len(text)
        if at == len(text) and text.endswith(","):
            fail(f"labels {text!r}")
    return labels


def head(line, families):
    words = line.split(" ", 3)
    if len(words) != 4 or words[0] != "#" or words[1] not in ("TYPE", "UNIT", "HELP"):
        fail(f"line {line!r}")
    kind, name, text = words[1:]
    if kind == "TYPE":
        if name in families or text != "gauge":
            fail(f"type {line!r}")
        families[name] = {}
    if list(families)[-1:] != [name] or kind in families[name]:
        fail(f"{kind} of {name} stands elsewhere")
    if kind == "UNIT" and not name.endswith("_" + text):
        fail(f"unit of {name} is {text}")
    families[name][kind] = text


def openmetrics(text):
    if not text.endswith("\n# EOF\n") or text.count("# EOF") != 1:
        fail("does not end with # EOF")
    families, samples = {}, set()
    for line in text[:-len("# EOF\n")].splitlines():
        if line.startswith("#"):
            head(line, families)
            continue
        match = SAMPLE.fullmatch(line)
        if not match or list(families)[-1:] != [match[1]]:
            fail(f"sample {line!r}")
        labels = labels_of(match[2] or "")
        key = (match[1], tuple(sorted(labels.items())))
        if key in samples:
            fail(f"twice: {line}")
        samples.add(key)
        float(match[3])
        print(line)
    for name, said in families.items():
        if "HELP" not in said or not any(key[0] == name for key in samples):
            fail(f"{name} has no help or no sample")


def number(text, unit):
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ([kMGTP])?(.+)", text)
    if not match or match[3] != unit:
        fail(f"{text!r} is none in {unit}")
    return float(match[1]) * 1000 ** (" kMGTP".index(match[2] or " "))


def flat(value, path=""):
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            flat(part, f"{path}/{key}")
    else:
        print(f"{path} = {value}")


def kerncraft(text):
    known = {"kerncraft version", "model name", "clock", "threads per core", "FLOPs per cycle", "cacheline size",
             "memory hierarchy", "benchmarks"}
    machine = yaml.safe_load(text)
    if set(machine) - known:
        fail(f"keys that Kerncraft does not know: {set(machine) - known}")
    if "clock" in machine:
        number(machine["clock"], "Hz")
    if "cacheline size" in machine:
        number(machine["cacheline size"], "B")
    levels = machine.get("memory hierarchy", [])
    benchmarks = machine.get("benchmarks", {"kernels": {}, "measurements": {}})
    for name, threads in benchmarks["measurements"].items():
        if name not in [level["level"] for level in levels]:
            fail(f"a measurement of {name}, which is no level")
        for rate in threads[1]["results"]["load"]:
            number(rate, "B/s")
    for i, level in enumerate(level for level in levels if level["level"] != "MEM"):
        cache = level["cache per group"]
        if level["level"] != f"L{i + 1}":
            fail(f"level {i + 1} is {level['level']}")
        if cache["sets"] * cache["ways"] * cache["cl_size"] != number(level["size per group"], "B"):
            fail(f"{level['level']}: sets, ways and lines are not the size")
        if cache.get("replacement_policy", "LRU") not in ("LRU", "FIFO", "MRU", "RR"):
            fail(f"policy {cache['replacement_policy']}")
    flat(machine)


with open(sys.argv[2], encoding="ascii") as file:
    {"openmetrics": openmetrics, "kerncraft": kerncraft}[sys.argv[1]](file.read())
