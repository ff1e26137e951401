#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures a Direct3D 9 program on AeroGPU's d3d9.dll, and on Wine's own on the same llvmpipe.

Each scene runs on both by turns. Figures are milliseconds of processor time a frame, the best of the
rounds, by where they were spent: in the program's own thread (Direct3D and what is below it), in other
threads of its process (Wine's own d3d9 draws with OpenGL in one of them), in the host process's threads,
in those that Mesa's Vulkan driver or llvmpipe start, in Wine's server and the X server. `start-up` is a
whole run up to its 31st frame. The status is 1 when a scene cannot be run.
"""
import argparse
import contextlib
import dataclasses
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "drivers/wine/tools"))
import wine_station  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CACHE = ROOT / ".cache/wine-speed"
SCENES = {"draws": (60, "1,000 draws; four constants, a texture and a vertex buffer for each"),
          "streaming": (60, "4 MiB of texture and 60 KiB of vertices written with DISCARD"),
          "desktop": (60, "20 blended windows, two of them with new contents"),
          "empty": (200, "a clear and a present"),
          "start-up": (1, "a whole run, processor time and time on the clock")}
SIDES = ("aerogpu", "builtin")
SECONDS = 240


@dataclasses.dataclass
class Times:
    """Milliseconds."""
    thread: float = 0
    process: float = 0
    host: float = 0
    drawing: float = 0
    servers: float = 0
    wall: float = 0

    def processor(self):
        return self.thread + self.process + self.host + self.drawing + self.servers

    def minus(self, other, frames):
        return Times(*((now - then) / frames for now, then in
                       zip(dataclasses.astuple(self), dataclasses.astuple(other))))


class Failure(Exception):
    """A run that shows no figures; the sentence says why."""


def options():
    parser = argparse.ArgumentParser(
        prog="./dev wine-speed", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="scenes:\n" + "\n".join(f"  {name:<10} {what}" for name, (_, what) in SCENES.items()))
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="default: all")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="(3)")
    given = parser.parse_args()
    for name in given.scenes:
        if name not in SCENES:
            parser.error(f"there is no scene '{name}'; there are {', '.join(SCENES)}")
    if given.rounds < 1:
        parser.error("--rounds wants 1 or more")
    return given


def processes():
    """The words and the parent of each process."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(folder.name), [word.decode(errors="replace") for word in words], parent


def threads(pid):
    """Name and milliseconds of processor time of each."""
    for folder in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        with contextlib.suppress(OSError):
            name = (folder / "comm").read_text().strip()
            yield int(folder.name), name, int((folder / "schedstat").read_text().split()[0]) / 1e6


def own_processes(starter, executable):
    """The program and the host process of a run, where they are."""
    found = {}
    for pid, words, parent in processes():
        if parent == starter and "aerogpu-guestd" in words[0]:
            found["host"] = pid
        elif executable.name in words[0] and parent != 0:
            found["program"] = pid
    return found


def is_of_mesa(role, is_main, name):
    """The host process names its own threads."""
    if role == "host":
        return not is_main and not name.startswith("guestd")
    return name.startswith("llvmpipe")


def sample(pids, servers):
    now = Times(wall=time.monotonic() * 1000)
    for role, pid in pids.items():
        for thread, name, spent in threads(pid):
            if is_of_mesa(role, thread == pid, name):
                now.drawing += spent
            elif role == "host":
                now.host += spent
            elif thread == pid:
                now.thread += spent
            else:
                now.process += spent
    now.servers = sum(spent for pid in servers for _, _, spent in threads(pid))
    return now


def read_word(process, word):
    line = process.stdout.readline().decode().strip()
    if line != word:
        process.kill()
        raise Failure(f"'{line}' came instead of '{word}'")


def go_on(process):
    process.stdin.write(b"\n")
    process.stdin.flush()


class Runner:
    def __init__(self, prefix, executable, display):
        self.prefix, self.executable, self.display = prefix, executable, display

    def servers(self):
        """Wine's server of this prefix and the X server."""
        return [pid for pid, words, _ in processes()
                if words[0].endswith("wineserver") or self.display in words]

    def start(self, side, scene, frames):
        environment, words = wine_station.way_of(self.prefix, side == "builtin")
        return subprocess.Popen([*words, self.executable, scene, str(frames)],
                                env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def frames(self, side, scene, frames):
        """Of one frame."""
        process = self.start(side, scene, frames)
        read_word(process, "ready")
        pids, servers = own_processes(process.pid, self.executable), self.servers()
        if "program" not in pids or (side == "aerogpu") != ("host" in pids):
            process.kill()
            raise Failure("its processes are not found")
        before = sample(pids, servers)
        go_on(process)
        read_word(process, "done")
        times = sample(pids, servers).minus(before, frames)
        self.end(process)
        return times

    def end(self, process):
        go_on(process)
        if status := process.wait(SECONDS):
            raise Failure(f"ended with {status}")

    def start_up(self, side):
        """Of a whole run with a server of Wine that is there already."""
        began = time.monotonic()
        process = self.start(side, "empty", 1)
        read_word(process, "ready")
        wall = (time.monotonic() - began) * 1000
        pids = own_processes(process.pid, self.executable)
        times = sample(pids, [])
        times.wall = wall
        go_on(process)
        read_word(process, "done")
        self.end(process)
        return times

    def run(self, side, scene, frames):
        return self.start_up(side) if scene == "start-up" else self.frames(side, scene, frames)


def build():
    CACHE.mkdir(parents=True, exist_ok=True)
    executable = CACHE / "aerogpu-speed.exe"
    subprocess.run(["x86_64-w64-mingw32-g++-posix", "-std=c++20", "-O2", "-Wall", "-Wextra",
                    "-Wconversion", "-Werror", "-static", HERE / "speed.cpp", "-o", executable,
                    "-ld3d9", "-luser32"], check=True)
    wine_station.copy_libraries("x64", CACHE)
    return executable


def table(results):
    yield (f"{'scene':<10} {'on':<8} {'thread':>8} {'process':>8} {'host':>8} {'Mesa':>9} "
           f"{'servers':>8} {'all':>8} {'wall':>8}  ratio")
    for scene, sides in results.items():
        for side in SIDES:
            best = sides[side]
            ratio = best.processor() / sides["builtin"].processor()
            yield (f"{scene:<10} {side:<8} {best.thread:8.2f} {best.process:8.2f} {best.host:8.2f} "
                   f"{best.drawing:9.2f} {best.servers:8.2f} {best.processor():8.2f} "
                   f"{best.wall:8.2f}  {ratio:.2f}")


def start(given):
    executable = build()
    results = {}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="aerogpu-screen-"))
        shown_on, _ = stack.enter_context(
            wine_station.display(wants_own=True, screen_folder=folder))
        prefix = stack.enter_context(wine_station.free_prefix(CACHE, shown_on))
        runner = Runner(prefix, executable, folder)
        runner.run("builtin", "start-up", 1)  # Wine's server stays for the rest.
        for scene in given.scenes or SCENES:
            best = results.setdefault(scene, {})
            for number in range(given.rounds):
                for side in SIDES:
                    print(f"{scene}, {side}, round {number + 1} of {given.rounds}", file=sys.stderr,
                          flush=True)
                    times = runner.run(side, scene, SCENES[scene][0])
                    if side not in best or times.processor() < best[side].processor():
                        best[side] = times
    print("\n".join(table(results)))
    return 0


def main():
    given = options()
    try:
        sys.exit(start(given))
    except (Failure, wine_station.StationError, subprocess.CalledProcessError, OSError) as why:
        print(f"wine-speed: {why}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
