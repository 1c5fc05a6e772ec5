#!/usr/bin/env python3
"""Prints, as Markdown, the caches of the papers' machines: what they are, what the paper measured, what xray finds.

    XRAY=build/xray scripts/papers-table.py [ID...]

Run from the top of the project. xray measures machines/ID.ini, a simulated machine: this compares methods, not hardware.
The papers' numbers are typed in from X-Ray's Table 2 (2004) and AMP's Table 1. '?' stands for a number that the paper
does not know, 'no' for one that its tool did not get (X-Ray: no super-pages there yet; AMP: no counter, no latencies).
AMP prints no actual values; it says that its results were validated against the vendors, so they stand in both columns.
Of Power 3, the text at hand reads 9 for the actual L1 latency and 7 for the L2 ways: taken for misprints of 2 and '?'.
"""
import json
import os
import re
import subprocess
import sys

NO, UNKNOWN = 'no', '?'
AMP = 'The paper prints what it measured, says it was validated, and gives no actual values: actual is its measured.'
PARAMETERS = ('size', 'line', 'ways', 'latency')
UNITS = {'size': 'KiB', 'line': 'bytes', 'ways': '', 'latency': 'cycles'}


def level(name, size, line, ways, latency):
    """Each a pair: actual, measured by the paper."""
    return name, dict(zip(PARAMETERS, (size, line, ways, latency)))


def memory(measured):
    return 'memory', {'latency': (UNKNOWN, measured)}


# paper, id, name, levels, remarks
MACHINES = [
    ('X-Ray', 'itanium2', 'Itanium 2', [
        level('l1d', (16, 16), (64, 64), (4, 4), (2, 1.99)),
        level('l2', (256, 256), (128, 128), (8, 8), (UNKNOWN, 5.98)),
        level('l3', (6144, 6144), (128, 128), (24, 24), (UNKNOWN, 19.12)),
        memory(297.65)], ''),
    ('X-Ray', 'opteron240', 'Opteron 240', [
        level('l1d', (64, 64), (64, 64), (2, 2), (3, 3)),
        level('l2', (1024, 1088), (64, 64), (16, 17), (UNKNOWN, 22.8)),
        memory(136.21)], 'L2 is exclusive: X-Ray measured its reach.'),
    ('X-Ray', 'usparc3i', 'UltraSPARC IIIi', [
        level('l1d', (64, 64), (32, 32), (4, 4), (2, 2)),
        level('l2', (1024, NO), (64, NO), (UNKNOWN, NO), (UNKNOWN, 12.89)),
        memory(NO)], 'The 4 ways of L2 in the machine file are a guess.'),
    ('X-Ray', 'p4xeon', 'Pentium 4 Xeon', [
        level('l1d', (8, 8), (64, 64), (4, 4), (2, 4.32)),
        level('l2', (512, 512), (128, 128), (8, 8), (UNKNOWN, 41.52)),
        memory(761.92)], 'X-Ray took the clock for twice what it is, so its latencies are doubled.'),
    ('X-Ray', 'athlonmp', 'Athlon MP', [
        level('l1d', (64, 64), (64, 64), (2, 2), (3, 3.02)),
        level('l2', (512, 576), (64, 64), (16, 18), (UNKNOWN, 36)),
        memory(471.35)], 'L2 is exclusive: X-Ray measured its reach.'),
    ('X-Ray', 'r12000', 'R12000', [
        level('l1d', (32, 32), (16, 16), (2, 2), (2, 2.02)),
        level('l2', (512, NO), (128, NO), (UNKNOWN, NO), (UNKNOWN, 13.69)),
        memory(NO)], 'The machine file has lines of 32 bytes and an L2 of 2048 KiB: the processor\'s line, and what two '
     'other tools of that table measured. Its 2 ways are a guess.'),
    ('X-Ray', 'power3', 'Power 3', [
        level('l1d', (64, 64.5), (128, 128), (128, 129), (2, 2.01)),
        level('l2', (512, NO), (128, NO), (UNKNOWN, NO), (UNKNOWN, 18.13)),
        memory(NO)], 'The machine file has an L2 of 8192 KiB: two other tools of that table measured 6144. Its 4 ways are '
     'a guess.'),
    ('AMP', 'p5', 'Pentium 133', [
        level('l1d', (8, 8), (32, 32), (2, 2), (UNKNOWN, NO)),
        level('l2', (UNKNOWN, NO), (UNKNOWN, NO), (UNKNOWN, NO), (UNKNOWN, NO))],
     'The L2 of the machine file is a guess: it stood on the board.'),
    ('AMP', 'ppro', 'Pentium Pro 200', [
        level('l1d', (8, 8), (32, 32), (2, 2), (UNKNOWN, NO)),
        level('l2', (256, 256), (32, 32), (4, 4), (UNKNOWN, NO))], ''),
    ('AMP', 'pii', 'Pentium II 233', [
        level('l1d', (16, 16), (32, 32), (4, 4), (UNKNOWN, NO)),
        level('l2', (512, 512), (32, 32), (4, 4), (UNKNOWN, NO))], ''),
    ('AMP', 'usparc1', 'UltraSPARC-I 167', [
        level('l1d', (16, 16), (32, 32), (1, 1), (UNKNOWN, NO)),
        level('l2', (512, 512), (64, 64), (1, 1), (UNKNOWN, NO))], ''),
    ('AMP', 'r10k', 'R10000 225', [
        level('l1d', (32, 32), (32, 32), (2, 2), (UNKNOWN, NO)),
        level('l2', (1024, 1024), (128, 128), (2, 2), (UNKNOWN, NO))], ''),
]


def frequency(path):
    """In GHz, as the file has it: cycles in a ns."""
    value, unit = re.search(r'^frequency\s*=\s*([0-9.]+)\s*(\w*)', open(path).read(), re.M).groups()
    return float(value) * {'': 1e-9, 'khz': 1e-6, 'mhz': 1e-3, 'ghz': 1}[unit.lower()]


def measure(xray, path):
    run = subprocess.run([xray, 'cache', 'memory', '--machine', path, '--json'], stdout=subprocess.PIPE, check=False)
    # 1 says that something is unclear; the table shows what.
    if run.returncode not in (0, 1):
        sys.exit('%s: %s' % (path, run))
    return json.loads(run.stdout)['findings']


def shown(findings, name, scale=1.0):
    finding = findings.get(name)
    if not finding:
        return 'not there'
    return '%.6g' % round(finding['value'] * scale, 2) if finding['outcome'] == 'measured' else finding['outcome']


def ours(findings, name, parameter, ghz):
    if name == 'memory':
        return shown(findings, 'memory.latency', ghz)
    scale = 1 / 1024 if parameter == 'size' else 1
    text = shown(findings, 'cache.%s.%s' % (name, parameter), scale)
    reach = shown(findings, 'cache.%s.reach' % name, scale)
    return '%s, reach %s' % (text, reach) if parameter == 'size' and reach != text else text


def main(wanted):
    xray = os.environ.get('XRAY', 'build/xray')
    for paper, machine, name, levels, remark in MACHINES:
        if wanted and machine not in wanted:
            continue
        path = 'machines/%s.ini' % machine
        findings = measure(xray, path)
        print('### %s (%s, [%s.ini](../%s))\n' % (name, paper, machine, path))
        print('| level | parameter | actual | paper measured | xray |\n|---|---|---|---|---|')
        for label, rows in levels:
            for parameter, (actual, measured) in rows.items():
                unit = UNITS[parameter] and ', ' + UNITS[parameter]
                print('| %s | %s%s | %s | %s | %s |' % (label, parameter, unit, actual, measured,
                                                       ours(findings, label, parameter, frequency(path))))
        if paper == 'AMP':
            remark = (AMP + ' ' + remark).strip()
        print('\n%s\n' % remark if remark else '')


if __name__ == '__main__':
    main(sys.argv[1:])
