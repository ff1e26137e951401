# SPDX-License-Identifier: MIT
"""How ./dev run-d3d9 ends before its program starts, and what is left then.

usage: run_d3d9_test.py ROOT

Scripts stand for Wine, whose making of a prefix takes for ever, and for Xvfb.
"""
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
SECONDS = 60
RUN = """import pathlib, sys
sys.path.insert(0, sys.argv.pop(1))
import run_d3d9, wine_station
run_d3d9.CACHE = pathlib.Path(sys.argv.pop(1))
wine_station.PREFIX_SECONDS = float(sys.argv.pop(1))
run_d3d9.main()
"""
SCRIPTS = {
    "Xvfb": "#!/usr/bin/env python3\nimport os, pathlib, signal, sys\n"
            "pathlib.Path(os.environ['FAKES'], 'xvfb').write_text(str(os.getpid()))\n"
            "os.write(int(sys.argv[sys.argv.index('-displayfd') + 1]), b'77\\n')\n"
            "signal.pause()\n",
    "wine": "#!/bin/sh\nmkdir -p \"$WINEPREFIX\"\n: >\"$FAKES/wine\"\nexec sleep 1000\n",
    "wineserver": "#!/bin/sh\necho \"$1\" >>\"$FAKES/wineserver\"\n",
}


class EarlyEndTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in ("bin", "temporary"):
            (self.folder / name).mkdir()
        for name, text in SCRIPTS.items():
            path = self.folder / "bin" / name
            path.write_text(text)
            path.chmod(0o755)
        self.program = self.folder / "program.exe"
        self.program.write_bytes(b"MZ".ljust(60, b"\0") + struct.pack("<I", 64) + b"PE\0\0" +
                                 struct.pack("<H", 0x8664))

    def start(self, prefix_seconds=SECONDS, **more):
        environment = {**os.environ, "FAKES": str(self.folder),
                       "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
                       "TMPDIR": str(self.folder / "temporary")}
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, ROOT / "drivers/wine/tools", self.folder / "cache",
             str(prefix_seconds), "--no-display", self.program],
            env=environment, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_wine(self):
        while not (self.folder / "wine").exists():
            time.sleep(0.02)  # The test's own time limit ends this.

    def finish(self, process):
        _, err = process.communicate(timeout=SECONDS)
        return process.returncode, err

    def check_nothing_is_left(self):
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])
        self.assertEqual((self.folder / "wineserver").read_text(), "-k\n-w\n")
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.folder / "xvfb").read_text()), 0)

    def test_a_signal_ends_what_was_started(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                for name in ("wine", "wineserver"):
                    (self.folder / name).unlink(missing_ok=True)
                shutil.rmtree(self.folder / "cache", ignore_errors=True)
                process = self.start(preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
                self.wait_for_wine()
                process.send_signal(number)
                self.assertEqual(self.finish(process), (128 + number, ""))
                self.check_nothing_is_left()

    def test_a_signal_that_the_caller_ignores_stays_ignored(self):
        process = self.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_wine()
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process)[0], 128 + signal.SIGTERM)

    def test_a_prefix_that_takes_too_long_is_125(self):
        status, err = self.finish(self.start(prefix_seconds=0.5))
        self.assertEqual(status, 125)
        self.assertRegex(err, "^run-d3d9: .*timed out")
        self.check_nothing_is_left()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
