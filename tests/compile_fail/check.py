#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that a source does not compile, and that the compiler says why in a readable line.

usage: check.py SOURCE COMPILER [ARGUMENT...]

The source is compiled twice: as it is, which succeeds, and with -DWRONG, which fails with an error
that holds each text of its lines `// says: TEXT`. `// says (clang): TEXT` is for one compiler. A line
`// wrong with: ARGUMENT...` adds arguments to -DWRONG.
"""
import os
import pathlib
import re
import subprocess
import sys


def compiles(command, source):
    done = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    return done.returncode == 0, done.stderr


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip().splitlines()[2])
    source, command = sys.argv[1], sys.argv[2:]
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout
    family = "clang" if "clang" in version else "gcc"
    good, text = compiles(command, source)
    if not good:
        sys.exit(f"{source} must compile without -DWRONG:\n{text}")
    lines = pathlib.Path(source).read_text()
    more = re.findall(r"^// wrong with: (.+)$", lines, re.MULTILINE)
    good, text = compiles([*command, "-DWRONG", *" ".join(more).split()], source)
    if good:
        sys.exit(f"{source} compiles with -DWRONG")
    for only, wanted in re.findall(r"^// says(?: \((\w+)\))?: (.+)$", lines, re.MULTILINE):
        if only in ("", family) and wanted not in text:
            sys.exit(f"{source}: the compiler does not say {wanted!r}:\n{text}")


if __name__ == "__main__":
    main()
