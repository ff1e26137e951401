# SPDX-License-Identifier: MIT
"""Builds aerogpu.sys as it ships and runs its test cases on the binary, in Wine.

usage: run_sys_test.py ROOT FOLDER WINE x86_64|i686

The build and Wine's own files stay in FOLDER for the next run. An exit status alone says nothing in
Wine: the program's closing line is what passes, and counts above zero.
"""
import wine_host

PROGRAM = "drivers/win7/tests/run_sys/run_sys.exe"
CLOSING_LINE = "aerogpu.sys ran to the end"
COUNTS = ("imports", "driver loads", "register reads", "register writes", "clock reads",
          "IRQL reads", "fences", "preemptions", "vertical blanks")


def run(root, folder, wine, machine):
    folder32, why = wine_host.wine32_for(root, machine)
    if why:
        print(f"SKIPPED: the x86 aerogpu.sys is not run: {why}")
        return wine_host.SKIPPED
    driver, out = wine_host.build_driver(root, folder, machine, [PROGRAM])
    with wine_host.Wine(wine, folder / "prefix", folder32) as started:
        status, text = started.run(out / PROGRAM, wine_host.windows_path(driver), cwd=folder)
    print(text)
    found = list(wine_host.faults(status, text, CLOSING_LINE, COUNTS))
    for fault in found:
        print(f"run_sys: {fault}")
    return 1 if found else 0


if __name__ == "__main__":
    wine_host.main(run)
