#!/usr/bin/env python3
"""Writes a random core as a machine file: random_core.py SEED > FILE

Anything goes that a core could be: latencies of one to forty cycles, whole or not, intervals from 0.17 to 40 cycles,
shorter than a latency or longer, 4 to 128 registers, any width, in order or not, clocks of any grain. Adds take one
cycle, now and then half a one or two, so that the cycle can be found at all; with half a one the others take whole
cycles.
"""
import math
import random
import sys

SCALARS = ['i32', 'i64', 'f32', 'f64']
VECTORS = [['i32x4', 'i64x2', 'f32x4', 'f64x2'], ['i32x8', 'i64x4', 'f32x8', 'f64x4'],
           ['i32x16', 'i64x8', 'f32x16', 'f64x8']]
FLOAT_ONLY = {'sqrt', 'fma'}
INT_ONLY = {'and', 'or', 'xor', 'shift'}


def interval(rng, latency):
    """Mostly pipelined or several units, sometimes a unit that is busy for the whole operation, or for longer."""
    kind = rng.random()
    if kind < 0.15:
        return latency
    if kind < 0.18:
        return rng.randint(math.ceil(min(latency, 40)), 40)
    low, high = math.log(0.17), math.log(min(40, latency))
    return round(math.exp(rng.uniform(low, max(low, high))), 2)


def latency(rng, op, kind, add):
    if op in ('add', 'sub', 'and', 'or', 'xor') and kind in ('i32', 'i64'):
        return add
    low, high = {'div': (5, 40), 'sqrt': (5, 40), 'store': (2, 12), 'load': (1, 8)}.get(op, (1, 12))
    whole = rng.randint(low, 40 if rng.random() < 0.1 else high)
    fractions = 0 if add < 1 else 0.3 if op in ('div', 'sqrt') else 0.02
    return whole + rng.choice([0, 0.5, 0.25, 0.7]) if rng.random() < fractions else whole


def main():
    seed = int(sys.argv[1])
    rng = random.Random(seed)
    width = rng.choice([1, 1.5, 2, 2, 3, 4, 4, 5, 6, 8, 12])
    window = rng.choice(['unlimited', 'unlimited', str(rng.randint(20, 600)), 'in-order'])
    add = rng.choice([1] * 8 + [0.5 if width >= 2 else 1, 2])
    add_interval = max(add / rng.randint(1, 6), 0.17) if add >= 1 else add
    types = SCALARS + [t for group in VECTORS if rng.random() < 0.3 for t in group]
    has_fma = rng.random() < 0.5

    print('; random core, seed %d' % seed)
    print('[machine]\nname = random core %d\nfrequency = %d MHz' % (seed, rng.randint(100, 6000)))
    print('timer.quantum = %g ns\ntimer.cost = %d ns\n' % (rng.choice([1, 1, 1, 10, 100]), rng.choice([10, 20, 50, 200])))
    print('[core]\nwidth = %g\nwindow = %s' % (width, window))
    for key in ('int', 'float', 'vector'):
        print('registers.%s = %d' % (key, rng.randint(4, 128)))
    print('spill = %d' % rng.randint(3, 9))
    for op in ('add sub mul div sqrt fma and or xor shift cmp load store').split():
        for kind in types:
            if (op in FLOAT_ONLY and kind[0] == 'i') or (op in INT_ONLY and kind[0] == 'f') or (op == 'fma' and not has_fma):
                continue
            cycles = latency(rng, op, kind, add)
            every = add_interval if cycles == add and op != 'cmp' else interval(rng, cycles)
            print('\n[op %s.%s]\nlatency = %g\ninterval = %g' % (op, kind, cycles, every))


if __name__ == '__main__':
    main()
