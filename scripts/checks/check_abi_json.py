#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds docs/spec/abi.json to the C headers.

Each constant, enumerator, structure size, field offset and field size becomes a static assertion
that a C compiler checks against include/aerogpu/abi.h; nothing is run. Each constant, enumerator,
structure and field of the headers is in the JSON.

usage: check_abi_json.py COMPILER [FLAG]...             compares
       check_abi_json.py --prove COMPILER [FLAG]...     shows that differences are found
"""

import copy
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Facts about headers that this project does not have: wire.md 14 keeps them as prose.
ELSEWHERE = re.compile(r"legacy")
# A macro with parameters is code, and no fact.
CONSTANT = re.compile(r"^#define (AEROGPU_\w+)[ \t]|^\s+(AEROGPU_\w+) *(?:=|,)", re.MULTILINE)
STRUCT = re.compile(r"\bstruct (aerogpu_\w+)\s*\{")
STRUCT_BODY = re.compile(r"\bstruct (aerogpu_\w+)\s*\{(.*?)^\}", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
FIELD = re.compile(r"(\w+)(?:\[\w+\])*;")


def assertions(abi):
    for name, header in abi["headers"].items():
        if ELSEWHERE.search(name):
            continue
        values = dict(header["constants"])
        for enumerators in header["enums"].values():
            values.update(enumerators)
        for constant, value in sorted(values.items()):
            yield f'_Static_assert({constant} == {number(value)}, "{constant}");'
        for struct, layout in header["structs"].items():
            yield from layout_assertions(struct, layout)


def layout_assertions(struct, layout):
    yield f'_Static_assert(sizeof(struct {struct}) == {layout["size"]}, "{struct}");'
    for field in layout["fields"]:
        member = f"{struct}, {field['name']}"
        yield (f'_Static_assert(offsetof(struct {member}) == {field["offset"]} && '
               f'sizeof(((struct {struct}*)0)->{field["name"]}) == {field["size"]}, "{member}");')


def number(value):
    return f"{value}ull" if value > 0x7FFFFFFF else str(value)


def compile_errors(abi, command):
    source = "#include <aerogpu/abi.h>\n#include <stddef.h>\n" + "\n".join(assertions(abi)) + "\n"
    done = subprocess.run([*command, "-std=c11", "-x", "c", "-fsyntax-only", "-I",
                           str(ROOT / "include"), "-"], input=source, capture_output=True, text=True)
    found = [line for line in done.stderr.splitlines() if "error" in line]
    if done.returncode and not found:
        found.append(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return found


def missing(abi):
    """What the headers have and the JSON does not."""
    known = set()
    for header in abi["headers"].values():
        known.update(header["constants"], header["structs"], *header["enums"].values())
    for path in sorted((ROOT / "include/aerogpu/abi").glob("*.h")):
        text = path.read_text()
        names = {name for names in CONSTANT.findall(text) for name in names if name}
        for name in sorted(names.union(STRUCT.findall(text)) - known):
            yield f"docs/spec/abi.json lacks {name} of {path.name}"
        yield from missing_fields(abi, text)


def missing_fields(abi, text):
    layouts = {name: layout for header in abi["headers"].values()
               for name, layout in header["structs"].items()}
    for struct, body in STRUCT_BODY.findall(text):
        known = {field["name"] for field in layouts.get(struct, {"fields": []})["fields"]}
        for field in FIELD.findall(COMMENT.sub("", body)):
            if struct in layouts and field not in known:
                yield f"docs/spec/abi.json lacks {struct}.{field}"


def errors(abi, command):
    return compile_errors(abi, command) + list(missing(abi))


def prove(abi, command):
    """Each kind of fact, made wrong, is found once."""
    def size(wrong):
        wrong["headers"]["aerogpu_ring.h"]["structs"]["aerogpu_ring_header"]["size"] += 4

    def offset(wrong):
        fields = wrong["headers"]["aerogpu_ring.h"]["structs"]["aerogpu_ring_header"]["fields"]
        fields[1]["offset"] += 1

    def constant(wrong):
        wrong["headers"]["aerogpu_ring.h"]["constants"]["AEROGPU_RING_MAGIC"] += 1

    def absent_constant(wrong):
        del wrong["headers"]["aerogpu_pci.h"]["constants"]["AEROGPU_FEATURE_FENCE_PAGE"]

    def absent_struct(wrong):
        del wrong["headers"]["aerogpu_ring.h"]["structs"]["aerogpu_ring_header"]

    def absent_field(wrong):
        del wrong["headers"]["aerogpu_ring.h"]["structs"]["aerogpu_ring_header"]["fields"][-1]

    for change in (size, offset, constant, absent_constant, absent_struct, absent_field):
        wrong = copy.deepcopy(abi)
        change(wrong)
        found = errors(wrong, command)
        if len(found) != 1:
            yield f"a wrong {change.__name__} gives {found} instead of one error"
    if not compile_errors(abi, ["false"]):
        yield "a compiler that fails without a word is taken for one that agrees"


def main(arguments):
    proves = arguments[:1] == ["--prove"]
    command = arguments[1:] if proves else arguments
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    abi = json.loads((ROOT / "docs/spec/abi.json").read_text())
    wrong = list(prove(abi, command) if proves else errors(abi, command))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
