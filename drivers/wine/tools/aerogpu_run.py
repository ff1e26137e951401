#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command, usually Wine with a program, with a GPU of its own: starts a host process
(aerogpu-guestd, which lies beside this file), runs the command, ends the host process.

The command finds d3d9.dll where its caller put it: beside the program, or in the prefix's system32
(32-bit: syswow64), and next to it the driver DLL of the same folder. Its environment gets
AEROGPU_GUESTD and, unless d3d9 is named there already, d3d9=n in WINEDLLOVERRIDES. Drive Z: of the
prefix must be /.
"""
import argparse
import contextlib
import os
import pathlib
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

GUESTD = pathlib.Path(__file__).resolve().parent / "aerogpu-guestd"
FORWARDED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
READY = b"aerogpu-guestd: ready in "
START_SECONDS, END_SECONDS, POLL_SECONDS = 60, 60, 0.05
NOT_STARTED, NOT_EXECUTABLE, NOT_FOUND = 125, 126, 127
NO_VULKAN = 3  # The host process's status.
SENT_BY_KERNEL = 0x80  # SI_KERNEL: the terminal's, which the whole process group got.


class HostError(Exception):
    """The host process does not start; the sentence says why, and what to do."""


def say(text):
    print(f"aerogpu-run: {text}", file=sys.stderr, flush=True)


def pass_on(text):
    """What the host process printed, or a library in it."""
    with contextlib.suppress(OSError):
        os.write(2, text)


def options():
    parser = argparse.ArgumentParser(
        prog="aerogpu-run", description=__doc__, usage="%(prog)s [OPTION...] COMMAND [ARGUMENT...]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="status: that of the command, 128 + n if signal n ended it; "
               f"{NOT_STARTED}: the host process does not\nstart; {NOT_EXECUTABLE}, {NOT_FOUND}: the "
               "command cannot be run, is not found.")
    parser.add_argument("--png", metavar="DIR",
                        help="a PNG of the desktop per second, if it changed")
    parser.add_argument("--trace", metavar="FILE", help="record what the guest submits")
    parser.add_argument("--validate", action="store_true",
                        help="turn on Vulkan's validation layers")
    parser.add_argument("--backend", metavar="NAME", help="null or vulkan (vulkan)")
    parser.add_argument("--memory", metavar="MIB",
                        help="memory of allocations outside of video memory, 16 to 1024 (256)")
    parser.add_argument("--width", metavar="PIXELS",
                        help="of the desktop, 64 to 4096 (1024)")
    parser.add_argument("--height", metavar="PIXELS", help="of the desktop (768)")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="what to run")
    given = parser.parse_args()
    if given.command[:1] == ["--"]:
        del given.command[0]
    if not given.command:
        parser.error("there is no command")
    return given


def host_words(given, folder):
    words = [GUESTD, "--folder", folder, "--with-parent"]
    if given.validate:
        words.append("--validate")
    for name in ("png", "trace", "backend", "memory", "width", "height"):
        value = getattr(given, name)
        if value is not None:
            words += [f"--{name}", value]
    return words


def environment_for(folder):
    """The caller's, with what the DLLs need."""
    overrides = os.environ.get("WINEDLLOVERRIDES", "")
    named = {name.strip().lstrip("*").lower().removesuffix(".dll")
             for entry in overrides.split(";") for name in entry.split("=")[0].split(",")}
    if "d3d9" not in named:
        overrides = ";".join(filter(None, (overrides, "d3d9=n")))
    return {**os.environ, "AEROGPU_GUESTD": str(folder), "WINEDLLOVERRIDES": overrides}


def restore(mask):
    """What a child does first: it gets signals again."""
    return lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class Host:
    """aerogpu-guestd, in a folder that it makes and removes. The terminal's signals pass it by: it
    ends after the command."""

    def __init__(self, given, mask):
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()
        self.folder = pathlib.Path(base) / f"aerogpu-{secrets.token_hex(8)}"
        try:
            self.process = subprocess.Popen(
                host_words(given, self.folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                start_new_session=True, preexec_fn=restore(mask))
        except OSError as why:
            raise HostError(f"{GUESTD} cannot be run ({why.strerror}). './dev wine' of AeroGPU "
                            "builds the folder that this program belongs to.") from why
        self.has_ended = False

    def wait_ready(self):
        """Until clients may come, or a signal."""
        last = time.monotonic() + START_SECONDS
        while not (line := self.read_line(last)).startswith(READY):
            pass_on(line)
            if not line.endswith(b"\n"):
                self.wait_end(last)
                status = self.process.returncode
                advice = (" Install a Vulkan driver (mesa-vulkan-drivers has one for machines without "
                          "a GPU), or take --backend null, which draws nothing.")
                raise HostError(f"the host process does not start (status {status}); what it said "
                                f"stands above.{advice if status == NO_VULKAN else ''}")

    def read_line(self, last):
        """One that ends, unless nothing follows it. Nothing behind it is taken from the pipe."""
        out, line = self.process.stdout.fileno(), b""
        while not line.endswith(b"\n"):
            self.check_start(last)
            is_over = self.process.poll() is not None
            if select.select([out], [], [], POLL_SECONDS)[0]:
                byte = os.read(out, 1)
                if not byte:
                    break
                line += byte
            elif is_over:
                break  # The pipe may have come to a process that outlives it.
        return line

    def wait_end(self, last):
        """Of a process that has closed its output."""
        while self.process.poll() is None:
            self.check_start(last)
            time.sleep(POLL_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def check_start(self, last):
        """Gives up where it takes too long or a signal has come."""
        is_late = time.monotonic() > last
        if is_late or signal.sigpending() & set(FORWARDED):
            self.stop()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise HostError(f"the host process is not ready after {START_SECONDS} s"
                            if is_late else "interrupted")

    def pass_output_on(self):
        """From now on, so that a full pipe never stops it. After forks: a thread does it."""
        def copy():
            while text := os.read(self.process.stdout.fileno(), 4096):
                pass_on(text)
        threading.Thread(target=copy, daemon=True).start()

    def note_end(self):
        """Says it, once, when the process is gone before its time."""
        if not self.has_ended and self.process.poll() is not None:
            self.has_ended = True
            say(f"the host process ended with status {self.process.returncode} while the command "
                "ran; its programs get D3DERR_DEVICELOST")

    def end(self):
        """Ends it. A status above 0 says that Windows would have found something wrong."""
        self.note_end()
        if not self.has_ended:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        self.process.terminate()
        try:
            status = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        if status != 0:
            say(f"the host process ended with status {status}")


def run_command(words, environment, mask):
    """The started command, or the status of one that cannot be started."""
    try:
        return subprocess.Popen(words, env=environment, preexec_fn=restore(mask)), 0
    except FileNotFoundError:
        say(f"{words[0]} is not found")
        return None, NOT_FOUND
    except OSError as why:
        say(f"{words[0]} cannot be run: {why.strerror}")
        return None, NOT_EXECUTABLE


def wait_command(command, host):
    """Forwards signals until it ends; its status as a shell counts it."""
    while command.poll() is None:
        came = signal.sigwaitinfo({*FORWARDED, signal.SIGCHLD})
        if came.si_signo == signal.SIGCHLD:
            host.note_end()
        elif came.si_code != SENT_BY_KERNEL:
            command.send_signal(came.si_signo)
    return command.returncode if command.returncode >= 0 else 128 - command.returncode


def main():
    given = options()
    # A parent may have it ignored: then the kernel sends none, and keeps no status.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # Signals are waited for and not handled: none is lost between two lines.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*FORWARDED, signal.SIGCHLD})
    try:
        host = Host(given, mask)
        host.wait_ready()
    except HostError as why:
        say(why)
        return NOT_STARTED
    try:
        command, status = run_command(given.command, environment_for(host.folder), mask)
        host.pass_output_on()
        return wait_command(command, host) if command else status
    finally:
        host.end()


if __name__ == "__main__":
    sys.exit(main())
