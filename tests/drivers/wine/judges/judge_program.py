# SPDX-License-Identifier: MIT
"""A test file of Wine as a program that runs one function of it: PROGRAM SUITE FUNCTION.

The file calls its functions one after the other in START_TEST. In a copy, in the build's folder, each
call gets a condition; what START_TEST does before and after them stays.
"""
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
CALL = re.compile(r"^(\s+)(test_\w+)\(\);$", re.MULTILINE)
LIBRARIES = "-ld3d9 -luser32 -lgdi32 -lole32 -ldxguid -luuid".split()


class ProgramError(Exception):
    """The file is not what this module knows."""


def split(text, suite):
    """What stands before the body of START_TEST, and the body."""
    found = re.search(rf"^START_TEST\({suite}\)\n{{\n", text, re.MULTILINE)
    if found is None:
        raise ProgramError(f"{suite}.c has no START_TEST({suite})")
    return text[:found.end()], text[found.end():]


def functions_of(text, suite):
    """The functions that START_TEST calls, in its order."""
    _, body = split(text, suite)
    names = [name for _, name in CALL.findall(body)]
    if not names or len(set(names)) != len(names):
        raise ProgramError(f"START_TEST({suite}) does not call each of its functions once")
    return names


def with_choice(text, suite):
    """The same lines, with a condition before each call."""
    head, body = split(text, suite)
    return f"{head.rstrip()} JUDGE_BEGIN();\n" + CALL.sub(r"\1if (JUDGE_WANTS(\2)) \2();", body)


def build(source, suite, machine, folder):
    """The program; compiled again only when something is newer. `machine` as mingw-w64 names it."""
    original = source / "dlls/d3d9/tests" / f"{suite}.c"
    copy, program = folder / f"{suite}.c", folder / f"{suite}.exe"
    inputs = [original, *HERE.glob("judge_support.*"), pathlib.Path(__file__)]
    newest = max(path.stat().st_mtime for path in inputs)
    if program.exists() and program.stat().st_mtime > newest:
        return program
    folder.mkdir(parents=True, exist_ok=True)
    copy.write_text(with_choice(original.read_text(), suite))
    subprocess.run([f"{machine}-w64-mingw32-gcc-posix", "-DSTANDALONE", "-std=gnu99", "-O1", "-w",
                    "-include", HERE / "judge_support.h", f"-I{source / 'include'}",
                    f"-I{original.parent}", copy, HERE / "judge_support.c", "-o", program,
                    "-static-libgcc", *LIBRARIES], check=True)
    return program
