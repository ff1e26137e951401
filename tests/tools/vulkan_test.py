#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The desktop on Vulkan, and the replay of its recording: the same pixels."""
import pathlib
import subprocess
import sys
import tempfile

desktop, program = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
frames = 3


def run(*command, code=0):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code, (command, done)
    return done.stdout


def pictures(folder):
    return [path.read_bytes() for path in sorted(pathlib.Path(folder).glob("*.png"))]


with tempfile.TemporaryDirectory() as folder:
    drawn, replayed = folder + "/drawn", folder + "/replayed"
    trace = folder + "/desktop.aerogputrace"
    pathlib.Path(drawn).mkdir()
    output = run(desktop, "--backend", "vulkan", "--validate", "--frames", str(frames),
                 "--png", drawn, "--trace", trace)
    assert output.splitlines()[-1] == f"{frames} frames, 0 errors, 0 objects left", output
    output = run(program, "replay", "--backend", "vulkan", "--validate", "--png", replayed, trace)
    assert " ok" in output and "runs on " in output, output
    assert len(pictures(drawn)) == frames and pictures(drawn) == pictures(replayed)
    assert len(set(pictures(drawn))) == frames, "nothing moves"
    # On the null backend the same packets pass, and nothing is drawn.
    run(program, "replay", "--backend", "null", "--quiet", trace)

devices = run(program, "replay", "--list-devices").splitlines()
assert devices[0].split()[:2] == ["device", "name"] and len(devices) > 1, devices
error = subprocess.run([program, "replay", "--backend", "vulkan", "--device", "no such device",
                        "x"], capture_output=True, text=True)
assert error.returncode == 2, error
