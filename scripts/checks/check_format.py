#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every C and C++ file of the tree is as .clang-format has it, and that each of them and of the
scripts names its licence.

usage: check_format.py            reads the tree
       check_format.py --fix      rewrites what is not
       check_format.py --prove    shows that a difference is found
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

from tree_files import tree_files, tree_files_without_git

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIXES = {".h", ".hpp", ".cpp", ".c"}
SCRIPT_SUFFIXES = {".py", ".sh", ".cmake", ".cmd"}
SCRIPT_NAMES = {"meson.build", "meson_options.txt", "CMakeLists.txt"}
FIRST_OF_SCRIPTS = ("#!", "@echo off")  # What may stand in front of the licence.
BATCH = 64
LICENCE = "SPDX-License-Identifier: MIT"


def is_script(name):
    path = pathlib.Path(name)
    if path.suffix in SCRIPT_SUFFIXES or path.name in SCRIPT_NAMES:
        return True
    if path.suffix:
        return False
    with open(ROOT / name, "rb") as file:
        return path.parts[0] == "scripts" or file.read(2) == b"#!"


def without_licence(names):
    """Those whose first line does not name it; behind the line that an interpreter needs."""
    found = []
    for name in names:
        with open(ROOT / name, encoding="utf-8") as file:
            first = file.readline()
            if LICENCE not in (file.readline() if first.startswith(FIRST_OF_SCRIPTS) else first):
                found.append(name)
    return found


def differences(names, options):
    done = subprocess.run(["clang-format-14", *options, *names], cwd=ROOT, text=True,
                          capture_output=True)
    return done.stderr if done.returncode != 0 else ""


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments == ["--prove"]:
        done = subprocess.run(["clang-format-14", "--dry-run", "-Werror", f"-style=file:{ROOT}/.clang-format"],
                              input="int  f( );\n", text=True, capture_output=True)
        if done.returncode == 0 or without_licence([".clang-format"]) == []:
            return "check_format: a difference was not found"
        if not all(map(is_script, ("dev", "scripts/packages", "drivers/win7/package/install.cmd"))):
            return "check_format: a script is not known as one"
        if "scripts/checks/check_format.py" not in tree_files_without_git(ROOT):
            return "check_format: without git it finds no files"
        return 0
    if arguments not in ([], ["--fix"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    options = ["-i"] if arguments else ["--dry-run", "-Werror"]
    known = tree_files(ROOT)
    names = [name for name in known if pathlib.Path(name).suffix in SUFFIXES]
    scripts = [name for name in known if is_script(name)]
    batches = [names[i:i + BATCH] for i in range(0, len(names), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [said for said in pool.map(lambda batch: differences(batch, options), batches) if said]
    found += [f"{name}: the first line does not say {LICENCE}\n" for name in without_licence(names + scripts)]
    print("".join(found), end="")
    print(f"check_format: {len(names)} files, {len(scripts)} scripts" + ("; scripts/checks/check_format.py --fix mends the form" if found else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
