#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests over Direct3D 9 that `./dev drivers` builds for Windows, on AeroGPU's d3d9.dll in Wine.

Each is a program of its own, run with --json; a line says what it came to, and those that fail print what they
found. What they say must be JSON, with rules that can be printed. Those
that share surfaces run twice: with objects of Windows for shared handles, and with Windows 7's numbers.
`d3d9ex_dwm_probe` and `dwm_flush_pacing` must be skipped: no desktop window manager runs in Wine. The status
is 1 when a test does not come to what is expected, or none was run.
"""
import argparse
import contextlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "drivers/wine/tools"))
import wine_station  # noqa: E402

CACHE = ROOT / ".cache/wine-d3d9-tests"
FOLDERS = {"x64": "x64", "i686": "x86"}
PASSED, SKIPPED, SECONDS = 0, 77, 180
SKIPS = {"d3d9ex_dwm_probe", "dwm_flush_pacing"}
# No mode of the driver's: offered, as the mode of the desktop.
WIDTH, HEIGHT = 1300, 700
DESKTOP = ["--width", str(WIDTH), "--height", str(HEIGHT)]
SHARED_HANDLES = "AEROGPU_D3D9_SHARED_HANDLES"


def programs_of(machine):
    return ROOT / "build-drivers" / FOLDERS[machine] / "drivers/win7/tests/d3d9"


def options():
    parser = argparse.ArgumentParser(prog="./dev wine-d3d9-tests", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--machine", choices=(*FOLDERS, "all"), default="all",
                        help="default: all that run here")
    parser.add_argument("--builtin", action="store_true",
                        help="on Wine's own d3d9 instead, which need not pass")
    given = parser.parse_args()
    known = {path.stem for path in programs_of("x64").glob("*.exe")}
    for name in given.names:
        if name not in known:
            parser.error(f"there is no test '{name}'; there are {', '.join(sorted(known))}")
    return given


def install(machine, names):
    """The programs, d3d9.dll and its driver, in one folder. Each machine has the same programs."""
    wanted = set(names) or {path.stem for path in programs_of("x64").glob("*.exe")}
    lacking = wanted - {path.stem for path in programs_of(machine).glob("*.exe")}
    if lacking or not wanted:
        raise wine_station.StationError(f"{programs_of(machine)} lacks {', '.join(sorted(lacking)) or 'all tests'}: "
                                        "./dev drivers builds them")
    folder = CACHE / FOLDERS[machine]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in programs_of(machine).glob("*.exe"):
        shutil.copyfile(path, folder / path.name)
    wine_station.copy_libraries(machine, folder)
    return folder


def runs_of(folder, given):
    """Programs, and what more their environment has."""
    for program in sorted(folder.glob("*.exe")):
        if given.names and program.stem not in given.names:
            continue
        yield program, {}
        if "shared_surface" in program.stem and not given.builtin:
            yield program, {SHARED_HANDLES: "global"}


def run(prefix, program, more, is_builtin):
    """Its status, what it printed, and what else was said."""
    environment, words = wine_station.way_of(prefix, is_builtin, DESKTOP)
    environment |= more
    # Wine's services keep a pipe for seconds.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        try:
            status = subprocess.run([*words, program, "--json"], env=environment, timeout=SECONDS,
                                    stdout=out, stderr=errors, check=False).returncode
        except subprocess.TimeoutExpired:
            prefix.stop()
            status = None
        return status, text_of(out), text_of(errors)


def text_of(file):
    file.seek(0)
    return file.read().decode(errors="replace").replace("\r\n", "\n")


def fault_of(said):
    """What is wrong with the JSON of a program, or nothing."""
    try:
        rules = [finding["rule"] for finding in json.loads(said)["findings"]]
    except (ValueError, KeyError, TypeError) as why:
        return f"its JSON is none: {why!r}"
    broken = [rule for rule in rules if not (rule and rule.isascii() and rule.isprintable())]
    return f"it has the rule {broken[0]!r}" if broken else ""


def judge(name, status, said):
    """What the line says, and whether that is well."""
    if status is None:
        return "TIMEOUT", False
    if fault := fault_of(said):
        return f"FAILED, {status}: {fault}", False
    if name in SKIPS:
        return ("skipped", True) if status == SKIPPED else (f"ends with {status}, no skip", False)
    return ("passed", True) if status == PASSED else (f"FAILED, {status}", False)


def start(given):
    folder32 = wine_station.wine32_folder()
    machines = [machine for machine in FOLDERS if given.machine in (machine, "all")]
    if folder32 is None and "i686" in machines:
        print("wine-d3d9-tests: without what scripts/wine32 fetches nothing runs on i686",
              file=sys.stderr)
        machines.remove("i686")
    folders = {machine: install(machine, given.names) for machine in machines}
    bad = count = 0
    with contextlib.ExitStack() as stack:
        shown_on, _ = stack.enter_context(
            wine_station.display(wants_own=True, size=f"{WIDTH}x{HEIGHT}"))
        prefix = stack.enter_context(wine_station.free_prefix(CACHE, shown_on, folder32))
        for machine in machines:
            for program, more in runs_of(folders[machine], given):
                began = time.monotonic()
                status, said, errors = run(prefix, program, more, given.builtin)
                verdict, is_well = judge(program.stem, status, said)
                bad += 0 if is_well else 1
                count += 1
                name = " ".join([program.stem, *more.values()])
                print(f"{FOLDERS[machine]}  {name:<44} {time.monotonic() - began:6.1f} s  "
                      f"{verdict}", flush=True)
                if not is_well:
                    print(said.replace("},{", "},\n{") + errors, flush=True)
    if count == 0:
        print("no test was run", file=sys.stderr)
        return 1
    print(f"{bad} of the tests did not come to what is expected" if bad else "all as expected")
    return 1 if bad and not given.builtin else 0


def main():
    given = options()
    try:
        sys.exit(start(given))
    except (wine_station.StationError, OSError) as why:
        print(f"wine-d3d9-tests: {why}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
