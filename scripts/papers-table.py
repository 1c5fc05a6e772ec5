#!/usr/bin/env python3
"""Prints, as Markdown, the caches of the papers' machines: what they are, what the paper measured, what xray finds.

    XRAY=build/xray scripts/papers-table.py [ID...]         data: the tables of docs/papers.md
    XRAY=build/xray scripts/papers-table.py code [ID...]    code: the whole of docs/papers-code.md
    XRAY=build/xray scripts/papers-table.py counters        AMP's Table 1 by counters: the end of docs/papers.md

Run from the top of the project. xray measures machines/ID.ini, a simulated machine: this compares methods, not hardware.
The papers' numbers are typed in from X-Ray's Table 2 (2004), the I-cache paper's Table 1 (2005) and AMP's Table 1. '?'
stands for a number that the paper does not know, 'no' for one that its tool did not get (X-Ray: no super-pages there yet;
AMP: no latencies), 'N/C' for one for which AMP had no counter.
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

# id, name, actual bytes (micro-ops of the trace cache), measured by the paper
STRAIGHT = [
    ('r12000', 'R12000', 32768, 32108),
    ('usparc3i', 'UltraSPARC IIIi', 32768, 32768),
    ('power4', 'Power 4', 65536, 64956),
    ('power5', 'Power 5', 65536, 65016),
    ('athlonmp', 'Athlon MP', 65536, 65496),
    ('opteron240', 'Opteron 240', 65536, 65480),
    ('itanium2', 'Itanium 2', 16384, 16352),
    ('p4xeon', 'Pentium 4 Xeon', 12000, 11245),
    ('pentium3', 'Pentium III', 16384, 15940),
    ('pentiumm', 'Pentium M', 32768, 33040),
]
TRACE = 'p4xeon'

# id, name, line / KiB / ways of L1 code, page KiB / entries / ways of the ITLB; ways: as many as entries
NO_COUNTER = 'N/C'
COUNTED = [
    ('p5', 'Pentium 133', (32, 8, 2), (4, 32, 2)),
    ('ppro', 'Pentium Pro 200', (32, 8, 2), (4, 32, 4)),
    ('pii', 'Pentium II 233', (32, 16, 4), (4, 32, 4)),
    ('usparc1', 'UltraSPARC-I 167', (32, 16, 2), NO_COUNTER),
    ('r10k', 'R10000 225', (64, 32, 2), (32, 64, 64)),
]

# AMP's other columns: L1 data, L2, DTLB, each line (page) / KiB (entries) / ways
ELSEWHERE = {
    'p5': ((32, 8, 2), NO_COUNTER, (4, 64, 4)),
    'ppro': ((32, 8, 2), (32, 256, 4), NO_COUNTER),
    'pii': ((32, 16, 4), (32, 512, 4), NO_COUNTER),
    'usparc1': ((32, 16, 1), (64, 512, 1), NO_COUNTER),
    'r10k': ((32, 32, 2), (128, 1024, 2), (32, 64, 64)),
}
BY_COUNTERS_HEAD = """## AMP's Table 1, by counters

The whole of it by simulated counters of the events for which AMP had some; `N/C` where it had none, and then the machine
file has none either. Each is AMP's number and xray's `counter.*`, in AMP's form: line / size / ways of a cache, page /
entries / ways of a TLB.

| machine | L1 code | L1 data | L2 | ITLB | DTLB | split or unified | policies |
|---|---|---|---|---|---|---|---|"""
BY_COUNTERS_REMARK = """
The Pentium Pro's machine file has 4 ways of L1 code, as [the code's page](papers-code.md) says. AMP found all L1 caches
split, all L2 unified, the R10000's TLB unified, and no random replacement. What stores allocate is not counted here."""

CODE_HEAD = """# The papers' code caches

The instruction side of the papers' machines: what it is, what the papers measured, and what xray finds on simulated
machines (`machines/`). Made by `XRAY=build/xray scripts/papers-table.py code`, not by hand.
"""
STRAIGHT_HEAD = """## The I-cache paper's Table 1

By jumps: `cache.l1i.size`, which nothing that runs ahead on straight code can spoil. By straight code:
`cache.l1i.straight`, the paper's own experiment with its own numbers (`--ladder 8,2,5,4`). Its answer is the longest code
that is not slower by two deviations, a little more than the cache holds. These simulated machines are quiet and run
nothing but the experiment; the paper's were real.

| machine | actual, bytes | paper | error | xray by jumps | error | xray by straight code | error |
|---|---|---|---|---|---|---|---|"""
TRACE_REMARK = """
The Pentium 4 keeps micro-ops, not bytes, and an addition is one: by straight code its number is that of additions. By
jumps there is no cache of bytes to be found before the L2; `cache.uop.size` says %s instructions, %s, and %s to %s for
micro-ops."""
COUNTED_HEAD = """## AMP's Table 1, the columns of code

AMP read counters, xray times. The paper prints what it measured and says that it was validated. `N/C`: AMP had no
counter there.

| machine | parameter | AMP | xray |
|---|---|---|---|"""

COUNTED_REMARK = """
Two numbers are not AMP's. Intel's manual gives the Pentium Pro's L1 code 4 ways (CPUID, descriptor 06H: 8 KiB, 4
ways, lines of 32 bytes; there is none for 8 KiB of code with 2), and so does the machine file; AMP, which warns of
errors in that manual, printed 2. An entry of the R10000's TLB maps a pair of pages of 16 KiB (MIPS R10000 User's
Manual, 16.3, and AMP's own text), which AMP counts as one page of 32; xray's page is what is mapped at a time. There,
code and data share the TLB. By counters it is AMP's 32 ([papers](papers.md)). The UltraSPARC-I's TLB of code in the
machine file is a guess."""


def frequency(path):
    """In GHz, as the file has it: cycles in a ns."""
    value, unit = re.search(r'^frequency\s*=\s*([0-9.]+)\s*(\w*)', open(path).read(), re.M).groups()
    return float(value) * {'': 1e-9, 'khz': 1e-6, 'mhz': 1e-3, 'ghz': 1}[unit.lower()]


def measure(xray, path, names=('cache', 'memory')):
    run = subprocess.run([xray, *names, '--machine', path, '--json'], stdout=subprocess.PIPE, check=False)
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


def off(value, actual):
    return '%+.2f %%' % (100 * (value / actual - 1)) if isinstance(value, (int, float)) else ''


def straight(findings, trace):
    """A cache of micro-ops counts additions, which the note tells."""
    finding = findings['cache.l1i.straight']
    if finding['outcome'] != 'measured':
        return finding['outcome']
    return int(finding['note'].split()[0]) if trace else finding['value']


def straight_row(xray, machine, name, actual, paper):
    trace = machine == TRACE
    findings = measure(xray, 'machines/%s.ini' % machine, ('cache.l1i.size', 'cache.l1i.straight'))
    jumps = findings['cache.l1i.size']
    jumps = jumps['value'] if jumps['outcome'] == 'measured' else jumps['outcome']
    climb = straight(findings, trace)
    unit = ' micro-ops' if trace else ''
    print('| [%s](../machines/%s.ini) | %d%s | %d | %s | %s | %s | %s | %s |' % (
        name, machine, actual, unit, paper, off(paper, actual), jumps, off(jumps, actual), climb, off(climb, actual)),
        flush=True)


def trace_remark(xray, actual):
    found = measure(xray, 'machines/%s.ini' % TRACE, ('cache.uop.size',))['cache.uop.size']
    if found['outcome'] == 'measured':
        print(TRACE_REMARK % (found['value'], off(found['value'], actual), found['low'], found['high']), flush=True)


def counted_rows(xray, machine, name, cache, tlb):
    findings = measure(xray, 'machines/%s.ini' % machine,
                       ('cache.l1i.size', 'cache.l1i.line', 'cache.l1i.ways', 'page.size', 'tlb.l1i.entries',
                        'tlb.l1i.ways'))
    tlb = tlb if tlb != NO_COUNTER else (NO_COUNTER, ) * 3
    for label, key, amp, scale in (('L1 code line, bytes', 'cache.l1i.line', cache[0], 1),
                                   ('L1 code size, KiB', 'cache.l1i.size', cache[1], 1 / 1024),
                                   ('L1 code ways', 'cache.l1i.ways', cache[2], 1),
                                   ('ITLB page, KiB', 'page.size', tlb[0], 1 / 1024),
                                   ('ITLB entries', 'tlb.l1i.entries', tlb[1], 1),
                                   ('ITLB ways', 'tlb.l1i.ways', tlb[2], 1)):
        print('| [%s](../machines/%s.ini) | %s | %s | %s |' % (name, machine, label, amp, shown(findings, key, scale)),
              flush=True)


def three(findings, subject, names):
    parts = []
    for name in names:
        finding = findings['counter.%s.%s' % (subject, name)]
        scale = 1024 if name in ('size', 'page') else 1
        if finding['outcome'] == 'blocked':
            return NO_COUNTER
        unit = {'size': 'K', 'page': 'K'}.get(name, '')
        parts.append('%g%s' % (finding['value'] / scale, unit) if finding['outcome'] == 'measured'
                     else finding['outcome'])
    return ' / '.join(parts)


def both(amp, ours_, tlb):
    if amp == NO_COUNTER:
        return '%s, %s' % (amp, ours_)
    return '%s, %s' % (('%dK / %d / %d' if tlb else '%d / %dK / %d') % amp, ours_)


def unified(findings):
    told = []
    for subject, label in (('cache.l1d', 'L1'), ('cache.l2', 'L2'), ('tlb.l1d', 'TLB')):
        finding = findings['counter.%s.unified' % subject]
        if finding['outcome'] == 'measured':
            told.append('%s %s' % (label, 'unified' if finding['value'] else 'split'))
    return ', '.join(told)


def by_counters():
    print(BY_COUNTERS_HEAD)
    for machine, name, cache, tlb in COUNTED:
        findings = measure(os.environ.get('XRAY', 'build/xray'), 'machines/%s.ini' % machine, ('counter', ))
        data, second, dtlb = ELSEWHERE[machine]
        lines, pages = ('line', 'size', 'ways'), ('page', 'entries', 'ways')
        policies = ', '.join('%s %s' % (label, findings['counter.cache.%s.policy' % level].get('value', 'none'))
                             for level, label in (('l1d', 'L1'), ('l2', 'L2'))
                             if findings['counter.cache.%s.policy' % level]['outcome'] in ('measured', 'absent'))
        print('| [%s](../machines/%s.ini) | %s |' % (name, machine, ' | '.join((
            both(cache, three(findings, 'cache.l1i', lines), False),
            both(data, three(findings, 'cache.l1d', lines), False),
            both(second, three(findings, 'cache.l2', lines), False),
            both(tlb, three(findings, 'tlb.l1i', pages), True),
            both(dtlb, three(findings, 'tlb.l1d', pages), True),
            unified(findings), policies))), flush=True)
    print(BY_COUNTERS_REMARK)


def code(wanted):
    xray = os.environ.get('XRAY', 'build/xray')
    print(CODE_HEAD)
    print(STRAIGHT_HEAD)
    for row in STRAIGHT:
        if not wanted or row[0] in wanted:
            straight_row(xray, *row)
    for machine, _, actual, _ in STRAIGHT:
        if machine == TRACE and (not wanted or TRACE in wanted):
            trace_remark(xray, actual)
    print('\n' + COUNTED_HEAD)
    for row in COUNTED:
        if not wanted or row[0] in wanted:
            counted_rows(xray, *row)
    print(COUNTED_REMARK)


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
    if not wanted:
        by_counters()


if __name__ == '__main__':
    if sys.argv[1:2] == ['code']:
        code(sys.argv[2:])
    elif sys.argv[1:] == ['counters']:
        by_counters()
    else:
        main(sys.argv[1:])
