#!/usr/bin/env python3
"""Checks that code quoted in README.md and docs/*.md is what was compiled.

A ```cpp block after `<!-- from: PATH#MARKER -->` equals the lines between `// [MARKER]` and
`// [/MARKER]` in PATH, less their common indentation.

usage: check_quotes.py [--update]    writes the quotes anew instead of comparing them
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUOTE = re.compile(
    r"(?P<head><!-- from: (?P<path>[^#\s]+)#(?P<marker>[\w-]+) -->\n+```cpp\n)"
    r"(?P<code>.*?)(?P<tail>^```$)",
    re.MULTILINE | re.DOTALL,
)


def source_of(path, marker):
    """The marked lines of a file; ValueError says what is missing."""
    file = ROOT / path
    if not file.is_file():
        raise ValueError(f"{path} does not exist")
    lines = file.read_text().splitlines()
    marks = [line.strip() for line in lines]
    first, last = f"// [{marker}]", f"// [/{marker}]"
    if marks.count(first) != 1 or marks.count(last) != 1:
        raise ValueError(f"{path} does not have {first} and {last} once each")
    begin, end = marks.index(first) + 1, marks.index(last)
    if begin >= end:
        raise ValueError(f"{path} has nothing between {first} and {last}")
    return textwrap.dedent("\n".join(lines[begin:end])).strip("\n") + "\n"


def check(document, update):
    """What is wrong with the quotes of a document, as sentences."""
    text = document.read_text()
    name = document.relative_to(ROOT)
    problems = []

    def renew(found):
        path, marker = found["path"], found["marker"]
        try:
            code = source_of(path, marker)
        except ValueError as why:
            problems.append(f"{name}: {why}")
            return found[0]
        if code != found["code"] and not update:
            problems.append(f"{name}: the quote of {path}#{marker} differs from it")
        return found["head"] + code + found["tail"]

    renewed = QUOTE.sub(renew, text)
    announced = len(re.findall(r"^<!-- from:", text, re.MULTILINE))
    if announced != len(QUOTE.findall(text)):
        problems.append(f"{name}: a `<!-- from: -->` is not followed by a ```cpp block")
    if update and renewed != text:
        document.write_text(renewed)
        print(f"{name}: renewed")
    return problems


def main(arguments):
    if arguments not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    documents = [d for d in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))] if d.is_file()]
    problems = [p for d in documents for p in check(d, bool(arguments))]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems and not arguments:
        print("scripts/check_quotes.py --update writes the quotes anew", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
