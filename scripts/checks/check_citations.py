#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that what the project cites of the chapters in docs/spec is there.

A citation is "wire.md 2.4", "host.md 1.15 and 1.16", "kmd.md 3.7 to 3.9", "section 3 of shaders.md",
"kmd.md case 89", "cases 1 and 2 of kmd.md" or "umd-d3d9.md T103 and G33". It leads to a heading, a
numbered point or case, or a test of that chapter. The numbers D-12, DEV-001, CP-001, VK-001 and K-25
lead to where host.md and kmd.md define them, wherever they stand; [T103] to umd-d3d9.md. A chapter's
name leads to a file: a section of a file that is none of these leads nowhere. Links of documents
lead to files and headings, and each file that CONTRIBUTING.md names is one of the project's, and one only.
Links lead to every document but those that people find by their names.

usage: check_citations.py            reads the tree
       check_citations.py --prove    shows that citations which lead nowhere are found
"""

import collections
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = pathlib.Path("docs/spec")
SUFFIXES = set(".hpp .cpp .h .c .inc .in .py .md .build .txt .cmd .inf .json .def .S".split()) | {""}
# Ends of lines, with what begins the next line of a comment, count as one space.
NAMED = re.compile(r"(?<![\w<{*.-])(?P<file>[A-Za-z][\w-]*\.md)\b"
                   r"(?:[`)\]]*,?\s+(?P<section>\d+\.\d+)\b)?")
FILE = re.compile(r"`([\w/.-]+\.(?:hpp|cpp|h|py|inc|json|md|build))`")
LISTS = pathlib.Path("CONTRIBUTING.md")
FOUND_BY_NAME = {pathlib.Path(name) for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}
OF_EACH_FOLDER = {"meson.build"}
LINK = re.compile(r"(?:\]\(|^\[[^\]]+\]: (?=\S*[#./]))(?!\w+:)([^)\s]+)", re.MULTILINE)
LINE_END = re.compile(r"[ \t]*\n[ \t]*(?://[/!]?<?|\*(?!\*)|#|>)?[ \t]*")
JOIN = r"(?:\s*,\s*(?:and\s+)?|\s+(?:and|to|or|-)\s+|\s*/\s*)"
SECTION = r"\d+(?:\.\d+){0,2}"
FURTHER_SECTION = r"(?:\d+\.\d+(?:\.\d+)?|\d(?!\d))"  # "kmd.md 3.8, 1024 items" names one section.


def listed(item, further=None):
    return rf"{item}(?:{JOIN}{further or item})*"


class Kind:
    """A kind of citation beside sections: "case 89" has words before it, "[T103]" stands in brackets,
    and one that stands `anywhere` needs neither: "D-12"."""

    def __init__(self, item, known, words="", anywhere=False):
        self.item, self.known, self.words, self.anywhere = item, set(known), words, anywhere
        self.alone = rf"(?<![\w-]){item}(?![\w-])" if anywhere else rf"\[{item}\]"

    def pattern(self, group):
        item = self.item if self.words else rf"\[?{self.item}\]?(?!\d)"
        return rf"(?P<{group}>{self.words}{listed(item)})"

    def dead(self, text):
        return [one for one in re.findall(self.item, text or "") if one not in self.known]

    def dead_alone(self, text):
        return [] if self.words else self.dead(" ".join(re.findall(self.alone, text)))


class Chapter:
    """What can be cited of one file, and how."""

    def __init__(self, name, text, kinds=(), inside=()):
        self.path, self.name, self.kinds = SPEC / name, name, kinds
        self.inside = [re.compile(pattern) for pattern in inside]
        self.sections = set(re.findall(r"^## (\d+)\. ", text, re.MULTILINE))
        self.sections |= set(re.findall(r"^#{3,4} (\d+(?:\.\d+){1,2}) ", text, re.MULTILINE))
        self.sections |= {f"{number}.{point}" for number in ("8", "16") for point in
                          re.findall(r"^(\d+)\. ", part(text, number), re.MULTILINE)}
        file = re.escape(name)
        other = "".join(kind.pattern(f"kind{n}") + "|" for n, kind in enumerate(kinds))
        sections = rf"(?P<sections>{listed(SECTION, FURTHER_SECTION)})"
        self.after = re.compile(rf"(?<![\w-]){file}[`)\]]*,?\s+(?:{other}(?:sections?\s+)?{sections})")
        self.before = re.compile(rf"(?<![\w.-])(?:{other}[Ss]ections?\s+{sections})"
                                 rf"\s+of\s+[`\[]?(?:docs/spec/)?{file}")

    def dead_ends(self, text, inside=False):
        """The citations of a joined text that lead nowhere; `inside` the chapter it names no file."""
        named = not inside and self.name in text
        for found in [*self.after.finditer(text), *self.before.finditer(text)] if named else []:
            for section in self.dead_sections(re.findall(SECTION, found["sections"] or "")):
                yield f"{self.name} {section}"
            for n, kind in enumerate(self.kinds):
                for one in [] if kind.anywhere else kind.dead(found[f"kind{n}"]):
                    yield f"{self.name} {'case ' if kind.words else ''}{one}"
        for kind in self.kinds:
            for one in kind.dead_alone(text):
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


def rows(pattern, text):
    return re.findall(pattern, text, re.MULTILINE)


def wire_chapter(text):
    return Chapter("wire.md", text, inside=[r"\bsections? (\d+(?:\.\d+)?)\b"])


def host_chapter(text):
    cases = Kind(r"(?:DEV|CP|VK)-\d{3}", rows(r"^- ((?:DEV|CP|VK)-\d{3}) ", text), anywhere=True)
    decisions = rows(r'^- <a id="d-\d\d"></a>\*\*(D-\d\d) ', text)
    return Chapter("host.md", text, [Kind(r"D-\d\d", decisions, anywhere=True), cases],
                   [r"\bsections? (\d+(?:\.\d+)?)\b", r"\bsee (\d\.\d+)\b", r"\((\d\.\d+)[);,]"])


def shaders_chapter(text):
    return Chapter("shaders.md", text, inside=[r"\b(?:see|sections?) (\d(?:\.\d+)?)\b"])


def trace_chapter(text):
    return Chapter("trace.md", text)


def kernel_chapter(text):
    decision = r"K-(?:\d\d|H\d+)"
    cases = rows(r"^(\d+)\. ", part(text, 7))
    decisions = Kind(decision, rows(rf"\*\*\[({decision})\]", text), anywhere=True)
    kinds = [Kind(r"\d+", cases, words=r"[Cc]ases?\s+"), decisions]
    return Chapter("kmd.md", text, kinds, inside=[r"\bsection (\d+(?:\.\d+)?)\b"])


def user_chapter(text):
    tests = rows(r"^- (T\d{3}) |\b(G\d\d) ", part(text, 7))
    known = [test or guest for test, guest in tests]
    inside = [r"\b(?:sections? |see |of |in )(\d\.\d+(?:\.\d+)?)\b",
              r"(?<![\w.])(\d\.\d+\.\d+)(?![\w.]\d)"]
    return Chapter("umd-d3d9.md", text, [Kind(r"(?:T\d{3}|G\d\d)", known)], inside)


MAKERS = {"wire.md": wire_chapter, "host.md": host_chapter, "shaders.md": shaders_chapter,
          "trace.md": trace_chapter, "kmd.md": kernel_chapter, "umd-d3d9.md": user_chapter}


def chapters():
    return [make((ROOT / SPEC / name).read_text()) for name, make in MAKERS.items()]


class Documents:
    """Every document's name, and where a link into it may lead."""

    def __init__(self):
        self.anchors = {path.relative_to(ROOT): anchors(path) for path in files()
                        if path.suffix == ".md"}
        self.names = {path.name for path in self.anchors}
        self.files = {"/" + str(path.relative_to(ROOT)) for path in files()}

    def dead_names(self, text):
        """Documents that a joined text names and that are not there; sections of no chapter."""
        for found in NAMED.finditer(text):
            if found["file"] not in self.names:
                yield found["file"]
            elif found["section"] and found["file"] not in MAKERS:
                yield f"{found['file']} {found['section']}"

    def dead_files(self, text):
        """What is wrong with the files that a text names by the end of their paths."""
        for name in dict.fromkeys(FILE.findall(text)):
            found = sorted(path[1:] for path in self.files if path.endswith("/" + name))
            if not found:
                yield f"no file is {name}"
            elif len(found) > 1 and name not in OF_EACH_FOLDER:
                yield f"{name} may be {' or '.join(found)}"

    def links(self, name, text):
        """What the document `name` links: the link, its file from the root, and its heading."""
        for target in LINK.findall(prose(text)):
            path, _, anchor = target.partition("#")
            yield target, pathlib.Path(os.path.normpath(name.parent / path)) if path else name, anchor

    def unreached(self, texts):
        """Documents to which no path of links leads from those that people find by their names."""
        reached, ahead = set(), list(FOUND_BY_NAME)
        while ahead:
            name = ahead.pop()
            if name in self.anchors and name not in reached:
                reached.add(name)
                ahead += [file for _, file, _ in self.links(name, texts.get(name, ""))]
        return sorted(set(self.anchors) - reached)

    def dead_links(self, name, text):
        """Links of the document `name` that lead to no file or no heading."""
        for target, file, anchor in self.links(name, text):
            if not (ROOT / file).exists():
                yield target
            elif anchor and anchor not in self.anchors.get(file, ()):
                yield target


def prose(text):
    """A document without its code, in which brackets are no links."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    text = prose(path.read_text())
    made = set(re.findall(r'<a id="([^"]+)">', text))
    for heading in re.findall(r"^#+ (.*?)\s*$", text, re.MULTILINE):
        made.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return made


def files():
    for folder, folders, names in os.walk(ROOT):
        top = pathlib.Path(folder) == ROOT
        folders[:] = [name for name in folders if not name.startswith(".") and
                      not (top and (name.startswith("build") or name == "out"))]
        for name in names:
            path = pathlib.Path(folder, name)
            if path.suffix in SUFFIXES:
                yield path


def texts():
    """What may cite: every file but this one, whose examples lead nowhere on purpose."""
    for path in files():
        if path == pathlib.Path(__file__).resolve():
            continue
        try:
            yield path.relative_to(ROOT), path.read_text()
        except UnicodeDecodeError:
            continue


def joined(text):
    return LINE_END.sub(" ", text)


def check():
    wrong, seen, known, documents = [], collections.Counter(), chapters(), Documents()
    pages = {}
    for name, lines in texts():
        text = joined(lines)
        for chapter in known:
            seen[chapter.name] += chapter.name in text
            wrong += [f"{name}: {citation} leads nowhere in {chapter.path}"
                      for citation in chapter.dead_ends(text, inside=name == chapter.path)]
        wrong += [f"{name}: no document is {dead}" for dead in documents.dead_names(text)]
        if name.suffix == ".md":
            pages[name] = lines
            wrong += [f"{name}: the link {dead} leads nowhere"
                      for dead in documents.dead_links(name, lines)]
    wrong += [f"{name}: no link leads to it" for name in documents.unreached(pages)]
    wrong += [f"{LISTS}: {dead}"
              for dead in documents.dead_files((ROOT / LISTS).read_text())]
    wrong += [f"no file cites {name}: the search is broken" for name in MAKERS if seen[name] < 2]
    return wrong


LIVE = {
    "wire.md": "wire.md 7.2, 7.3), wire.md 16.5, kmd.md 3.6. (wire.md 8, rule 6) wire.md 5.2's table",
    "host.md": """host.md 1.10: cmd_decode, host.md 1.15 and 1.16, (host.md 3.4), host.md D-22, `D-45`,
  // host.md
  // 2.9). DEV-129..131, CP-001, VK-086""",
    "shaders.md": "shaders.md 1.3 - 1.8, shaders.md 3.1, 3.2). shaders.md 2.2, 2.3 | VK-010",
    "trace.md": "what trace.md describes",
    "kmd.md": """kmd.md 3.8, kmd.md 3.7 to 3.9 and (kmd.md
  /// 3.10). kmd.md 3.8, 1024 items; kmd.md case 89; Cases 166 and 167 of kmd.md 7.
  [K-25] kmd.md K-H1 kmd.md 8.9 `kmd.md` 6.""",
    "umd-d3d9.md": """umd-d3d9.md 1.3, umd-d3d9.md 2.14.6 and (umd-d3d9.md
  /// 0.3, 1.2.1). umd-d3d9.md 2.15, 1024 items; umd-d3d9.md T103; T100 to T114, G33
  of umd-d3d9.md
  [T001] [G37] `umd-d3d9.md` 7.""",
}
DEAD = {
    "wire.md": ["wire.md 3.99", "wire.md 7.2, 7.99)", "wire.md 16.99", "section 99 of wire.md", "wire.md 99"],
    "host.md": ["host.md 1.99", "host.md 1.15 and 1.99", "host.md D-99", "D-00", "DEV-999", "a CP-000.",
                "(host.md\n/// 2.99)", "VK-999"],
    "shaders.md": ["shaders.md 1.3 - 1.99", "shaders.md 3.1, 3.99", "(shaders.md\n  // 9.1)"],
    "trace.md": ["trace.md 1.1"],
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
LIVE_NAMES = "docs/limits.md, `kmd.md` 3.8, docs/limits.md, 3 of them"
DEAD_NAMES = ["toolchain.md", "docs/limits.md 2.1", "(performance.md 2.1)", "docs/nothing.md"]
LIVE_LINKS = """[a](docs/limits.md) [b](#embed-it) [c](docs/spec/host.md#115-scanout) [d](https://x.y/#z)
[D-11]: docs/spec/host.md#d-11
```cpp
[&](gpu& card) {}
```
"""
DEAD_LINKS = ["[a](docs/nothing.md)", "[a](#nothing)", "[a](docs/spec/host.md#d-99)", "[D-11]: #d-11\n"]
DEAD_INSIDE = {"wire.md": ["see section 99"], "host.md": ["see 1.99", "(2.99)"],
               "shaders.md": ["see 2.99"],
               "kmd.md": ["see section 3.99"], "umd-d3d9.md": ["see 3.99", "(2.7.99)", "[T999]"]}


def prove_chapter(chapter):
    wrong = [f"{found} is said to lead nowhere" for found in chapter.dead_ends(joined(LIVE[chapter.name]))]
    dead = [(text, False) for text in DEAD[chapter.name]]
    dead += [(text, True) for text in DEAD_INSIDE.get(chapter.name, [])]
    for text, inside in dead:
        wrong += one_end(text, list(chapter.dead_ends(joined(text), inside)))
    return wrong


def one_end(text, ends):
    return [] if len(ends) == 1 else [f"{text!r} gives {ends} instead of one dead end"]


def prove():
    wrong = [line for chapter in chapters() for line in prove_chapter(chapter)]
    documents, readme = Documents(), pathlib.Path("README.md")
    wrong += [f"{found} is said not to exist" for found in documents.dead_names(joined(LIVE_NAMES))]
    wrong += [f"{found} is said to lead nowhere"
              for found in documents.dead_links(readme, LIVE_LINKS)]
    for text in DEAD_NAMES:
        wrong += one_end(text, list(documents.dead_names(joined(text))))
    for text in DEAD_LINKS:
        wrong += one_end(text, list(documents.dead_links(readme, text)))
    for text in ("`handlers_nothing.hpp`", "`stream/checks/draw.hpp`", "`format.hpp`"):
        wrong += one_end(text, list(documents.dead_files(f"`meson.build` {text}")))
    everything = "".join(f"[a]({name}) " for name in documents.anchors if name.name != "limits.md")
    wrong += one_end("a document without a link", documents.unreached({readme: everything}))
    return wrong


def main(arguments):
    wrong = prove() if arguments == ["--prove"] else check()
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
