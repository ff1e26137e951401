#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the subject of each commit names its scope and what it does, in fewer than 72 characters. Commits
up to FIRST are older than the check. A copy without their history is fine, and said to be one.

usage: check_subjects.py            reads the history up to HEAD
       check_subjects.py --prove    shows that a wrong subject is found, and what a copy without history is told
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST = "e24f4a248317e910448af312c54dd20d17d975d9"
LIMIT = 72
SUBJECT = re.compile(r"[\w./-]+(, [\w./-]+)*: \S")


def problems_of(subject):
    if not SUBJECT.match(subject):
        yield "has no form such as `device: a reset forgets the flip`"
    if len(subject) >= LIMIT:
        yield f"has {len(subject)} characters, and fewer than {LIMIT} are allowed"


def git(*words):
    """What git says; nothing where there is no git, no history, or none that reaches back so far."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, text=True, capture_output=True)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def subjects_since_first():
    if git("merge-base", "--is-ancestor", FIRST, "HEAD") is None:
        return None
    return git("log", "--no-merges", "--format=%s", f"{FIRST}..HEAD")


def check():
    said = subjects_since_first()
    if said is None:
        print(f"check_subjects: no history since {FIRST[:8]} here, so that nothing is checked")
        return []
    subjects = said.splitlines()
    print(f"check_subjects: {len(subjects)} commits")
    return [f"{subject!r} {problem}" for subject in subjects for problem in problems_of(subject)]


def prove():
    wrong = ["", "Fix a leak", "device:no blank", "device: ", "two words: are no scope", "device: " + 64 * "x"]
    right = ["device: a reset forgets the flip", "trim, repair: two scopes", "device: " + 63 * "x"]
    missed = [subject for subject in wrong if not list(problems_of(subject))]
    missed += [subject for subject in right if list(problems_of(subject))]
    with unittest.mock.patch.dict(os.environ, PATH=os.devnull):
        missed += ["(without git)"] if subjects_since_first() is not None else []
    with unittest.mock.patch.dict(globals(), FIRST="0" * 40):
        missed += ["(without that commit)"] if subjects_since_first() is not None else []
    return [f"{subject!r} is judged wrongly" for subject in missed]


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments not in ([], ["--prove"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    found = prove() if arguments else check()
    print("".join(f"{one}\n" for one in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
