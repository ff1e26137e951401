#!/usr/bin/env python3
"""Compile the installed headers the ways that users do.

usage: compile_headers.py alone ROOT COMPILER...     each header by itself; abi/ also as C11
       compile_headers.py together ROOT COMPILER...  all in two translation units, linked and run
       compile_headers.py syntax ROOT COMPILER...    all in one translation unit, not linked

COMPILER is a C++ compiler with the flags that choose its target, for example: g++ -m32
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
CXX = ["-std=c++20", "-fno-exceptions", "-fno-rtti"] + STRICT
C = ["-std=c11", "-x", "c", "-Wpedantic"] + STRICT


def headers_of(root):
    """Names to include: of the library, and of the backend that is built everywhere."""
    names = []
    for folder, base in ((root / "include/aerogpu", root / "include"),
                         (root / "backends/null", root / "backends")):
        names += [p.relative_to(base).as_posix() for p in sorted(folder.rglob("*"))
                  if p.suffix in {".h", ".hpp"}]
    return names


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
    jobs = []
    for name in headers_of(root):
        text = f'#include "{name}"\n'
        jobs.append((compiler + CXX + ["-fsyntax-only", "-x", "c++", "-"] + includes(root), text))
        if name.endswith(".h"):
            jobs.append((as_c(compiler) + C + ["-fsyntax-only", "-"] + includes(root), text))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [f for f in pool.map(lambda job: run(*job), jobs) if f]
    return failures, f"{len(jobs)} compilations of one header each"


def unit_text(root):
    return "".join(f'#include "{name}"\n' for name in headers_of(root))


def together(root, compiler):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "a.cpp").write_text(unit_text(root) + "auto b() -> int;\n"
                                      "int main() { return b(); }\n")
        (folder / "b.cpp").write_text(unit_text(root) + "auto b() -> int;\n"
                                      "auto b() -> int { return 0; }\n")
        program = folder / "program"
        sources = [str(folder / "a.cpp"), str(folder / "b.cpp")]
        failure = run(compiler + CXX + includes(root) + sources + ["-o", str(program)])
        failure = failure or run([str(program)])
    return [failure] if failure else [], "two translation units with all headers link and run"


def syntax(root, compiler):
    failure = run(compiler + CXX + ["-fsyntax-only", "-x", "c++", "-"] + includes(root),
                  unit_text(root))
    return [failure] if failure else [], "one translation unit with all headers compiles"


def main():
    modes = {"alone": alone, "together": together, "syntax": syntax}
    if len(sys.argv) < 4 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[2]).resolve()
    if not headers_of(root):
        sys.exit(f"no headers below {root}")
    failures, summary = modes[sys.argv[1]](root, sys.argv[3:])
    print("\n".join(failures) if failures else f"{' '.join(sys.argv[3:])}: {summary}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
