#!/usr/bin/env python3
"""Print docs/limits.md from include/aerogpu/processor/limits.hpp, or check that it is up to date.

usage: limits_table.py [--check]
"""
import ast
import operator
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/aerogpu/processor/limits.hpp"
DOCUMENT = ROOT / "docs/limits.md"

INTRO = """# Limits

For whoever embeds a device and wants to know what a hostile guest can make it hold. Made from
`include/aerogpu/processor/limits.hpp` by `scripts/limits_table.py`; change the numbers there.

Every limit is a member of `aerogpu::limits`, which an embedder passes in the device's
configuration. Reaching one fails that submission with `OutOfMemory` (or the code that the table of
the ring or stream names), its fence still advances, and the device goes on.

"""

OPERATORS = {ast.LShift: operator.lshift, ast.Mult: operator.mul}


def evaluate(text):
    """The value of a C++ integer expression made of literals, << and *."""
    tree = ast.parse(re.sub(r"(?<=\d)(ull|u)\b", "", text.replace("'", "")), mode="eval").body

    def walk(node):
        if isinstance(node, ast.Constant):
            return node.value
        return OPERATORS[type(node.op)](walk(node.left), walk(node.right))

    return walk(tree)


def readable(name, value):
    """Bytes as KiB, MiB or GiB; counts with thousands separators."""
    if "bytes" in name:
        for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value % size == 0 and value >= size:
                return f"{value // size} {unit}"
    return f"{value:,}"


def table():
    lines, why = [], []
    for line in HEADER.read_text().splitlines():
        section = re.match(r"  // (.+)$", line)
        remark = re.match(r"  /// (.+)$", line)
        member = re.match(r"  std::uint(?:32|64)_t (\w+) = ([^;]+);$", line)
        if section:
            lines += ["", f"## {section[1]}", "", "| Limit | Default | What it bounds |",
                      "|---|---:|---|"]
        elif remark:
            why.append(remark[1])
        elif member:
            name, expression = member.groups()
            lines.append(f"| `{name}` | {readable(name, evaluate(expression))} | {' '.join(why)} |")
            why = []
    return "\n".join(lines).strip() + "\n"


def main():
    text = INTRO + table()
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.read_text() != text:
            sys.exit("docs/limits.md is out of date: run scripts/limits_table.py > docs/limits.md")
    elif sys.argv[1:]:
        sys.exit(__doc__.strip().splitlines()[-1])
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
