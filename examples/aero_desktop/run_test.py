#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs three frames on the null backend: exit status, closing line, and what files come out."""
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
    output = run("--frames", "3", "--png", folder, "--trace", folder + "/trace",
                 "--sheet", folder + "/sheet.png")
    assert output.splitlines()[-1] == "3 frames, 0 errors, 0 objects left", output
    names = sorted(path.name for path in pathlib.Path(folder).iterdir())
    assert names == ["frame-0000.png", "frame-0001.png", "frame-0002.png", "sheet.png", "trace"], names
assert "usage: aero_desktop" in run("--help")
run("--frames", "0", code=2)
run("--backend", "cuda", code=2)
run("--frames", "1", "--trace", "/missing/folder/trace", code=2)

# A run that fails leaves the recording of an earlier one alone, and nothing of its own.
with tempfile.TemporaryDirectory() as folder:
    old = pathlib.Path(folder, "trace")
    old.write_bytes(b"old")
    pictures = pathlib.Path(folder, "pictures")
    (pictures / "frame-0001.png").mkdir(parents=True)  # Where a frame belongs.
    for options in (["--png", str(pictures)], ["--sheet", "/dev/full"]):
        run("--frames", "2", "--trace", str(old), *options, code=2)
        assert old.read_bytes() == b"old", options
        assert sorted(path.name for path in old.parent.iterdir()) == ["pictures", "trace"], options
    run("--frames", "2", "--trace", str(old))
    assert old.read_bytes().startswith(b"AEROGPUT"), "a run that succeeds replaces it"
with tempfile.TemporaryDirectory() as folder:
    frame = folder + "/frame-0000.png"
    for options in (["--sheet", folder + "/same", "--trace", folder + "/./same"],
                    ["--png", folder, "--sheet", frame]):
        done = subprocess.run([program, "--frames", "1", *options], capture_output=True, text=True)
        assert done.returncode == 2 and "this command writes it already, as " in done.stderr, done
