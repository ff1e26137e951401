#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs three of Wine's Direct3D 9 tests on AeroGPU's d3d9.dll, beside Wine's own d3d9.

Each function of a test runs in a process of its own, with a time limit. What Wine's own d3d9 does is
kept in .cache/ for the next run. The status is 1 when a function passes there and not here.
"""
import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "drivers/wine/tools"))
import judge_program  # noqa: E402
import judge_run  # noqa: E402
import judge_table  # noqa: E402
import wine_station  # noqa: E402

SUITES = ("stateblock", "device", "d3d9ex")
CACHE, OUT = ROOT / ".cache/wine-tests", ROOT / "out/wine-tests"
# Neither questions nor debuggers; a debugger would take seconds for each crash.
OVERRIDES = "mscoree,mshtml,winedbg.exe="

# Half of the tests change the display mode, within a desktop of the size of the host process's.
DESKTOP, SCREEN = "1024x768", "1280x1024"


@dataclasses.dataclass(frozen=True)
class Job:
    """One function to run, on one of both libraries."""
    side: str  # "ours" or "builtin"
    machine: str
    suite: str
    function: str

    def key(self):
        return f"{self.machine} {self.suite} {self.function}"


def options():
    parser = argparse.ArgumentParser(prog="./dev wine-tests", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", metavar="|".join(SUITES), help="default: all three")
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="this function alone; may be given again")
    parser.add_argument("--machine", choices=(*wine_station.MACHINES, "all"), default="all",
                        help="default: all that run here")
    parser.add_argument("--ours-only", action="store_true",
                        help="run nothing on Wine's builtin; show what is known of it")
    parser.add_argument("--builtin-only", action="store_true",
                        help="run Wine's builtin alone, known or not")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="processes at once, each with a display and a prefix (1)")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS",
                        help="for one function (120)")
    parser.add_argument("--validate", action="store_true",
                        help="turn on Vulkan's validation layers; an error fails the function")
    parser.add_argument("--list", action="store_true", help="print the functions and end")
    given = parser.parse_args()
    unknown = [name for name in given.suites if name not in SUITES]
    if unknown:
        parser.error(f"there is no test '{unknown[0]}'; there are {', '.join(SUITES)}")
    if given.ours_only and given.builtin_only:
        parser.error("--ours-only and --builtin-only exclude each other")
    given.suites = given.suites or list(SUITES)
    return given


def fetch():
    """The folder with the fetched sources."""
    script = ROOT / "scripts/wine-source"
    done = subprocess.run([script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        raise wine_station.StationError(f"Wine's tests cannot be fetched:\n{done.stdout}")
    return pathlib.Path(subprocess.run([script, "--folder"], stdout=subprocess.PIPE, text=True,
                                       check=True).stdout.strip())


class Baseline:
    """What Wine's own d3d9 did, of one version of Wine, in a file."""

    def __init__(self, version):
        self.path = CACHE / f"builtin-{version}.json"
        known = json.loads(self.path.read_text()) if self.path.is_file() else {}
        self.outcomes = {key: judge_run.Outcome(**value) for key, value in known.items()}

    def of(self, job):
        """64-bit: Wine's d3d9 does not start in 32-bit programs on 64-bit Wine."""
        return self.outcomes.get(dataclasses.replace(job, machine="x64").key())

    def save(self):
        text = json.dumps({key: dataclasses.asdict(self.outcomes[key])
                           for key in sorted(self.outcomes)}, indent=1)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(text + "\n")


def machines_to_run(given):
    wanted = list(wine_station.MACHINES) if given.machine == "all" else [given.machine]
    if "i686" in wanted and wine_station.wine32_folder() is None:
        print("wine-tests: i686 is not run: scripts/wine32 fetches what it needs", file=sys.stderr)
        wanted.remove("i686")
    return wanted


def jobs_of(given, functions, machines, baseline):
    """What is to be run, in order."""
    def of(side, machine):
        return [Job(side, machine, suite, name)
                for suite in given.suites for name in functions[suite]]

    jobs = []
    if not given.ours_only:
        jobs += [job for job in of("builtin", "x64")
                 if given.builtin_only or baseline.of(job) is None]
    if not given.builtin_only:
        for machine in machines:
            jobs += of("ours", machine)
    return jobs


def place(job, source):
    """A folder with the test's program and, for ours, the libraries beside it; the program."""
    triplet, *_ = wine_station.MACHINES[job.machine]
    program = judge_program.build(source, job.suite, triplet, CACHE / job.machine)
    folder = CACHE / job.machine / job.side
    folder.mkdir(exist_ok=True)
    libraries = wine_station.libraries(job.machine) if job.side == "ours" else []
    for file in [program, *libraries]:
        if not (folder / file.name).is_file() or not os.path.samefile(folder / file.name, file):
            (folder / file.name).unlink(missing_ok=True)
            (folder / file.name).symlink_to(file)
    return folder / program.name


def run(job, program, prefix, given):
    is_builtin = job.side == "builtin"
    environment, words = wine_station.way_of(
        prefix, is_builtin, ["--validate"] if given.validate else [])
    words += [program.name, job.suite, job.function]
    environment["WINEDLLOVERRIDES"] += ";" + OVERRIDES
    log = (OUT / "logs" / ("builtin" if is_builtin else job.machine)
           / f"{job.suite}.{job.function}.txt")
    outcome = judge_run.run(words, environment, program.parent, log, given.timeout)
    if outcome.crashed or outcome.timed_out:
        prefix.stop()
    return outcome


class Work:
    """Jobs for threads, and what came of them."""

    def __init__(self, jobs, programs, given):
        self.programs, self.given = programs, given
        self.outcomes = {}
        self.total = len(jobs)
        self.waiting = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.error = None
        for job in jobs:
            self.waiting.put(job)

    def report(self, job, outcome):
        with self.lock:
            self.outcomes[job] = outcome
            what = judge_table.ending(outcome) or f"{outcome.failures} of {outcome.checks} fail"
            print(f"[{len(self.outcomes)}/{self.total}] {job.side} {job.key()}: {what}",
                  file=sys.stderr, flush=True)

    def worker(self):
        """Takes jobs until there is none, in a prefix and on a display of its own."""
        folder32 = wine_station.wine32_folder()
        try:
            with wine_station.display(wants_own=True, size=SCREEN) as (shown_on, _), \
                    wine_station.free_prefix(CACHE, shown_on, folder32, DESKTOP) as prefix, \
                    contextlib.suppress(queue.Empty):
                while self.error is None:
                    job = self.waiting.get_nowait()
                    program = self.programs[job.side, job.machine, job.suite]
                    self.report(job, run(job, program, prefix, self.given))
        except (wine_station.StationError, OSError, subprocess.SubprocessError) as why:
            self.error = why

    def do(self, jobs_at_once):
        threads = [threading.Thread(target=self.worker)
                   for _ in range(max(1, min(jobs_at_once, self.total)))]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            self.error = "interrupted"
            raise
        if self.error is not None:
            raise wine_station.StationError(str(self.error))


def tables_of(given, functions, machines, outcomes, baseline):
    tables = {}
    for machine in machines if not given.builtin_only else ["x64"]:
        for suite in given.suites:
            rows = []
            for name in functions[suite]:
                job = Job("ours", machine, suite, name)
                rows.append((name, outcomes.get(job), baseline.of(job)))
            if rows:
                tables[f"{suite} {machine}"] = rows
    return tables


def write_files(texts, tables):
    """Replaces what earlier runs wrote of the same suites."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (OUT / f"{name.replace(' ', '-')}.txt").write_text(text)
    results = OUT / "results.json"
    known = json.loads(results.read_text()) if results.is_file() else {}
    known.update(judge_table.as_values(tables))
    results.write_text(json.dumps(known, indent=1) + "\n")


def report(tables, are_whole):
    """Prints the tables, and puts whole ones into files; the status."""
    texts = {name: judge_table.text(name, rows) for name, rows in tables.items()}
    print("\n".join(texts.values()), end="")
    if are_whole:
        write_files(texts, tables)
    verdicts = [judge_table.verdict(*row[1:]) for rows in tables.values() for row in rows]
    return 1 if "BELOW" in verdicts else 0


def judge(given):
    source = fetch()
    tests = source / "dlls/d3d9/tests"
    functions = {suite: [name for name in judge_program.functions_of(
        (tests / f"{suite}.c").read_text(), suite) if not given.only or name in given.only]
        for suite in given.suites}
    if not any(functions.values()):
        raise wine_station.StationError(f"no function is called {' or '.join(given.only)}")
    if given.list:
        for suite, names in functions.items():
            print("\n".join(f"{suite} {name}" for name in names))
        return 0
    machines = machines_to_run(given)
    baseline = Baseline(source.name)
    jobs = jobs_of(given, functions, machines, baseline)
    programs = {}
    for job in jobs:
        if (job.side, job.machine, job.suite) not in programs:
            programs[job.side, job.machine, job.suite] = place(job, source)
    work = Work(jobs, programs, given)
    try:
        work.do(given.jobs)
    finally:
        known = {job.key(): outcome for job, outcome in work.outcomes.items()
                 if job.side == "builtin" and not outcome.timed_out}
        baseline.outcomes.update(known)
        baseline.save()
    return report(tables_of(given, functions, machines, work.outcomes, baseline), not given.only)


def main():
    given = options()
    if shutil.which("wine") is None:
        sys.exit("wine-tests: wine is not installed: ./dev setup wine")
    try:
        sys.exit(judge(given))
    except (wine_station.StationError, judge_program.ProgramError) as why:
        print(f"wine-tests: {why}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
