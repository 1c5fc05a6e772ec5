#!/usr/bin/env python3
"""Compares findings (xray --json on stdin or in files) with the machine file they were measured on.

    truth.py MACHINE.ini FINDINGS.json... [--unsure] [--exact] [--cloud] [--intervals]

prints every wrong finding, then 'right wrong unsure absent'; exit 1 if any is wrong.

The file is read here once more, independently of the program under test. A finding is wrong when it says measured and
its value is off: frequency by more than 1 %, latency and interval by more than 2 %, counts and bools at all; or when it
says absent although the machine has it, or the other way round. Looser than that, on purpose:
- store latency may be 10 % off, and a load's turn more on an in-order core: what the file means there is not clear-cut;
- an in-flight count may be one more when latency / interval is within 0.3 % below it;
- a finding whose confidence is below 0.9 is right when its interval holds the truth
  (with --exact, its value must be right all the same);
- with --intervals, for hostile noise, that is enough for every finding.

Bundles are wrong where one of them takes 5 % more than a cycle.
Of several CPUs see cpus_truth.py; of bandwidth and what goes with it traffic_truth.py.
Of translation everything is exact but penalties, which may be a cycle off.
Of code, see code_truth.py, lines, ways and what is shared are exact; so are entries of TLBs whose ways were found.
Penalties may be a cycle or 10 % off, sizes 3 %, and 10 % what is decoded or lies beyond the first level.
Of the memory, levels, ways and lines are exact. So are sizes where the file makes them sharp (see memory_truth.py);
elsewhere they may be 3 % off, as latencies may. Policies are the file's, do the same (see policy_truth.py), or are named
by their manner. With --cloud sizes and latencies may be 10 % off, and with --intervals
an interval may miss the truth by 3 %.
"""
import fnmatch
import json
import math
import re
import sys

sys.dont_write_bytecode = True  # a test leaves nothing in the tree
import code_truth
import cpus_truth
import memory_truth
import ports_truth
import traffic_truth
import translation_truth

MEMORY = ('cache', 'memory', 'line')
UNITS = {'hz': 1, 'khz': 1e3, 'mhz': 1e6, 'ghz': 1e9}


def number(text):
    text = text.split(';')[0].strip()
    match = re.match(r'([-+0-9.e/]+)\s*(\w*)', text)
    value = match.group(1)
    value = float(value.split('/')[0]) / float(value.split('/')[1]) if '/' in value else float(value)
    return value * UNITS.get(match.group(2).lower(), 1)


class Machine:
    def __init__(self, path, cloud=False, noisy=False):
        self.core, self.machine, self.ops = {}, {}, []
        self.cloud, self.noisy = cloud, noisy or cloud
        section, sections = None, []
        for line in open(path):
            line = line.strip()
            if line.startswith('['):
                name = line[1:line.index(']')].strip()
                section = {}
                if name == 'core':
                    section = self.core
                elif name == 'machine':
                    section = self.machine
                elif name.startswith('op '):
                    op, kind = name[3:].strip().split('.', 1)
                    self.ops.append((op.split(','), kind.split(','), section))
                else:
                    sections.append((name.split()[0], ' '.join(name.split()[1:]), section))
            elif line and line[0] not in ';#' and '=' in line:
                key, value = line.split('=', 1)
                section[key.strip()] = value.strip()
        self.memory = memory_truth.Memory(sections, number(self.machine['frequency']))
        cpus = [keys for kind, _, keys in sections if kind == 'cpus']
        self.traffic = traffic_truth.Traffic(self.memory, self, float(cpus[0].get('count', '1')) if cpus else 1.0)
        self.translation = translation_truth.Translation(sections, self.memory)
        self.code = code_truth.Code(sections, self.memory, self.translation)
        self.cpus = cpus_truth.Cpus(sections, self)

    def op(self, name, kind):
        best, rank = None, None
        for index, (ops, kinds, keys) in enumerate(self.ops):
            for op in ops:
                for k in kinds:
                    if fnmatch.fnmatchcase(name, op) and fnmatch.fnmatchcase(kind, k):
                        here = (-(op.count('*') + k.count('*')), index)
                        if rank is None or here > rank:
                            best, rank = keys, here
        if best is None and kind == 'ptr':
            return self.op(name, 'i64')
        return None if best is None or best.get('present') == 'no' else best

    def width(self):
        return number(self.core.get('width', '4'))

    def latency(self, name, kind):
        small = name == 'div_small'
        keys = self.op('div' if small else name, kind)
        if keys is None:
            return None
        latency = keys.get('latency.small', keys['latency']) if small else keys['latency']
        # A chain cannot go faster than its unit takes new work; square roots and stores are chained through an add.
        between = self.latency('add', kind) if name in ('sqrt', 'store') else 0
        if between is None:
            return None  # nothing to chain it with
        loads = max(self.interval('load', kind), 3 / self.width()) - between if name == 'store' else 0
        return max(number(latency), self.interval(name, kind) - between, loads)

    def parts(self, name, kind):
        """of ports; without any, units of its own or of its pool, whose other operations do not matter alone"""
        keys = self.op(name, kind)
        if 'ports' in keys:
            return ports_truth.parse(keys['ports'])
        return [(frozenset([keys.get('pool', name + '.' + kind)]), number(keys.get('interval', '1')))]

    def interval(self, name, kind):
        small = name == 'div_small'
        keys = self.op('div' if small else name, kind)
        if keys is None:
            return None
        if 'ports' in keys:
            return ports_truth.cycles([(1, ports_truth.parse(keys['ports']))], self.width())
        text = keys.get('interval.small', keys.get('interval', '1')) if small else keys.get('interval', '1')
        return max(number(text), 1 / self.width())

    def registers(self, kind):
        vector = 'x' in kind
        keys = ['registers.' + kind]
        if vector:
            keys += ['registers.vector', 'registers.float']
        else:
            keys += ['registers.int' if kind[0] == 'i' else 'registers.float']
        for key in keys:
            if key in self.core:
                return number(self.core[key])
        return math.inf

    def truth(self, name, findings):
        """(expected value or None for absent, relative tolerance); findings: everything that was found with it"""
        part = name.split('.')
        if name == 'cpu.frequency':
            return number(self.machine['frequency']), 0.01
        if part[:2] == ['cpu', 'fma']:
            if self.op('mul', part[2]) is None:
                return None, 0
            return float(self.op('fma', part[2]) is not None), 0
        if part[:2] == ['cpu', 'registers']:
            return (self.registers(part[2]) if self.op('add', part[2]) is not None else None), 0
        if part[0] == 'op':
            latency, interval = self.latency(part[1], part[2]), self.interval(part[1], part[2])
            if (interval if part[3] == 'interval' else latency) is None:
                return None, 0
            # As many are under way as the window holds.
            if latency and self.core.get('window', 'unlimited') not in ('unlimited', 'in-order'):
                # A store leaves it when it has its data, not when a load could have it back.
                held = min(latency, 1) if part[1] == 'store' else latency
                interval = max(interval, held / number(self.core['window']))
            if part[3] == 'inflight':
                # One chain more that takes 0.3 % longer is not told from one that takes no longer: either will do.
                flight = max(1, math.floor(latency / interval + 1e-9))
                more = math.floor(1.003 * latency / interval)
                return (flight + 0.5, 0.51 / (flight + 0.5)) if more > flight else (flight, 0)
            if part[1] == 'store' and part[3] == 'latency':
                # The load also waits for its turn and its unit, and finds the data there when it comes late.
                turn = 1.5 / self.width() if self.core.get('window') == 'in-order' else 0
                return latency + turn, 0.1 + turn / latency
            return (latency if part[3] == 'latency' else interval), 0.02
        if part[-1] in ('unified', 'code') or part[1] == 'uop' or part[0] in ('cache', 'tlb') and part[1][-1:] == 'i':
            return self.code.truth(name, findings, self.cloud, self.noisy)
        if part[0] in ('page', 'tlb'):
            return self.translation.truth(name)
        if traffic_truth.NAME.match(name):
            return self.traffic.truth(name)
        if part[0] in MEMORY:
            return self.memory.truth(name, self.cloud, self.noisy)
        raise KeyError(name)


def main(path, documents, show_unsure, exact, cloud, by_interval):
    machine = Machine(path, cloud, by_interval)
    count = {'right': 0, 'wrong': 0, 'unsure': 0, 'absent': 0}
    for path in documents:
        document = json.load(open(path) if path != '-' else sys.stdin)
        for name, finding in document['findings'].items():
            outcome = finding['outcome']
            if name == 'cpu.bundles':
                verdict, expected = ports_truth.verdict(machine, finding)
                count[verdict] += 1
                if verdict == 'wrong':
                    print('%s: %s: %s' % (path, name, expected))
                elif verdict == 'unsure' and show_unsure:
                    print('%s: %s %s: %s' % (path, name, outcome, finding['reason']))
                continue
            verdict, of_cpus, in_words = 'unsure', machine.cpus.knows(name), machine.memory.knows(name)
            of_policy = re.fullmatch(r'(cache|tlb)\.\w+\.policy', name)
            known = of_cpus or of_policy or in_words
            expected, tolerance = (None, 0) if known else machine.truth(name, document['findings'])
            if of_cpus:
                verdict, expected = machine.cpus.verdict(name, finding, exact)
            elif of_policy:
                of = machine.memory if of_policy.group(1) == 'cache' else machine.translation
                verdict, expected = of.policy(name, finding), 'another'
            elif in_words:
                verdict, expected = machine.memory.verdict(name, finding)
            elif outcome == 'measured':
                good = expected is not None and abs(finding['value'] - expected) <= tolerance * abs(expected)
                # Two numbers named as such, and not with confidence: one of them must be it.
                hedged = (finding.get('confidence', 1) < 0.9 and not exact) or by_interval
                if expected is not None and hedged and 'low' in finding:
                    slack = 0.03 * expected if by_interval and name.split('.')[0] in MEMORY else 0
                    good = good or finding['low'] - slack <= expected <= finding['high'] + slack
                verdict = 'right' if good else 'wrong'
            elif outcome == 'absent':
                verdict = 'absent' if expected is None or machine.code.may_be_absent(name) else 'wrong'
            elif expected is None and name.split('.')[0] in ('cache', 'tlb'):
                verdict = 'absent'  # a level that is not there leaves nothing to measure
            count[verdict] += 1
            if verdict == 'wrong':
                print('%s: %s %s = %s, is %s' % (path, name, outcome, finding.get('value'), expected))
            elif verdict == 'unsure' and show_unsure:
                print('%s: %s %s: %s' % (path, name, outcome, finding['reason']))
    print(' '.join('%d %s' % (n, word) for word, n in count.items()))
    return 1 if count['wrong'] else 0


if __name__ == '__main__':
    words = [word for word in sys.argv[1:] if not word.startswith('--')]
    sys.exit(main(words[0], words[1:], '--unsure' in sys.argv, '--exact' in sys.argv, '--cloud' in sys.argv,
                  '--intervals' in sys.argv))
