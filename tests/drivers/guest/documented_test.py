# SPDX-License-Identifier: MIT
"""Compares the guest tests with the table of docs/windows7.md.

usage: documented_test.py DOCUMENT CHAPTER SOURCE...
"""
import pathlib
import re
import sys

TEST = re.compile(r'const guest_test (\w+)\{\s*"(\w+)",\s*"([^"]*)"')
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \|", re.MULTILINE)


def main():
    document, title, *sources = sys.argv[1:]
    document = pathlib.Path(document)
    tests = {}
    for source in map(pathlib.Path, sources):
        for variable, name, summary in TEST.findall(source.read_text()):
            assert variable == name, f"{source}: {variable} is called {name}"
            tests[name] = summary
    assert tests, "no test was found"
    chapter = re.search(rf"^## {title}$(.*?)^## ", document.read_text(),
                        re.MULTILINE | re.DOTALL)[1]
    rows = dict(ROW.findall(chapter))
    wrong = {name for name in tests.keys() | rows.keys() if tests.get(name) != rows.get(name)}
    assert not wrong, f"{document}: the rows of {sorted(wrong)} and their tests differ"


if __name__ == "__main__":
    main()
