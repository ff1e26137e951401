# SPDX-License-Identifier: MIT
"""The driver's DLLs themselves, in Wine: a Windows program draws through their export on a server.

usage: umd_wine_test.py ROOT FOLDER WINE GUESTD DIRECT x86_64|i686

The pictures are those of a native process that has all of it in itself, byte for byte. On x86, which needs
what scripts/wine32 fetches, a process of each bitness also opens the other's surface. What the environment
makes the driver say is heard as a debugger hears it (umd_environment.py). Wine's files stay in FOLDER for the
next run, the builds beside it, for all tests of a machine.
"""
import itertools
import pathlib
import subprocess
import sys

import umd_environment
import umd_host
import wine_host

MACHINES = {"x86_64": "aerogpu_d3d9_x64.dll", "i686": "aerogpu_d3d9.dll"}
PROGRAM = "drivers/wine/umd_program.exe"


def build(root, folder, machine):
    """The DLL as it ships, and the program."""
    library = f"drivers/win7/umd/d3d9/windows/{MACHINES[machine]}"
    shared = folder.parent / wine_host.NAMES[machine]
    with wine_host.exclusive(shared):
        out = wine_host.build(root, shared, machine, [library, PROGRAM])
    (folder / machine).mkdir(exist_ok=True)
    shipped = wine_host.ship(machine, out / library, folder / machine / MACHINES[machine])
    return shipped, out / PROGRAM


def words_for(program, *words):
    library, _ = program
    return [wine_host.windows_path(library),
            *(wine_host.windows_path(word) if isinstance(word, pathlib.Path) else str(word)
              for word in words)]


def environment_for(wine, where):
    return {**wine.environment, "AEROGPU_GUESTD": str(where)}


def run(wine, where, program, *words):
    """A run that ends well, and that says which DLL it loaded."""
    done = subprocess.run([wine.program, program[1], *words_for(program, *words)],
                          env=environment_for(wine, where), stdout=subprocess.PIPE,
                          timeout=umd_host.SECONDS)
    text = done.stdout.decode(errors="replace").replace("\r\n", "\n")
    umd_host.check_run(f"{program[1]} in Wine", done.returncode, text)
    loaded = f"loaded {wine_host.windows_path(program[0])}"
    if loaded not in text.split("\n"):
        umd_host.fail(f"the line '{loaded}' is missing:\n{text}")
    return text


def pictures(wine, guestd, folder, machine, program):
    drawn = folder / machine / "pictures"
    drawn.mkdir(exist_ok=True)
    for old in drawn.glob("*.ppm"):
        old.unlink()
    with umd_host.server(guestd) as (where, _):
        print(run(wine, where, program, "pictures", drawn))
    umd_host.compare(folder / "direct", drawn)


def environment(wine, guestd, folder, machine, program):
    with umd_host.server(guestd) as (where, _):
        command = [wine.program, program[1], *words_for(program)]
        umd_environment.check(command, environment_for(wine, where), folder / machine)


def sharing(wine, guestd, folder, maker, opener):
    with umd_host.server(guestd) as (where, _):
        command = [wine.program, maker[1], *words_for(maker, "produce")]
        with umd_host.producer(command, environment_for(wine, where)) as (share, process):
            run(wine, where, opener, "consume", share, folder)
            umd_host.check_run("the producer", *umd_host.finish(process))
    umd_host.check_shared(folder / "shared.ppm")


def test(root, folder, wine_program, guestd, direct, machine):
    folder32, why = wine_host.wine32_for(root, machine)
    if why:
        print(f"SKIPPED: x86 is not run: {why}")
        return wine_host.SKIPPED
    programs = {name: build(root, folder, name) for name in sorted({"x86_64", machine})}
    (folder / "direct").mkdir(exist_ok=True)
    umd_host.run_program(direct, "pictures", folder / "direct", folder="")
    with wine_host.Wine(wine_program, folder / "prefix", folder32) as wine:
        pictures(wine, guestd, folder, machine, programs[machine])
        environment(wine, guestd, folder, machine, programs[machine])
        for maker, opener in itertools.product(programs, repeat=2):
            if machine in (maker, opener):
                sharing(wine, guestd, folder, programs[maker], programs[opener])
    return 0


def main():
    root, folder, wine, guestd, direct, machine = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    with wine_host.exclusive(folder):
        sys.exit(test(pathlib.Path(root), folder, wine, guestd, direct, machine))


if __name__ == "__main__":
    main()
