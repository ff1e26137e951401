#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints what a build folder has to build when some suites of its tests are not run there.

usage: scripts/suite_targets.py BUILD_DIR [SUITE]...

All that is built by default but the programs that only tests of those suites start, and what the other
tests need besides. For ninja, one target a line.
"""
import json
import pathlib
import subprocess
import sys


def introspect(folder, what):
    output = subprocess.run(['meson', 'introspect', '--' + what, folder], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output)


def suites(test):
    return {name.rpartition(':')[2] for name in test['suite']}


def is_left_out(test, left_out):
    """A test of several suites runs while one of them does."""
    return bool(suites(test)) and suites(test) <= left_out


def needed_targets(targets, tests, left_out):
    known = {suite for test in tests for suite in suites(test)}
    unknown = left_out - known
    if unknown:
        sys.exit('suite_targets: no test is of suite ' + ', '.join(sorted(unknown)))
    started, only_left_out, depends = set(), set(), set()
    for test in tests:
        words = set(test['cmd'])
        if is_left_out(test, left_out):
            only_left_out |= words
        else:
            started |= words
            depends |= set(test['depends'])
    unneeded = only_left_out - started
    return sorted(name for target in targets for name in target['filename']
                  if target['id'] in depends or name in started or
                  (target['build_by_default'] and name not in unneeded))


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    names = needed_targets(introspect(folder, 'targets'), introspect(folder, 'tests'),
                           set(sys.argv[2:]))
    print('\n'.join(str(pathlib.Path(name).relative_to(folder)) for name in names))


if __name__ == '__main__':
    main()
