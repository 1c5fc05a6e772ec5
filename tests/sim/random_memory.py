#!/usr/bin/env python3
"""Writes a random memory as a machine file: random_memory.py SEED [--frames contiguous|random] [--traffic] > FILE

One to four data levels of any geometry: sizes from 2 KiB to 16 MiB, at least three times from level to level, any number
of sets, lines of 16 to 256 bytes, any replacement, plain or hashed index, exclusive or not, a buffer of victims behind
the first now and then, any way to treat stores, and TLBs, page sizes, hypervisors and prefetchers around them. What
cannot be measured because it cannot be seen is left out:
- latency grows by 40 % or more per level, and memory takes twice the last level's;
- an inclusive level has at least the ways of the one above, or else it throws lines out of a level that is not full;
- an exclusive level has the line of the one above: it takes in what falls out there;
- hashes and trees are of powers of two.
The core is always the same, so that its own questions cost nothing here.
"""
import random
import sys

KIB, MIB = 2**10, 2**20
WAYS = [1, 2, 3, 4, 5, 6, 8, 8, 10, 11, 12, 16, 16, 20, 24, 32]
LINES = [16, 32, 64, 64, 64, 128, 256]
POLICIES = ['lru'] * 6 + ['tree-plru'] * 4 + ['fifo', 'fifo', 'random', 'nru', 'srrip', 'qlru-h00-m1-r2-u1',
                                             'qlru-h00-m1-r0-u1', 'qlru-h11-m1-r0-u0', 'qlru-h11-m1-r1-u2']
OPERATIONS = """[core]
width = %(width)d
window = 200
registers.int = 14
registers.float = 16
%(smt)s
[op add,sub,and,or,xor,shift,cmp.i*]
latency = 1
interval = %(add)s
pool = alu

[op mul.i*]
latency = 3
pool = mul

[op div.i*]
latency = %(div_i)d
interval = %(every_i)g
pool = divide

[op add,sub,mul,cmp.f*]
latency = 4
interval = 0.5
pool = float

[op div,sqrt.f*]
latency = %(div_f)d
interval = %(every_f)g
pool = %(fdivide)s

[op load.*]
latency = %(load)s
interval = 0.5
pool = load

[op store.*]
latency = 5
pool = store
"""
CORE = OPERATIONS % {'width': 4, 'smt': '', 'add': '0.25', 'div_i': 20, 'every_i': 10, 'div_f': 15, 'every_f': 5,
                     'fdivide': 'divide', 'load': '%d'}


def power_of_two(n):
    return n & (n - 1) == 0


def amount(n):
    return '%d MiB' % (n // MIB) if n % MIB == 0 else '%d KiB' % (n // KIB) if n % KIB == 0 else '%d' % n


class Level:
    def __init__(self, rng, above, low, high, page):
        """A level of low to high bytes under `above`; ValueError when the draw has no such level."""
        self.line = rng.choice([line for line in LINES if line <= page and (above is None or line >= above.line)])
        self.ways = rng.choice(WAYS)
        self.inclusion = rng.choice(['none', 'none', 'inclusive', 'exclusive', 'victim']) if above else 'none'
        if self.inclusion in ('exclusive', 'victim'):
            self.line = above.line
        self.index = rng.choice(['mod', 'mod', 'mod', 'hash', 'slices']) if above else 'mod'
        odd = 1 if self.index == 'hash' else rng.choice([1] * 8 + [3, 3, 5, 7])
        if self.index == 'slices':
            slices = odd * rng.choice([1, 2, 4]) if odd > 1 else rng.choice([2, 4, 8])
            self.index = 'hash:%d' % slices
            odd = slices
        target = low * (high / low) ** rng.random()
        sets = odd
        while 2 * sets * self.ways * self.line <= target:
            sets *= 2
        self.size = sets * self.ways * self.line
        if not low <= self.size <= high:
            raise ValueError('size')
        self.full = above is None and self.size // self.line <= 512 and rng.random() < 0.1
        if self.full:
            self.ways = self.size // self.line
        if self.inclusion == 'inclusive' and self.ways < above.ways:
            raise ValueError('inclusive')
        self.policy = rng.choice(POLICIES)
        if self.policy == 'tree-plru' and not power_of_two(self.ways):
            self.policy = 'lru'
        coarse = max(above.line if above else 16, 16) < self.line and self.inclusion in ('none', 'inclusive')
        self.sector = self.line // 2 if coarse and rng.random() < 0.3 else self.line
        self.latency = rng.randint(1, 5) if above is None else 0

    def show(self, name, traffic):
        print('[cache %s]\nsize = %s\nways = %s\nline = %d' % (name, amount(self.size), 'full' if self.full else self.ways,
                                                              self.line))
        if traffic:
            print('misses = %d\nbandwidth = %.3g' % (traffic.randint(4, 48), traffic.choice([8, 16, 24, 32, 64]) * traffic.uniform(0.5, 1)))
        if self.sector != self.line:
            print('sector = %d' % self.sector)
        print('latency = %d cycles\npolicy = %s' % (self.latency, self.policy))
        if name != 'l1d':
            print('index = %s\ninclusion = %s' % (self.index, self.inclusion))
        print(self.stores + '\n')

    def treat_stores(self, rng, first):
        """What stores do, and what becomes of lines that are lost: draws of their own, so that old seeds stay."""
        self.stores = 'write = %s\nallocate = %s' % (rng.choice(['back', 'back', 'through']), rng.choice(['yes', 'yes', 'no']))
        if first and not self.full and self.sector == self.line and rng.random() < 0.15:
            self.stores += '\nvictim = %d' % rng.choice([2, 4, 8, 16])


def levels(rng, page):
    """Draws until all of it fits together."""
    count = rng.choice([1, 2, 2, 3, 3, 3, 4])
    while True:
        chain = []
        try:
            for i in range(count):
                above = chain[-1] if chain else None
                low = 3 * above.size if above else 2 * KIB
                high = 16 * MIB // 3 ** (count - 1 - i)
                chain.append(Level(rng, above, low, high if above else min(high, 256 * KIB), page))
                if above:
                    chain[-1].latency = -int(-above.latency * rng.uniform(1.4, 5) // 1)
            if chain[-1].latency <= 200:
                return chain
        except (ValueError, IndexError):
            pass


def tlb(name, entries, ways, penalty, pages=None):
    print('[tlb %s]\nentries = %d\nways = %s\npenalty = %d cycles' % (name, entries, ways, penalty))
    print('pages = %s\n' % pages if pages else '')


def tlbs(rng, page, huge):
    two = rng.random() < 0.6
    penalty = rng.randint(15, 60)
    first = rng.randint(3, 14) if two else penalty
    entries = rng.choice([12, 17, 24, 31, 32, 40, 48, 63, 64, 72, 96, 100])
    ways = rng.choice(['full', 'full', entries // 4 if entries % 4 == 0 else 'full', 4 if entries % 4 == 0 else 'full'])
    if huge and rng.random() < 0.3:
        tlb('l1d', entries, ways, first, amount(page))
        tlb('l1d-huge', rng.choice([8, 16, 32]), 'full', first, amount(huge))
    else:
        tlb('l1d', entries, ways, first)
    if two:
        ways = rng.choice([2, 4, 5, 8, 12])
        tlb('l2d', ways * rng.choice([32, 48, 64, 96, 128, 192]), ways, penalty)


def main():
    seed = int(sys.argv[1])
    rng = random.Random('memory %d' % seed)
    frames = rng.choice(['contiguous', 'random'])
    if '--frames' in sys.argv:
        frames = sys.argv[sys.argv.index('--frames') + 1]
    page = rng.choice([4, 4, 4, 8, 16, 64]) * KIB
    huge = rng.choice([0, 2, 2, 4, 16]) * MIB
    chain = levels(rng, page)
    stores = random.Random('stores %d' % seed)
    for level in chain:
        level.treat_stores(stores, level is chain[0])
    # Numbers of its own, so that a seed's memory is the same with and without.
    traffic = random.Random('traffic %d' % seed) if '--traffic' in sys.argv else None
    names = ['l1d'] + ['l%d' % i for i in range(2, len(chain) + 1)]

    print('; random memory, seed %d' % seed)
    print('[machine]\nname = random memory %d\nfrequency = %d MHz\n' % (seed, rng.randint(200, 5000)))
    print(CORE % chain[0].latency)
    print('[pages]\nsize = %s\nhuge = %s' % (amount(page), amount(huge) if huge else 'none'))
    colours = rng.choice([4, 16, 64])
    coloured, host = rng.random() < 0.2, rng.random() < 0.2
    if frames == 'contiguous':
        print('frames = contiguous')
    else:
        # A hypervisor scatters what it has below the guest: contiguous frames do not go with it.
        print('frames = coloured\ncolours = %d' % colours if coloured else 'frames = random')
        print('host = 4 KiB' if host else 'host = none')
    print('tables = %s\n' % (rng.choice(names) if rng.random() < 0.3 else 'none'))
    for name, level in zip(names, chain):
        level.show(name, traffic)
    last = chain[-1].latency
    print('[memory]\nlatency = %d cycles\nsize = 256 MiB' % rng.randint(max(60, 2 * last), max(60, 2 * last, 400)))
    print('bandwidth = %.3g GB/s\nmisses = %d\n' % (traffic.uniform(0.5, 50), traffic.randint(4, 48)) if traffic else '')
    tlbs(rng, page, huge)
    if len(chain) > 1 and rng.random() < 0.4:
        print('[prefetch]')
        kind = rng.choice(['next-line', 'adjacent', 'adjacent', 'stream', 'stream', 'stride', 'temporal'])
        print('%s = %s' % (kind, rng.choice([1, 2, 4, 8]) if kind == 'stream' else 'yes'))
        print('into = %s' % rng.choice(names[1:]))


if __name__ == '__main__':
    main()
