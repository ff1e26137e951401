#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that code quoted in README.md and docs/*.md is what was compiled.

A ```cpp block after `<!-- from: PATH#MARKER -->` equals the lines between `// [MARKER]` and
`// [/MARKER]` in PATH, less their common indentation. One after `<!-- from: PATH#MARKER, alone -->`
also compiles as a reader pastes it, with the include paths that the documents name.

usage: check_quotes.py             compares
       check_quotes.py --update    writes the quotes anew instead of comparing them
       check_quotes.py --compile COMPILER...    compiles what stands alone
"""

import pathlib
import re
import subprocess
import sys
import textwrap

# What README.md and docs/embedding.md tell a reader to compile with.
FLAGS = ["-std=c++20", "-I", "include", "-I", "backends"]
MUST_STAND_ALONE = ["README.md", "docs/embedding.md"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
QUOTE = re.compile(
    r"(?P<head><!-- from: (?P<path>[^#\s]+)#(?P<marker>[\w-]+)(?P<alone>, alone)? -->\n+```cpp\n)"
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


def documents():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [document for document in found if document.is_file()]


def compile_alone(document, compiler):
    """What is wrong with the quotes of a document that claim to compile as they are."""
    name = str(document.relative_to(ROOT))
    quotes = [found for found in QUOTE.finditer(document.read_text()) if found["alone"]]
    if name in MUST_STAND_ALONE and not quotes:
        yield f"{name}: no quote stands alone"
    for found in quotes:
        done = subprocess.run([*compiler, *FLAGS, "-x", "c++", "-fsyntax-only", "-"], cwd=ROOT,
                              input=found["code"], capture_output=True, text=True)
        if done.returncode:
            yield f"{name}: {found['path']}#{found['marker']} alone does not compile:\n{done.stderr}"


def main(arguments):
    if arguments[:1] == ["--compile"] and arguments[1:]:
        problems = [p for d in documents() for p in compile_alone(d, arguments[1:])]
    elif arguments in ([], ["--update"]):
        problems = [p for d in documents() for p in check(d, bool(arguments))]
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems and not arguments:
        print("scripts/checks/check_quotes.py --update writes the quotes anew", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
