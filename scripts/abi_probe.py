#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the user-mode DDI's layouts, as compilers have them, to the table that is checked in.

The table has each structure's size, each member's offset and what each table entry pops from the
stack, for x64 and for x86, and the names of the DLL's exports as either decorates them
(docs/spec/umd-d3d9.md 1.6). Nothing is run: the numbers are read out of object files.

usage: abi_probe.py [--compiler NAME]...       compares; default: every one below that is installed
       abi_probe.py --write                    makes the table again, with both mingw compilers
       abi_probe.py --program PATH x64|x86     compares what the program abi_probe prints
       abi_probe.py --printed FILE x64|x86     the same with what it printed elsewhere
       abi_probe.py --prove                    shows that each kind of difference is found

compilers: g++, clang++, x86_64-w64-mingw32-g++-posix, i686-w64-mingw32-g++-posix
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROBE = ROOT / "drivers/win7/ddi/probe"
TABLE = ROOT / "drivers/win7/ddi/abi_table.txt"
ROW = struct.Struct("<116sI")  # abi_row of drivers/win7/ddi/probe/abi_rows.hpp
FLAGS = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-I", str(ROOT)]
COMPILERS = {
    "g++": "x64", "clang++": "x64",
    "x86_64-w64-mingw32-g++-posix": "x64", "i686-w64-mingw32-g++-posix": "x86",
}
WRITERS = {"x64": "x86_64-w64-mingw32-g++-posix", "x86": "i686-w64-mingw32-g++-posix"}
COLUMNS = ["x64", "x86"]
HEAD = """\
# The layout of the Direct3D 9 user-mode DDI: x64, then x86. Made by scripts/abi_probe.py --write.
"""


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def tool(compiler, name):
    """The binutils of a compiler's target."""
    prefix = re.match(r".*-mingw32-|", compiler).group()
    return shutil.which(prefix + name) or name


def rows_of_section(section):
    if len(section) < ROW.size:
        raise Failure("the object file has no section abirows")
    rows = {}
    for at in range(0, len(section) - ROW.size + 1, ROW.size):
        text, value = ROW.unpack_from(section, at)
        name = text.rstrip(b"\0").decode("ascii")
        if name in rows and rows[name] != str(value):
            raise Failure(f"{name} has two values")
        if name:
            rows[name] = str(value)
    return rows


def rows_of_compiler(compiler):
    with tempfile.TemporaryDirectory() as folder:
        rows, exports = (pathlib.Path(folder, name) for name in ("rows.o", "exports.o"))
        section = pathlib.Path(folder, "section")
        run(compiler, *FLAGS, "-c", PROBE / "abi_rows.cpp", "-o", rows)
        run(compiler, *FLAGS, "-c", PROBE / "abi_exports.cpp", "-o", exports)
        run(tool(compiler, "objcopy"), "-O", "binary", "--only-section=abirows", rows, section)
        found = rows_of_section(section.read_bytes())
        symbols = run(tool(compiler, "nm"), "-u", exports).split()
        plain = [re.fullmatch(r"_?(OpenAdapter\w*?)(?:@\d+)?", symbol) for symbol in symbols]
        named = {f"export {match[1]}": match.string for match in plain if match}
        return {**found, **dict(sorted(named.items()))}


def rows_of_text(text):
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line.strip())


def read_table(text):
    """{x64: {name: value}, x86: ...} of the checked-in table."""
    columns = {column: {} for column in COLUMNS}
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        name, *values = line.rsplit(None, len(COLUMNS))
        for column, value in zip(COLUMNS, values):
            columns[column][name] = value
    return columns


def table_text(columns):
    names = list(columns["x64"])
    if names != list(columns["x86"]):
        raise Failure("x64 and x86 do not have the same rows")
    lines = [f"{name} {columns['x64'][name]} {columns['x86'][name]}\n" for name in names]
    return HEAD + "".join(lines)


def differences(table, found, who, exports=True):
    for name, value in table.items():
        if name not in found:
            if exports or not name.startswith("export "):
                yield f"{who}: {name} is missing; the table has {value}"
        elif found[name] != value:
            yield f"{who}: {name} is {found[name]}; the table has {value}"
    for name in found.keys() - table.keys():
        yield f"{who}: {name} is {found[name]}; the table does not have it"


def compare(compilers, table):
    return [line for compiler in compilers for line in
            differences(table[COMPILERS[compiler]], rows_of_compiler(compiler), compiler)]


def prove(table):
    """What each planted difference must be told as; empty if all are."""
    right = table["x64"]
    name = "offset D3DDDIARG_OPENADAPTER.Version"
    planted = {
        "a value": {**right, name: str(int(right[name]) + 4)},
        "a missing row": {key: value for key, value in right.items() if key != name},
        "a row too many": {**right, "size D3DDDI_INVENTED": "4"},
        "a decoration": {**right, "export OpenAdapter": "_OpenAdapter@8"},
    }
    wrong = [line for line in differences(right, right, "the table")]
    for what, found in planted.items():
        if len(list(differences(right, found, "planted"))) != 1:
            wrong.append(f"{what} is not told as one difference")
    packed = b"".join(ROW.pack(f"size {n}".encode(), n) for n in range(3)) + bytes(16)
    if rows_of_section(packed) != {f"size {n}": str(n) for n in range(3)}:
        wrong.append("rows of a section are misread")
    return wrong


PRINTED = {"--program": run, "--printed": lambda path: pathlib.Path(path).read_text()}


def main(arguments):
    if arguments == ["--write"]:
        found = {column: rows_of_compiler(compiler) for column, compiler in WRITERS.items()}
        TABLE.write_text(table_text(found))
        return 0
    table = read_table(TABLE.read_text())
    if arguments == ["--prove"]:
        wrong = prove(table)
    elif len(arguments) == 3 and arguments[0] in PRINTED and arguments[2] in COLUMNS:
        printed = rows_of_text(PRINTED[arguments[0]](arguments[1]))
        wrong = list(differences(table[arguments[2]], printed, arguments[1], exports=False))
    elif len(arguments) % 2 == 0 and set(arguments[::2]) <= {"--compiler"} \
            and set(arguments[1::2]) <= COMPILERS.keys():
        chosen = arguments[1::2] or [name for name in COMPILERS if shutil.which(name)]
        wrong = compare(chosen, table)
    else:
        sys.exit(__doc__)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(f"abi_probe.py: {failure}")
