"""What a machine file says of its CPUs, for truth.py.

CPUs lie in a row, in which cores, groups and those that a cache serves follow one another; `numbers` says what the system
calls them. Where it calls them in no order (mixed), or the host moves them (migration), nobody can know who is who:
then sizes and shapes are compared, not names. What must be as the file says:
- counts, groups and trees exactly; levels of a tree that are within 13 % of each other are one;
- times of lines and of memory, and rates of memory, within 10 %, of lines also within `homes`; empty cells do not count;
- slices within 10 %;
- contexts exactly, but either will do where a step is within 4 % of the quarter that makes one.
With a quota of less than all CPUs, fewer contexts are right, too: unclear is what is expected there.
"""
import itertools
import re

from memory_truth import TIMES, amount, plain

SECTIONS = ('smp', 'contexts', 'comm', 'numa')
OFF = 0.1  # of a time
APART = 1.13  # a level of a tree is at least so many times as far as the one within
STEP, NEAR_STEP = 1.25, 0.04  # times as long: a thread that is slower; as close as this is too close to call
WALK = 4096  # bytes that each thread of contexts.mem walks over
SHARING = r'cache\.(l1d|l1i|l[2-9])\.sharing'


def row(text):
    """The numbers of '4' or '2*8 1*16', over again for ever."""
    numbers = []
    for item in plain(text).split():
        number, _, times = item.partition('*')
        numbers += [float(number)] * int(times or 1)
    return itertools.cycle(numbers)


def ns(text):
    value, unit = amount(text)
    return value * TIMES[unit or 'ns']


def shape(tree):
    """A tree without its names: equal for trees that differ in nothing else."""
    return tuple(sorted((shape(branch) for branch in tree), key=repr)) if isinstance(tree, (list, tuple)) else 0


def named(tree):
    """A tree in which order does not matter."""
    return frozenset(named(branch) for branch in tree) if isinstance(tree, (list, tuple)) else tree


def groups_of(text):
    """'0,2 1,3' as lists of numbers."""
    return [[int(number) for number in group.split(',')] for group in text.split()]


def place_in(groups):
    """Which of the groups each place is in."""
    return [at for at, group in enumerate(groups) for _ in group]


def close(value, low, high, off):
    return low * (1 - off) <= value <= high * (1 + off)


class Cpus:
    def __init__(self, sections, machine):
        """sections: (kind, name, keys) for each section of the file; machine: truth.py's, for operations and memory"""
        self.machine, self.keys, self.groups = machine, {}, []
        for kind, name, keys in sections:
            if kind == 'cpus':
                self.keys = keys
            elif kind == 'group':
                self.groups.append(keys)
        self.count = int(self.key('count', '1'))
        self.cores = self.cut(machine.core.get('smt', '1'))
        self.speeds = list(itertools.islice(row(self.keys.get('speed', '1')), self.count))
        self.homes = float(self.key('homes', '0.05'))
        self.known = self.key('numbers', 'threads') != 'mixed' and self.key('migration', 'never') == 'never'
        quota = self.key('quota', 'none')
        self.short = quota != 'none' and float(quota) < self.count
        # Smallest first, the last is everybody: (groups, ns between two of one group)
        self.levels = [(self.cores, ns(self.keys.get('core.latency', '10 ns')))]
        self.levels += [(self.cut(keys['cpus']), ns(keys['latency'])) for keys in self.groups]
        self.levels.append(([list(range(self.count))], ns(self.keys.get('latency', '100 ns'))))
        self.names = self.number()
        self.home = [place_in(groups) for groups, _ in self.levels]

    def key(self, name, default):
        return plain(self.keys.get(name, default))

    def cut(self, text, whole=None):
        """Groups of the sizes in a row, of places in the row of CPUs; of whole ones of `whole`, where that is given."""
        groups, sizes, at = [], row(text), 0
        while at < self.count:
            end = min(self.count, at + int(next(sizes)))
            if whole:
                end = min(group[-1] + 1 for group in whole if group[-1] + 1 >= end)
            groups.append(list(range(at, end)))
            at = end
        return groups

    def number(self):
        """The system's number of each place."""
        if self.key('numbers', 'threads') != 'cores':
            return list(range(self.count))
        numbers, given = [0] * self.count, 0
        for turn in range(max(map(len, self.cores))):
            for core in self.cores:
                if turn < len(core):
                    numbers[core[turn]] = given
                    given += 1
        return numbers

    def called(self, groups):
        return [[self.names[place] for place in group] for group in groups]

    def level(self, a, b):
        """The smallest groups that hold both."""
        return next(i for i, home in enumerate(self.home) if home[a] == home[b])

    def pairs(self):
        return itertools.combinations(range(self.count), 2)

    def distance(self, a, b):
        """ns; half of each way goes by the clock of the one who sends it."""
        each = [0.5 + 0.5 / self.speeds[place] for place in (a, b)]
        return self.levels[self.level(a, b)][1] * sum(each) / 2

    # What is one level of the tree, what is another.

    def visible(self):
        """The levels that can be told apart, smallest first: groups of each."""
        slowest, quickest = (0.5 + 0.5 / speed for speed in (min(self.speeds), max(self.speeds)))
        kept, at = [], 0
        for groups, apart in self.levels:
            # Only levels on which somebody meets somebody new.
            if kept and len(groups) == len(kept[-1]) or len(groups) == self.count:
                continue
            if kept and apart * quickest < APART * at * slowest:
                kept[-1] = groups
            else:
                kept.append(groups)
            at = apart
        return kept

    def tree(self):
        """Nested lists of the system's numbers, as a finding has them."""
        levels = self.visible()

        def grow(group, level):
            if len(group) == 1:
                return self.names[group[0]]
            if level < 0:
                return [self.names[place] for place in group]
            inner = [part for part in levels[level] if part[0] in group]
            return grow(inner[0], level - 1) if len(inner) == 1 else [grow(part, level - 1) for part in inner]

        return grow(list(range(self.count)), len(levels) - 2) if self.count > 1 else [0]

    # What threads can do at once.

    def division(self, kind, threads):
        """Cycles of a division in a chain, of which a core has so many under way, one in each thread; None: no such."""
        keys = self.machine.op('div', kind)
        if keys is None:
            return None
        latency = keys.get('latency.small', keys['latency'])
        interval = keys.get('interval.small', keys.get('interval', '1'))
        return max(amount(latency)[0], threads * amount(interval)[0], threads / self.machine.width())

    def contexts(self, kind):
        """(least, most) that is right; None where the machine cannot do it at all. One thread goes onto each core, then
        another, each compared with what its CPU does alone: as many to a core as are not slower."""
        kinds = {'int': 'i64', 'fp': 'f64'}
        if kind == 'mem':
            return (self.count, self.count) if self.machine.memory.levels else None
        alone = self.division(kinds[kind], 1)
        if alone is None:
            return None
        times = [self.division(kinds[kind], threads) / alone for threads in range(1, max(map(len, self.cores)) + 1)]
        fit = [sum(each <= STEP * (1 + near) for each in times) for near in (-NEAR_STEP, NEAR_STEP)]
        return tuple(sum(min(len(core), most) for core in self.cores) for most in fit)

    # What else there is.

    def served(self, keys):
        """Groups of CPUs that one such cache serves each, at least those of a core."""
        return self.cut(keys.get('shared', '1'), self.cores)

    def sharing(self, level):
        if level == 'l1i':
            keys = self.machine.code.first()
        else:
            at = 0 if level == 'l1d' else int(level[1:]) - 1
            keys = self.machine.memory.levels[at] if at < len(self.machine.memory.levels) else None
        return None if keys is None else self.served(keys)

    def line(self, a, b):
        """Longest line of the caches that do not serve both."""
        memory = self.machine.memory
        homes = [place_in(self.served(keys)) for keys in memory.levels]
        lines = [memory.line(i) for i, home in enumerate(homes) if home[a] != home[b]]
        pair = 2 if plain(memory.prefetch.get('adjacent', 'no')) == 'yes' else 1
        return pair * max(lines) if lines else None

    def destructive(self):
        """All answers that are right: for CPU 0, and one of another core that is as far from it as there are."""
        if self.count < 2:
            return []
        top = max(self.level(a, b) for a, b in self.pairs())
        firsts = [self.names.index(0)] if self.known else range(self.count)
        pairs = [(a, b) for a in firsts for b in range(self.count) if a != b and self.level(a, b) == top and top > 0]
        # Places in one cache are alike: one of each kind of pair will do.
        homes = [place_in(self.served(keys)) for keys in self.machine.memory.levels]
        kinds = {tuple(home[a] == home[b] for home in homes): (a, b) for a, b in pairs}
        return sorted({line for line in (self.line(a, b) for a, b in kinds.values()) if line})

    def far(self):
        """(groups, keys) of what has memory of its own, smallest first"""
        return [(self.cut(keys['cpus']), keys) for keys in self.groups if plain(keys.get('remote', 'none')) != 'none']

    def nodes(self):
        """Groups that are near to the same memory, in the order of their lowest number."""
        far = self.far()
        groups = far[0][0] if far else [list(range(self.count))]
        return sorted(groups, key=lambda group: min(self.names[place] for place in group))

    def beyond(self, a, b):
        """The keys of the largest group with memory of its own that two do not share; {}: they have the same memory."""
        found = {}
        for groups, keys in self.far():
            if place_in(groups)[a] != place_in(groups)[b]:
                found = keys
        return found

    def memory_ns(self):
        """(least, most): whether slow clocks make it slower is left open"""
        memory = self.machine.memory
        right = memory.cycles(memory.memory['latency']) / memory.frequency * 1e9
        return right, right / min(self.speeds)

    # Verdicts: None, or what it should have been.

    def wrong_groups(self, text, groups):
        found, right = groups_of(text), self.called(groups)
        if self.known:
            return None if named(found) == named(right) else right
        return None if shape(found) == shape(right) and len(set(sum(found, []))) == self.count else shape(right)

    def wrong_tree(self, found):
        right = self.tree()
        if self.known:
            return None if named(found) == named(right) else right
        return None if shape(found) == shape(right) else shape(right)

    def wrong_latency(self, matrix):
        place = {number: place for place, number in enumerate(self.names)}
        labels, off = matrix['labels'], OFF + self.homes
        if not self.known:
            ranges = {self.distance(a, b) for a, b in self.pairs()}
        for i, j in itertools.product(range(len(labels)), repeat=2):
            cell = matrix['cells'][i][j]
            if cell is None:
                continue
            if i == j:
                return 'nothing from a CPU to itself'
            if self.known:
                ranges = [self.distance(place[labels[i]], place[labels[j]])]
            if not any(close(cell, apart, apart, off) for apart in ranges):
                return '%.1f ns from %d to %d, which was %.1f' % (min(ranges), labels[i], labels[j], cell)
        return None

    def memory_rate(self, keys):
        """(least, most) bytes/s of one CPU beyond such a group: a slow clock may make it slower"""
        machine = self.machine
        further = ns(keys['remote']) * machine.memory.frequency / 1e9 if keys else 0
        rate = machine.traffic.remote(further, keys.get('remote.bandwidth', 'none'))
        return rate * min(1, min(self.speeds)), rate * max(1, max(self.speeds))

    def memory_beyond(self, keys):
        return [each + (ns(keys['remote']) if keys else 0) for each in self.memory_ns()]

    def wrong_nodes(self, matrix, expected):
        """expected: (least, most) by the keys of the group that lies between"""
        groups = self.nodes()
        anywhere = {tuple(expected(keys)) for keys in [{}] + [keys for _, keys in self.far()]}
        if len(matrix['labels']) != len(groups):
            return '%d nodes' % len(groups)
        for i, j in itertools.product(range(len(groups)), repeat=2):
            there = tuple(expected(self.beyond(groups[i][0], groups[j][0])))
            ranges, cell = {there} if self.known else anywhere, matrix['cells'][i][j]
            if cell is not None and not any(close(cell, low, high, OFF) for low, high in ranges):
                return '%d to %d: %s, not %.4g' % (i, j, ' or '.join('%.4g' % low for low, _ in ranges), cell)
        return None

    def wrong_contexts(self, kind, finding, exact):
        low, high = self.contexts(kind)
        low = 1 if self.short else low
        if low <= finding['value'] <= high:
            return None
        # A range, named as such.
        hedged = finding.get('confidence', 1) < 0.9 and not exact
        if hedged and finding['low'] <= high and finding['high'] >= low:
            return None
        return low if low == high else '%d to %d' % (low, high)

    def fits_l1(self):
        memory = self.machine.memory
        return not memory.levels or WALK * max(map(len, self.cores)) <= memory.size(0)

    def wrong(self, name, finding, exact):
        """None when a measured finding is right, else what it should be."""
        value = finding['value']
        numbers = {'smp.cpus': self.count, 'smp.cores': len(self.cores), 'smp.smt': max(map(len, self.cores)),
                   'numa.nodes': len(self.nodes())}
        if name in numbers:
            return None if value == numbers[name] else numbers[name]
        if name == 'smp.siblings':
            return self.wrong_groups(value, self.cores)
        if name == 'comm.tree':
            return self.wrong_tree(value)
        if name == 'comm.latency':
            return self.wrong_latency(value)
        if name == 'comm.bandwidth':
            cells = [cell for line in value['cells'] for cell in line if cell is not None]
            return None if cells and min(cells) > 0 else 'more than nothing'
        if name == 'numa.latency':
            return self.wrong_nodes(value, self.memory_beyond)
        if name == 'numa.bandwidth':
            return self.wrong_nodes(value, self.memory_rate)
        if name.startswith('contexts.'):
            return self.wrong_contexts(name.split('.')[1], finding, exact)
        if name == 'os.timeslice':
            right = ns(self.keys.get('slice', '4 ms'))
            return None if close(value, right, right, OFF) else right
        if name == 'line.destructive':
            return None if value in self.destructive() else self.destructive()
        match = re.fullmatch(SHARING, name)
        if match:
            groups = self.sharing(match.group(1))
            if isinstance(value, str):
                return self.wrong_groups(value, groups)
            return None if value == max(map(len, groups)) else max(map(len, groups))
        raise KeyError(name)

    def absent(self, name):
        """Whether the machine has nothing to measure there."""
        match = re.fullmatch(SHARING, name)
        if match:
            return self.sharing(match.group(1)) is None
        if name.startswith('contexts.'):
            return self.contexts(name.split('.')[1]) is None
        if name == 'line.destructive':
            return not self.destructive()
        if name in ('numa.latency', 'numa.bandwidth'):
            return 'latency' not in self.machine.memory.memory or len(self.nodes()) == 1
        return self.count == 1 and (name.startswith('comm.') or name == 'numa.nodes')

    def knows(self, name):
        return name.split('.')[0] in SECTIONS or name in ('line.destructive', 'os.timeslice') or \
            re.fullmatch(SHARING, name) is not None

    def verdict(self, name, finding, exact):
        """('right', 'wrong', 'unsure' or 'absent', what it should be)"""
        outcome = finding['outcome']
        if outcome == 'measured':
            if self.absent(name) and not name.startswith('numa.'):
                return 'wrong', None
            # Threads whose data crowd each other out have no contexts to speak of.
            if name == 'contexts.mem' and not self.fits_l1():
                return 'right', None
            should = self.wrong(name, finding, exact)
            return ('right' if should is None else 'wrong'), should
        if self.absent(name):
            return 'absent', None
        return ('wrong' if outcome == 'absent' else 'unsure'), None
