#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the table of a driver's test cases from the tags of its tests, or check that it is current.

usage: driver_cases_table.py kernel|user [--check]

A test case that proves case 42 of docs/spec/kmd.md 7 carries the tag [case-42]; one that proves T030
or G14 of docs/spec/umd-d3d9.md 7 carries [T030] or [G14]. So does the end of the first line of a
Python function's description, which is the case's name. Cases of a chapter that no test carries are
listed as missing, or with the reason why there can be none; a tag that the chapter does not know fails.
"""
import dataclasses
import pathlib
import re
import sys
import typing

import generated_document

ROOT = generated_document.ROOT
TESTS = [ROOT / "tests/drivers", ROOT / "tests/drivers/ddi"]

INTRO = """# Cases of the Windows 7 {title}

For whoever changes the driver and wants to know which rule a test stands for. The cases are those of
[the driver's chapter](../spec/{chapter}), section 7; made from the tags of the tests by
`scripts/driver_cases_table.py {name}`.

"""

PYTHON_TEST = re.compile(r'^def \w+\([^)]*\):\n    """(.+?)((?: ?\[[^\]]+\])+)"""$', re.MULTILINE)
TEST = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')


def kernel_cases(section):
    """[(heading, [(id, sentence)])]: "Heading", then lines "42. sentence"."""
    groups = []
    for line in section.splitlines():
        case = re.match(r"(\d+)\. (.+)$", line)
        if case and groups:
            groups[-1][1].append((case[1], case[2]))
        elif re.match(r"[A-Z][A-Za-z, ]+$", line):
            groups.append((line, []))
    return groups


def user_cases(section):
    """[(heading, [(id, sentence)])]: "**Heading**", then items "- T030 sentence" over several lines,
    the guest tests several to an item: "- G08 name, G09 name"."""
    groups = []
    for item in re.split(r"\n(?=- |\n|\*\*)", section):
        item = " ".join(item.split())
        heading = re.match(r"\*\*([^*]+)\*\*", item)
        if heading:
            groups.append((heading[1], []))
        elif re.match(r"- [TG]\d", item):
            parts = re.split(r"(?<=[.,;]) (?=G\d\d )", item.removeprefix("- "))
            groups[-1][1].extend(tuple(part.rstrip(",;").split(" ", 1)) for part in parts)
    return groups


# Cases that no native test can be, each with what stands in its place.
ELSEWHERE = {
    "T123": "no such path: the driver copies on the host alone, and a device of ABI 1.1 or later, which "
            "it is for, has TRANSFER (`transfer_feature_sanity`)",
    "T270": "programs for Windows (`drivers/win7/tests/d3d9`): `./dev wine-d3d9-tests` runs each of "
            "G01 to G35 that names one over `d3d9.dll`, on x64 and x86",
    "G01": "asks Windows' compositor, which no simulation has; `examples/win7_desktop` composes by "
           "itself",
    "G02": "waits for Windows' compositor, as G01; what it waits for is G31's vertical blank",
}


@dataclasses.dataclass
class Driver:
    name: str
    title: str
    chapter: str
    document: pathlib.Path
    cases: typing.Callable
    tag: str


DRIVERS = {
    driver.name: driver
    for driver in [
        Driver("kernel", "kernel driver", "kmd.md", ROOT / "docs/cases/driver-cases.md", kernel_cases,
               r"\[case-(\d+)\]"),
        Driver("user", "user-mode driver", "umd-d3d9.md", ROOT / "docs/cases/user-mode-driver-cases.md",
               user_cases, r"\[([TG]\d+)\]"),
    ]
}


def text_of(literals):
    """The characters of adjacent string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"')


def chapter_cases(driver):
    text = (ROOT / "docs/spec" / driver.chapter).read_text()
    section = text.split("\n## 7. ")[1].split("\n## 8. ")[0]
    return [(heading, cases) for heading, cases in driver.cases(section) if cases]


def named_tests():
    """(name, tags, file) of all tests."""
    for path in sorted(path for folder in TESTS for path in folder.rglob("*.cpp")):
        for match in TEST.finditer(path.read_text()):
            yield text_of(match[1]), text_of(match[2]), path
    for path in sorted(path for folder in TESTS for path in folder.rglob("*.py")):
        for match in PYTHON_TEST.finditer(path.read_text()):
            yield match[1].strip().rstrip("."), match[2], path


def tagged_tests(tag):
    """{id: [(name, file)]} of all tests that carry a case's tag."""
    found = {}
    for name, tags, path in named_tests():
        for case in re.findall(tag, tags):
            file = path.relative_to(ROOT / "tests").as_posix()
            found.setdefault(case, []).append((name, file))
    return found


def row(case, sentence, tests):
    without = ELSEWHERE.get(case, "**missing**")
    names = "<br>".join(name.replace("|", "\\|") for name, _ in tests) or without
    files = "<br>".join(dict.fromkeys(f"`{file}`" for _, file in tests))
    sentence = sentence.replace("|", "\\|")
    return f"| {case} | {sentence} | {names} | {files} |"


def document(driver):
    groups, tests = chapter_cases(driver), tagged_tests(driver.tag)
    known = [case for _, cases in groups for case, _ in cases]
    repeated = sorted({case for case in known if known.count(case) > 1})
    if repeated or not known:
        sys.exit(f"docs/spec/{driver.chapter} 7: no cases, or some twice: {repeated}")
    unknown = sorted(set(tests) - set(known))
    if unknown:
        sys.exit(f"tags of cases that docs/spec/{driver.chapter} does not have: {unknown}")
    missing = [case for case in known if case not in tests and case not in ELSEWHERE]
    elsewhere = [case for case in known if case in ELSEWHERE]
    if stale := [case for case in elsewhere if case in tests]:
        sys.exit(f"cases that have a test after all: {stale}")
    text = INTRO.format(**vars(driver))
    text += f"{len(known) - len(missing) - len(elsewhere)} of {len(known)} cases have a test."
    if elsewhere:
        text += f" No native test can be: {', '.join(elsewhere)}."
    if missing:
        text += f" Missing: {', '.join(missing)}."
    text += "\n"
    for heading, cases in groups:
        text += f"\n## {heading}\n\n| Case | Rule | Tests | In `tests` |\n|---:|---|---|---|\n"
        text += "\n".join(row(case, rule, tests.get(case, [])) for case, rule in cases) + "\n"
    return text


if __name__ == "__main__":
    chosen = DRIVERS.get(sys.argv.pop(1)) if len(sys.argv) > 1 else None
    if chosen is None:
        sys.exit(next(line for line in __doc__.splitlines() if line.startswith("usage:")))
    generated_document.main(chosen.document, lambda: document(chosen), __doc__)
