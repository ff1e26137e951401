#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that files and folders which scripts name by their path from the root are there: when a file moves,
neither a compiler nor Meson looks into a script. And that no folder holds more files than one can look over.

usage: check_paths.py            reads the scripts of the tree
       check_paths.py --prove    shows that a path which leads nowhere, and a full folder, are found
"""
import collections
import pathlib
import re
import sys

from tree_files import tree_files, tree_files_without_git

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE_SUFFIXES = {".c", ".cpp", ".def", ".h", ".hpp", ".inc", ".inf", ".ini", ".json", ".md", ".py"}
# What stands for a path in proofs, and paths in the sources of others.
NOT_HERE = {"backends/imgui_impl_dx9.cpp", "backends/imgui_impl_win32.cpp",
            "drivers/win7/kmd/another.cpp", "examples/example_win32_directx9/main.cpp",
            "shaders/common/x.hpp", "tests/x64/fence_state_sanity.exe",
            "tests/x86/fence_state_sanity.exe"}


MOST_FILES_OF_A_FOLDER = 25
PROVES_WITH_DEAD_PATHS = {"scripts/checks/check_paths.py", "scripts/checks/check_citations.py"}


def path_pattern(names):
    rooms = sorted({name.split("/")[0] for name in names if "/" in name})
    return re.compile(r"(?<![\w./${}-])((?:" + "|".join(map(re.escape, rooms)) +
                      r")/[\w./+-]*\w)(?![\w*{}<>@/])")


def leads_somewhere(path):
    """What is built or made has no file yet, but a folder."""
    if path in NOT_HERE or (ROOT / path).exists():
        return True
    made = pathlib.PurePosixPath(path)
    return made.suffix not in SOURCE_SUFFIXES and (ROOT / made.parent).is_dir()


def dead_paths(name, text, pattern):
    for number, line in enumerate(text.splitlines(), 1):
        for path in pattern.findall(line):
            if not leads_somewhere(path):
                yield f"{name}:{number}: {path} is not there"


def crowded_folders(names):
    counts = collections.Counter(str(pathlib.PurePosixPath(name).parent) for name in names)
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES_OF_A_FOLDER:
            yield f"{folder}: {count} files are more than {MOST_FILES_OF_A_FOLDER}; make a folder of some"


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    names = tree_files(ROOT)
    pattern = path_pattern(names)
    if arguments == ["--prove"]:
        planted = 'run("tests/" + x, "tests/package/moved_away.py", "tests/nowhere/program")\n'
        found = list(dead_paths("planted", planted, pattern))
        if len(found) != 2:
            return f"check_paths: of two dead paths {len(found)} are found"
        if "scripts/checks/check_paths.py" not in tree_files_without_git(ROOT):
            return "check_paths: without git it finds no files"
        full = [f"planted/{number}.hpp" for number in range(MOST_FILES_OF_A_FOLDER + 1)]
        is_found = list(crowded_folders(full)) and not list(crowded_folders(full[1:]))
        return 0 if is_found else "check_paths: a folder of too many files is not told from a full one"
    if arguments:
        return f"check_paths: unknown arguments; {sys.argv[0]} --help says more"
    dead = list(crowded_folders(names))
    for name in names:
        is_script = name.endswith(".py") or name == "dev" or name.startswith(("scripts/", ".ci/"))
        if is_script and name not in PROVES_WITH_DEAD_PATHS:
            text = (ROOT / name).read_text(encoding="utf-8")
            dead += dead_paths(name, text, pattern)
    sound = f"check_paths: {len(names)} files, every path leads somewhere, no folder is crowded"
    print("\n".join(dead) if dead else sound)
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
