#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a Direct3D 9 program for Windows on AeroGPU, under Wine.

The program runs in its own folder, in a Wine of the project's own (.cache/wine/). Its windows are
on the display, or on an Xvfb where there is none. ./dev wine builds what is needed.
"""
import argparse
import contextlib
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

import wine_station
import x11_display
import xvfb_pictures

CACHE = wine_station.ROOT / ".cache/wine"
PE_MACHINES = {0x8664: "x64", 0x014C: "i686"}
CANNOT = 125
SIDES = range(64, 4097)  # Of a desktop.
ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


def desktop_size(text):
    """An option's value: the same text."""
    if re.fullmatch(r"[1-9]\d{1,3}x[1-9]\d{1,3}", text) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no size like {wine_station.SCREEN}")
    return text


def options():
    parser = argparse.ArgumentParser(
        prog="./dev run-d3d9", usage="%(prog)s [OPTION...] PROGRAM.exe [ARGUMENT...]",
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"status: the program's, 128 + n if signal n ended it; {CANNOT}: it cannot be run")
    parser.add_argument("--png", metavar="DIR",
                        help="a PNG per second, if it changed: desktop-*.png is the GPU's scanout; "
                             "without a display screen-*.png is what one would show")
    parser.add_argument("--trace", metavar="FILE",
                        help="record what the guest submits, for aerogpu replay")
    parser.add_argument("--validate", action="store_true",
                        help="turn on Vulkan's validation layers")
    parser.add_argument("--size", type=desktop_size, metavar="WIDTHxHEIGHT",
                        help="of the GPU's desktop and of an Xvfb; offered beside the driver's own "
                        f"modes (the display's, up to {SIDES[-1]}; else {wine_station.SCREEN})")
    parser.add_argument("--no-display", action="store_true", help="use an Xvfb, display or not")
    parser.add_argument("--wait", action="store_true",
                        help="stay until all programs that it started have ended, too")
    parser.add_argument("program", type=pathlib.Path, metavar="PROGRAM.exe")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    return parser.parse_args()


def machine_of(program):
    """The architecture that a program is for, by its PE header."""
    data = b""
    with contextlib.suppress(OSError), open(program, "rb") as file:
        data = file.read(4096)
    if not data:
        raise wine_station.StationError(f"{program} cannot be read")
    machine = None
    if data[:2] == b"MZ" and len(data) >= 64:
        (at,) = struct.unpack_from("<I", data, 60)
        if data[at:at + 4] == b"PE\0\0" and at + 6 <= len(data):
            machine = PE_MACHINES.get(struct.unpack_from("<H", data, at + 4)[0])
    if machine is None:
        raise wine_station.StationError(f"{program} is no Windows program for x64 or x86")
    return machine


def install(prefix, machines):
    """The libraries where Windows keeps its own: nothing is written beside the program."""
    for machine in machines:
        *_, system = wine_station.MACHINES[machine]
        wine_station.copy_libraries(machine, prefix.folder / "drive_c/windows" / system)


def size_on(shown_on, is_own):
    """What the desktop is as large as, where the caller says nothing."""
    found = None if is_own else x11_display.size_of(shown_on)
    if found is None or not all(side in SIDES for side in found):
        return wine_station.SCREEN
    return f"{found[0]}x{found[1]}"


def command_of(given, program, size):
    width, height = size.split("x")
    words = [wine_station.BUILT / "aerogpu-run", "--width", width, "--height", height]
    for name in ("png", "trace"):
        value = getattr(given, name)
        if value is not None:
            words += [f"--{name}", pathlib.Path(value).resolve()]
    if given.validate:
        words.append("--validate")
    wine = ["wine", program, *given.arguments]
    if given.wait:
        wine = ["sh", "-c", '"$@"; status=$?; wineserver -w; exit $status', "sh", *wine]
    return words + wine


def handle(numbers, handler):
    """Those signals, unless the caller has them ignored, as nohup does."""
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def leave(number, _):
    """Ends what was started, in the order of `with` and undisturbed."""
    handle(ENDING, lambda *_: None)
    sys.exit(128 + number)


def run(command, environment, folder):
    """The status. The terminal's signals reach the command by themselves; others are passed on."""
    process = subprocess.Popen(command, env=environment, cwd=folder)
    handle((signal.SIGHUP, signal.SIGTERM), lambda came, _: process.send_signal(came))
    handle((signal.SIGINT,), lambda *_: None)
    return process.wait()


def start(given):
    program = given.program.resolve()
    machine = machine_of(program)
    folder32 = wine_station.wine32_folder()
    if machine == "i686" and folder32 is None:
        raise wine_station.StationError(
            f"{program} is for x86, and what scripts/wine32 fetches for such programs is not there")
    with contextlib.ExitStack() as stack:
        screen = stack.enter_context(tempfile.TemporaryDirectory(prefix="aerogpu-screen-"))
        shown_on, is_own = stack.enter_context(
            wine_station.display(given.no_display, screen, given.size or wine_station.SCREEN))
        prefix = stack.enter_context(wine_station.free_prefix(CACHE, shown_on, folder32))
        install(prefix, ["x64"] if folder32 is None else list(wine_station.MACHINES))
        if given.png is not None and is_own:
            stack.enter_context(xvfb_pictures.Series(
                pathlib.Path(screen) / "Xvfb_screen0", pathlib.Path(given.png).resolve()))
        size = given.size or size_on(shown_on, is_own)
        return run(command_of(given, program, size), prefix.environment, program.parent)


def main():
    given = options()
    handle(ENDING, leave)
    try:
        sys.exit(start(given))
    except (wine_station.StationError, OSError, subprocess.SubprocessError) as why:
        print(f"run-d3d9: {why}", file=sys.stderr)
        sys.exit(CANNOT)


if __name__ == "__main__":
    main()
