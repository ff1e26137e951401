#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compile the installed headers the ways that users do.

usage: compile_headers.py alone ROOT COMPILER...     each header by itself; abi/ also as C11
       compile_headers.py together ROOT COMPILER...  all in two translation units, linked and run
       compile_headers.py syntax ROOT COMPILER...    all in one translation unit, not linked

COMPILER is a C++ compiler with the flags that choose its target, for example: g++ -m32
"""
import concurrent.futures
import errno
import os
import pathlib
import subprocess
import sys
import tempfile

from header_hubs import hub_choice

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
CXX = ["-std=c++20", "-fno-exceptions", "-fno-rtti", "-Wold-style-cast"] + STRICT
C = ["-std=c11", "-x", "c", "-Wpedantic"] + STRICT

# Headers that stand on more than the standard library.
NEEDED = {"aerogpu/trace/zstd.hpp": "zstd.h"}


def headers_of(root, compiler):
    """Paths by the name to include: of the library, and of the backend that is built everywhere; less
    what needs a library that this compiler does not have."""
    headers = {path.relative_to(base).as_posix(): path
               for folder, base in ((root / "include/aerogpu", root / "include"),
                                    (root / "backends/null", root / "backends"))
               for path in sorted(folder.rglob("*")) if path.suffix in {".h", ".hpp"}}
    for name, needed in NEEDED.items():
        if name in headers and run(compiler + ["-fsyntax-only", "-x", "c++", "-"],
                                   f"#include <{needed}>\n"):
            print(f"{name} is left out: there is no {needed}")
            del headers[name]
    return headers


def includes(root):
    return [f"-I{root / 'include'}", f"-I{root / 'backends'}"]


def run(command, text=None):
    """None, or what the failed command said."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{' '.join(command)}\n{done.stderr}{done.stdout}"


def as_c(compiler):
    """The C driver of a C++ driver: g++ -> gcc, clang++ -> clang."""
    return [compiler[0].replace("clang++", "clang").replace("g++", "gcc")] + compiler[1:]


def alone(root, compiler):
    headers = headers_of(root, compiler)
    choice = hub_choice({name: path.read_text() for name, path in headers.items()}
                        if "clang" in compiler[0] else {})
    with tempfile.TemporaryDirectory() as folder:
        def precompiled(name):
            return f"{folder}/{name.replace('/', '-')}.pch"

        first, then = [], []
        for name in headers:
            text, command = f'#include "{name}"\n', compiler + CXX + includes(root)
            hub = choice.hub_of(name) if choice.hubs else None
            if name in choice.hubs:
                first.append((command + ["-x", "c++-header", str(headers[name]), "-o",
                                         precompiled(name)],))
            else:
                then.append((command + (["-include-pch", precompiled(hub)] if hub else []) +
                             ["-fsyntax-only", "-x", "c++", "-"], text))
            if name.endswith(".h"):
                then.append((as_c(compiler) + C + ["-fsyntax-only", "-"] + includes(root), text))
        failures = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for jobs in (first, then):
                failures += pool.map(lambda job: run(*job), jobs)
    return ([failure for failure in failures if failure],
            f"{len(first) + len(then)} compilations of one header each")


def unit_text(root, compiler):
    return "".join(f'#include "{name}"\n' for name in headers_of(root, compiler))


def together(root, compiler):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "a.cpp").write_text(unit_text(root, compiler) + "auto b() -> int;\n"
                                      "int main() { return b(); }\n")
        (folder / "b.cpp").write_text(unit_text(root, compiler) + "auto b() -> int;\n"
                                      "auto b() -> int { return 0; }\n")
        program = folder / "program"
        sources = [str(folder / "a.cpp"), str(folder / "b.cpp")]
        failure = run(compiler + CXX + includes(root) + sources + ["-o", str(program)])
        summary = "two translation units with all headers link and run"
        try:
            failure = failure or run([str(program)])
        except OSError as why:  # A 64-bit kernel may start no 32-bit programs.
            if why.errno != errno.ENOEXEC:
                raise
            summary = "two translation units with all headers link; this machine cannot run them"
    return [failure] if failure else [], summary


def syntax(root, compiler):
    failure = run(compiler + CXX + ["-fsyntax-only", "-x", "c++", "-"] + includes(root),
                  unit_text(root, compiler))
    return [failure] if failure else [], "one translation unit with all headers compiles"


def main():
    modes = {"alone": alone, "together": together, "syntax": syntax}
    if len(sys.argv) < 4 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[2]).resolve()
    if not headers_of(root, sys.argv[3:]):
        sys.exit(f"no headers below {root}")
    failures, summary = modes[sys.argv[1]](root, sys.argv[3:])
    print("\n".join(failures) if failures else f"{' '.join(sys.argv[3:])}: {summary}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
