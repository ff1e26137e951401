#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of compile_tests.py on a build folder with a large unit: a file that leans on another one is found.

usage: compile_tests_test.py COMPILER...
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("compile_tests.py")


def run(sources, unit, folder, compiler):
    for name, text in sources.items():
        (folder / name).write_text(text)
    command = shlex.join([*compiler, "-MD", "-MF", "unit.d", "-o", "unit.o", "-c", unit])
    entry = {"directory": str(folder), "command": command, "file": unit, "output": f"tests/{unit}.o"}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test(compiler):
    unit = {"all-unity0.cpp": '#include"first.cpp"\n#include"second.cpp"\n', "first.cpp": "int first() { return 1; }\n"}
    cases = [  # The second file, the status, and what is said.
        ("auto second() -> int { return first(); }\n", 1, "1 of 2 files"),
        ("int first();\nauto second() -> int { return first(); }\n", 0, "2 of 2 files"),
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for second, status, words in cases:
            found, said = run({**unit, "second.cpp": second}, "all-unity0.cpp", folder, compiler)
            if found != status or words not in said:
                yield f"{second!r} gives {found} and:\n{said}"
        if (folder / "unit.o").exists() or (folder / "unit.d").exists():
            yield "files were made"


if __name__ == "__main__":
    wrong = list(test(sys.argv[1:]))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)
