#!/usr/bin/env python3
"""Writes a core with ports as a machine file: random_ports.py SEED > FILE

3 to 10 ports, each operation on any of them, some on two kinds at once, some for several cycles, some as another one;
2 to 8 micro-ops a cycle. Adds of integers take one cycle, so that the cycle can be found.
"""
import random
import sys

OPS = ['fma.f64', 'add.f64', 'mul.f64', 'div.f64', 'fma.f64x8', 'add.f64x8', 'mul.f64x8', 'add.i64x8', 'load.*',
       'store.*', 'add,sub.i32,i64', 'and,or,xor.i32,i64', 'shift.i32,i64', 'mul.i32,i64']

LATENCIES = {'add,sub.i32,i64': 1, 'and,or,xor.i32,i64': 1, 'shift.i32,i64': 1, 'mul.i32,i64': 3, 'add.f64': 3,
             'mul.f64': 5, 'div.f64': 15}


def main():
    seed = int(sys.argv[1])
    rng = random.Random(seed)
    ports = ['p%d' % i for i in range(rng.randint(3, 10))]

    def part(among, most, long=False):
        text = ' '.join(rng.sample(among, rng.randint(1, min(most, len(among)))))
        return text + (' for %d' % rng.randint(2, 6) if long and rng.random() < 0.3 else '')

    print('; random ports, seed %d' % seed)
    print('[machine]\nname = random ports %d\nfrequency = %d MHz\n' % (seed, rng.randint(1000, 5000)))
    print('[core]\nwidth = %d\nwindow = %d' % (rng.randint(2, 8), rng.randint(200, 600)))
    print('registers.int = %d\nregisters.float = 32\nregisters.vector = 32' % rng.choice([14, 16, 28]))
    text = None
    for op in OPS:
        latency = LATENCIES.get(op) or rng.randint(3, 5)
        long = op not in LATENCIES or op == 'div.f64'
        if text is None or long or ' for ' in text or rng.random() > 0.3:
            text = part(ports, 5, long)
            others = [port for port in ports if port not in text.split()]
            text += ' + ' + part(others, 2, long) if others and rng.random() < 0.15 else ''
        print('\n[op %s]\nlatency = %d\nports = %s' % (op, latency, text))


if __name__ == '__main__':
    main()
