#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the guest tests' programs to what every Windows 7 has.

usage: check_programs.py OBJDUMP [--with LIBRARY] PROGRAM...
"""
import re
import subprocess
import sys

LIBRARIES = {"KERNEL32.dll", "msvcrt.dll", "USER32.dll", "GDI32.dll", "ADVAPI32.dll"}
FACTS = {"MajorOSystemVersion": "6", "MinorOSystemVersion": "1", "MajorSubsystemVersion": "6",
         "MinorSubsystemVersion": "1"}
ASLR_AND_DEP = 0x140


def findings(text, allowed):
    """What is wrong with one program, by objdump's words on it."""
    def fact(pattern):
        return re.search(pattern, text, re.MULTILINE)[1]

    for name, value in FACTS.items():
        if fact(rf"^{name}\s+(\d+)") != value:
            yield f"{name} is not {value}"
    if fact(r"^Subsystem\s+\S+\s+\((.*)\)") != "Windows CUI":
        yield "it is no console program"
    if int(fact(r"^DllCharacteristics\s+(\w+)"), 16) & ASLR_AND_DEP != ASLR_AND_DEP:
        yield "no ASLR, or no DEP"
    foreign = set(re.findall(r"DLL Name: (\S+)", text)) - allowed
    if foreign:
        yield f"{sorted(foreign)} is not part of every Windows 7"
    thunks = set(re.findall(r"D3DKMT\w+", text))
    if thunks:
        yield f"{sorted(thunks)} would keep it from starting where there is no WDDM"


def main():
    objdump, *programs = sys.argv[1:]
    allowed = set(LIBRARIES)
    if programs[0] == "--with":
        allowed.add(programs[1])
        del programs[:2]
    wrong = 0
    for program in programs:
        text = subprocess.run([objdump, "-p", program], check=True, capture_output=True,
                              text=True).stdout
        for finding in findings(text, allowed):
            wrong += 1
            print(f"{program}: {finding}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
