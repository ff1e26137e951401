#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that docs/dependencies.md says of each package of scripts/packages what it is for.

usage: check_packages.py            reads both files
       check_packages.py --prove    shows that a package without a row is found
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = "docs/dependencies.md"


def packages(text):
    return [line.split()[0] for line in text.splitlines() if line and not line.startswith("#")]


def named(text):
    """What the second column of the document's tables names."""
    cells = (line.split("|")[2] for line in text.splitlines() if line.startswith("|"))
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def undocumented(listed, document):
    return [name for name in packages(listed) if name not in named(document)]


def prove():
    found = undocumented("# a list\nplanted build\nthere build\n", "| Planted | `there` | tests | `planted` |\n")
    return [] if found == ["planted"] else [f"of two packages with one row {found} are said to have none"]


def main(arguments):
    if arguments not in ([], ["--prove"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if arguments:
        wrong = prove()
    else:
        listed, document = ((ROOT / name).read_text() for name in ("scripts/packages", DOCUMENT))
        wrong = [f"{DOCUMENT}: no row is of the package {name}" for name in undocumented(listed, document)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
