#!/usr/bin/env python3
"""Writes a machine of several CPUs as a machine file: random_cpus.py SEED [--noise quiet|cloud] > FILE

1 to 256 CPUs, mostly few: cores of 1 to 8 threads, up to three levels of groups around them, of equal sizes or not,
numbered in the order of the row, core by core or in no order; an L2 for a core or a group, perhaps an L3 for more; some
with clocks that differ, memory of their own for each of the largest groups, slices of 1 to 100 ms; a few whose CPUs the
host moves, or with a quota: of those unclear is the right answer. What cannot be seen is left out:
- a line takes at least 1.35 times as long from one level to the next, whatever the clocks of the CPUs;
- clocks differ by less than 16 % or by a quarter, and then numbers are in order: which CPU comes first matters there;
- a line takes 45 cycles or more to the farthest CPU: additions to one line show that they wait for it;
- threads of a core slow down each other's divisions by less than 18 % or more than 32 %;
- memory of another group takes a third longer or more.
"""
import argparse
import math
import random

from random_memory import OPERATIONS

MOST_RUNS = 8  # numbers of a row


def row(numbers):
    """The numbers as a row; None where that takes too many."""
    runs = []
    for number in numbers:
        if runs and runs[-1][0] == number:
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    if len(runs) == 1:
        return '%g' % runs[0][0]
    return ' '.join('%g*%d' % (number, times) for number, times in runs) if len(runs) <= MOST_RUNS else None


def cores(rng):
    """Threads of each core."""
    threads = rng.choice([1] * 9 + [2] * 8 + [3, 4, 4, 8])
    low, high = rng.choice([(1, 2), (2, 4), (2, 4), (3, 8), (3, 8), (5, 16), (5, 16), (9, 32), (17, 64), (65, 256)])
    count = max(1, min(rng.randint(low, high), 256 // threads))
    if threads > 1 and count > 2 and rng.random() < 0.15:
        first = rng.randint(1, count - 1)
        return [threads] * first + [1] * (count - first)
    return [threads] * count


def gather(rng, units):
    """Groups of units, as their sizes in CPUs; None when the draw has none."""
    if len(units) < 3:
        return None
    if rng.random() < 0.7:
        sizes = [size for size in (2, 3, 4, 6, 8, 16, 32) if len(units) % size == 0 and len(units) > size]
        chunks = [rng.choice(sizes)] * len(units) if sizes else []
    else:
        pattern = [rng.randint(1, max(2, len(units) // 2)) for _ in range(rng.randint(2, 4))]
        chunks = [size for size in pattern for _ in range(rng.randint(1, 2))] * len(units)
    groups, at = [], 0
    for size in chunks:
        if at < len(units):
            groups.append(sum(units[at:at + size]))
            at += size
    return groups if 1 < len(groups) < len(units) and row(groups) else None


def groups(rng, threads):
    """The sizes of up to three levels of groups, smallest first."""
    levels, units = [], threads
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
        found = gather(rng, units)
        if found:
            levels.append(found)
            units = found
    return levels


def clocks(rng, threads):
    """The speed of each CPU."""
    if len(threads) < 2 or rng.random() > 0.15:
        return [1] * sum(threads)
    # Where cores have different numbers of threads, those with one are the slow ones.
    first = threads.index(1) if 1 in threads and threads[0] > 1 else rng.randint(1, len(threads) - 1)
    slow = rng.choice([0.75, 0.8, 0.85, 0.95])
    fast, slow = (slow, 1) if len(set(threads)) == 1 and rng.random() < 0.2 else (1, slow)
    return [fast if core < first else slow for core, size in enumerate(threads) for _ in range(size)]


def division(rng, most):
    """(latency, interval) of divisions that up to so many threads do at once."""
    while True:
        latency = rng.randint(8, 40)
        interval = round(latency * rng.choice([1, 0.9, 0.5, 0.45, 0.3, 0.2, 0.1]), 2)
        times = [max(1, threads * interval / latency) for threads in range(1, most + 1)]
        if not any(1.15 < each < 1.32 for each in times) and most < latency:
            return latency, interval


def cache(name, kib, ways, latency, line, shared):
    print('[cache %s]\nsize = %d KiB\nways = %d\nline = %d\nlatency = %d cycles' % (name, kib, ways, line, latency))
    print('shared = %s\n' % shared if shared else '')


def caches(rng, threads, levels):
    line, rows = rng.choice([64, 64, 64, 128]), [row(level) for level in levels]
    l1 = rng.choice([32, 32, 48, 64])
    cache('l1d', l1, 12 if l1 == 48 else 8, 4, rng.choice([line, 64]), None)
    cache('l2', rng.choice([256, 512, 1024]), 8, 14, line, rows[0] if rows and rng.random() < 0.4 else None)
    if rng.random() < 0.6:
        shared = rng.choice([rows[-1] if rows else None, '%d' % sum(threads), '%d' % sum(threads)])
        kib, ways = rng.choice([(4096, 16), (8192, 16), (12288, 12), (12288, 16)])
        cache('l3', kib, ways, 44, line, shared)


def lines(rng, groups, stretch):
    """ns that a line takes within a core, within each of the levels of groups, and between any two."""
    apart = [rng.randint(5, 20)]
    for _ in range(groups + 1):
        apart.append(math.ceil(apart[-1] * stretch * rng.uniform(1.36, 3)))
    return apart


def cpus(rng, threads, levels, speeds, odd, mhz):
    slow = 0.5 + 0.5 / min(speeds)
    apart = lines(rng, len(levels), slow)
    apart[-1] = max(apart[-1], math.ceil(45 * 1000 / mhz))
    numbers = rng.choice(['threads', 'cores', 'cores', 'mixed'])
    print('[cpus]\ncount = %d\nnumbers = %s' % (sum(threads), numbers))
    if slow > 1:
        print('speed = %s' % row(speeds))
    print('latency = %d ns\ncore.latency = %d ns\nhomes = %.2f' % (apart[-1], apart[0], rng.uniform(0, 0.08)))
    print('slice = %.1f ms' % math.exp(rng.uniform(0, math.log(100))))
    if odd == 'migration':
        print('migration = %d ms' % rng.choice([20, 100, 400]))
    elif odd == 'quota':
        print('quota = %.2f' % (sum(threads) * rng.uniform(0.2, 0.7)))
    remote = rng.random() < 0.35
    for i, level in enumerate(levels):
        print('\n[group level%d]\ncpus = %s\nlatency = %d ns' % (i + 1, row(level), apart[i + 1]))
        if remote and i == len(levels) - 1:
            print('remote = %d ns' % rng.randint(40, 120))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('seed', type=int)
    parser.add_argument('--noise', choices=['quiet', 'cloud'])
    arguments = parser.parse_args()
    rng = random.Random('cpus %d' % arguments.seed)
    threads = cores(rng)
    levels = groups(rng, threads)
    speeds = clocks(rng, threads)
    odd = rng.choice(['none'] * 23 + ['migration', 'quota'])
    noise = rng.choice(['quiet', 'quiet', 'quiet', 'cloud', 'cloud'])
    (div_i, every_i), (div_f, every_f) = (division(rng, max(threads)) for _ in range(2))
    print('; random CPUs, seed %d' % arguments.seed)
    mhz = rng.randint(800, 5000)
    print('[machine]\nname = random CPUs %d\nfrequency = %d MHz\n' % (arguments.seed, mhz))
    print(OPERATIONS % {'width': rng.choice([3, 4, 4, 6]), 'smt': 'smt = %s\n' % row(threads),
                        'add': '1/%d' % rng.choice([2, 3, 4]), 'div_i': div_i, 'every_i': every_i, 'div_f': div_f,
                        'every_f': every_f, 'fdivide': 'fdivide', 'load': '4'})
    print('[pages]\nhuge = 2 MiB\n')
    caches(rng, threads, levels)
    print('[memory]\nlatency = %d ns\nsize = 256 MiB\n' % rng.randint(70, 110))
    print('[tlb l1d]\nentries = 64\nways = full\npenalty = 8 cycles\n')
    if rng.random() < 0.3:
        print('[prefetch]\nadjacent = yes\n')
    cpus(rng, threads, levels, speeds, odd, mhz)
    print('\n[noise]\npreset = %s' % (arguments.noise or noise))


if __name__ == '__main__':
    main()
