#!/usr/bin/env python3
"""Writes a random instruction side as a machine file: random_code.py SEED > FILE

One to three levels of code of any geometry: 4 to 128 KiB in the first, which data may share, at least four times as much
in each further one, any number of ways, lines of 16 to 128 bytes, any replacement; one or two TLBs, for code alone or for
both sides; branch target buffers, micro-op and trace caches, fetchers that run ahead, and pages on any frames. What
cannot be told apart because it cannot be seen is left out:
- a level takes at least six cycles and 40 % longer than the one above, and memory twice as long as the last;
- an inclusive level has room for everything above it in any set, an exclusive one has the lines of those above;
- a TLB reaches over twice the first level, and its penalty is at least 4 cycles;
- what is decoded, at its densest, is at most half of the first level.
"""
import math
import random
import sys

from random_memory import CORE, KIB, amount, power_of_two

WAYS = [1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16]
POLICIES = ['lru'] * 6 + ['tree-plru'] * 3 + ['random', 'fifo', 'nru', 'srrip']
ISAS = [(1, 3, 9), (1, 3, 9), (1, 2, 7), (4, 4, 12), (4, 4, 16), (2, 2, 8)]  # bytes of nop, add, jump


class Level:
    def __init__(self, rng, name, low, high, lines):
        """A level of low to high bytes; ValueError when the draw has none."""
        self.name, self.holds, self.inclusion = name, None, 'none'
        self.line, self.ways, self.policy = rng.choice(lines), rng.choice(WAYS), rng.choice(POLICIES)
        target = low * (high / low) ** rng.random()
        sets = rng.choice([1] * 8 + [3])
        while 2 * sets * self.ways * self.line <= target:
            sets *= 2
        self.size = sets * self.ways * self.line
        if not low <= self.size <= high:
            raise ValueError('size')
        self.full = self.size // self.line <= 512 and rng.random() < 0.08
        if self.full:
            self.ways = self.size // self.line
        if self.policy == 'tree-plru' and not power_of_two(self.ways):
            self.policy = 'lru'
        self.latency = 0

    def show(self):
        print('[cache %s]\nsize = %s\nways = %s\nline = %d\nlatency = %d cycles\npolicy = %s\ninclusion = %s' % (
            self.name, amount(self.size), 'full' if self.full else self.ways, self.line, self.latency, self.policy,
            self.inclusion))
        print('holds = %s\n' % self.holds if self.holds else '')


def further(rng, name, above):
    """A level that both sides share, below those of `above`."""
    need = max(level.size for level in above)
    level = Level(rng, name, 4 * need, 32 * need, [line for line in (32, 64, 128, 256)
                                                   if line >= max(each.line for each in above)])
    level.inclusion = rng.choice(['none', 'none', 'inclusive', 'exclusive'])
    if level.inclusion == 'exclusive' and any(each.line != level.line for each in above):
        level.inclusion = 'none'
    if level.inclusion == 'inclusive' and level.ways < sum(each.ways for each in above):
        level.inclusion = 'none'
    return level


def levels(rng):
    """The nearest levels, data's first, and those below."""
    count = rng.choice([1, 2, 2, 2, 3, 3])
    while True:
        try:
            code = Level(rng, 'l1i', 4 * KIB, 128 * KIB, [16, 32, 64, 64, 64, 128])
            near = [Level(rng, 'l1d', 4 * KIB, 64 * KIB, [32, 64]), code]
            if rng.random() < 0.12:
                code.name, code.holds, near = 'l1', 'both', [code]
            for level in near:
                level.latency = near[0].latency or rng.randint(2, 5)
            far = []
            for i in range(1, count):
                above = far[-1:] or near
                far.append(further(rng, 'l%d' % (i + 1), above))
                far[-1].latency = max(above[0].latency + 6, math.ceil(above[0].latency * rng.uniform(1.4, 4)))
            return near, far
        except (ValueError, IndexError):
            pass


def tlb(rng, name, low, high, penalty, holds):
    entries = 0
    while not low <= entries <= high:
        entries = rng.choice([1, 1, 1, 3, 5]) * 2 ** rng.randint(0, 9) * rng.choice([1, 2, 3, 4, 5, 6, 8, 12])
    ways = [w for w in (1, 2, 3, 4, 5, 6, 8, 12) if entries % w == 0 and entries // w > 1]
    chosen = 'full' if not ways or (entries <= 160 and rng.random() < 0.4) else rng.choice(ways)
    print('[tlb %s]\nentries = %d\nways = %s\npenalty = %d cycles\npolicy = %s\nholds = %s\n' % (
        name, entries, chosen, penalty, rng.choice(['lru', 'lru', 'lru', 'random', 'fifo']), holds))
    return entries


def tlbs(rng, page, first):
    low = max(8, math.ceil(2 * first.size / page))
    penalty = rng.randint(4, 15)
    if rng.random() < 0.15:
        tlb(rng, 'l1', low, max(160, 2 * low), 2 * penalty, 'both')
        return
    tlb(rng, 'l1d', 16, 96, penalty, 'data')
    entries = tlb(rng, 'l1i', low, max(160, 2 * low), penalty, 'code')
    if rng.random() < 0.6:
        both = rng.random() < 0.6
        tlb(rng, 'l2' if both else 'l2i', 4 * entries, 32 * entries, max(penalty, rng.randint(15, 40)),
            'both' if both else 'code')


def uops(rng, first, isa):
    """A micro-op cache that holds at most half of what the first level does, at its densest."""
    each, window = rng.choice([6, 8]), rng.choice([32, 32, 64, 'none'])
    dense = max(1, (first.line - isa[2]) // isa[0] + 3)
    most = first.size // first.line * math.ceil(dense / each) // 2
    ways = rng.choice([4, 8, 8, 12])
    sets = 2 ** rng.randint(3, 7)
    while sets * ways > most:
        sets //= 2
    if sets < 4:
        return
    print('[uops]\nentries = %d\nways = %d\nwindow = %s\neach = %d' % (sets * ways, ways, window, each))
    if window != 'none' and rng.random() < 0.5:
        print('most = %d' % rng.choice([3, 6]))
    print('policy = %s\npenalty = %d cycles\n' % (rng.choice(['lru', 'lru', 'random']), rng.randint(3, 12)))


def code(rng, isa):
    print('[code]\nnop = %d\nadd = %d\njump = %d\nmispredict = %d cycles' % (isa + (rng.randint(4, 20),)))
    if rng.random() < 0.5:
        ways = rng.choice([2, 4, 4, 8])
        print('branches = %d\nbranch.ways = %s\nbranch.penalty = %d cycles' % (
            ways * 2 ** rng.randint(7, 10), rng.choice([ways, 'full']), rng.randint(2, 8)))
    ahead = rng.choice(['none', 'none', 'next-line', 'straight', 'straight'])
    if ahead != 'none':
        print('%s = yes' % ahead)
    print()


def main():
    seed = int(sys.argv[1])
    rng = random.Random('code %d' % seed)
    page = rng.choice([4, 4, 4, 8, 16, 64]) * KIB
    huge = rng.choice(['none', '2 MiB', '2 MiB'])
    near, far = levels(rng)
    isa = rng.choice(ISAS)
    print('; random instruction side, seed %d' % seed)
    print('[machine]\nname = random code %d\nfrequency = %d MHz\n' % (seed, rng.randint(200, 5000)))
    print(CORE % near[0].latency)
    print('[pages]\nsize = %s\nhuge = %s\nframes = %s' % (amount(page), huge,
                                                        rng.choice(['contiguous', 'contiguous', 'random', 'coloured'])))
    host = rng.random() < 0.1
    print('host = %s' % ('4 KiB' if host else 'none'))
    print('tables = %s\n' % rng.choice(['none', 'none', far[0].name if far else 'none']))
    for level in near + far:
        level.show()
    last = (far or near)[-1].latency
    print('[memory]\nlatency = %d cycles\nsize = 256 MiB\n' % rng.randint(max(60, 2 * last), max(60, 2 * last, 300)))
    tlbs(rng, 4 * KIB if host else page, near[-1])
    code(rng, isa)
    if rng.random() < 0.3:
        uops(rng, near[-1], isa)


if __name__ == '__main__':
    main()
