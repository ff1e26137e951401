# SPDX-License-Identifier: MIT
"""aerogpu-run from outside: what its command gets, how both end, and what is left.

usage: aerogpu_run_test.py ROOT FOLDER GUESTD

On the null backend, with shells for commands; no Wine is needed.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SECONDS = 120
NULL = ("--backend", "null")
READY = "echo aerogpu-guestd: ready in nowhere"


class CommandTest(unittest.TestCase):
    """A folder like out/wine, elsewhere."""
    program = None
    guestd = None

    def start(self, *words, **more):
        return subprocess.Popen([self.program, *NULL, *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def finish(self, process):
        out, err = process.communicate(timeout=SECONDS)
        return process.returncode, out, err

    def run_shell(self, text, **more):
        return self.finish(self.start("sh", "-c", text, **more))

    def test_the_status_is_the_commands(self):
        for text, wanted in (("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 128 + 9),
                             ("kill -TERM $$", 128 + 15)):
            with self.subTest(text):
                self.assertEqual(self.run_shell(text)[0], wanted)

    def test_a_command_that_cannot_run_has_a_shells_status(self):
        for word, wanted in (("/nowhere/at/all", 127), ("/etc/passwd", 126)):
            with self.subTest(word):
                status, _, err = self.finish(self.start(word))
                self.assertEqual(status, wanted)
                self.assertIn(word, err)

    def test_the_command_has_a_server_while_it_runs_and_the_folder_goes(self):
        _, out, _ = self.run_shell('test -p "$AEROGPU_GUESTD/connect" && echo "$AEROGPU_GUESTD"')
        folder = pathlib.Path(out.strip())
        self.assertTrue(folder.is_absolute(), out)
        self.assertFalse(folder.exists())

    def test_d3d9_is_overridden_unless_the_caller_did(self):
        for given, wanted in ((None, "d3d9=n"), ("mscoree=", "mscoree=;d3d9=n"),
                              ("a,d3d9=b", "a,d3d9=b"), ("*D3D9.dll=n,b", "*D3D9.dll=n,b"),
                              ("d3d9ex=n", "d3d9ex=n;d3d9=n")):
            with self.subTest(given):
                environment = {name: value for name, value in os.environ.items()
                               if name != "WINEDLLOVERRIDES"}
                if given is not None:
                    environment["WINEDLLOVERRIDES"] = given
                _, out, _ = self.run_shell('echo "$WINEDLLOVERRIDES"', env=environment)
                self.assertEqual(out.strip(), wanted)

    def test_signals_reach_the_command(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # A shell hears none that its parent ignores.
            with self.subTest(number.name):
                process = self.start("sh", "-c", f"trap 'echo heard; exit 3' {number.value}; "
                                     "echo ready; while :; do sleep 0.05; done")
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(number)
                status, out, _ = self.finish(process)
                self.assertEqual((status, out), (3, "heard\n"))

    def test_a_parent_that_ignores_the_end_of_children_gets_the_status(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        self.assertEqual(self.run_shell("exit 7", preexec_fn=ignore)[0], 7)

    def test_any_number_run_side_by_side(self):
        started = [self.start("sh", "-c", 'echo "$AEROGPU_GUESTD"; exit 4') for _ in range(6)]
        ended = [self.finish(process) for process in started]
        self.assertEqual([status for status, _, _ in ended], [4] * len(started))
        self.assertEqual(len({out for _, out, _ in ended}), len(started))

    def test_a_host_that_cannot_start_says_so(self):
        status, _, err = self.finish(self.start("--width", "1", "true"))
        self.assertEqual(status, 125)
        self.assertIn("--width (1) is not a number", err)

    def test_the_desktop_may_have_any_size(self):
        for width, height in ((1280, 800), (2560, 1440), (1920, 1079)):
            with self.subTest(width=width, height=height):
                status, _, err = self.finish(
                    self.start("--width", str(width), "--height", str(height), "true"))
                self.assertEqual((status, err), (0, ""))

    def test_a_missing_host_says_what_to_do(self):
        lonely = self.program.parent / "lonely"
        lonely.mkdir(exist_ok=True)
        copy = shutil.copy(self.program, lonely)
        done = subprocess.run([copy, "true"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 125)
        self.assertIn("./dev wine", done.stderr)

    def test_a_host_that_dies_is_reported_and_the_command_goes_on(self):
        # Its first descriptor for `memory` names the process: /proc/PID/fd/N.
        status, out, err = self.run_shell(
            'host=$(readlink "$AEROGPU_GUESTD/memory" | cut -d/ -f3); kill -9 "$host"; sleep 0.3; '
            'echo "$AEROGPU_GUESTD"; exit 6')
        self.assertEqual(status, 6)
        self.assertIn("the host process ended with status -9", err)
        self.assertFalse(pathlib.Path(out.strip()).exists())

    def test_a_host_does_not_outlive_its_parent(self):
        process = self.start("sh", "-c", 'readlink "$AEROGPU_GUESTD/memory"; exec sleep 0.1')
        host = pathlib.Path(process.stdout.readline().split("/fd/")[0])
        process.kill()
        self.finish(process)
        while host.exists() and (host / "stat").read_text().split()[2] != "Z":
            time.sleep(0.01)  # The test's own time limit ends this.


class OddHostTest(unittest.TestCase):
    """Shells for host processes: $2 is the folder that clients would look in."""

    def start(self, host, command="exit 5"):
        folder = pathlib.Path(tempfile.mkdtemp(dir=CommandTest.program.parent))
        self.addCleanup(shutil.rmtree, folder)
        guestd = folder / "aerogpu-guestd"
        guestd.write_text(f"#!/bin/sh\n{host}\n")
        guestd.chmod(0o755)
        process = subprocess.Popen(
            [shutil.copy(CommandTest.program, folder), "sh", "-c", command], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def finish(self, process):
        _, err = process.communicate(timeout=SECONDS)
        return process.returncode, err

    def test_other_lines_are_passed_on(self):
        status, err = self.finish(self.start(
            f"echo a driver is not ready yet; {READY}; exec sleep 1000"))
        self.assertEqual(status, 5)
        self.assertIn("a driver is not ready yet\n", err)

    def test_a_host_that_prints_on_is_not_stopped_by_a_full_pipe(self):
        status, err = self.finish(self.start(
            f'mkdir "$2"; {READY}; yes more | head -n 50000; : >"$2/done"; exec sleep 1000',
            'while [ ! -e "$AEROGPU_GUESTD/done" ]; do sleep 0.05; done; exit 6'))
        self.assertEqual(status, 6)
        self.assertGreater(err.count("more\n"), 40000)

    def test_a_host_that_never_is_ready_can_be_interrupted(self):
        for host in ("echo something else; echo said >&2; exec sleep 1000",
                     "exec >&-; echo said >&2; exec sleep 1000"):
            with self.subTest(host):
                process = self.start(host)
                self.assertIn(process.stderr.readline(), ("said\n", "something else\n"))
                process.send_signal(signal.SIGTERM)
                status, err = self.finish(process)
                self.assertEqual(status, 125)
                self.assertIn("interrupted", err)

    def test_a_host_that_ends_with_a_child_at_its_pipe_is_noticed(self):
        status, err = self.finish(self.start('sleep 100 2>&- & echo "$!"; exit 9'))
        os.kill(int(err.split("\n")[0]), signal.SIGKILL)
        self.assertEqual(status, 125)
        self.assertIn("does not start (status 9)", err)


def main():
    root, folder, guestd = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    CommandTest.program = folder / "aerogpu-run"
    shutil.copy(root / "drivers/wine/tools/aerogpu_run.py", CommandTest.program)
    shutil.copy(guestd, folder / "aerogpu-guestd")
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
