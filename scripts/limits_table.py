#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print docs/limits.md from the headers that hold the limits, or check that it is up to date.

usage: limits_table.py [--check]
"""
import ast
import operator
import re

import generated_document

ROOT = generated_document.ROOT
DEVICE_HEADER = ROOT / "include/aerogpu/hosted/limits.hpp"
BACKEND_HEADER = ROOT / "backends/vulkan/backend_limits.hpp"
DOCUMENT = ROOT / "docs/limits.md"

INTRO = """# Limits

For whoever embeds a device and wants to know what a hostile guest can make it hold. Made from
`include/aerogpu/hosted/limits.hpp` and `backends/vulkan/backend_limits.hpp` by
`scripts/limits_table.py`; change the numbers there.

## The device

Every limit is a member of `aerogpu::limits`, which an embedder passes in the device's
configuration. Reaching one fails that submission with `OutOfMemory` (or the code that the table of
the ring or stream names), its fence still advances, and the device goes on.

"""

BACKEND_INTRO = """
## The Vulkan backend

Every limit is a member of `aerogpu::vulkan::backend_limits`, which an embedder passes as
`backend_options::bounds`. They bound what the backend holds on its device beside the guest's own
objects. A cache that is full gives up what was used least recently; a batch that is full is
submitted. `vulkan_backend::create` refuses 0 and values that make no sense.

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


def table(header):
    """The members of the header's struct, section by section."""
    lines, why = [], []
    for line in header.read_text().partition("\nstruct ")[2].partition("\n};")[0].splitlines():
        section = re.match(r"  // (.+)$", line)
        remark = re.match(r"  /// (.+)$", line)
        member = re.match(r"  std::uint(?:32|64)_t (\w+) = ([^;]+);$", line)
        if section:
            why = []
            lines += ["", f"### {section[1]}", "", "| Limit | Default | What it bounds |",
                      "|---|---:|---|"]
        elif remark:
            why.append(remark[1])
        elif member:
            name, expression = member.groups()
            lines.append(f"| `{name}` | {readable(name, evaluate(expression))} | {' '.join(why)} |")
            why = []
    return "\n".join(lines).strip() + "\n"


def document():
    return INTRO + table(DEVICE_HEADER) + BACKEND_INTRO + table(BACKEND_HEADER)


if __name__ == "__main__":
    generated_document.main(DOCUMENT, document, __doc__)
