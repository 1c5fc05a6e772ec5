"""What a machine file says of its memory, for truth.py.

The data levels are the [cache] sections that hold data, in file order: the first is l1d, the others l2, l3, ... whatever
their sections are called. A level reaches as far as its size; under exclusion, that of the level above comes on top.
What comes together from memory is worked out place by place, with the levels' lines and sectors and the prefetchers.
"""
import re

import policy_truth

SIZES = {'': 1, 'b': 1, 'kib': 2**10, 'mib': 2**20, 'gib': 2**30}
TIMES = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}
DETERMINISTIC = ('lru', 'fifo', 'tree-plru')
SIZE_OFF, CLOUD_OFF, LATENCY_OFF = 0.03, 0.1, 0.03
PROPERTIES = ('size', 'reach', 'ways', 'line', 'latency', 'sector', 'victim')
WORDS = ('write', 'inclusion')


def plain(text):
    return re.split(r'\s[;#]', text)[0].strip().lower()


def amount(text):
    """(number, unit) of '1.25 MiB', '14 cycles', '64'."""
    value, unit = re.match(r'([-+0-9.e/]+)\s*(\w*)', plain(text)).groups()
    above, _, below = value.partition('/')
    return float(above) / float(below or 1), unit


def size(text):
    value, unit = amount(text)
    return value * SIZES[unit]


SIDES = (('code', ('i', 'icache', 'itlb', 'code')), ('data', ('d', 'dcache', 'dtlb', 'data')))


def holds(name, keys):
    """What a cache or a TLB holds: as it says, or by a word of its name."""
    words = [re.sub(r'^l[0-9.]*(?=[a-z])|(?<=[a-z])l?[0-9.]+$', '', word)
             for word in re.split(r'[-_ ]', re.sub(r'([id])[-_ ](cache|tlb)', r'\1\2', name.lower()))]
    usual = next((side for side, known in SIDES for word in words if word in known or
                  side == 'code' and word.startswith('inst')), 'data' if name.lower().startswith('l1') else 'both')
    return plain(keys.get('holds', usual))


class Memory:
    def __init__(self, sections, frequency):
        """sections: (kind, name, keys) for each section of the file; frequency in Hz"""
        self.frequency = frequency
        self.pages, self.memory, self.prefetch, self.levels, self.names = {}, {}, {}, [], []
        for kind, name, keys in sections:
            if kind == 'pages':
                self.pages = keys
            elif kind == 'memory':
                self.memory = keys
            elif kind == 'prefetch':
                self.prefetch = keys
            elif kind == 'cache' and holds(name, keys) != 'code':
                self.levels.append(keys)
                self.names.append(name)

    def key(self, level, name, default):
        return plain(self.levels[level].get(name, default))

    def size(self, level):
        return size(self.levels[level]['size'])

    def line(self, level):
        return size(self.levels[level].get('line', '64'))

    def shared(self, level):
        """Whether any such cache serves more than one CPU, as far as its own key says."""
        return any(float(item.partition('*')[0]) > 1 for item in self.key(level, 'shared', '1').split())

    def added(self, level):
        return level > 0 and self.key(level, 'inclusion', 'none') in ('exclusive', 'victim')

    def reach(self, level):
        return self.size(level) + (self.reach(level - 1) if self.added(level) else 0)

    def ways(self, level):
        ways = self.key(level, 'ways', 'full')
        return self.size(level) / self.line(level) if ways == 'full' else float(ways)

    def sector(self, level):
        """What the levels above ask for comes in one piece."""
        return max(size(self.levels[i].get('sector', '%d' % self.line(i))) for i in range(level + 1))

    def victim(self, level):
        lines = self.key(level, 'victim', 'none')
        return None if lines == 'none' else float(lines)

    def words(self, level, what):
        """What a finding of unit text says of a level; of 'write' all of it."""
        if what == 'inclusion':
            return self.key(level, 'inclusion', 'none')
        # What a nearer level fetches comes in, too; what gets lines from above only brings none in by itself.
        brings = any(self.key(i, 'allocate', 'yes') == 'yes' and not self.added(i) for i in range(level + 1))
        return '%s, %s' % (self.key(level, 'write', 'back'), 'allocate' if brings else 'no allocate')

    def knows(self, name):
        match = re.fullmatch(r'cache\.(l1d|l([2-9]))\.(\w+)', name)
        return match is not None and match.group(3) in WORDS

    def verdict(self, name, finding):
        """(right, wrong, unsure or absent; what it is) for a finding in words"""
        part = name.split('.')
        level = 0 if part[1] == 'l1d' else int(part[1][1:]) - 1
        if level >= len(self.levels):
            return ('wrong' if finding['outcome'] == 'measured' else 'absent'), None
        truth = self.words(level, part[2])
        if finding['outcome'] == 'measured':
            # Half of an answer is one.
            return ('right' if set(finding['value'].split(', ')) <= set(truth.split(', ')) else 'wrong'), truth
        return ('wrong' if finding['outcome'] == 'absent' else 'unsure'), truth

    def pieces(self, place, first):
        """What a load of `place` brings into the levels from `first` on: (begin, end) for each; nobody held any of it."""
        piece = 0
        for i in range(len(self.levels)):
            # What the level above asks for comes in one piece.
            piece = max(piece, size(self.levels[i].get('sector', '%d' % self.line(i))))
            if i == first or (i > first and not self.added(i)):
                yield place // piece * piece, place // piece * piece + piece

    def arrives(self, place):
        """The same with what prefetchers add that follow no order of loads."""
        into = plain(self.prefetch.get('into', ''))
        into = self.names.index(into) if into in self.names else min(1, len(self.levels) - 1)
        line, wanted = self.line(into), []
        if plain(self.prefetch.get('next-line', 'no')) == 'yes':
            wanted.append(place // line + 1)
        if plain(self.prefetch.get('adjacent', 'no')) == 'yes':
            wanted.append(int(place // line) ^ 1)
        return list(self.pieces(place, 0)) + [piece for other in wanted for piece in self.pieces(other * line, into)]

    def constructive(self):
        """The largest aligned block that is there as a whole after a load of any place in it."""
        step, most, block = 8, 8192, 8

        def whole(place):
            begin = place // (2 * block) * 2 * block
            pieces = self.arrives(place)
            return all(any(low <= part < high for low, high in pieces) for part in range(begin, begin + 2 * block, step))

        while 2 * block <= most and all(whole(place) for place in range(0, most, block)):
            block *= 2
        return float(block)

    def cycles(self, text):
        value, unit = amount(text)
        return value * TIMES[unit] * self.frequency / 1e9 if unit in TIMES else value

    def sharp(self, level):
        """Whether one line more than the level holds shows at once: sets are known and nothing is left to chance."""
        # Page tables that are read through a cache take some of its room.
        placed = plain(self.pages.get('frames', 'contiguous')) == 'contiguous' and \
            all(plain(self.pages.get(key, 'none')) == 'none' for key in ('host', 'tables'))
        # What an exclusive level reaches also depends on how the levels above it throw lines out.
        first = level
        while first > 0 and self.key(first, 'inclusion', 'none') in ('exclusive', 'victim'):
            first -= 1
        return placed and all(self.key(i, 'policy', 'lru') in DETERMINISTIC and self.key(i, 'index', 'mod') == 'mod' and
                              self.key(i, 'inclusion', 'none') != 'victim' for i in range(first, level + 1))

    def policy(self, name, finding):
        """Verdict on cache.LEVEL.policy."""
        level = int(name.split('.')[1][1]) - 1
        if level >= len(self.levels):
            return policy_truth.verdict(finding, 'lru', 0)
        return policy_truth.verdict(finding, self.key(level, 'policy', 'lru'), int(self.ways(level)))

    def truth(self, name, cloud, noisy=False):
        """(expected value or None for absent, relative tolerance); KeyError for a name that nobody knows"""
        part = name.split('.')
        off = CLOUD_OFF if cloud else LATENCY_OFF
        if name == 'memory.latency':
            if not self.levels or 'latency' not in self.memory:
                return None, 0
            return self.cycles(self.memory['latency']) / self.frequency * 1e9, off
        if name == 'line.constructive':
            return (self.constructive() if self.levels else None), 0
        if name == 'cache.levels':
            return (float(len(self.levels)) if self.levels else None), 0
        match = re.fullmatch(r'cache\.(l1d|l([2-9]))\.(\w+)', name)
        if not match or part[2] not in PROPERTIES:
            raise KeyError(name)
        level = int(match.group(2) or 1) - 1
        if level >= len(self.levels):
            return None, 0
        if part[2] == 'reach' and self.added(level) and (level > 1 or self.key(level, 'inclusion', 'none') == 'victim'):
            # Lines that move up leave holes, or copies, as the references have it: the sum is the most there can be.
            low, high = self.size(level) * (1 - SIZE_OFF), self.reach(level) * (1 + (CLOUD_OFF if cloud else SIZE_OFF))
            return (low + high) / 2, (high - low) / (high + low)
        if part[2] == 'reach' and noisy and self.shared(level):
            # Neighbours take their part of a shared level: what is left is what a program reaches.
            return 0.7 * self.size(level), 0.4 / 0.7
        if part[2] == 'reach' and self.victim(level):
            # What a buffer behind it keeps takes a little longer: with it or without.
            most = 1 + self.victim(level) * self.line(level) / self.size(level) + SIZE_OFF
            return self.size(level) * (1 - SIZE_OFF + most) / 2, (most - 1 + SIZE_OFF) / (1 - SIZE_OFF + most)
        if part[2] in ('size', 'reach'):
            exact = 0 if self.sharp(level) else SIZE_OFF
            return getattr(self, part[2])(level), CLOUD_OFF if cloud else exact
        if part[2] == 'latency':
            return self.cycles(self.levels[level]['latency']), off
        return getattr(self, part[2])(level), 0
