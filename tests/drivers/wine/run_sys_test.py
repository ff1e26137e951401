"""Builds aerogpu.sys as it ships and runs its test cases on the binary, in Wine.

usage: run_sys_test.py ROOT FOLDER CATCH_INCLUDE WINE x86_64|i686

The build and Wine's own files stay in FOLDER for the next run. An exit status alone says nothing in
Wine: the program's closing line is what passes, and counts above zero.
"""
import pathlib
import re
import sys

import wine_host

PROGRAM = "drivers/win7/tests/run_sys/run_sys.exe"
CLOSING_LINE = "aerogpu.sys ran to the end"
COUNTS = ("imports", "driver loads", "register reads", "register writes", "clock reads",
          "IRQL reads", "fences", "preemptions", "vertical blanks")


def faults(status, text):
    lines = text.rstrip("\n").split("\n")
    if lines[-1] != CLOSING_LINE:
        yield f"the last line is not '{CLOSING_LINE}'"
    if status != 0:
        yield f"status {status}"
    for name in COUNTS:
        found = re.search(rf"\b{name} (\d+)", text)
        if found is None or int(found[1]) == 0:
            yield f"no {name}"


def run(root, folder, catch_include, wine, machine):
    folder32 = None
    if machine == "i686":
        folder32, why = wine_host.wine32_folder(root)
        if folder32 is None:
            print(f"SKIPPED: the x86 aerogpu.sys is not run: {why}")
            return wine_host.SKIPPED
    driver, out = wine_host.build(root, folder, catch_include, machine, [PROGRAM])
    with wine_host.Wine(wine, folder / "prefix", folder32) as started:
        status, text = started.run(out / PROGRAM, wine_host.windows_path(driver), cwd=folder)
    print(text)
    found = list(faults(status, text))
    for fault in found:
        print(f"run_sys: {fault}")
    return 1 if found else 0


def main():
    root, folder, catch_include, wine, machine = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    with wine_host.exclusive(folder):
        sys.exit(run(pathlib.Path(root), folder, pathlib.Path(catch_include), wine, machine))


if __name__ == "__main__":
    main()
