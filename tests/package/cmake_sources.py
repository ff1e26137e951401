#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that CMakeLists.txt compiles the sources that Meson's lists name, all of them and no others.

usage: cmake_sources.py ROOT FILE...

FILE is a source of Meson's lists. What does not end in .cpp is skipped.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def compiled_by_cmake(root, scratch):
    """The sources that a build of everything would compile."""
    done = subprocess.run(["cmake", "-S", root, "-B", scratch, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    commands = json.loads((pathlib.Path(scratch) / "compile_commands.json").read_text())
    return {os.path.realpath(command["file"]) for command in commands}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    root = os.path.realpath(sys.argv[1])
    named = {os.path.realpath(name) for name in sys.argv[2:] if name.endswith(".cpp")}
    with tempfile.TemporaryDirectory() as scratch:
        compiled = compiled_by_cmake(root, scratch)
    for name in sorted(named ^ compiled):
        print(f"{os.path.relpath(name, root)}: only {'CMake' if name in compiled else 'Meson'} compiles it")
    print(f"{len(named & compiled)} sources are compiled by both")
    sys.exit(1 if named ^ compiled else 0)


if __name__ == "__main__":
    main()
