#!/usr/bin/env python3
"""Print docs/conformance.md from the names of the conformance cases, or check that it is up to date.

usage: conformance_table.py [--check]

Every id of the ranges below has at least one case, and no case has an id outside them.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITE = ROOT / "tests/conformance"
DOCUMENT = ROOT / "docs/conformance.md"
INTRODUCTION = ROOT / "docs/conformance_intro.md"

GROUPS = [
    ("DEV", 134, "Device model (host.md 4.1)"),
    ("CP", 120, "Command processor (host.md 4.2)"),
]

CASE = re.compile(r'(?:TEMPLATE_LIST_)?TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


def cases():
    """(id, sentence, header) of every case, in the order of the files."""
    for path in sorted(SUITE.rglob("*.hpp")):
        for match in CASE.finditer(path.read_text()):
            name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])).replace('\\"', '"')
            found = re.match(r"((?:DEV|CP|VK)-\d{3}) (.+)$", name)
            if not found:
                sys.exit(f"{path.relative_to(ROOT)}: a case without an id: {name!r}")
            yield found[1], found[2], path.relative_to(SUITE).as_posix()


def table(prefix, count, title, found):
    """One row for each id; several cases of one id share the row."""
    lines = [f"## {title}", "", "| Id | Cases | In |", "|---|---|---|"]
    for number in range(1, count + 1):
        name = f"{prefix}-{number:03}"
        rows = [(sentence, header) for case, sentence, header in found if case == name]
        if not rows:
            sys.exit(f"{name} has no case")
        sentences = "<br>".join(sentence.replace("|", "\\|") for sentence, _ in rows)
        headers = "<br>".join(dict.fromkeys(f"`{header}`" for _, header in rows))
        lines.append(f"| {name} | {sentences} | {headers} |")
    return "\n".join(lines) + "\n"


def document():
    found = list(cases())
    known = {f"{prefix}-{n:03}" for prefix, count, _ in GROUPS for n in range(1, count + 1)}
    unknown = sorted({case for case, _, _ in found} - known)
    if unknown:
        sys.exit(f"cases with ids that the suite does not have: {', '.join(unknown)}")
    tables = "\n".join(table(*group, found) for group in GROUPS)
    return INTRODUCTION.read_text() + "\n" + tables


def main():
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.read_text() != document():
            sys.exit("docs/conformance.md is out of date: "
                     "run scripts/conformance_table.py > docs/conformance.md")
    elif sys.argv[1:]:
        sys.exit(__doc__.strip().splitlines()[2])
    else:
        sys.stdout.write(document())


if __name__ == "__main__":
    main()
