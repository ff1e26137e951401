# SPDX-License-Identifier: MIT
"""A Wine of the project's own: a prefix, and a display to show windows on."""
import contextlib
import fcntl
import itertools
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What ./dev wine makes, or another build of it.
BUILT = pathlib.Path(os.environ.get("AEROGPU_WINE_FILES") or ROOT / "out/wine").resolve()
MACHINES = {"x64": ("x86_64", "aerogpu_d3d9_x64.dll", "system32"),
            "i686": ("i686", "aerogpu_d3d9.dll", "syswow64")}
PREFIX_SECONDS = 300
SCREEN = "1280x800"  # One of the modes that the driver has.


class StationError(Exception):
    """Wine or its display cannot be used; the sentence says why and what helps."""


def wine32_folder():
    """What scripts/wine32 fetched, or nothing."""
    answer = subprocess.run([ROOT / "scripts" / "wine32", "--folder"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True, check=False)
    folder = pathlib.Path(answer.stdout.strip() or "nowhere")
    return folder if (folder / "i386-windows").is_dir() else None


def libraries(machine):
    """d3d9.dll and its driver."""
    paths = [BUILT / machine / name for name in ("d3d9.dll", MACHINES[machine][1])]
    for path in paths:
        if not path.is_file():
            raise StationError(f"{path} is missing: ./dev wine builds it")
    return paths


def copy_libraries(machine, folder):
    """A program in that folder finds them there."""
    for path in libraries(machine):
        target = folder / path.name
        target.unlink(missing_ok=True)
        shutil.copyfile(path, target)


def way_of(prefix, is_builtin, options=()):
    """The environment, and the words before a program's: with Wine's own d3d9.dll, or with ours,
    which is beside the program, and a host process with those options."""
    environment = {**prefix.environment, "WINEDLLOVERRIDES": f"d3d9={'b' if is_builtin else 'n'}"}
    return environment, [*([] if is_builtin else [BUILT / "aerogpu-run", *options]), "wine"]


@contextlib.contextmanager
def display(wants_own=False, screen_folder=None, size=SCREEN):
    """The environment's display where there is one and it is wanted; else an Xvfb of its own and of
    that size, which keeps its screen in the folder's file Xvfb_screen0. Its name, and whether it is
    its own."""
    named = os.environ.get("DISPLAY")
    if named and not wants_own:
        yield named, False
        return
    if shutil.which("Xvfb") is None:
        raise StationError("there is no display, and Xvfb is not installed: ./dev setup wine")
    answers, asked = os.pipe()
    words = ["Xvfb", "-displayfd", str(asked), "-screen", "0", f"{size}x24", "-nolisten", "tcp",
             "-noreset"]
    if screen_folder is not None:
        words += ["-fbdir", screen_folder]
    server = subprocess.Popen(words, pass_fds=[asked], stderr=subprocess.DEVNULL,
                              start_new_session=True)
    try:
        os.close(asked)
        with os.fdopen(answers) as lines:
            number = lines.readline().strip()
        if not number:
            raise StationError("Xvfb does not start")
        yield f":{number}", True
    finally:
        server.terminate()
        server.wait()


class Prefix:
    """A folder that Wine keeps its Windows in. `folder32`: what runs 32-bit programs, if anything.
    `desktop`: the size of a window that all others are in, if there is to be one; within it programs
    can change the display mode."""

    def __init__(self, folder, shown_on, folder32=None, desktop=None):
        self.folder = folder
        self.folder32 = folder32
        self.desktop = desktop
        self.environment = {**os.environ, "WINEPREFIX": str(folder), "DISPLAY": shown_on,
                            "WINEDEBUG": os.environ.get("WINEDEBUG", "-all")}
        if folder32 is not None:
            self.environment["WINEDLLPATH"] = str(folder32)

    def make(self):
        """Makes it, unless an earlier run did. No question is asked, and no debugger is started."""
        made = self.folder / "aerogpu-made"
        state = f"{'with' if self.folder32 is not None else 'without'} 32 bits, {self.desktop}"
        if made.is_file() and made.read_text() == state:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["wine", "wineboot", "-i"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=PREFIX_SECONDS, text=True,
                              check=False,
                              env={**self.environment, "WINEDLLOVERRIDES": "mscoree,mshtml="})
        if done.returncode != 0:
            raise StationError(f"Wine makes no prefix in {self.folder}: {done.stderr.strip()}")
        if self.desktop is not None:
            self.set_value(r"HKCU\Software\Wine\Explorer", "Desktop", "Default")
            self.set_value(r"HKCU\Software\Wine\Explorer\Desktops", "Default", self.desktop)
        self.stop()
        made.write_text(state)

    def set_value(self, key, name, text):
        """A string in the registry."""
        subprocess.run(["wine", "reg", "add", key, "/v", name, "/d", text, "/f"],
                       env=self.environment, stdout=subprocess.DEVNULL, check=True)

    def wait(self):
        """Until nothing of this Wine runs."""
        subprocess.run(["wineserver", "-w"], env=self.environment, check=False,
                       stderr=subprocess.DEVNULL)

    def stop(self):
        """Ends all that runs in this Wine."""
        if self.folder.is_dir():
            subprocess.run(["wineserver", "-k"], env=self.environment, check=False,
                           stderr=subprocess.DEVNULL)
            self.wait()


@contextlib.contextmanager
def locked(path):
    """Whether nobody else holds the file."""
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


@contextlib.contextmanager
def free_prefix(folder, shown_on, folder32=None, desktop=None):
    """The first of a folder's prefixes that nobody uses: programs of one see each other's windows."""
    folder.mkdir(parents=True, exist_ok=True)
    bits = "32" if folder32 is not None else "64"
    for number in itertools.count():
        name = f"prefix-{bits}-{number}"
        with locked(folder / f"{name}.lock") as is_ours:
            if not is_ours:
                continue
            prefix = Prefix(folder / name, shown_on, folder32, desktop)
            try:
                prefix.stop()  # What an ended run left is on a display that may be gone.
                prefix.make()
                yield prefix
            finally:
                prefix.stop()
            return
