#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random Direct3D 9 programs on AeroGPU's d3d9.dll and on Wine's own, and compares their pictures.

A program is 150 calls by a seed: states, textures, targets, lights, shaders, blocks, copies, draws. Each
draws into 64 by 64 pixels. At most 2 % of them may have a channel that differs by more than 16: pictures
of random edges and filters, from two implementations on one rasteriser. A seed that differs by more runs
again: AeroGPU must leave the same bytes, but Wine's own, which now and then draws otherwise on a busy
machine, has three more answers. One that still differs gets three PNGs in out/wine-random/, and the status
is then 1.
"""
import argparse
import contextlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path[:0] = [str(ROOT / "drivers/wine/tools"), str(ROOT / "tests/drivers/wine/programs")]
import picture_difference  # noqa: E402
import wine_station  # noqa: E402
import xvfb_pictures  # noqa: E402

CACHE, OUT = ROOT / ".cache/wine-random", ROOT / "out/wine-random"
RANDOM = ROOT / "tests/drivers/d3d9/random"
BEYOND = 0.02
MORE_ANSWERS = 3
SECONDS = 600


class Failure(Exception):
    """A side that leaves no pictures; the sentence says why."""


def options():
    parser = argparse.ArgumentParser(prog="./dev wine-random", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="(1)")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="(100)")
    parser.add_argument("--steps", type=int, default=150, metavar="N",
                        help="calls of a program (150): fewer find the one that matters")
    given = parser.parse_args()
    if min(given.first, given.count, given.steps) < 1:
        parser.error("numbers are 1 or more")
    return given


def build():
    """The program, with the driver and d3d9.dll beside it."""
    compiler, *_ = wine_station.MACHINES["x64"]
    folder = CACHE / "x64"
    folder.mkdir(parents=True, exist_ok=True)
    executable = folder / "random.exe"
    sources = [pathlib.Path(__file__).with_name("main.cpp"), *sorted(RANDOM.glob("*.cpp"))]
    subprocess.run([f"{compiler}-w64-mingw32-g++-posix", "-std=c++20", "-O1", "-static",
                    "-DAEROGPU_PUBLISHED_D3D9", f"-I{ROOT}", "-o", executable, *sources, "-ld3d9",
                    "-lgdi32"], check=True)
    wine_station.copy_libraries("x64", folder)
    return executable


def run(prefix, executable, side, first, count, steps):
    """Rows of each seed's picture."""
    folder = CACHE / side
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    environment, words = wine_station.way_of(prefix, side == "builtin")
    log = CACHE / f"{side}.log"
    with open(log, "w") as out:
        done = subprocess.run(
            [*words, executable, str(first), str(count),
             "Z:" + str(folder).replace("/", "\\"), str(steps)],
            env=environment, stdout=out, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise Failure(f"{side} ends with {done.returncode}: see {log.relative_to(ROOT)}")
    return {int(path.stem): read(path) for path in folder.glob("*.ppm")}


def read(path):
    heading, pixels = path.read_bytes().split(b"\n", 1)
    _, width, height, _ = heading.split()
    width, height = int(width), int(height)
    return width, height, [pixels[3 * width * y:3 * width * (y + 1)] for y in range(height)]


def answer_again(ask, seed, ours, theirs):
    """The builtin's picture that is nearest to ours. Failure when ours is another one now."""
    if ask("aerogpu", seed)[2] != ours[2]:
        raise Failure(f"seed {seed} leaves one picture, then another")
    answers = [theirs, *(ask("builtin", seed) for _ in range(MORE_ANSWERS))]
    return min(answers, key=lambda one: picture_difference.difference(ours, one).beyond)


def compare(ours, theirs, ask):
    """How many seeds differ. One line for each of them, and one for all."""
    bad, exact, blank, largest = 0, 0, 0, 0
    for seed in sorted(theirs):
        apart = picture_difference.difference(ours[seed], theirs[seed])
        if apart.beyond > BEYOND:
            theirs[seed] = answer_again(ask, seed, ours[seed], theirs[seed])
            apart = picture_difference.difference(ours[seed], theirs[seed])
        blank += picture_difference.is_blank(theirs[seed])
        exact += apart.largest == 0
        if apart.beyond <= BEYOND:
            largest = max(largest, apart.beyond)
            continue
        bad += 1
        print(f"seed {seed:>6}  {apart.beyond:7.2%} of the pixels beyond, at most {apart.largest}")
        for name, picture in (("aerogpu", ours[seed]), ("builtin", theirs[seed]),
                              ("difference", apart.picture)):
            (OUT / f"{seed}-{name}.png").write_bytes(xvfb_pictures.encode_png(*picture))
    print(f"{len(theirs)} programs: {bad} differ, {exact} are equal byte for byte, {blank} show one colour; "
          f"of the others at most {largest:.2%} of the pixels are beyond")
    return bad


def start(given):
    OUT.mkdir(parents=True, exist_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    executable = build()
    with contextlib.ExitStack() as stack:
        shown_on, _ = stack.enter_context(wine_station.display(wants_own=True))
        prefix = stack.enter_context(wine_station.free_prefix(CACHE, shown_on))
        sides = [run(prefix, executable, side, given.first, given.count, given.steps)
                 for side in ("aerogpu", "builtin")]

        def ask(side, seed):
            return run(prefix, executable, side, seed, 1, given.steps)[seed]
        return 1 if compare(*sides, ask) else 0


def main():
    given = options()
    try:
        sys.exit(start(given))
    except (Failure, wine_station.StationError, subprocess.SubprocessError, OSError) as why:
        print(f"wine-random: {why}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
