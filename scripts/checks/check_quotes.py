#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that code quoted in README.md and the documents below docs/ is what was compiled.

A ```cpp block after `<!-- from: PATH#MARKER -->` equals the lines between `// [MARKER]` and
`// [/MARKER]` in PATH, less their common indentation. One after `<!-- from: PATH#MARKER, alone -->`
also compiles as a reader pastes it, with the include paths that the documents name.

usage: check_quotes.py             compares
       check_quotes.py --update    writes the quotes anew instead of comparing them
       check_quotes.py --compile COMPILER...    compiles what stands alone
       check_quotes.py --prove     shows that no quote of the tree is missed, and that a wrong one is found
"""

import pathlib
import re
import subprocess
import sys
import textwrap

from tree_files import tree_files

# What README.md and docs/embedding.md tell a reader to compile with.
FLAGS = ["-std=c++20", "-I", "include", "-I", "backends"]
MUST_STAND_ALONE = ["README.md", "docs/embedding.md"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
QUOTE = re.compile(
    r"(?P<head><!-- from: (?P<path>[^#\s]+)#(?P<marker>[\w-]+)(?P<alone>, alone)? -->\n+```cpp\n)"
    r"(?P<code>.*?)(?P<tail>^```$)",
    re.MULTILINE | re.DOTALL,
)
ANNOUNCED = re.compile(r"^<!-- from:", re.MULTILINE)


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


def renew(name, text):
    """The text with its quotes as the files have them, and what is wrong with those it has, as sentences."""
    problems = []

    def renew_quote(found):
        path, marker = found["path"], found["marker"]
        try:
            code = source_of(path, marker)
        except ValueError as why:
            problems.append(f"{name}: {why}")
            return found[0]
        if code != found["code"]:
            problems.append(f"{name}: the quote of {path}#{marker} differs from it")
        return found["head"] + code + found["tail"]

    renewed = QUOTE.sub(renew_quote, text)
    if len(ANNOUNCED.findall(text)) != len(QUOTE.findall(text)):
        problems.append(f"{name}: a `<!-- from: -->` is not followed by a ```cpp block")
    return renewed, problems


def check(document):
    return renew(document.relative_to(ROOT), document.read_text())[1]


def update(document):
    """What is wrong with the quotes of a document after they were written anew."""
    name, text = document.relative_to(ROOT), document.read_text()
    renewed, _ = renew(name, text)
    if renewed != text:
        document.write_text(renewed)
        print(f"{name}: renewed")
    return check(document)


def documents():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [document for document in found if document.is_file()]


def prove():
    """Sentences about what the check does not see."""
    seen = sum(len(ANNOUNCED.findall(document.read_text())) for document in documents())
    there = sum(len(ANNOUNCED.findall((ROOT / name).read_text(encoding="utf-8")))
                for name in tree_files(ROOT) if name.endswith(".md"))
    if seen != there:
        yield f"of {there} quotes in the tree's documents {seen} are seen"
    text = next(text for text in map(pathlib.Path.read_text, documents()) if QUOTE.search(text))
    quote = QUOTE.search(text)
    planted = {"another line": quote["head"] + "int another = 0;\n" + quote["code"] + quote["tail"],
               "another marker": quote[0].replace(f"#{quote['marker']}", "#nowhere"),
               "no block": quote["head"].replace("```cpp", "```sh") + quote["tail"]}
    for what, wrong in planted.items():
        if len(renew("planted", wrong)[1]) != 1:
            yield f"a quote with {what} is not found"
    if renew("planted", quote[0])[1]:
        yield "a quote as it should be is said to be wrong"


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
    elif arguments == ["--prove"]:
        problems = list(prove())
    elif arguments in ([], ["--update"]):
        problems = [p for d in documents() for p in (update if arguments else check)(d)]
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
