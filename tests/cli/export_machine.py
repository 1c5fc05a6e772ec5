#!/usr/bin/env python3
"""export_machine.py DIR - documents for the tests of the exports: DIR/sure.json, all of it known, and DIR/unsure.json

The machine has two cores of two threads, an L1 and an L2 for each, an L3 for all. Nothing of unsure.json may be taken as a
number: each finding is a range, has little confidence, or is unclear. Claims are numbers that occur nowhere else.
"""
import json
import sys

CLAIM = 4711
SURE = {
    "cpu.frequency": (3400000000, "Hz"), "cpu.fma.f64x4": (True, "bool"), "cpu.registers.i64": (15, "count"),
    "cache.levels": (3, "count"), "page.size": (4096, "bytes"), "memory.latency": (80.5, "ns"),
    "cache.l1d.size": (49152, "bytes"), "cache.l1d.ways": (12, "count"), "cache.l1d.line": (64, "bytes"),
    "cache.l1d.latency": (5.02, "cycles"), "cache.l1d.sharing": ("0,2 1,3", "text"), "cache.l1i.size": (32768, "bytes"),
    "cache.l2.size": (2097152, "bytes"), "cache.l2.ways": (16, "count"), "cache.l2.line": (64, "bytes"),
    "cache.l2.unified": (True, "bool"), "cache.l2.sharing": ("0,2 1,3", "text"), "cache.l2.policy": ("lru", "text"),
    "cache.l3.size": (12582912, "bytes"), "cache.l3.ways": (12, "count"), "cache.l3.line": (64, "bytes"),
    "cache.l3.unified": (True, "bool"), "cache.l3.sharing": ("0,1,2,3", "text"), "cache.l1d.policy": ("random", "text"),
    "cache.l3.policy": ("fifo", "text"), "tlb.l1d.entries": (64, "count"), "line.destructive": (128, "bytes"),
    "line.constructive": (64, "bytes"), "smp.cpus": (4, "count"), "smp.cores": (2, "count"), "smp.smt": (2, "count"),
    "smp.siblings": ("0,2 1,3", "text"), "contexts.fp": (2, "count"), "numa.nodes": (1, "count"),
    "comm.tree": ([[0, 2], [1, 3]], "tree"), "os.timeslice": (4000000, "ns"),
    "op.add.f32x8.interval": (0.5, "cycles"), "op.mul.f32x8.interval": (0.5, "cycles"),
    "op.fma.f32x8.interval": (0.5, "cycles"), "op.add.f64x4.interval": (0.5, "cycles"),
    "op.mul.f64x4.interval": (0.5, "cycles"), "op.fma.f64x4.interval": (0.5, "cycles"),
    "op.fma.f64x4.latency": (4.01, "cycles"), "memory.streaming": (3145728, "bytes"), "memory.parallelism": (12, "count"),
    "memory.bandwidth": (12000000000, "bytes/s"), "cache.l1d.bandwidth": (217000000000, "bytes/s"),
    "cache.l2.bandwidth": (108000000000, "bytes/s"), "cache.l3.bandwidth": (54000000000, "bytes/s"),
    "cache.l2.bandwidth.all": (216000000000, "bytes/s"), "memory.bandwidth.all": (24000000000, "bytes/s"),
    "cache.l1d.write": ("back, allocate", "text"), "cache.l2.write": ("back, no allocate", "text"),
    "cache.l3.write": ("through, allocate", "text"), "cache.l2.inclusion": ("inclusive", "text"),
    "cache.l3.inclusion": ("victim", "text"),
}


def finding(name, value, unit, sure, turn):
    worded = unit in ("text", "tree")
    rest = {"method": "by hand", "seconds": 0.1, "samples": 3}
    if not sure and turn % 3 == 0:
        return {"outcome": "unclear", "unit": unit, "reason": "times do not tell: 64 or 128 \"or\" */ $(false)", **rest}
    found = {"outcome": "measured", "value": value, "unit": unit, "confidence": 0.99 if sure else 0.85, **rest}
    if worded:
        found["number"] = 2
    elif unit != "bool":
        spread = 0 if sure else 0.3 * value
        found.update(low=value - spread, high=value + spread, claimed={"value": CLAIM, "source": "sysfs"}, agrees=False)
        if not sure and turn % 3 == 2:
            found["confidence"] = 0.99
    return found


def document(sure):
    context = {"date": "2026-01-02T03:04:05Z", "host": "bench \"one\" & <two>", "cpu": "A CPU: with # and \\", "hypervisor": "",
               "kernel": "Linux", "compiler": "gcc", "cpus": 4, "pinned": 0, "quota": None, "pages": {"base": 4096},
               "noise": "quiet", "command": "by hand", "seconds": 1.5}
    findings = {}
    for turn, (name, (value, unit)) in enumerate(SURE.items()):
        findings[name] = finding(name, value, unit, sure, turn)
    findings["cpu.fma.f64x8"] = {"outcome": "absent", "unit": "bool", "reason": "no such instruction", "method": "",
                                 "seconds": 0, "samples": 0}
    return {"schema": 1, "tool": {"name": "xray", "version": "0.1.0"}, "context": context, "findings": findings}


for which in ("sure", "unsure"):
    with open(f"{sys.argv[1]}/{which}.json", "w", encoding="utf-8") as out:
        json.dump(document(which == "sure"), out)
