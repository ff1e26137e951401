#!/usr/bin/env python3
"""Checks that what the project cites of the chapters in docs/spec is there.

A citation is "kmd.md 3.8", "kmd.md 3.7 to 3.9", "kmd.md case 89", "cases 1 and 2 of kmd.md",
"kmd.md K-25" or "[K-25]"; "umd-d3d9.md 2.14.6", "umd-d3d9.md T103 and G33" or "[T103]". It leads to
a heading, a numbered point of section 8, a numbered case of section 7 or a **[K-nn]** of kmd.md, or
to a heading or a test of umd-d3d9.md.

usage: check_citations.py            reads the tree
       check_citations.py --prove    shows that citations which lead nowhere are found
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = pathlib.Path("docs/spec")
SUFFIXES = set(".hpp .cpp .h .c .inc .in .py .md .build .txt .cmd .inf .json .def .S".split()) | {""}
# Ends of lines, with what begins the next line of a comment, count as one space.
LINE_END = re.compile(r"[ \t]*\n[ \t]*(?://[/!]?<?|\*(?!\*)|#|>)?[ \t]*")
JOIN = r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|to|or)\s+|\s*/\s*)"
SECTION = r"\d+(?:\.\d+){0,2}"
FURTHER_SECTION = r"(?:\d+\.\d+(?:\.\d+)?|\d(?!\d))"  # "kmd.md 3.8, 1024 items" names one section.


def listed(item, further=None):
    return rf"{item}(?:{JOIN}{further or item})*"


class Kind:
    """A kind of citation beside sections: "case 89" has words before it, "[K-25]" has not."""

    def __init__(self, item, known, words=""):
        self.item, self.known, self.words = item, known, words

    def pattern(self, group):
        item = self.item if self.words else rf"\[?{self.item}\]?(?!\d)"
        return rf"(?P<{group}>{self.words}{listed(item)})"

    def dead(self, text):
        return [one for one in re.findall(self.item, text or "") if one not in self.known]


class Chapter:
    """What can be cited of one file, and how."""

    def __init__(self, name, text, kinds, inside):
        self.path, self.name, self.kinds = SPEC / name, name, kinds
        self.inside = [re.compile(pattern) for pattern in inside]
        self.sections = set(re.findall(r"^## (\d+)\. ", text, re.MULTILINE))
        self.sections |= set(re.findall(r"^#{3,4} (\d+(?:\.\d+){1,2}) ", text, re.MULTILINE))
        points = re.findall(r"^(\d+)\. ", part(text, 8), re.MULTILINE)
        self.sections |= {f"8.{point}" for point in points}
        file = re.escape(name)
        other = "|".join(kind.pattern(f"kind{n}") for n, kind in enumerate(kinds))
        sections = rf"(?P<sections>{listed(SECTION, FURTHER_SECTION)})"
        self.after = re.compile(rf"{file}[`)\]]*,?\s+(?:{other}|(?:sections?\s+)?{sections})")
        self.before = re.compile(rf"(?<![\w.-])(?:{other}|[Ss]ections?\s+{sections})"
                                 rf"\s+of\s+[`\[]?(?:docs/spec/)?{file}")

    def dead_ends(self, text, inside=False):
        """The citations of a text that lead nowhere; `inside` the chapter it names no file."""
        text = LINE_END.sub(" ", text)
        for found in [] if inside else [*self.after.finditer(text), *self.before.finditer(text)]:
            for section in self.dead_sections(re.findall(SECTION, found["sections"] or "")):
                yield f"{self.name} {section}"
            for n, kind in enumerate(self.kinds):
                for one in kind.dead(found[f"kind{n}"]):
                    yield f"{self.name} {'case ' if kind.words else ''}{one}"
        for kind in self.kinds:
            if not kind.words:
                for one in kind.dead(" ".join(re.findall(rf"\[{kind.item}\]", text))):
                    yield f"[{one}]"
        if inside:
            for pattern in self.inside:
                for section in self.dead_sections(pattern.findall(text)):
                    yield f"section {section}"

    def dead_sections(self, sections):
        return [section for section in sections if section not in self.sections]


def part(text, number):
    found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found.group().split("\n", 1)[1] if found else ""


def kernel_chapter(text):
    decision = r"K-(?:\d\d|H\d+)"
    cases = re.findall(r"^(\d+)\. ", part(text, 7), re.MULTILINE)
    decisions = re.findall(rf"\*\*\[({decision})\]", text)
    kinds = [Kind(r"\d+", set(cases), words=r"[Cc]ases?\s+"), Kind(decision, set(decisions))]
    return Chapter("kmd.md", text, kinds, inside=[r"\bsection (\d+(?:\.\d+)?)\b"])


def user_chapter(text):
    tests = re.findall(r"^- (T\d{3}) |\b(G\d\d) ", part(text, 7), re.MULTILINE)
    known = {test or guest for test, guest in tests}
    inside = [r"\b(?:sections? |see |of |in )(\d\.\d+(?:\.\d+)?)\b",
              r"(?<![\w.])(\d\.\d+\.\d+)(?![\w.]\d)"]
    return Chapter("umd-d3d9.md", text, [Kind(r"(?:T\d{3}|G\d\d)", known)], inside)


def chapters():
    makers = {"kmd.md": kernel_chapter, "umd-d3d9.md": user_chapter}
    return [make((ROOT / SPEC / name).read_text()) for name, make in makers.items()]


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
        seen += chapter.name in text
        for citation in chapter.dead_ends(text, inside=name == chapter.path):
            wrong.append(f"{name}: {citation} leads nowhere in {chapter.path}")
    if seen < 2:
        wrong.append(f"no file cites {chapter.name}: the search is broken")
    return wrong


LIVE = {
    "kmd.md": """kmd.md 3.8, kmd.md 3.7 to 3.9 and (kmd.md
  /// 3.10). kmd.md 3.8, 1024 items; kmd.md case 89; Cases 166 and 167 of kmd.md 7.
  [K-25] kmd.md K-H1 kmd.md 8.9 `kmd.md` 6.""",
    "umd-d3d9.md": """umd-d3d9.md 1.3, umd-d3d9.md 2.14.6 and (umd-d3d9.md
  /// 0.3, 1.2.1). umd-d3d9.md 2.15, 1024 items; umd-d3d9.md T103; T100 to T114, G33
  of umd-d3d9.md
  [T001] [G37] `umd-d3d9.md` 7.""",
}
DEAD = {
    "kmd.md": [
        "kmd.md 3.99", "kmd.md 9", "kmd.md 3.7 to 3.99", "(kmd.md\n/// 3.99)", "kmd.md section 3.99",
        "kmd.md case 9999", "kmd.md cases 1, 2 and 9999", "case 9999 of kmd.md 7",
        "cases 0 and 1 of kmd.md",
        "kmd.md K-99", "kmd.md K-25 and K-99", "[K-99]", "[K-H9]", "kmd.md 8.999", "`kmd.md` 3.99",
        "section 3.99 of kmd.md", "[kmd.md](docs/spec/kmd.md) 3.99",
    ],
    "umd-d3d9.md": [
        "umd-d3d9.md 1.99", "umd-d3d9.md 9", "umd-d3d9.md 1.3.99", "umd-d3d9.md 1.3, 1.3.99",
        "(umd-d3d9.md\n/// 2.99)", "umd-d3d9.md T999", "umd-d3d9.md T100 and G99", "[T999]", "[G00]",
        "T999 of umd-d3d9.md", "section 2.99 of umd-d3d9.md",
    ],
}
DEAD_INSIDE = {"kmd.md": ["see section 3.99"], "umd-d3d9.md": ["see 3.99", "(2.7.99)", "[T999]"]}


def prove(chapter):
    wrong = [f"{found} is said to lead nowhere" for found in chapter.dead_ends(LIVE[chapter.name])]
    dead = [(text, False) for text in DEAD[chapter.name]]
    dead += [(text, True) for text in DEAD_INSIDE[chapter.name]]
    for text, inside in dead:
        ends = list(chapter.dead_ends(text, inside))
        if len(ends) != 1:
            wrong.append(f"{text!r} gives {ends} instead of one dead end")
    return wrong


def main(arguments):
    job = prove if arguments == ["--prove"] else check
    wrong = [line for chapter in chapters() for line in job(chapter)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
