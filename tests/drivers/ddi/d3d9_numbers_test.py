#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds our numbers of the Direct3D 9 API to those of mingw's own headers.

usage: d3d9_numbers_test.py COMPILER
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADERS = ["d3d9_enums", "d3d9_states", "d3d9_flags", "d3d9_cap_bits", "hresults"]
VALUE = r"(0x[0-9A-Fa-f]+|\d+)"
ENUMERATOR = re.compile(rf"^  (D3D\w+) = {VALUE},$", re.MULTILINE)
CONSTANT = re.compile(
    rf"^inline constexpr \w+ (\w+) =\s+(?:static_cast<HRESULT>\()?{VALUE}u?\)?;$", re.MULTILINE)
OTHER_NAME = {"D3DBASIS_CATMULL_ROM": "D3DBASIS_INTERPOLATE"}  # mingw's, for Microsoft's.


def numbers():
    for header in HEADERS:
        text = next((ROOT / "drivers/win7/ddi").rglob(f"{header}.hpp")).read_text()
        yield from ENUMERATOR.findall(text)
        yield from CONSTANT.findall(text)


def main(compiler):
    ours = list(numbers())
    if len(ours) < 800:
        sys.exit(f"{len(ours)} numbers were found: the headers are misread")
    source = "#define NOMINMAX\n#include <windows.h>\n#include <d3d9.h>\n" + "".join(
        f'static_assert((unsigned)({OTHER_NAME.get(name, name)}) == {value}u, "{name}");\n'
        for name, value in ours)
    return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"],
                          input=source, text=True).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
