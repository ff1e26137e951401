#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/cases/driver-coverage.md: what of the drivers their tests reach.

usage: driver_coverage.py BUILD_DIR > docs/cases/driver-coverage.md
The build is one with -Db_coverage=true whose driver tests ran (./dev coverage).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNEL_MODE = "drivers/win7/kmd/"
USER_MODE = "drivers/win7/umd/d3d9/"
# Percent, below which a room of the user-mode driver is listed by its files.
LEAST = 95
HEAD = """\
# Coverage of the drivers

For whoever changes `drivers/win7` and asks which test will notice. `./dev coverage` runs the drivers' tests
natively and makes this page. The aim is 100 % of lines and 95 % of branches.

A branch is one of gcov's: each way that a condition in the compiled code can go, those of `&&`, `||` and loops
each by itself. `windows/` of each driver, what calls the real system, is not part of the native build: its tests
run the [shipped binary](../testing.md).
"""
COLUMNS = """
| | Lines | reached | Branches | reached |
|---|---:|---:|---:|---:|
"""


def measure(build, core):
    """gcovr's view of each file below `core`."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "coverage.json"
        subprocess.run(["gcovr", "--root", ROOT, "--object-directory", build, "--filter", core,
                        "--exclude", core + "windows/", "--exclude-unreachable-branches",
                        "--exclude-throw-branches", "--json", out, build], check=True, cwd=ROOT)
        return [FileCoverage(one, core) for one in json.loads(out.read_text())["files"]]


class FileCoverage:
    """Lines of one file, and what of them never ran."""

    def __init__(self, measured, core):
        self.name = measured["file"].removeprefix(core)
        source = (ROOT / measured["file"]).read_text().splitlines()
        lines = [line for line in measured["lines"] if not line["gcovr/noncode"]]
        branches = [branch for line in lines for branch in line["branches"]]
        self.lines, self.reached_lines = len(lines), sum(line["count"] > 0 for line in lines)
        self.branches = len(branches)
        self.reached_branches = sum(branch["count"] > 0 for branch in branches)
        text = {line["line_number"]: source[line["line_number"] - 1].strip() for line in lines}
        self.never_run = [text[line["line_number"]] for line in lines if line["count"] == 0]
        self.one_way = [text[line["line_number"]] for line in lines if line["count"] > 0
                        and any(branch["count"] == 0 for branch in line["branches"])]


def percent(reached, of):
    """Rounded down, so that 100 means all."""
    return "100 %" if reached == of else f"{reached * 1000 // of / 10} %"


def row(name, lines, reached_lines, branches, reached_branches):
    return (f"| {name} | {lines:,} | {percent(reached_lines, lines)} | {branches:,} | "
            f"{percent(reached_branches, branches)} |\n")


def total(files, member):
    return sum(getattr(one, member) for one in files)


def code(text):
    fence = "``" if "`" in text else "`"
    return fence + text.replace("|", "\\|") + fence


MEMBERS = ("lines", "reached_lines", "branches", "reached_branches")


def total_row(name, files):
    return row(name, *(total(files, member) for member in MEMBERS))


def is_complete(one):
    return not one.never_run and not one.one_way


def lines_never_run(files):
    return "".join(f"- `{one.name}`: {code(line)}\n" for one in files for line in one.never_run)


def describe_kernel_mode(files):
    complete = [one for one in files if is_complete(one)]
    text = "\n## The kernel driver\n" + COLUMNS + total_row("all", files)
    for one in files:
        if one not in complete:
            text += total_row(f"`{one.name}`", [one])
    text += f"\nThe other {len(complete)} files with code are reached as a whole.\n"
    text += "\n### Lines that no test reaches\n\n" + lines_never_run(files)
    text += "\n### Lines of which a test reaches some branches\n\n"
    for one in files:
        for line in one.one_way:
            text += f"- `{one.name}`: {code(line)}\n"
    return text


def is_below(files):
    return any(total(files, reached) * 100 < total(files, of) * LEAST
               for of, reached in (("lines", "reached_lines"), ("branches", "reached_branches")))


def describe_user_mode(files):
    rooms = {}
    for one in files:
        rooms.setdefault(one.name.split("/")[0], []).append(one)
    text = "\n## The user-mode driver\n" + COLUMNS + total_row("all", files)
    for room, those in rooms.items():
        text += total_row(f"`{room}/`", those)
    text += (f"\n### Files below {LEAST} %\n\nOf the rooms that are below it in lines or branches.\n" + COLUMNS)
    for those in rooms.values():
        for one in those if is_below(those) else ():
            if is_below([one]):
                text += total_row(f"`{one.name}`", [one])
    return text + "\n### Lines that no test reaches\n\n" + lines_never_run(files)


def covered(build, core):
    files = sorted((one for one in measure(build, core) if one.lines), key=lambda one: one.name)
    if not files:
        sys.exit(f"no file below {core} was measured: the build has no coverage, or no test ran")
    return files


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(next(line for line in __doc__.splitlines() if line.startswith("usage:")))
    sys.stdout.write(HEAD + describe_kernel_mode(covered(sys.argv[1], KERNEL_MODE)) +
                     describe_user_mode(covered(sys.argv[1], USER_MODE)))


if __name__ == "__main__":
    main()
