# SPDX-License-Identifier: MIT
"""What the programs that make documents have in common: print, or check with --check."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(document, make, usage):
    """Prints `make()`; with --check, fails unless `document` holds it. Else fails with `usage`."""
    if sys.argv[1:] == ["--check"]:
        if not document.exists() or document.read_text() != make():
            name = document.relative_to(ROOT).as_posix()
            program = f"scripts/{pathlib.Path(sys.argv[0]).name}"
            sys.exit(f"{name} is out of date: run {program} > {name}")
    elif sys.argv[1:]:
        sys.exit(next(line for line in usage.splitlines() if line.startswith("usage:")))
    else:
        sys.stdout.write(make())
