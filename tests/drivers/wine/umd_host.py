# SPDX-License-Identifier: MIT
"""What the tests of the user-mode driver on a server share: the server, a program's run, pictures."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

CLOSING_LINE = "the program ran to the end"
PICTURES = ("triangle", "textured_quad", "dynamic_buffer", "lit_mesh")
SECONDS = 300
SHARED_EDGE, FILL, CORNER = 32, (0x20, 0x40, 0xC0), (0xE0, 0xA0, 0x10)


def fail(text):
    raise SystemExit(f"FAILED: {text}")


@contextlib.contextmanager
def server(guestd, *options, expects_status=0):
    """A server in a folder of its own; the folder's name. Its status says what Windows found."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="aerogpu-guestd-", dir=base))
    process = subprocess.Popen([guestd, "--folder", folder / "server", *options],
                               stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        if "ready" not in line:
            fail(f"the server does not start: {line}")
        print(line.rstrip("\n"))
        yield folder / "server", process
        process.send_signal(signal.SIGTERM)
        status = process.wait(SECONDS)
        if status != expects_status:
            fail(f"the server ended with {status}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def check_run(what, status, text):
    lines = text.rstrip("\n").split("\n")
    if status != 0 or lines[-1] != CLOSING_LINE:
        fail(f"{what} ended with {status}:\n{text}")


def run_program(program, *words, folder):
    done = subprocess.run([program, "-", *map(str, words)], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "AEROGPU_GUESTD": str(folder)}, timeout=SECONDS)
    check_run(pathlib.Path(program).name, done.returncode, done.stdout)
    return done.stdout


def compare(expected, found):
    """Every picture, byte for byte. On null, which has no rasteriser, they are what was cleared."""
    for name in PICTURES:
        wanted = (expected / f"{name}.ppm").read_bytes()
        drawn = (found / f"{name}.ppm").read_bytes()
        if wanted != drawn:
            fail(f"{name}.ppm of {found} is not that of {expected}")
        print(f"{name}: {len(drawn)} bytes alike")


def check_shared(path):
    header = f"P6\n{SHARED_EDGE} {SHARED_EDGE}\n255\n".encode()
    data = path.read_bytes()
    if not data.startswith(header):
        fail(f"{path} is no picture of {SHARED_EDGE} pixels")
    pixels = data[len(header):]
    for y in range(SHARED_EDGE):
        for x in range(SHARED_EDGE):
            at = (y * SHARED_EDGE + x) * 3
            wanted = CORNER if 8 <= x < 28 and 4 <= y < 20 else FILL
            if tuple(pixels[at:at + 3]) != wanted:
                fail(f"pixel {x}, {y} of the shared surface is {tuple(pixels[at:at + 3])}")
    print("the other process's surface: 1024 pixels as they were made")


@contextlib.contextmanager
def producer(command, environment):
    """A process that shows a surface; its handle's number, and the process."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=environment)
    try:
        for line in process.stdout:
            if line.startswith("share "):
                yield int(line.split()[1]), process
                break
        else:
            fail("the producer has no surface")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def finish(process):
    """Lets the producer go on; what it printed then."""
    process.stdin.write("\n")
    process.stdin.flush()
    text = process.stdout.read()
    return process.wait(SECONDS), text
