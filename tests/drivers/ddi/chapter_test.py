#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the tables of docs/spec/umd-d3d9.md to what the headers have, both ways.

Structures of 1.2.1, 1.2.2, 1.3.5 and 1.5 against drivers/win7/ddi/abi_table.txt; entries of 1.2.3,
1.2.4, 1.2.5 and 1.3.2 to 1.3.4 against the entry lists: index, name, stack bytes, plan.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
DDI = ROOT / "drivers/win7/ddi"
CHAPTER = (ROOT / "docs/spec/umd-d3d9.md").read_text()
GROUPS = {  # What the chapter abbreviates.
    "GuardBand L/T/R/B 116–128":
        "GuardBandLeft 116, GuardBandTop 120, GuardBandRight 124, GuardBandBottom 128",
    "TextureFilterCaps 64, Cube 68, Volume 72":
        "TextureFilterCaps 64, CubeTextureFilterCaps 68, VolumeTextureFilterCaps 72",
}


def section(number):
    head = re.search(rf"^####? {re.escape(number)} .*$", CHAPTER, re.MULTILINE)
    end = re.search(r"^#{2,4} ", CHAPTER[head.end():], re.MULTILINE)
    return CHAPTER[head.end():head.end() + end.start()]


def cells(number):
    for line in section(number).splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def x64_x86(text):
    """"16/24" is 16 on x86 and 24 on x64."""
    x86, _, x64 = text.partition("/")
    return int(x64 or x86), int(x86)


def table_rows():
    rows = {}
    for line in (DDI / "abi_table.txt").read_text().splitlines():
        if line.startswith(("size ", "offset ")):
            name, x64, x86 = line.rsplit(" ", 2)
            rows[name] = (int(x64), int(x86))
    return rows


def structure_rows(number, prefix):
    """("size NAME" or "offset NAME.MEMBER", bytes) of a section's tables of structures."""
    for name, *rest in cells(number):
        if not re.fullmatch(r"\w+", name) or not rest or name == "Structure":
            continue
        if re.fullmatch(r"\d+(/\d+)?", rest[0]):
            yield f"size {prefix}{name}", x64_x86(rest[0])
        members = re.sub(r"\([^)]*\)", "", rest[1])
        for member, at in re.findall(r"(\w+)(?: u\d+)? (\d+(?:/\d+)?)(?=,|\s*$)", members):
            yield f"offset {prefix}{name}.{member}", x64_x86(at)


def check_structures():
    have, wrong, seen = table_rows(), [], 0
    for number, prefix in {"1.2.1": "portable::", "1.2.2": "portable::", "1.3.5": "",
                           "1.5": ""}.items():
        for name, value in structure_rows(number, prefix):
            seen += 1
            if have.get(name) != value:
                wrong.append(f"{number}: {name} is {value} in the chapter, {have.get(name)} in the "
                             "table (x64, x86)")
    if seen < 850:
        wrong.append(f"{seen} numbers of structures were found: the tables are misread")
    return wrong


def listed(header, macro):
    text = (DDI / header).read_text()
    body = re.search(rf"#define {macro}\(ENTRY\)(.*?)\n\n", text, re.DOTALL)[1]
    return [(int(index), name, int(stack), plan) for index, name, stack, plan in
            re.findall(r"ENTRY\((\d+), (\w+), (\d+), (\w)\)", body)]


def single_entries(number):
    """Rows of the one-entry-a-line kind: index, pfnName, parameters, stack bytes, plan."""
    for row in cells(number):
        if row[0].isdigit() and row[1].startswith("pfn"):
            yield int(row[0]), row


def many_entries(number):
    """Rows that hold a range of entries: "69–75 | pfnA(…); pfnB(…) | in order | 8 each | X"."""
    for row in cells(number):
        first, _, last = row[0].partition("–")
        names = re.findall(r"pfn(\w+)\(", row[1])
        if names and first.isdigit() and "(" in row[1]:
            if len(names) != int(last or first) - int(first) + 1:
                raise SystemExit(f"{number}: {row[0]} does not hold {len(names)} entries")
            for place, name in enumerate(names):
                yield int(first) + place, name, int(row[3].split()[0]), row[4]


def check_entries():
    chapter = {}
    single = [(i, r[1][3:], int(r[3]), r[4].split()[0]) for i, r in single_entries("1.3.3")
              if "(" not in r[1]]
    chapter["AEROGPU_D3DDDI_DEVICE_ENTRIES"] = sorted(single + [*many_entries("1.3.3")])
    wrong = []
    have = listed("user/d3dumddi_entries.hpp", "AEROGPU_D3DDDI_DEVICE_ENTRIES")
    if have != chapter["AEROGPU_D3DDDI_DEVICE_ENTRIES"]:
        wrong += [f"1.3.3: {said} in the chapter, {has} in the list" for said, has in
                  zip(chapter["AEROGPU_D3DDDI_DEVICE_ENTRIES"], have) if said != has]
        wrong.append(f"1.3.3 has {len(chapter['AEROGPU_D3DDDI_DEVICE_ENTRIES'])} entries, "
                     f"the list {len(have)}")
    for number, header, macro, column in (
            ("1.3.2", "user/d3dumddi_entries.hpp", "AEROGPU_D3DDDI_ADAPTER_ENTRIES", 3),
            ("1.2.3", "portable/entries.hpp", "AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES", 3),
            ("1.2.5", "portable/entries.hpp", "AEROGPU_D3D9DDI_U_DEVICE_CALLBACKS", None),
            ("1.2.4", "portable/entries.hpp", "AEROGPU_D3D9DDI_U_DEVICE_ENTRIES", None)):
        said = [(i, r[1][3:]) + ((int(r[column]),) if column else ()) for i, r in
                single_entries(number) if number != "1.3.2" or not r[1].endswith("Cb")]
        has = [row[:len(said[0])] for row in listed(header, macro)]
        if said != has:
            wrong.append(f"{number}: {said} in the chapter, {has} in the list")
    said = sorted((int(at), name[3:]) for row in cells("1.3.4") for at, name in
                  (row[0:2], row[2:4]) if at.isdigit())
    said += [(i, r[1][3:]) for i, r in single_entries("1.3.2") if r[1].endswith("Cb")]
    has = [row[:2] for macro in ("DEVICE", "ADAPTER") for row in
           listed("user/d3dumddi_entries.hpp", f"AEROGPU_D3DDDI_{macro}_CALLBACKS")]
    if said != has:
        wrong.append(f"1.3.4: {said} in the chapter, {has} in the list")
    return wrong


def main():
    global CHAPTER
    for short, full in GROUPS.items():
        if short not in CHAPTER:
            sys.exit(f"the chapter no longer says {short!r}")
        CHAPTER = CHAPTER.replace(short, full)
    wrong = check_structures() + check_entries()
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
