"""What a machine file says of traffic, for truth.py: bandwidth, loads under way, stores past the caches.

A stream takes as long as what has most to do: the core with its loads and stores, every way up that its bytes take, or
latency over misses under way. A line that is written comes up and goes back. Of stretches in order 4 KiB stand for all.
"""
import math
import re

BLOCK, PIECE = 4096, 64
RATES = {'b/s': 1, 'mb/s': 1e6, 'gb/s': 1e9}
WIDTHS = {16: 'i64x2', 32: 'i64x4', 64: 'i64x8'}
BANDWIDTH_OFF, STREAMING_LOW, STREAMING_HIGH, CLEARLY, MOST_CHASES = 0.05, 0.6, 1.6, 0.93, 96
NAME = re.compile(r'(?:cache\.(?:l1d|l([2-9]))|(memory))\.(bandwidth(?:\.(write|copy|all))?|parallelism|streaming)$')


class Traffic:
    def __init__(self, memory, machine, cpus):
        """memory: memory_truth.Memory; machine: truth.Machine, for its operations"""
        self.memory, self.machine, self.cpus = memory, machine, cpus
        self.depth = len(memory.levels)
        most = math.inf
        self.each, self.under, self.latency, self.unit = [], [], [], []
        for i in range(self.depth):
            rate = float(memory.key(i, 'bandwidth', '0'))
            self.each.append(1 / rate if rate else 0)
            self.under.append(most)
            most = min(most, float(memory.key(i, 'misses', '10' if i == 0 else 'inf')))
            self.latency.append(memory.cycles(memory.levels[i]['latency']))
            unit = memory.line(i) if 'sector' not in memory.levels[i] else self.size('sector', i)
            self.unit.append(max(unit, self.unit[-1] if self.unit else 0))
        self.each.append(self.cycles_a_byte(memory.memory.get('bandwidth', 'none')))
        self.under.append(min(most, float(memory.memory.get('misses', 'inf').split(' ;')[0])))
        if 'latency' in memory.memory:
            self.latency.append(memory.cycles(memory.memory['latency']))
        self.ahead = self.depth
        if float(memory.prefetch.get('stream', '0').split(' ;')[0]) or memory.prefetch.get('next-line', 'no') == 'yes':
            into = memory.prefetch.get('into', '')
            self.ahead = memory.names.index(into) if into in memory.names else min(1, self.depth - 1)

    def cycles_a_byte(self, rate):
        """Of a rate as files have it; 0: there is no limit."""
        match = re.match(r'([-+0-9.e]+)\s*(\S*)', rate.split(' ;')[0])
        return self.memory.frequency / float(match.group(1)) / RATES.get(match.group(2).lower(), 1) if match else 0

    def remote(self, further, rate):
        """bytes/s that one CPU reads from memory that is so many cycles further away, behind a way of that rate."""
        near = self.latency[-1], self.each[-1]
        self.latency[-1] += further
        self.each[-1] = max(self.each[-1], self.cycles_a_byte(rate))
        cycles = self.stream(self.depth, 1, 0)
        self.latency[-1], self.each[-1] = near
        return PIECE / cycles * self.memory.frequency

    def size(self, key, level):
        value, unit = re.match(r'(\d+)\s*(\w*)', self.memory.key(level, key, '')).groups()
        return int(value) * {'': 1, 'kib': 1024}.get(unit, 1)

    def core(self, load, store):
        """Cycles of a piece; by the quickest width."""
        best = math.inf
        for width, kind in WIDTHS.items():
            cycles = []
            for name in [name for name, wanted in (('load', load), ('store', store)) if wanted]:
                one = self.machine.interval(name, kind)
                if one is None and width == 16:
                    word = self.machine.interval(name, 'i64')
                    one = None if word is None else 2 * word
                cycles.append(math.inf if one is None else one * PIECE / width)
            best = min(best, max(cycles))
        return best

    def stream(self, depth, load, store, past=False):
        """Cycles of a piece from the level, each of its loads and stores a stretch of its own."""
        waits, ways = 0, [0] * (self.depth + 1)
        for times in [1] * load + [2] * store:
            if times == 2 and past:
                ways[self.depth] += BLOCK * self.each[self.depth]
                continue
            step = min(PIECE, self.unit[0])
            ways[0] += BLOCK * self.each[0]
            for at in range(0, BLOCK, int(step)):
                source = 0
                while source < depth and at % self.unit[source] == 0:
                    source += 1
                if source:
                    waited = min(source, self.ahead)
                    waits += self.latency[waited] / self.under[waited]
                for i in range(1, source + 1):
                    ways[i] += self.unit[i - 1] * self.each[i] * times
        return max([self.core(load, store), waits * PIECE / BLOCK] + [way * PIECE / BLOCK for way in ways])

    def chases(self, depth):
        """Loads under way."""
        loads = [self.machine.interval('load', 'ptr') or 0, self.latency[depth] / self.under[depth]]
        loads += [self.unit[i - 1] * self.each[i] for i in range(1, depth + 1)]
        return self.latency[depth] / max(max(loads), self.latency[depth] / 1e6)

    def streaming(self):
        """Range of sizes from which stores past the caches win, or None."""
        wins = [self.stream(i, 1, 1, True) < CLEARLY * self.stream(i, 1, 1) for i in range(self.depth + 1)]
        if not wins[-1]:
            return None
        first = max([i + 1 for i in range(self.depth + 1) if not wins[i]], default=0)
        if not first:
            # From the smallest copies on, which are a quarter of the first level.
            return 0, self.memory.reach(0)
        reach = self.memory.reach(first - 1) / 2
        return reach * STREAMING_LOW, reach * STREAMING_HIGH

    def truth(self, name):
        level, memory, what, kind = NAME.match(name).groups()
        depth = self.depth if memory else int(level or 1) - 1
        if depth > (self.depth if memory else self.depth - 1) or not self.depth:
            return None, 0
        if what == 'streaming':
            bounds = self.streaming()
            if bounds is None:
                return None, 0
            return sum(bounds) / 2, (bounds[1] - bounds[0]) / (sum(bounds) or 1)
        if what == 'parallelism':
            expected = self.chases(depth)
            limited = self.latency[depth] / self.under[depth]
            exact = abs(expected * limited / self.latency[depth] - 1) < 1e-9 and expected <= MOST_CHASES
            return (round(expected), 0) if exact else (expected, 0.05)
        cycles = self.stream(depth, kind != 'write', kind in ('write', 'copy'))
        rate = PIECE * (2 if kind == 'copy' else 1) / cycles * self.memory.frequency
        if kind == 'all':
            together = rate * self.cpus
            most = self.memory.frequency / self.each[depth] if memory and self.each[depth] else math.inf
            return min(together, most), 2 * BANDWIDTH_OFF
        return rate, BANDWIDTH_OFF
