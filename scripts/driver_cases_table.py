#!/usr/bin/env python3
"""Print docs/driver-cases.md from the tags of the driver's tests, or check that it is up to date.

usage: driver_cases_table.py [--check]

A test case that proves case 42 of docs/spec/kmd.md 7 carries the tag [case-42]. Cases of the chapter
that no test carries are listed as missing; a tag that the chapter does not know fails.
"""
import re
import sys

import generated_document

ROOT = generated_document.ROOT
CHAPTER = ROOT / "docs/spec/kmd.md"
TESTS = [ROOT / "tests/drivers", ROOT / "tests/unit/drivers_ddi"]
DOCUMENT = ROOT / "docs/driver-cases.md"

INTRO = """# Cases of the Windows 7 kernel driver

For whoever changes the driver and wants to know which rule a test stands for. The cases are those of
[the driver's chapter](spec/kmd.md), section 7; made from the tags of the tests by
`scripts/driver_cases_table.py`.

"""

TEST = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
HEADING = re.compile(r"[A-Z][A-Za-z, ]+$")
CASE = re.compile(r"(\d+)\. (.+)$")


def text_of(literals):
    """The characters of adjacent string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def chapter_cases():
    """[(heading, [(number, sentence)])] of the chapter's section 7."""
    section = CHAPTER.read_text().split("\n## 7. ")[1].split("\n## 8. ")[0]
    groups = []
    for line in section.splitlines():
        case = CASE.match(line)
        if case and groups:
            groups[-1][1].append((int(case[1]), case[2]))
        elif HEADING.match(line):
            groups.append((line, []))
    return [(heading, cases) for heading, cases in groups if cases]


def tagged_tests():
    """{number: [(name, file)]} of all tests that carry a case's tag."""
    found = {}
    for path in sorted(path for folder in TESTS for path in folder.rglob("*.cpp")):
        for match in TEST.finditer(path.read_text()):
            for number in re.findall(r"\[case-(\d+)\]", text_of(match[2])):
                name = (text_of(match[1]), path.relative_to(ROOT / "tests").as_posix())
                found.setdefault(int(number), []).append(name)
    return found


def row(number, sentence, tests):
    names = "<br>".join(name.replace("|", "\\|") for name, _ in tests) or "**missing**"
    files = "<br>".join(dict.fromkeys(f"`{file}`" for _, file in tests))
    sentence = sentence.replace("|", "\\|")
    return f"| {number} | {sentence} | {names} | {files} |"


def document():
    groups, tests = chapter_cases(), tagged_tests()
    known = [number for _, cases in groups for number, _ in cases]
    if known != list(range(1, len(known) + 1)):
        sys.exit("docs/spec/kmd.md 7: the cases are not numbered from 1 without a gap")
    unknown = sorted(set(tests) - set(known))
    if unknown:
        sys.exit(f"tags of cases that the chapter does not have: {unknown}")
    missing = [number for number in known if number not in tests]
    text = INTRO + f"{len(known) - len(missing)} of {len(known)} cases have a test."
    if missing:
        text += f" Missing: {', '.join(map(str, missing))}."
    text += "\n"
    for heading, cases in groups:
        text += f"\n## {heading}\n\n| Case | Rule | Tests | In `tests` |\n|---:|---|---|---|\n"
        text += "\n".join(row(number, rule, tests.get(number, [])) for number, rule in cases) + "\n"
    return text


if __name__ == "__main__":
    generated_document.main(DOCUMENT, document, __doc__)
