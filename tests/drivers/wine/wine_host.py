# SPDX-License-Identifier: MIT
"""What the tests in Wine share: the shipped driver and its test programs, and Wine itself."""
import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys

DRIVER = "drivers/win7/kmd/windows/aerogpu.sys"
PREFIX_SECONDS, RUN_SECONDS = 300, 600
SKIPPED = 77


@contextlib.contextmanager
def exclusive(folder):
    """One test at a time works in a folder: its build and its Wine."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


NAMES = {"x86_64": "x64", "i686": "x86"}


def build(root, folder, machine, targets):
    """The folder of what was built: one for all tests of a machine, `folder`, or where
    AEROGPU_WINDOWS_BUILDS says that such builds are."""
    builds = os.environ.get("AEROGPU_WINDOWS_BUILDS")
    out = pathlib.Path(builds) / NAMES[machine] if builds else folder / "build"
    subprocess.run([root / "scripts/windows-build", machine, out], check=True)
    subprocess.run(["ninja", "-C", out, *targets], check=True)
    return out


def ship(machine, made, shipped):
    """A copy without its symbols, as it ships."""
    subprocess.run([f"{machine}-w64-mingw32-strip", "-o", shipped, made], check=True)
    return shipped


def build_driver(root, folder, machine, programs):
    """aerogpu.sys as it ships, and the programs' folder."""
    out = build(root, folder, machine, [DRIVER, *programs])
    return ship(machine, out / DRIVER, folder / "aerogpu.sys"), out


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


def wine32_for(root, machine):
    """Where the part of Wine for 32-bit programs is, if it is needed, and why it is not there."""
    if machine == "x86_64":
        return None, ""
    answer = subprocess.run([root / "scripts" / "wine32", "--folder"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    text = answer.stdout.decode().strip()
    if answer.returncode != 0:
        return None, text
    folder = pathlib.Path(text)
    if not (folder / "i386-windows").is_dir():
        return None, f"{folder} is not there: scripts/wine32 fetches it"
    return folder, ""


def faults(status, text, closing_line, counts):
    """Why a run did not pass."""
    if text.rstrip("\n").split("\n")[-1] != closing_line:
        yield f"the last line is not '{closing_line}'"
    if status != 0:
        yield f"status {status}"
    for name in counts:
        found = re.search(rf"\b{name} (\d+)", text)
        if found is None or int(found[1]) == 0:
            yield f"no {name}"


class Wine:
    """A Wine of its own, in a folder; nothing of it runs before or afterwards."""

    def __init__(self, program, prefix, folder32=None):
        self.program, self.prefix = program, prefix
        self.environment = {name: value for name, value in os.environ.items()
                            if name != "DISPLAY"}
        self.environment.update(WINEPREFIX=str(prefix), WINEDEBUG="-all",
                                WINEDLLOVERRIDES="mscoree,mshtml=")
        self.system = prefix / "drive_c/windows/system32"
        if folder32 is not None:
            self.environment["WINEDLLPATH"] = str(folder32)
            self.system = prefix / "drive_c/windows/syswow64"

    def __enter__(self):
        self.stop()
        if not (self.system / "ntoskrnl.exe").exists():
            shutil.rmtree(self.prefix, ignore_errors=True)
            subprocess.run([self.program, "wineboot", "-i"], env=self.environment, check=True,
                           timeout=PREFIX_SECONDS)
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.prefix.is_dir():
            subprocess.run(["wineserver", "-k"], env=self.environment,
                           stderr=subprocess.DEVNULL)

    def run(self, *arguments, cwd):
        """The exit status, which says nothing by itself, and what was printed. Into a file: services
        keep what they inherit open."""
        printed = cwd / "printed.txt"
        with open(printed, "wb") as out:
            status = subprocess.run([self.program, *arguments], cwd=cwd, env=self.environment,
                                    stdout=out, stderr=subprocess.STDOUT,
                                    timeout=RUN_SECONDS).returncode
        return status, printed.read_text(errors="replace").replace("\r\n", "\n")


def main(run):
    """run(ROOT, FOLDER, WINE, MACHINE) of the program's arguments; its status."""
    root, folder, wine, machine = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    with exclusive(folder):
        sys.exit(run(pathlib.Path(root), folder, wine, machine))
