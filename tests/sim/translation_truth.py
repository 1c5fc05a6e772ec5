"""What a machine file says of its pages and TLBs, for truth.py.

A translation covers a page, or a page of the hypervisor below where that is smaller. Of the [tlb] sections those count
that hold data and pages of the size in question, in the order of the file: l1d, l2d, ... The last one's penalty comes
with a look at the tables, from the cache that they are read through.
"""
import re

import policy_truth
from memory_truth import TIMES, amount, holds, plain, size

PENALTY_OFF = 1  # cycle


def sizes(text):
    """of '4 KiB' or '4 KiB, 2 MiB'"""
    return [size(one) for one in re.findall(r'[0-9.]+\s*[a-z]*', plain(text))]


class Translation:
    def __init__(self, sections, memory):
        """sections: (kind, name, keys) for each section of the file; memory: what memory_truth made of them"""
        self.memory = memory
        self.tlbs = [keys for kind, name, keys in sections if kind == 'tlb' and 'covers' not in keys and
                     plain(keys.get('for', 'both')) != 'stores' and
                     holds(name, keys) != 'code']

    def key(self, name, default):
        return plain(self.memory.pages.get(name, default))

    def smaller(self, page):
        host = self.key('host', 'none')
        return page if host == 'none' else min(page, size(host))

    def page(self):
        return self.smaller(size(self.key('size', '4096')))

    def huge(self):
        huge = self.key('huge', 'none')
        return self.page() if huge == 'none' else self.smaller(size(huge))

    def levels(self, page):
        return [keys for keys in self.tlbs if plain(keys.get('pages', 'all')) == 'all' or page in sizes(keys['pages'])]

    def promotion(self):
        after, unit = amount(self.key('promotion', '1e12'))
        return float(after * TIMES.get(unit, 1) < 2e8 and self.huge() > self.page())

    def penalty(self, levels, depth):
        cycles = self.memory.cycles(levels[depth]['penalty'])
        tables = self.key('tables', 'none')
        if depth + 1 == len(levels) and tables != 'none':
            cycles += self.memory.cycles(self.memory.levels[self.memory.names.index(tables)]['latency'])
        return cycles

    def policy(self, name, finding):
        """Verdict on tlb.LEVEL.policy."""
        depth, levels = int(name.split('.')[1][1]) - 1, self.levels(self.page())
        if depth >= len(levels):
            return policy_truth.verdict(finding, 'lru', 0)
        ways = plain(levels[depth]['ways'])
        return policy_truth.verdict(finding, plain(levels[depth].get('policy', 'lru')),
                                    int(float(plain(levels[depth]['entries']) if ways == 'full' else ways)))

    def truth(self, name):
        """(expected value or None for absent, relative tolerance); KeyError for a name that nobody knows"""
        if name in ('page.size', 'page.huge', 'page.promotion'):
            return {'page.size': self.page, 'page.huge': self.huge, 'page.promotion': self.promotion}[name](), 0
        match = re.fullmatch(r'tlb\.l([1-9])d\.(entries|ways|penalty|reach|huge|stores)', name)
        if not match:
            raise KeyError(name)
        depth, asked = int(match.group(1)) - 1, match.group(2)
        page = self.huge() if asked == 'huge' else self.page()
        levels = self.levels(page) if asked != 'huge' or page > self.page() else []
        if depth >= len(levels):
            return None, 0
        if asked == 'stores':
            return float(plain(levels[depth].get('for', 'both')) == 'both'), 0
        entries = float(plain(levels[depth]['entries']))
        if asked == 'ways':
            ways = plain(levels[depth]['ways'])
            return entries if ways == 'full' else float(ways), 0
        if asked == 'penalty':
            cycles = self.penalty(levels, depth)
            return cycles, PENALTY_OFF / cycles
        return entries * page if asked == 'reach' else entries, 0
