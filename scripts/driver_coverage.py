#!/usr/bin/env python3
"""Makes docs/driver-coverage.md: what of the kernel driver its tests reach.

usage: driver_coverage.py BUILD_DIR > docs/driver-coverage.md
The build is one with -Db_coverage=true whose driver tests ran (./dev coverage).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = "drivers/win7/kmd/"
WINDOWS_ONLY = "drivers/win7/kmd/windows/"
HEAD = """\
# Coverage of the kernel driver

For whoever changes `drivers/win7/kmd` and asks which test will notice. `./dev coverage` runs the driver's tests
natively and makes this page. The aim is 100 % of lines and 95 % of branches.

A branch is one of gcov's: each way that a condition in the compiled code can go, those of `&&`, `||` and loops
each by itself. `windows/`, what calls the real kernel, is not part of the native build: its tests run the
[shipped binary](testing.md).

| | Lines | reached | Branches | reached |
|---|---:|---:|---:|---:|
"""


def measure(build):
    """gcovr's view of each file of the core."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "coverage.json"
        subprocess.run(["gcovr", "--root", ROOT, "--object-directory", build, "--filter", CORE,
                        "--exclude", WINDOWS_ONLY, "--exclude-unreachable-branches",
                        "--exclude-throw-branches", "--json", out, build], check=True, cwd=ROOT)
        return json.loads(out.read_text())["files"]


class FileCoverage:
    """Lines of one file, and what of them never ran."""

    def __init__(self, measured):
        self.name = measured["file"]
        source = (ROOT / self.name).read_text().splitlines()
        lines = [line for line in measured["lines"] if not line["gcovr/noncode"]]
        branches = [branch for line in lines for branch in line["branches"]]
        self.lines, self.reached_lines = len(lines), sum(line["count"] > 0 for line in lines)
        self.branches = len(branches)
        self.reached_branches = sum(branch["count"] > 0 for branch in branches)
        text = {line["line_number"]: source[line["line_number"] - 1].strip() for line in lines}
        self.never_run = [text[line["line_number"]] for line in lines if line["count"] == 0]
        self.one_way = [text[line["line_number"]] for line in lines if line["count"] > 0
                        and any(branch["count"] == 0 for branch in line["branches"])]

    def short_name(self):
        return self.name.removeprefix(CORE)


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


def describe(files):
    members = ("lines", "reached_lines", "branches", "reached_branches")
    text = HEAD + row("all", *(total(files, member) for member in members))
    complete = [one for one in files if not one.never_run and not one.one_way]
    for one in files:
        if one not in complete:
            text += row(f"`{one.short_name()}`", *(getattr(one, member) for member in members))
    text += f"\nThe other {len(complete)} files with code are reached as a whole.\n"
    text += "\n## Lines that no test reaches\n\n"
    for one in files:
        for line in one.never_run:
            text += f"- `{one.short_name()}`: {code(line)}\n"
    text += "\n## Lines of which a test reaches some branches\n\n"
    for one in files:
        for line in one.one_way:
            text += f"- `{one.short_name()}`: {code(line)}\n"
    return text


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(next(line for line in __doc__.splitlines() if line.startswith("usage:")))
    files = [FileCoverage(one) for one in measure(sys.argv[1])]
    files = sorted((one for one in files if one.lines), key=lambda one: one.name)
    if not files:
        sys.exit("no file of the driver was measured: the build has no coverage, or no test ran")
    sys.stdout.write(describe(files))


if __name__ == "__main__":
    main()
