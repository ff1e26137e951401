#!/usr/bin/env python3
"""Checks that what the project cites of docs/spec/kmd.md is there.

A citation is "kmd.md 3.8", "kmd.md 3.7 to 3.9", "kmd.md case 89", "cases 1 and 2 of kmd.md",
"kmd.md K-25" or "[K-25]". It leads to a heading, a numbered point of section 8, a numbered case of
section 7 or a **[K-nn]** of the chapter.

usage: check_citations.py            reads the tree
       check_citations.py --prove    shows that citations which lead nowhere are found
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER = pathlib.Path("docs/spec/kmd.md")
SUFFIXES = set(".hpp .cpp .h .c .inc .in .py .md .build .txt .cmd .inf .json .def .S".split()) | {""}
# Ends of lines, with what begins the next line of a comment, count as one space.
LINE_END = re.compile(r"[ \t]*\n[ \t]*(?://[/!]?<?|\*(?!\*)|#|>)?[ \t]*")
JOIN = r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|to|or)\s+|\s*/\s*)"
SECTION = r"\d+(?:\.\d+)?"
FURTHER_SECTION = r"(?:\d+\.\d+|\d(?!\d))"  # "kmd.md 3.8, 1024 items" names one section.
CASE = r"\d+"
DECISION = r"\[?K-(?:\d\d|H\d+)\]?(?!\d)"


def listed(item, further=None):
    return rf"{item}(?:{JOIN}{further or item})*"


AFTER = re.compile(
    r"kmd\.md[`)\]]*,?\s+"
    rf"(?:(?P<cases>cases?\s+{listed(CASE)})|(?P<decisions>{listed(DECISION)})"
    rf"|(?:sections?\s+)?(?P<sections>{listed(SECTION, FURTHER_SECTION)}))")
BEFORE = re.compile(
    rf"\b(?:(?P<cases>[Cc]ases?\s+{listed(CASE)})"
    rf"|[Ss]ections?\s+(?P<sections>{listed(SECTION, FURTHER_SECTION)}))"
    r"\s+of\s+[`\[]?(?:docs/spec/)?kmd\.md")
BRACKETED = re.compile(r"\[(K-(?:\d\d|H\d+))\]")


class Chapter:
    """What can be cited."""

    def __init__(self, text):
        self.decisions = set(re.findall(r"\*\*\[(K-(?:\d\d|H\d+))\]", text))
        self.sections = set(re.findall(r"^## (\d+)\. ", text, re.MULTILINE))
        self.sections |= set(re.findall(r"^### (\d+\.\d+) ", text, re.MULTILINE))
        numbered = re.compile(r"^(\d+)\. ", re.MULTILINE)
        self.cases = set(numbered.findall(self.part(text, 7)))
        self.sections |= {f"8.{point}" for point in numbered.findall(self.part(text, 8))}

    @staticmethod
    def part(text, number):
        found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        return found.group().split("\n", 1)[1] if found else ""

    def dead_ends(self, text, inside=False):
        """The citations of a text that lead nowhere; `inside` the chapter it names no file."""
        text = LINE_END.sub(" ", text)
        for found in [] if inside else [*AFTER.finditer(text), *BEFORE.finditer(text)]:
            parts = found.groupdict()
            for case in self.numbers(parts["cases"]):
                if case not in self.cases:
                    yield f"kmd.md case {case}"
            for section in re.findall(SECTION, parts["sections"] or ""):
                if section not in self.sections:
                    yield f"kmd.md {section}"
            for decision in re.findall(r"K-\w+", parts.get("decisions") or ""):
                if decision not in self.decisions:
                    yield f"kmd.md {decision}"
        for decision in BRACKETED.findall(text):
            if decision not in self.decisions:
                yield f"[{decision}]"
        if inside:
            for section in re.findall(rf"\bsection ({SECTION})\b", text):
                if section not in self.sections:
                    yield f"section {section}"

    @staticmethod
    def numbers(cases):
        return re.findall(r"\d+", cases or "")


def files():
    for folder, folders, names in os.walk(ROOT):
        top = pathlib.Path(folder) == ROOT
        folders[:] = [name for name in folders if not name.startswith(".") and
                      not (top and (name.startswith("build") or name == "out"))]
        for name in names:
            path = pathlib.Path(folder, name)
            if path.suffix in SUFFIXES and path != pathlib.Path(__file__).resolve():
                yield path


def check(chapter):
    wrong, seen = [], 0
    for path in files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        name = path.relative_to(ROOT)
        seen += "kmd.md" in text or bool(BRACKETED.search(text))
        for citation in chapter.dead_ends(text, inside=name == CHAPTER):
            wrong.append(f"{name}: {citation} leads nowhere in {CHAPTER}")
    if seen < 2:
        wrong.append("no file cites the chapter: the search is broken")
    return wrong


LIVE = """kmd.md 3.8, kmd.md 3.7 to 3.9 and (kmd.md
  /// 3.10). kmd.md 3.8, 1024 items; kmd.md case 89; Cases 166 and 167 of kmd.md 7.
  [K-25] kmd.md K-H1 kmd.md 8.9 `kmd.md` 6."""
DEAD = [
    "kmd.md 3.99", "kmd.md 9", "kmd.md 3.7 to 3.99", "(kmd.md\n/// 3.99)", "kmd.md section 3.99",
    "kmd.md case 9999", "kmd.md cases 1, 2 and 9999", "case 9999 of kmd.md 7",
    "cases 0 and 1 of kmd.md",
    "kmd.md K-99", "kmd.md K-25 and K-99", "[K-99]", "[K-H9]", "kmd.md 8.999", "`kmd.md` 3.99",
    "section 3.99 of kmd.md", "[kmd.md](docs/spec/kmd.md) 3.99",
]


def prove(chapter):
    wrong = [f"{found} is said to lead nowhere" for found in chapter.dead_ends(LIVE)]
    for text in DEAD:
        if len(list(chapter.dead_ends(text))) != 1:
            wrong.append(f"{text!r} gives {list(chapter.dead_ends(text))} instead of one dead end")
    if not list(chapter.dead_ends("see section 3.99", inside=True)):
        wrong.append("a dead end inside the chapter is not found")
    return wrong


def main(arguments):
    text = (ROOT / CHAPTER).read_text()
    chapter = Chapter(text)
    wrong = prove(chapter) if arguments == ["--prove"] else check(chapter)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
