"""What a machine file says of its code, for truth.py.

The levels of code are the [cache] sections that hold code, in file order. The first is l1i, unless data has a nearer
level that code does not share: then there is none (the Pentium 4, which has a trace cache instead). The others go by the
number that they have among the levels of data. TLBs of code are l1i, l2i, ... in file order, of the pages that the
system hands out.
"""
import math
import re

from memory_truth import CLOUD_OFF, SIZE_OFF, holds, plain, size
from translation_truth import PENALTY_OFF, sizes

UOPS_OFF = CODE_OFF = PENALTY_SHARE_OFF = 0.1
SHORTEST, LONGER = 64 * 4, 1.2  # additions of the shortest ladder; times: those that are looked at with it
CACHES = r'cache\.(l1i\.(size|ways|line|straight|unified)|uop\.size|l([2-9])\.(unified|code))'
TLBS = r'tlb\.l([1-9])i\.(entries|ways|penalty|reach|unified)'


def between(low, high):
    """Everything from low to high is right."""
    return (low + high) / 2, (high - low) / (high + low)


class Code:
    def __init__(self, sections, memory, translation):
        """sections: (kind, name, keys) for each section of the file; memory and translation: what those made of them"""
        self.memory, self.translation = memory, translation
        self.levels, self.tlbs, self.keys, self.uops = [], [], {}, None
        for kind, name, keys in sections:
            if kind == 'code':
                self.keys = keys
            elif kind == 'uops':
                self.uops = keys
            elif kind == 'cache' and holds(name, keys) != 'data':
                self.levels.append((keys, holds(name, keys) == 'both'))
            elif kind == 'tlb' and holds(name, keys) != 'data' and 'covers' not in keys:
                self.tlbs.append((keys, holds(name, keys) == 'both'))

    def key(self, name, default):
        return plain(self.keys.get(name, default))

    def first(self):
        """Keys of the l1i, or None."""
        if not self.levels:
            return None
        keys, both = self.levels[0]
        return keys if not both or keys is self.memory.levels[0] else None

    def ways(self, keys):
        lines = size(keys['size']) / size(keys.get('line', '64'))
        return lines if plain(keys['ways']) == 'full' else float(plain(keys['ways']))

    def decoded(self):
        """(least, most) bytes of additions that stay decoded; None: none do."""
        if not self.uops:
            return None
        entries, each = float(plain(self.uops['entries'])), float(plain(self.uops['each']))
        window, add = plain(self.uops['window']), float(self.key('add', '3'))
        if window == 'none':
            return entries * each * add, entries * each * add
        ways = entries if plain(self.uops['ways']) == 'full' else float(plain(self.uops['ways']))
        most, window = plain(self.uops.get('most', 'none')), size(window)
        # One window has an addition more than another, and then perhaps an entry.
        needed = [math.ceil(rounded(window / add) / each) for rounded in (math.ceil, math.floor)]
        if needed[0] > (ways if most == 'none' else min(ways, float(most))):
            return None
        return tuple(entries / ways * (ways // n) * window for n in needed)

    def ahead(self):
        return 'yes' in (self.key('next-line', 'no'), self.key('straight', 'no'))

    def straight(self, cloud):
        """Straight code runs at full speed as long as it stays decoded, or else in the first level."""
        first, decoded = self.first(), self.decoded()
        shortest = SHORTEST * float(self.key('add', '3'))
        # What does not hold the shortest ladder is never seen.
        if decoded and decoded[1] < shortest:
            decoded = None
        if decoded and first and decoded[0] < LONGER * shortest:
            return between((1 - UOPS_OFF) * decoded[0], (1 + SIZE_OFF) * size(first['size']))
        if decoded:
            return between((1 - UOPS_OFF) * decoded[0], (1 + UOPS_OFF) * decoded[1])
        if not first or self.key('straight', 'no') == 'yes':
            return None, 0
        whole, off = size(first['size']), CLOUD_OFF if cloud else SIZE_OFF
        # Frames that lie anywhere crowd some sets before the cache is full, unless a page has whole rounds of them.
        if self.translation.page() % (whole / self.ways(first)) and \
                (plain(self.memory.pages.get('frames', 'contiguous')) != 'contiguous' or
                 self.translation.key('host', 'none') != 'none'):
            return between(0.2 * whole, (1 + off) * whole)
        return whole, off

    def may_be_absent(self, name):
        """Where the fetcher runs ahead of straight code, seeing nothing is no mistake."""
        return name == 'cache.l1i.straight' and self.ahead()

    def reach(self, at):
        """(least, most) bytes of code that are served from the level at that place, or nearer."""
        keys = self.levels[at][0]
        own = size(keys['size'])
        if at == 0 or plain(keys.get('inclusion', 'none')) not in ('exclusive', 'victim'):
            return own, own
        return own, own + self.reach(at - 1)[1]

    def code(self, level, noisy):
        at = [i for i, (keys, both) in enumerate(self.levels) if both and keys is self.memory.levels[level]]
        if not at:
            return None, 0
        low, high = self.reach(at[0])
        if noisy and self.memory.shared(level):
            low *= 0.3
        return between((1 - CODE_OFF) * low, (1 + CODE_OFF) * high)

    def cache(self, match, cloud, noisy):
        first = self.first()
        if match.group(1) == 'uop.size':
            return (float(plain(self.uops['entries'])) * float(plain(self.uops['each'])) if self.uops else None), UOPS_OFF
        if match.group(3):
            level = int(match.group(3)) - 1
            if level >= len(self.memory.levels):
                return None, 0
            if match.group(4) == 'code':
                return self.code(level, noisy)
            return float(any(keys is self.memory.levels[level] for keys, both in self.levels)), 0
        asked = match.group(2)
        if asked == 'straight':
            return self.straight(cloud)
        if not first:
            return None, 0
        if asked == 'size':
            return size(first['size']), CLOUD_OFF if cloud else SIZE_OFF
        if asked == 'unified':
            return float(self.levels[0][1]), 0
        return self.ways(first) if asked == 'ways' else size(first.get('line', '64')), 0

    def tlb(self, match, findings):
        depth, asked = int(match.group(1)) - 1, match.group(2)
        page = self.translation.page()
        tlbs = [(keys, both) for keys, both in self.tlbs
                if plain(keys.get('pages', 'all')) == 'all' or page in sizes(keys['pages'])]
        if depth >= len(tlbs):
            return None, 0
        keys, both = tlbs[depth]
        entries = float(plain(keys['entries']))
        if asked == 'unified':
            return float(both), 0
        if asked == 'ways':
            return entries if plain(keys['ways']) == 'full' else float(plain(keys['ways'])), 0
        if asked == 'penalty':
            cycles = self.translation.penalty([keys for keys, both in tlbs], depth)
            return cycles, max(PENALTY_OFF / cycles, PENALTY_SHARE_OFF)
        # Who found the ways counted the sets, too.
        exact = findings.get('tlb.l%di.ways' % (depth + 1), {}).get('outcome') == 'measured'
        return entries * page if asked == 'reach' else entries, 0 if exact else SIZE_OFF

    def truth(self, name, findings, cloud=False, noisy=False):
        """(expected value or None for absent, relative tolerance); KeyError for a name that is not of code"""
        cache, tlb = re.fullmatch(CACHES, name), re.fullmatch(TLBS, name)
        if not cache and not tlb:
            raise KeyError(name)
        return self.cache(cache, cloud, noisy) if cache else self.tlb(tlb, findings)
