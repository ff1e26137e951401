#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compile the freestanding tier as Windows kernel code and read what the object asks for.

usage: kernel_object.py ROOT COMPILER [PLANTED.cpp SYMBOL]

COMPILER is x86_64- or i686-w64-mingw32-g++-posix. PLANTED.cpp is compiled instead of the tier; the
check then succeeds when it complains about SYMBOL and nothing else.

Every inline function is kept and kernel_templates.cpp instantiates the templates. What they reach
may be undefined only where the kernel or libgcc's integer code defines it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LAYERS = ["abi", "core", "stream", "memory", "ring", "sync", "share"]
FLAGS = ("-std=c++20 -O1 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics "
         "-fno-use-cxa-atexit -Wall -Wextra -Wconversion -Werror -Werror=frame-larger-than=2048 "
         "-D_WIN32_WINNT=0x0601 -DNTDDI_VERSION=0x06010000 "
         "-fkeep-inline-functions -ffunction-sections -fdata-sections").split()
TARGET_FLAGS = {
    "x86_64": ["-mgeneral-regs-only"],
    "i686": ("-march=i686 -mno-80387 -mno-mmx -mno-sse -msoft-float "
             "-fno-asynchronous-unwind-tables").split(),
}
KERNEL = {"memcpy", "memset", "memmove", "memcmp", "strlen"}  # Exports of ntoskrnl.exe.
LIBGCC_INTEGER = {"__udivdi3", "__umoddi3", "__udivmoddi4", "__divdi3", "__moddi3",
                  "__popcountsi2", "__popcountdi2"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def headers_of(root):
    base = root / "include"
    return [p.relative_to(base).as_posix() for layer in LAYERS
            for p in sorted((base / "aerogpu" / layer).rglob("*")) if p.suffix in {".h", ".hpp"}]


def compile_object(root, compiler, target, planted, out):
    source = out.with_suffix(".cpp")
    sources = [pathlib.Path(name).resolve() for name in planted] or \
        headers_of(root) + [root / "tests/package/kernel_templates.cpp"]
    source.write_text("".join(f'#include "{name}"\n' for name in sources))
    done = subprocess.run([compiler, *FLAGS, *TARGET_FLAGS[target], f"-I{root / 'include'}", "-c",
                           str(source), "-o", str(out)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)


def symbols_of(objdump, path):
    """Section number by symbol (0 = undefined), and section numbers by name."""
    places, sections = {}, {}
    pattern = re.compile(r"^\[ *\d+\]\(sec +(-?\d+)\).*?0x[0-9a-f]+ (\S+)$", re.MULTILINE)
    for number, name in pattern.findall(output_of(objdump, "-t", str(path))):
        places[name] = int(number)
    for number, name in re.findall(r"^ *(\d+) (\S+) +[0-9a-f]{8} ", output_of(objdump, "-h", str(path)),
                                   re.MULTILINE):
        sections[int(number) + 1] = name
    return places, sections


def relocations_of(objdump, path):
    """Pairs (section name, symbol)."""
    section = None
    for line in output_of(objdump, "-r", str(path)).splitlines():
        header = re.match(r"RELOCATION RECORDS FOR \[(.+)\]:", line)
        if header:
            section = header[1]
            continue
        fields = line.split()
        if section and len(fields) == 3 and re.match(r"[0-9a-f]{8,16}$", fields[0]):
            yield section, re.sub(r"[+-]0x[0-9a-f]+$", "", fields[2])


def wanted_by_library(objdump, path, underscore):
    """Undefined symbols that any function or table of the library reaches, and who asks."""
    places, sections = symbols_of(objdump, path)
    by_name = {name: number for number, name in sections.items()}
    targets = {}
    for section, symbol in relocations_of(objdump, path):
        targets.setdefault(by_name.get(section), set()).add(symbol)
    ours = re.compile(rf"{underscore}_ZN?[KVT0-9SIL]*7aerogpu")
    pending = [(number, name) for name, number in places.items()
               if number > 0 and ours.match(name)]
    count, seen, undefined = len(pending), set(), {}
    while pending:
        number, asker = pending.pop()
        if number in seen:
            continue
        seen.add(number)
        for symbol in targets.get(number, ()):
            place = places.get(symbol, by_name.get(symbol, 0))
            if place > 0:
                pending.append((place, symbol))
            elif place == 0:
                undefined.setdefault(symbol.removeprefix(underscore), asker)
    constructors = [s for s in sections.values() if re.match(r"\.(ctors|dtors|init_array)", s)]
    return count, undefined, constructors


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    root, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    target = pathlib.Path(compiler).name.split("-")[0]
    objdump = re.sub(r"-g\+\+.*$", "-objdump", compiler)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "freestanding.o"
        compile_object(root, compiler, target, sys.argv[3:4], path)
        count, undefined, constructors = wanted_by_library(
            objdump, path, "_" if target == "i686" else "")
    bad = [f"{name} (asked for by {who})" for name, who in sorted(undefined.items())
           if name not in KERNEL | LIBGCC_INTEGER]
    if constructors:
        bad.append(f"static constructors: {' '.join(constructors)}")
    if len(sys.argv) == 5:
        found = len(bad) == 1 and bad[0].startswith(sys.argv[4])
        sys.exit(None if found else f"{sys.argv[4]} is not what it complains about: {bad}")
    if count < 100:
        bad.append(f"only {count} symbols of the library were found: this check sees nothing")
    if bad:
        sys.exit("the freestanding tier asks for what a kernel does not have:\n  " +
                 "\n  ".join(bad))
    print(f"{target}: {count} functions and tables of the freestanding tier ask for "
          f"{', '.join(sorted(undefined)) or 'nothing'}")


if __name__ == "__main__":
    main()
