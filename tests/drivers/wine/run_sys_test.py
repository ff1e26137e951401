"""Builds aerogpu.sys as it ships and runs its test cases on the binary, in Wine.

usage: run_sys_test.py ROOT FOLDER CATCH_INCLUDE WINE

The build and Wine's own files stay in FOLDER for the next run. An exit status alone says nothing in
Wine: the program's closing line is what passes, and counts above zero.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

OPTIONS = ("--werror -Doptimization=2 -Ddebug=false -Db_pch=false -Dauto_features=disabled "
           "-Ddrivers=enabled").split()
DRIVER = "drivers/win7/kmd/windows/aerogpu.sys"
PROGRAM = "drivers/win7/tests/run_sys/run_sys.exe"
CLOSING_LINE = "aerogpu.sys ran to the end"
COUNTS = ("imports", "driver loads", "register reads", "register writes", "clock reads",
          "IRQL reads", "fences", "preemptions", "vertical blanks")
PREFIX_SECONDS, RUN_SECONDS = 300, 600


def build(root, folder, catch_include):
    headers = folder / "include"
    headers.mkdir(parents=True, exist_ok=True)
    link = headers / "catch2"
    if not link.is_symlink():
        link.symlink_to(catch_include / "catch2")
    out = folder / "build"
    if not (out / "meson-private" / "build.dat").exists():
        subprocess.run(["meson", "setup", out, root, "--cross-file",
                        root / "drivers/win7/cross/x86_64.ini", *OPTIONS,
                        f"-Dcpp_args=-I{headers}"], check=True)
    subprocess.run(["ninja", "-C", out, DRIVER, PROGRAM], check=True)
    shipped = folder / "aerogpu.sys"
    subprocess.run(["x86_64-w64-mingw32-strip", "-o", shipped, out / DRIVER], check=True)
    return shipped, out / PROGRAM


def wine_environment(prefix):
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment.update(WINEPREFIX=str(prefix), WINEDEBUG="-all",
                       WINEDLLOVERRIDES="mscoree,mshtml=")
    return environment


def run(driver, program, folder, wine):
    prefix = folder / "prefix"
    environment = wine_environment(prefix)
    if not (prefix / "drive_c/windows/system32/ntoskrnl.exe").exists():
        shutil.rmtree(prefix, ignore_errors=True)
        subprocess.run([wine, "wineboot", "-i"], env=environment, check=True,
                       timeout=PREFIX_SECONDS)
    answer = subprocess.run([wine, program, "Z:" + str(driver).replace("/", "\\")], cwd=folder,
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=RUN_SECONDS)
    return answer.returncode, answer.stdout.decode(errors="replace").replace("\r\n", "\n")


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


def main():
    root, folder, catch_include, wine = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    driver, program = build(pathlib.Path(root), folder, pathlib.Path(catch_include))
    status, text = run(driver, program, folder, wine)
    print(text)
    found = list(faults(status, text))
    for fault in found:
        print(f"run_sys: {fault}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
