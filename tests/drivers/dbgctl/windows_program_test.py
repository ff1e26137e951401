# SPDX-License-Identifier: MIT
"""Reads what Windows 7 will ask of aerogpu_dbgctl.exe as it ships.

usage: windows_program_test.py ROOT FOLDER MACHINE
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "wine"))
import wine_host

PROGRAM = "drivers/win7/tools/dbgctl/aerogpu_dbgctl.exe"
LIBRARIES = {"KERNEL32.dll", "msvcrt.dll", "USER32.dll", "GDI32.dll"}  # Every Windows 7 has them.


def fact(pattern, text):
    return re.search(pattern, text, re.MULTILINE)[1]


def main():
    root, folder, machine = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    with wine_host.exclusive(folder):
        made = wine_host.build(root, folder, machine, [PROGRAM]) / PROGRAM
        program = wine_host.ship(machine, made, folder / "aerogpu_dbgctl.exe")
    facts = subprocess.run([f"{machine}-w64-mingw32-objdump", "-p", program], check=True,
                           capture_output=True, text=True).stdout
    assert fact(r"^Subsystem\s+\S+\s+\((.*)\)", facts) == "Windows CUI", facts
    for name, value in (("MajorOSystemVersion", "6"), ("MinorOSystemVersion", "1"),
                        ("MajorSubsystemVersion", "6"), ("MinorSubsystemVersion", "1")):
        assert fact(rf"^{name}\s+(\d+)", facts) == value, name
    characteristics = int(fact(r"^DllCharacteristics\s+(\w+)", facts), 16)
    assert characteristics & 0x140 == 0x140, f"{characteristics:#x}: no ASLR, or no DEP"
    imported = set(re.findall(r"DLL Name: (\S+)", facts))
    assert imported <= LIBRARIES, f"{sorted(imported - LIBRARIES)} is not part of every Windows 7"
    kmt = set(re.findall(r"D3DKMT\w+", facts))
    assert not kmt, f"{kmt} would keep it from starting where there is no WDDM"


if __name__ == "__main__":
    main()
