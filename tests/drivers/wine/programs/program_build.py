# SPDX-License-Identifier: MIT
"""Cross-builds the programs of program_table.py: a build.ninja for each architecture."""
import pathlib
import subprocess

from program_table import LIBRARIES

HERE = pathlib.Path(__file__).resolve().parent
STAGE = HERE / "stage.c"
SUFFIXES = {".c": "c", ".cpp": "cxx"}
RULES = """\
# Written by program_build.py.
rule c
  command = {machine}-w64-mingw32-gcc-posix -O1 -w $flags -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule cxx
  command = {machine}-w64-mingw32-g++-posix -O1 -w $flags -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule archive
  command = rm -f $out && {machine}-w64-mingw32-gcc-ar-posix rcs $out $in
rule link
  command = {machine}-w64-mingw32-g++-posix -static -Wl,--start-group $in -lmingw32 -Wl,--end-group $
      $flags -o $out
rule stage
  command = {machine}-w64-mingw32-gcc-posix -shared -static-libgcc -O1 -Wall -Wextra -Werror $
      $in -o $out -lgdi32 -luser32
"""


def found(root, patterns):
    return sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})


def units(library, files, folder):
    """The files that a compiler reads: those of the package, or files of ours that include several."""
    if library.unit_files == 1:
        return files
    joined = []
    for first in range(0, len(files), library.unit_files):
        unit = folder / f"{library.name}-{first // library.unit_files:02}.cpp"
        text = "".join(f'#include "{path}"\n' for path in files[first:first + library.unit_files])
        if not unit.exists() or unit.read_text() != text:
            unit.write_text(text)
        joined.append(unit)
    return joined


class Builder:
    """Of one architecture. `roots`: the folder of each package's sources, by its name."""

    def __init__(self, machine, folder, roots):
        self.machine, self.folder, self.roots = machine, folder, roots
        self.lines = [RULES.format(machine=machine)]

    def flags_of(self, library):
        root = self.roots[library.package]
        return " ".join([*(flag.replace("@here@", str(HERE)) for flag in library.flags),
                         *(f"-I{root / path}" for path in library.include)])

    def compile(self, name, files, flags):
        """The objects, in a folder of that name."""
        objects = []
        for path in files:
            target = f"{name}/{len(objects):03}-{path.stem}.o"
            self.lines.append(f"build {target}: {SUFFIXES[path.suffix]} {path}\n  flags = {flags}")
            objects.append(target)
        return objects

    def add_library(self, library):
        root = self.roots[library.package]
        left_out = set(found(root, library.without))
        files = [path for path in found(root, library.sources) if path not in left_out]
        objects = self.compile(library.name, units(library, files, self.folder),
                               self.flags_of(library))
        self.lines.append(f"build lib{library.name}.a: archive {' '.join(objects)}")

    def add_program(self, program):
        library = LIBRARIES[program.library]
        root = self.roots[library.package]
        objects = self.compile(program.name, [root / path for path in program.sources],
                               self.flags_of(library))
        # The program loads the stage because of this name, which nothing in it uses.
        stage = "__imp_stage" if self.machine == "x86_64" else "__imp__stage"
        inputs = " ".join([*objects, f"lib{library.name}.a", "stage.dll"])
        self.lines.append(f"build {program.name}.exe: link {inputs}\n  flags = "
                          f"-Wl,--undefined={stage} {' '.join(program.links)}")

    def build(self, programs, jobs):
        """Those programs, in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines.append(f"build stage.dll: stage {STAGE}")
        for name in sorted({program.library for program in programs}):
            self.add_library(LIBRARIES[name])
        for program in programs:
            self.add_program(program)
        (self.folder / "build.ninja").write_text("\n".join(self.lines) + "\n")
        command = ["ninja", "-C", self.folder, "--quiet"]
        subprocess.run(command if jobs is None else [*command, f"-j{jobs}"], check=True)
