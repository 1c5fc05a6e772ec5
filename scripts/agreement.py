#!/usr/bin/env python3
"""Says whether several runs on one machine agree: every interval should hold the median of all runs.

    for i in 1 2 3 4 5; do build/xray --json cpu op > $i.json; done
    scripts/agreement.py [--show GLOB]... *.json

Prints each measured value whose interval does not hold the median, each parameter that came out in different ways, the
values of the parameters named by --show, run by run, and the counts.
"""
import argparse
import collections
import fnmatch
import json
import statistics


def short(value):
    return f'{value:.4g}' if isinstance(value, (int, float)) else str(value)


def measured(finding):
    return finding['outcome'] == 'measured' and isinstance(finding['value'], (int, float))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--show', action='append', default=[], metavar='GLOB')
    parser.add_argument('files', nargs='+')
    options = parser.parse_args()
    runs = []
    for name in options.files:
        with open(name, encoding='utf-8') as file:
            runs.append(json.load(file)['findings'])
    names = dict.fromkeys(name for run in runs for name in run)
    intervals = missed = 0
    for name in names:
        found = [run.get(name, {'outcome': 'missing'}) for run in runs]
        values = [finding['value'] for finding in found if measured(finding)]
        if any(fnmatch.fnmatch(name, glob) for glob in options.show):
            print(name, ' '.join(short(f['value']) if measured(f) else f['outcome'] for f in found))
        outcomes = collections.Counter(finding['outcome'] for finding in found)
        if len(outcomes) > 1:
            print(name, 'is', ', '.join(f'{outcome} in {times}' for outcome, times in outcomes.items()))
        for file, finding in zip(options.files, found):
            if not measured(finding):
                continue
            median = statistics.median_low(values)
            intervals += 1
            value = finding['value']
            low, high = finding.get('low', value), finding.get('high', value)
            if not low <= median <= high:
                missed += 1
                print(f'{file}: {name} {short(value)} [{short(low)}..{short(high)}] misses {short(median)}')
    print(f'{len(runs)} runs, {intervals} intervals, {missed} miss the median')


main()
