#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the story with one frame a stage: exit status, closing line, and what files come out."""
import pathlib
import subprocess
import sys
import tempfile

program = str(pathlib.Path(sys.argv[1]).resolve())


def run(*arguments, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done)
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    output = run("--frames", "1", "--png", folder)
    assert output.splitlines()[-1] == "6 frames, 6 pictures checked, 0 errors", output
    names = sorted(path.name for path in pathlib.Path(folder).iterdir())
    assert names == ["frame-0001.png", "frame-0002.png", "frame-0003.png",
                     "frame-0005-resumed.png", "frame-0005.png", "frame-0006.png"], names
assert "usage: win7_desktop" in run("--help")
run("--frames", "0", code=2)
run("--device", "no such device", code=2)
