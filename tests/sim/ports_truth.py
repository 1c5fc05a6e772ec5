"""What ports allow, for truth.py: how long a mix of operations takes, and whether bundles are right.

A mix takes as long as the busiest set of ports: all work that can go nowhere else, divided by its ports; and as its
micro-ops take to be fetched. Only sets that some operations span together matter.
"""
import itertools


def parse(text):
    """[(frozenset of ports, cycles), ...] of the key's value"""
    parts = []
    for part in text.split(';')[0].split('+'):
        words = part.split()
        cycles = 1.0
        if 'for' in words[1:]:
            above, _, below = words[-1].partition('/')
            cycles = float(above) / float(below or 1)
            words = words[:words.index('for', 1)]
        parts.append((frozenset(words), cycles))
    return parts


def cycles(mix, width):
    """of a mix, a list of (count, parts)"""
    sets = sorted({ports for count, parts in mix if count for ports, _ in parts}, key=sorted)
    most = sum(count for count, _ in mix) / width
    for size in range(1, len(sets) + 1):
        for some in itertools.combinations(sets, size):
            span = frozenset().union(*some)
            work = sum(count * each for count, parts in mix for ports, each in parts if ports <= span)
            most = max(most, work / len(span))
    return most


def verdict(machine, finding):
    """'right', 'wrong' or 'unsure': each bundle fits into a cycle, 5 % more or less, and all say what goes together"""
    if finding['outcome'] != 'measured':
        return 'unsure', None
    for bundle in finding['value'].split('; '):
        if ' as ' in bundle:
            continue
        mix = [(int(term.split()[0]), machine.parts(*term.split()[1].split('.'))) for term in bundle.split(' + ')]
        took = cycles(mix, machine.width())
        if took > 1.05:
            return 'wrong', '%s in a cycle, takes %.3f' % (bundle, took)
    return 'right', None
