#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Direct3D 9 programs of others on AeroGPU's d3d9.dll, beside Wine's own d3d9.

The programs come from Debian's source packages and are cross-built here. Of each, one frame is compared
as the display shows it. out/wine-programs/ gets PNGs: NAME-aerogpu-x64, NAME-aerogpu-i686, NAME-builtin,
NAME-difference-x64 and so on. The status is 1 when a program fails or its pictures are too far apart.
"""
import argparse
import contextlib
import dataclasses
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "drivers/wine/tools"))
import picture_difference  # noqa: E402
import program_build  # noqa: E402
import program_run  # noqa: E402
import wine_station  # noqa: E402
import xvfb_pictures  # noqa: E402
from program_table import LIBRARIES, PROGRAMS  # noqa: E402

CACHE, OUT = ROOT / ".cache/wine-programs", ROOT / "out/wine-programs"
BUILTIN = "builtin"
HEADINGS = ("program", "on", "size", "ms", "builtin ms", "largest", "beyond", "verdict")


@dataclasses.dataclass
class Row:
    """What a line of the table says of one program on one architecture."""
    program: str
    lacks: str
    machine: str
    ours: program_run.Outcome | None
    builtin: program_run.Outcome | None
    apart: picture_difference.Difference | None = None

    def verdict(self):
        if self.lacks and self.ours is not None and self.ours.why:
            return f"needs {self.lacks}"
        for name, outcome in (("", self.ours), ("builtin ", self.builtin)):
            if outcome is not None and outcome.why:
                return name + outcome.why
        if self.ours is None or self.builtin is None:
            return "drawn"
        if self.apart is None:
            return "the sizes differ"
        if picture_difference.is_blank(self.ours.picture):
            return "nothing is drawn"
        return "same" if self.apart.is_tolerable() else "DIFFERS"

    def is_good(self):
        """What lacks something must fail: else the table of programs is behind."""
        verdict = self.verdict()
        if self.lacks and self.ours is not None:
            return verdict.startswith("needs ")
        return verdict in ("same", "drawn")

    def cells(self):
        drawn = self.ours or self.builtin
        size = "{}x{}".format(*drawn.picture[:2]) if drawn.picture else "-"
        return (self.program, self.machine, size, milliseconds(self.ours), milliseconds(self.builtin),
                str(self.apart.largest) if self.apart else "-",
                f"{self.apart.beyond:.3%}" if self.apart else "-", self.verdict())


def milliseconds(outcome):
    return "-" if outcome is None or outcome.frame_ms is None else f"{outcome.frame_ms:.1f}"


def options():
    names = [program.name for program in PROGRAMS]
    parser = argparse.ArgumentParser(
        prog="./dev wine-programs", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="programs:\n" + "\n".join(f"  {program.name:<16} {program.shows}" for program in PROGRAMS))
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all programs")
    parser.add_argument("--machine", choices=(*wine_station.MACHINES, "all"), default="all",
                        help="default: all that run here; the builtin's pictures are always of x64")
    parser.add_argument("--builtin-only", action="store_true", help="run Wine's builtin alone")
    parser.add_argument("--jobs", type=int, metavar="N", help="compilers at once (ninja's default)")
    parser.add_argument("--seconds", type=float, default=240, metavar="S",
                        help="until a program's frame must be shown (240)")
    given = parser.parse_args()
    for name in given.names:
        if name not in names:
            parser.error(f"there is no program '{name}'; there are {', '.join(names)}")
    return given


def machines_of(given, folder32):
    if given.builtin_only:
        return ()
    wanted = tuple(wine_station.MACHINES) if given.machine == "all" else (given.machine,)
    if "i686" in wanted and folder32 is None:
        print("wine-programs: without what scripts/wine32 fetches nothing runs on i686", file=sys.stderr)
    return tuple(machine for machine in wanted if machine == "x64" or folder32 is not None)


def fetch(programs):
    """The folder of each package that the programs need."""
    roots = {}
    for package in sorted({LIBRARIES[program.library].package for program in programs}):
        words = [ROOT / "scripts/program-source", package]
        subprocess.run(words, check=True)
        folder = subprocess.run([*words, "--folder"], check=True, stdout=subprocess.PIPE, text=True)
        roots[package] = pathlib.Path(folder.stdout.strip())
    return roots


def build(programs, machines, roots, jobs):
    for machine in machines:
        triplet, *_ = wine_station.MACHINES[machine]
        folder = CACHE / machine
        program_build.Builder(triplet, folder, roots).build(programs, jobs)
        if wine_station.BUILT.joinpath(machine).is_dir():
            wine_station.copy_libraries(machine, folder)


class Stage:
    """A prefix and a display, on which programs run one after the other."""

    def __init__(self, prefix, screen, roots, seconds):
        self.prefix, self.screen, self.roots, self.seconds = prefix, screen, roots, seconds

    def run(self, program, machine, side):
        """Its outcome; the picture goes to a file, too."""
        width, height = wine_station.SCREEN.split("x")
        environment, words = wine_station.way_of(
            self.prefix, side == BUILTIN, ("--width", width, "--height", height))
        folder = self.roots[LIBRARIES[program.library].package] / program.folder
        for name in program.leaves:
            (folder / name).unlink(missing_ok=True)
        name = f"{program.name}-{BUILTIN}" if side == BUILTIN else f"{program.name}-aerogpu-{machine}"
        outcome = program_run.run(
            program, CACHE / machine / f"{program.name}.exe", folder,
            program_run.Station(words, environment, self.screen), OUT / "logs" / f"{name}.log",
            self.seconds)
        self.prefix.stop()
        if outcome.picture is not None:
            write_picture(name, outcome.picture)
        return outcome


def write_picture(name, picture):
    (OUT / f"{name}.png").write_bytes(xvfb_pictures.encode_png(*picture))


def rows_of(program, machines, stage):
    """A row for each architecture; one for the builtin alone where there is none."""
    builtin = stage.run(program, "x64", BUILTIN)
    if not machines:
        yield Row(program.name, program.lacks, "x64", None, builtin)
    for machine in machines:
        ours = stage.run(program, machine, "aerogpu")
        row = Row(program.name, program.lacks, machine, ours, builtin)
        if row.ours.picture is not None and builtin.picture is not None:
            row.apart = picture_difference.difference(row.ours.picture, builtin.picture)
        if row.apart is not None:
            write_picture(f"{program.name}-difference-{machine}", row.apart.picture)
        yield row


def table(rows):
    lines = [HEADINGS, *(row.cells() for row in rows)]
    wide = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        cells = [cell.ljust(wide[column]) if column in (0, 1, 7) else cell.rjust(wide[column])
                 for column, cell in enumerate(line)]
        yield "  ".join(cells).rstrip()


def start(given):
    programs = [program for program in PROGRAMS if not given.names or program.name in given.names]
    folder32 = wine_station.wine32_folder()
    machines = machines_of(given, folder32)
    roots = fetch(programs)
    build(programs, sorted({*machines, "x64"}), roots, given.jobs)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    rows = []
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="aerogpu-screen-"))
        shown_on, _ = stack.enter_context(
            wine_station.display(wants_own=True, screen_folder=folder))
        prefix = stack.enter_context(wine_station.free_prefix(CACHE, shown_on, folder32))
        stage = Stage(prefix, pathlib.Path(folder) / "Xvfb_screen0", roots, given.seconds)
        for program in programs:
            for row in rows_of(program, machines, stage):
                print(f"{row.program} {row.machine}: {row.verdict()}", file=sys.stderr, flush=True)
                rows.append(row)
    text = "\n".join(table(rows)) + (
        f"\n\nlargest: of a channel's differences; beyond: pixels with a channel further apart than "
        f"{picture_difference.CHANNEL_TOLERANCE};\nsame: at most {picture_difference.PIXELS_BEYOND:.1%} "
        f"are. Pictures: {OUT.relative_to(ROOT)}/\n")
    (OUT / "table.txt").write_text(text)
    print("\n" + text, end="")
    return 0 if all(row.is_good() for row in rows) else 1


def main():
    given = options()
    try:
        sys.exit(start(given))
    except (wine_station.StationError, subprocess.CalledProcessError, OSError) as why:
        print(f"wine-programs: {why}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
