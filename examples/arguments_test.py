#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The small examples name what they take, and take nothing else for a file's name.

usage: arguments_test.py MINIMAL_EMULATOR GUEST_LOOP MODEL_BACKEND
"""

import os
import subprocess
import sys
import tempfile

CASES = {  # Arguments, and the exit status: of minimal_emulator, and of one that takes none.
    ("--help",): (0, 2),
    ("--picture",): (2, 2),
    ("-o", "a.ppm"): (2, 2),
    ("a.ppm", "b.ppm"): (2, 2),
}


def problems_of(program, expected):
    for arguments, status in expected.items():
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
            said, line = done.stdout + done.stderr, " ".join([os.path.basename(program), *arguments])
            if done.returncode != status:
                yield f"{line}: exit status {done.returncode}, not {status}"
            if not said.startswith("usage: "):
                yield f"{line}: prints {said!r}, not its usage"
            if os.listdir(folder):
                yield f"{line}: writes {os.listdir(folder)}"


def main(emulator, *others):
    problems = list(problems_of(emulator, {words: both[0] for words, both in CASES.items()}))
    for program in others:
        problems += problems_of(program, {words: both[1] for words, both in CASES.items()})
    for line in problems:
        print(line)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:])))
