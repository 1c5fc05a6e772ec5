"""Replacement policies for memory_truth.py: one set as docs/machine-file.md tells it, what is the same, what is alike.

Shares nothing with the simulator, or with what xray compares its measurements with.
"""
import random
import re

STARTS, LAPS, SEQUENCES, UNDECIDED = 5, 24, 25, 0.2


class Set:
    def __init__(self, policy, ways, seed):
        self.ways, self.lines, self.random = ways, [None] * ways, random.Random(seed)
        self.now, self.used, self.came, self.age, self.arrow = 0, [0] * ways, [0] * ways, [3] * ways, {}
        self.kind = policy
        if policy == 'nru':
            self.age = [0] * ways
        if policy == 'srrip':
            policy = 'qlru-h00-m2-r0-u0-umo'
        match = re.fullmatch(r'qlru-h(\d)(\d)-m(r?)(\d)(\d?)-r(\d)-u(\d)(-umo)?', policy)
        if match:
            self.kind = 'ages'
            self.hit = {3: int(match[1]), 2: int(match[2]), 1: 0, 0: 0}
            self.insert, self.rare = int(match[4]), int(match[5]) if match[3] else None
            self.update, self.late = int(match[7]), bool(match[8])

    def point_away(self, low, high, way):
        while high - low > 1:
            middle = (low + high) // 2
            self.arrow[low, high] = way < middle
            low, high = (low, middle) if way < middle else (middle, high)

    def pointed(self):
        low, high = 0, 1
        while high < self.ways:
            high *= 2
        while high - low > 1:
            middle = (low + high) // 2
            right = self.arrow.get((low, high)) and middle < self.ways
            low, high = (middle, high) if right else (low, middle)
        return low

    def grow(self, way):
        others = [i for i in range(self.ways) if not (self.update % 2 and i == way)]
        if self.update < 2:
            by = 3 - max(self.age[i] for i in others)
        else:
            by = int(max(self.age) < 3)
        for i in others:
            self.age[i] += by

    def victim(self):
        if self.kind == 'ages' and self.late:
            self.grow(None)
        if None in self.lines:
            return self.lines.index(None)
        if self.kind in ('lru', 'fifo'):
            when = self.used if self.kind == 'lru' else self.came
            return when.index(min(when))
        if self.kind == 'random':
            return self.random.randrange(self.ways)
        if self.kind == 'tree-plru':
            return self.pointed()
        if self.kind == 'nru':
            if 0 not in self.age:
                self.age = [0] * self.ways
            return self.age.index(0)
        return self.age.index(3) if 3 in self.age else 0

    def refer(self, line):
        """True: a hit."""
        hit = line in self.lines
        way = self.lines.index(line) if hit else self.victim()
        self.now += 1
        if not hit:
            self.lines[way], self.came[way] = line, self.now
        self.used[way] = self.now
        if self.kind == 'tree-plru':
            span = 1
            while span < self.ways:
                span *= 2
            self.point_away(0, span, way)
        elif self.kind == 'nru':
            self.age[way] = 1
        elif self.kind == 'ages':
            new = self.rare if self.rare is not None and self.random.randrange(16) == 0 else self.insert
            self.age[way] = self.hit[self.age[way]] if hit else new
            if not self.late:
                self.grow(way)
        return hit


def started(policy, ways, lines, seed):
    """A set in which these lines and others were used before."""
    one, order = Set(policy, ways, seed), random.Random(seed + 77)
    for _ in range(6 * ways):
        line = order.randrange(lines + ways)
        for _ in range(order.choice((1, 1, 2))):
            one.refer(line)
    return one


def settled(policy, ways, sequence):
    """The fewest and the most misses in a lap that a walk round the sequence ends with."""
    ends = []
    for seed in range(STARTS):
        one = started(policy, ways, max(sequence) + 1, seed)
        missed = [sum(not one.refer(line) for line in sequence) for _ in range(2 * LAPS)]
        ends.append(sum(missed[LAPS:]) / LAPS)
    return min(ends), max(ends)


def same(one, other, ways):
    """Whether both miss as often, in laps of any sequence, once they have settled."""
    order = random.Random(ways)
    for _ in range(SEQUENCES):
        sequence = [order.randrange(ways + 1 + order.randrange(2 + ways // 2)) for _ in range(3 * ways + 4)]
        low, high = settled(one, ways, sequence)
        least, most = settled(other, ways, sequence)
        if low > most + UNDECIDED or least > high + UNDECIDED:
            return False
    return True


def manners(policy, ways):
    """Words for what it does: one, or two where it lies between."""
    if policy in ('fifo', 'random'):
        return {policy + '-like'}
    kept, there, left = max(1, ways // 4), 0, 0
    for seed in range(40):
        one = started(policy, ways, 2 * ways, seed)
        for _ in range(2):
            for line in range(kept):
                one.refer(line)
        there += sum(line in one.lines for line in range(kept))
        for line in range(ways + 1):
            one.refer(1000 + line)
        left += sum(line in one.lines for line in range(kept))
    share = left / there if there else 1
    low, high = settled(policy, ways, list(range(ways + 1)))
    words = {'scan-resistant'} if share > 0.4 else set()
    if share < 0.6:
        words |= {'lru-like'} if low > 0.8 * (ways + 1) else set()
        words |= {'nru-like'} if low < 0.95 * (ways + 1) else set()
    return words


def right(found, note, policy, ways):
    """Whether what was found is the policy, or does the same, or names its manner."""
    steady = re.sub('-r2-', '-r0-', policy)  # what empty ways are filled with does not show for long
    if found == steady or steady in re.split('[ ,:]+', note or ''):
        return True
    if found.endswith('-like') or found == 'scan-resistant':
        return found in manners(policy, ways)
    return not re.match(r'lru\d+-', found) and same(found, policy, ways)


def verdict(finding, policy, ways):
    """right, wrong, unsure or absent; of a set of none or one there is nothing to choose"""
    if finding['outcome'] != 'measured':
        return 'absent' if ways < 2 else 'wrong' if finding['outcome'] == 'absent' else 'unsure'
    return 'right' if ways > 1 and right(finding['value'], finding.get('note', ''), policy, ways) else 'wrong'
