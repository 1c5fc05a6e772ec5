#!/usr/bin/env python3
"""Writes random TLBs as a machine file: random_tlb.py SEED > FILE

One to three TLBs of any geometry: 8 to 160 entries in the nearest, at least four times as many in each further one up to
4096, any number of ways, LRU or other replacement, with pages of 4 to 64 KiB, huge ones, neighbours that share entries,
frames in order or not, a hypervisor, tables in a cache that may be too small for them, upper tables in one of their own,
and small caches around them. What cannot be told apart because it cannot be seen is left out: a penalty is at least 2
cycles and a third of a load, and at least half of the one before; tables leave a cache beyond the last TLB.
"""
import random
import sys

from random_memory import CORE, KIB, MIB, amount

BEYOND = 1.5
POLICIES = ['lru'] * 5 + ['random', 'random', 'fifo', 'tree-plru', 'nru']


def tlb(rng, name, entries, penalty, coalescing):
    ways = [w for w in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16) if entries % w == 0 and entries // w > 1]
    kind = rng.choice(['full', 'sets', 'sets']) if entries <= 160 else 'sets'
    policy = rng.choice(POLICIES)
    chosen = 'full' if kind == 'full' or not ways else rng.choice(ways)
    if policy == 'tree-plru' and (chosen == 'full' or chosen & (chosen - 1)):
        policy = 'lru'
    text = '[tlb %s]\nentries = %d\nways = %s\npenalty = %d cycles\npolicy = %s\n' % (name, entries, chosen, penalty, policy)
    return text + ('coalescing = %d\n' % coalescing if coalescing > 1 else '')


def entries_of(rng, low, high):
    """A number of sets that is a power of two, sometimes three or five times one, by some ways."""
    while True:
        entries = rng.choice([1, 1, 1, 3, 5]) * 2 ** rng.randint(0, 10) * rng.choice([1, 2, 3, 4, 5, 6, 8, 9, 12])
        if low <= entries <= high:
            return entries


def hierarchy(rng):
    """(sections, entries of the last TLB)"""
    texts = []
    count = rng.choice([1, 2, 2, 2, 3])
    coalescing = rng.choice([1, 1, 1, 1, 2, 4])
    low, high, penalty = 8, 160, rng.randint(2, 15)
    for i in range(count):
        entries = entries_of(rng, low, high)
        last = penalty if i + 1 < count else max(penalty, rng.randint(15, 60))
        texts.append(tlb(rng, 'l%dd' % (i + 1), entries, last, coalescing))
        low, high, penalty = 4 * entries, min(4096, 4 * entries * 8), rng.randint(penalty, 30)
        if low > 2048:
            break
    return texts, entries


def walk_cache(rng, page, entries):
    """A few upper tables, each of 512 pages, that know more pages than the last TLB."""
    covers = [n for n in (2, 4, 8, 16, 32) if n * 512 > BEYOND * entries]
    return '[tlb upper]\nentries = %d\nways = full\npenalty = %d cycles\ncovers = %s\n' % (
        rng.choice(covers), rng.randint(4, 30), amount(512 * page))


def main():
    seed = int(sys.argv[1])
    rng = random.Random('tlb %d' % seed)
    page = rng.choice([4, 4, 4, 8, 16, 64]) * KIB
    huge = rng.choice([0, 2, 2]) * MIB
    host = 4 * KIB if rng.random() < 0.15 else None
    latency = rng.randint(2, 5)
    tlbs, entries = hierarchy(rng)
    nearest = rng.choice([16, 32, 64]) * KIB
    tables = rng.choice(['none', 'none', 'l2', 'l1d'])
    print('; random TLBs, seed %d' % seed)
    print('[machine]\nname = random TLBs %d\nfrequency = %d MHz\n' % (seed, rng.randint(200, 5000)))
    print(CORE % latency)
    print('[pages]\nsize = %s\nhuge = %s\nframes = %s' % (amount(page), amount(huge) if huge else 'none',
                                                        rng.choice(['contiguous', 'random'])))
    print('host = %s' % (amount(host) if host else 'none'))
    print('tables = %s\n' % ('l2' if tables == 'l1d' and nearest / 8 < BEYOND * entries else tables))
    print('[cache l1d]\nsize = %d KiB\nways = %d\nlatency = %d cycles\n' % (nearest / KIB, rng.choice([2, 4, 8]), latency))
    print('[cache l2]\nsize = 1 MiB\nways = 8\nlatency = %d cycles\n' % rng.randint(10, 20))
    print('[memory]\nlatency = %d cycles\nsize = 1 GiB\n' % rng.randint(100, 300))
    for text in tlbs:
        print(text)
    if rng.random() < 0.2:
        print(walk_cache(rng, min(page, host or page), entries))


if __name__ == '__main__':
    main()
