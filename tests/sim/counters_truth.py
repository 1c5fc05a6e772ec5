#!/usr/bin/env python3
"""Compares findings made by counters with what the machine file says; it shares no code with xray.

    counters_truth.py MACHINE DOCUMENT [BROKEN...]

Prints each finding that says measured and is off, each that should have a value and has none, and how many were right.
BROKEN are events whose counters the file has broken: they must not be trusted, and nothing may come of them. What an event
without a counter would tell must be blocked.
"""
import json
import sys

from memory_truth import holds, plain, size

EVENTS = {'cache.l1d': 'l1d.misses', 'cache.l2': 'l2.misses', 'cache.last': 'last.misses', 'cache.l1i': 'l1i.misses',
          'tlb.l1d': 'dtlb.misses', 'tlb.l1i': 'itlb.misses'}
LRU = ('lru', 'fifo', 'tree-plru')


def sections(path):
    found, keys = [], {}
    for line in open(path):
        line = line.strip()
        if line.startswith('['):
            kind, _, name = line.strip('[]').partition(' ')
            keys = {}
            found.append((kind, name.strip(), keys))
        elif '=' in line and not line.startswith((';', '#')):
            key, _, value = line.partition('=')
            keys[key.strip()] = value.strip()
    return found


def has(name, keys, side):
    return holds(name, keys) in (side, 'both')


def cache(keys, others):
    line = size(keys.get('sector', keys.get('line', '64')))
    whole = size(keys.get('line', '64'))
    ways = plain(keys['ways'])
    ways = size(keys['size']) / whole if ways == 'full' else float(ways)
    policy = plain(keys.get('policy', 'lru'))
    return {'line': line, 'size': size(keys['size']), 'ways': ways, 'unified': float(others),
            'policy': None if ways == 1 else 'lru' if policy in LRU else policy}


def tlb(keys, page, others):
    ways = plain(keys['ways'])
    together = float(keys.get('coalescing', 1))
    return {'page': page * together, 'entries': float(keys['entries']),
            'ways': float(keys['entries'] if ways == 'full' else ways), 'unified': float(others)}


def truth(path):
    every = sections(path)
    page = size(next((k for s, _, k in every if s == 'pages'), {}).get('size', '4 KiB'))
    # One miss brings the pair.
    pair = plain(next((k for s, _, k in every if s == 'prefetch'), {}).get('adjacent', 'no')) == 'yes'
    told = {}
    for side in ('data', 'code'):
        other = 'code' if side == 'data' else 'data'
        levels = [(n, k) for s, n, k in every if s == 'cache' and has(n, k, side)]
        names = ['cache.l1d', 'cache.l2'] if side == 'data' else ['cache.l1i']
        for name, (label, keys) in list(zip(names, levels)) + ([('cache.last', levels[-1])] if side == 'data' else []):
            told[name] = cache(keys, has(label, keys, other))
            told[name]['line'] *= 2 if pair and name in ('cache.l2', 'cache.last') else 1
        for label, keys in [(n, k) for s, n, k in every if s == 'tlb' and has(n, k, side)][:1]:
            told['tlb.l1d' if side == 'data' else 'tlb.l1i'] = tlb(keys, page, has(label, keys, other))
    counters = next((k for s, _, k in every if s == 'counters'), {})
    return told, counters


def main(path, document, broken):
    told, counters = truth(path)
    findings = json.load(open(document))['findings']
    trusted = findings['counter.events'].get('value', '').split() if findings['counter.events']['outcome'] == 'measured' else []
    right = wrong = unsure = 0
    for event in EVENTS.values():
        there = counters.get(event, 'none') != 'none'
        if (event in trusted) != (there and event not in broken):
            print('wrong: %s is%s trusted' % (event, '' if event in trusted else ' not'))
            wrong += 1
    for name, finding in findings.items():
        subject, _, what = name[len('counter.'):].rpartition('.')
        if subject not in EVENTS:
            continue
        event, outcome = EVENTS[subject], finding['outcome']
        there = counters.get(event, 'none') != 'none' and event not in broken
        expected = told.get(subject, {}).get(what)
        if not there:
            good = outcome in ('blocked', 'unclear')
        elif outcome == 'absent':
            good = expected is None
        elif outcome == 'measured' and what == 'policy':
            good = (finding['value'] == 'lru') == (expected == 'lru')
        elif outcome == 'measured':
            good = expected is not None and finding.get('low', finding['value']) <= expected <= finding.get('high', finding['value'])
        else:
            print('unsure: %s is %s (%s)' % (name, outcome, finding.get('reason')))
            unsure += 1
            continue
        right += good
        if not good:
            wrong += 1
            print('wrong: %s is %s %s, not %s' % (name, outcome, finding.get('value', ''), expected))
    print('%d right, %d wrong, %d unsure' % (right, wrong, unsure))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
