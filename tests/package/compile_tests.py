#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each source of tests and examples by itself, without making code: a large unit hides a file that
leans on another one.

usage: compile_tests.py BUILD_DIR

BUILD_DIR is set up and need not be built. Its compiler reads each source with the flags of the first program that
has it; what Meson joins to large units is taken apart. Without -Done_unit_tests=true there are some more sources.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

OF_TESTS = ("tests/", "examples/")
BEFORE_A_NAME = {"-o", "-MF", "-MQ"}
MAKES_FILES = {"-c", "-MD"}
LARGE_UNIT = re.compile(r"-unity\d+\.cpp$")
INCLUDED = re.compile(r'^#include\s*"(.+)"', re.MULTILINE)


def without_outputs(command):
    """The words of a command, so that it only checks."""
    words, kept = iter(shlex.split(command)), []
    for word in words:
        if word in BEFORE_A_NAME:
            next(words)
        elif word not in MAKES_FILES:
            kept.append(word)
    return kept + ["-fsyntax-only", "-Werror"]


def sources_of(unit):
    """The files of a large unit, which Meson writes while it sets up; another one is its own."""
    return INCLUDED.findall(unit.read_text()) if LARGE_UNIT.search(unit.name) else [unit]


def commands_of(build):
    """Commands by source."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if not entry["output"].startswith(OF_TESTS) or not entry["file"].endswith(".cpp"):
            continue
        command = without_outputs(entry["command"])
        command.remove(entry["file"])
        for source in sources_of(pathlib.Path(entry["directory"], entry["file"])):
            path = os.path.normpath(os.path.join(entry["directory"], source))
            found.setdefault(path, command + [path])
    return found


def compile_one(build, command):
    """Nothing, or what the failed command said."""
    done = subprocess.run(command, cwd=build, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{shlex.join(command)}\n{done.stderr}"


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build = pathlib.Path(arguments[0]).resolve()
    commands = commands_of(build).values()
    if not commands:
        return f"compile_tests: {build} has no tests"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda command: compile_one(build, command), commands))
    failed = [text for text in said if text]
    print("".join(failed) + f"compile_tests: {len(said) - len(failed)} of {len(said)} files compile by themselves")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
