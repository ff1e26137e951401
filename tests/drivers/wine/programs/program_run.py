# SPDX-License-Identifier: MIT
"""One program on one d3d9.dll: a picture of its window from the display, and how it ended."""
import dataclasses
import pathlib
import re
import subprocess
import time

import xvfb_pictures

LINE = re.compile(rb"^stage: at (-?\d+) (-?\d+) size (\d+) (\d+) failures (\d+) ms ([\d.]+)",
                  re.MULTILINE)
POLL_SECONDS, END_SECONDS = 0.2, 60


@dataclasses.dataclass
class Outcome:
    """`why`: what went wrong, or nothing. `picture`: width, height, rows of bytes R, G, B."""
    picture: tuple | None = None
    frame_ms: float | None = None
    why: str = ""


@dataclasses.dataclass(frozen=True)
class Station:
    """Where programs run: the words before them, their environment and the display's file."""
    words: tuple
    environment: dict
    screen: pathlib.Path


def cropped(picture, left, top, wide, high):
    """The part of a picture, as far as the picture has it."""
    width, height, rows = picture
    right, bottom = min(left + wide, width), min(top + high, height)
    left, top = max(left, 0), max(top, 0)
    return right - left, bottom - top, [row[3 * left:3 * right] for row in rows[top:bottom]]


def wait_for(process, log, seconds):
    """The stage's line, or nothing when the program ended or the time is over."""
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        is_over = process.poll() is not None
        if found := LINE.search(log.read_bytes()):
            return found
        if is_over:
            return None
        time.sleep(POLL_SECONDS)
    return None


def stop(process):
    """Asks the program's group to end, and then does not ask."""
    for ask in (process.terminate, process.kill):
        ask()
        try:
            process.wait(END_SECONDS)
            return
        except subprocess.TimeoutExpired:
            continue


def ending(process):
    """After the picture: the program was told to close."""
    try:
        status = process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        stop(process)
        return "does not end"
    return "" if status == 0 else f"ended with {status}"


def run(program, executable, folder, station, log, seconds):
    """Runs it in the folder until its frame is shown, and ends it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    hold = log.with_suffix(".hold")
    hold.touch()
    environment = {**station.environment, "AEROGPU_STAGE_FRAME": str(program.frame),
                   "AEROGPU_STAGE_HOLD": f"Z:{hold}", "SDL_RENDER_DRIVER": "direct3d"}
    with open(log, "wb") as out:
        process = subprocess.Popen([*station.words, executable, *program.arguments],
                                   env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        process.stdin.write(program.answers.encode())
        process.stdin.flush()
        line = wait_for(process, log, seconds)
        outcome = Outcome()
        if line is None:
            outcome.why = (f"no frame {program.frame} in {seconds} s" if process.poll() is None
                           else f"ended with {process.returncode} before frame {program.frame}")
        else:
            outcome.picture = cropped(xvfb_pictures.read_screen(station.screen),
                                      *(int(number) for number in line.groups()[:4]))
            outcome.frame_ms = float(line[6])
            if int(line[5]) > 0:
                outcome.why = f"{int(line[5])} presents failed"
        hold.unlink(missing_ok=True)
        if line is None:
            stop(process)
        else:
            outcome.why = outcome.why or ending(process)
        process.stdin.close()
    return outcome
