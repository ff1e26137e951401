# SPDX-License-Identifier: MIT
"""Runs the program in a scratch folder."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class ProgramTest(unittest.TestCase):
    """The test's last argument on the command line is the program."""

    program = ""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def run_program(self, *arguments, code=0, environment=None, timeout=120):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True,
                              cwd=self.folder, timeout=timeout, env={**os.environ, **(environment or {})})
        output, errors = done.stdout.decode(), done.stderr.decode()
        if code is not None:
            self.assertEqual(done.returncode, code, f"{arguments}\n{output}\n{errors}")
        if code == 2:
            self.assertTrue(errors.startswith(("aerogpu: ", "usage: ")), errors)
        return output, errors


def main():
    ProgramTest.program = str(pathlib.Path(sys.argv.pop()).resolve())
    unittest.main()
