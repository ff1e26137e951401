#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy with the checks of .clang-tidy over the library's headers and the null backend.

usage: check_lint.py [COMPILER_DATABASE_FOLDER]

With a build folder of ./dev test or of `meson setup -Done_unit_tests=true`, also over every unit of
the libraries, drivers, tools and examples that it compiles. --prove shows that a fault is found.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-xc++", f"-I{ROOT / 'include'}", f"-I{ROOT / 'backends'}"]
FAULT = "#include <utility>\nstruct s { int* p; };\nauto f(s a) -> int { s b = std::move(a); return *a.p + *b.p; }\n"
# Templates are checked as they are used, too.
USE = "template class aerogpu::command_processor<aerogpu::null_backend>;\n"


def library():
    layers = sorted((ROOT / "include/aerogpu").glob("*.hpp"))
    includes = [f'#include "aerogpu/{layer.name}"\n' for layer in layers]
    return "".join(includes) + '#include "null/null_backend.hpp"\n' + USE


def tidy(arguments, flags=()):
    """What clang-tidy says of a file; nothing when it is clean."""
    command = ["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
               f"--header-filter={ROOT}/.*", *arguments] + (["--", *flags] if flags else [])
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def tidy_text(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "lint.cpp")
        path.write_text(text)
        return tidy([str(path)], FLAGS)


def units(build):
    """The units that a build compiles, without those of tests and of other projects."""
    entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    paths = {os.path.normpath(os.path.join(entry["directory"], entry["file"])): entry["output"]
             for entry in entries if entry["file"].endswith(".cpp")}
    return sorted(path for path, output in paths.items()
                  if not output.startswith(("tests/", "bench/")))


def main(arguments):
    if arguments in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    if arguments == ["--prove"]:
        return 0 if "use-after-move" in tidy_text(FAULT) else "check_lint: the fault was not found"
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(tidy_text, library())]
        for build in arguments:
            jobs += [pool.submit(tidy, ["-p", build, unit]) for unit in units(build)]
        found = [said for said in (job.result() for job in jobs) if said]
    print("\n".join(found), end="")
    print(f"check_lint: {len(jobs) - len(found)} of {len(jobs)} units are clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
