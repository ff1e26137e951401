#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checking each header alone finds what one leaves out, also where a precompiled header serves it.

usage: header_hubs_test.py CLANG
"""
import pathlib
import re
import sys
import tempfile

from compile_headers import alone
from header_hubs import hub_choice

GOOD = '#pragma once\n#include "aerogpu/hub.hpp"\ninline std::vector<int> {0}() {{ return {{}}; }}\n'
HEADERS = {
    "aerogpu/hub.hpp": "#pragma once\n#include <vector>\n" + "// Long enough to be worth it.\n" * 20,
    "aerogpu/a.hpp": GOOD.format("a"),
    "aerogpu/b.hpp": GOOD.format("b"),
    "aerogpu/c.hpp": GOOD.format("c"),
    # What the hub does not bring is missed; so is what comes before the hub does.
    "aerogpu/map.hpp": '#pragma once\n#include "aerogpu/hub.hpp"\ninline std::map<int, int> d;\n',
    "aerogpu/late.hpp": '#pragma once\ninline std::vector<int> e;\n#include "aerogpu/hub.hpp"\n',
}


def main():
    choice = hub_choice(HEADERS)
    assert choice.hubs == ["aerogpu/hub.hpp"], choice.hubs
    served = [name for name in HEADERS if choice.hub_of(name)]
    assert served == ["aerogpu/a.hpp", "aerogpu/b.hpp", "aerogpu/c.hpp", "aerogpu/map.hpp"], served
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in HEADERS.items():
            path = root / "include" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        failures, _ = alone(root, sys.argv[1:])
    blamed = {re.search(r"include/(\S+?):\d+:\d+: error", failure)[1] for failure in failures}
    assert blamed == {"aerogpu/map.hpp", "aerogpu/late.hpp"}, failures


if __name__ == "__main__":
    main()
