# SPDX-License-Identifier: MIT
"""Builds aerogpu_dbgctl.exe with mingw-w64 and reads what Windows 7 will ask of it.

usage: windows_program_test.py ROOT COMPILER SOURCE...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ("-std=c++20 -Os -fno-exceptions -fno-rtti -Wall -Wextra -Wconversion -Werror "
         "-D_WIN32_WINNT=0x0601 -DWINVER=0x0601 -static -s -Wl,--subsystem,console:6.1 "
         "-Wl,--major-os-version,6,--minor-os-version,1 "
         "-Wl,--dynamicbase,--nxcompat,--no-insert-timestamp").split()
LIBRARIES = {"KERNEL32.dll", "msvcrt.dll", "USER32.dll", "GDI32.dll"}  # Every Windows 7 has them.


def fact(pattern, text):
    return re.search(pattern, text, re.MULTILINE)[1]


def main():
    root, compiler, *sources = sys.argv[1:]
    objdump = compiler.replace("g++-posix", "objdump")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "aerogpu_dbgctl.exe"
        subprocess.run([compiler, *FLAGS, f"-I{root}", f"-I{root}/include", *sources, "-o", program, "-lgdi32"],
                       check=True)
        facts = subprocess.run([objdump, "-p", program], check=True, capture_output=True,
                               text=True).stdout
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
