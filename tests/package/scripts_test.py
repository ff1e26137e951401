#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/setup, scripts/windows-build, scripts/fuzz and ./dev fuzz take, with fuzz programs that only say how they were called."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Setup(unittest.TestCase):
    def test_a_purpose_that_nothing_serves_is_refused(self):
        for words in (["tets"], ["build", "tets"], [""]):
            done = subprocess.run([ROOT / "scripts/setup", *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(f"there is no purpose '{words[-1]}'", done.stderr)
            self.assertEqual(done.stdout, "")


class WindowsBuild(unittest.TestCase):
    def test_a_folder_that_is_no_build_stays_as_it_is(self):
        with tempfile.TemporaryDirectory() as scratch:
            work = pathlib.Path(scratch, "my work")
            work.mkdir()
            (work / "thesis.txt").write_text("years")
            done = subprocess.run([ROOT / "scripts/windows-build", "x86_64", work], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("is there, and no build folder", done.stderr)
            self.assertEqual((work / "thesis.txt").read_text(), "years")


class Fuzz(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        programs = self.build / "tests/fuzz"
        programs.mkdir(parents=True)
        for target in ("one", "two"):
            program = programs / f"fuzz_{target}"
            program.write_text("#!/bin/sh\necho \"$@\"\n")
            program.chmod(0o755)

    def fuzz(self, *words, code=0):
        done = subprocess.run([ROOT / "scripts/fuzz", self.build, *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done)
        return done

    def seconds(self):
        """How long each program was to run."""
        found = {}
        for log in self.build.glob("findings/*/log"):
            word, = [word for word in log.read_text().split() if word.startswith("-max_total_time=")]
            found[log.parent.name] = int(word.split("=")[1])
        return found

    def test_a_number_is_the_seconds_and_the_rest_are_targets(self):
        self.fuzz("7", "two")
        self.assertEqual(self.seconds(), {"two": 7})

    def test_without_a_number_targets_have_a_minute(self):
        self.fuzz("one")
        self.assertEqual(self.seconds(), {"one": 60})

    def test_without_words_all_targets_have_a_minute(self):
        self.fuzz()
        self.assertEqual(self.seconds(), {"one": 60, "two": 60})

    def test_what_is_no_target_and_no_time_is_refused(self):
        for words, said in (["three"], "no target 'three'"), (["5", "three"], "no target 'three'"), (["0"], "SECONDS"):
            self.assertIn(said, self.fuzz(*words, code=1).stderr)
            self.assertEqual(self.seconds(), {})

    def test_dev_refuses_a_target_before_it_builds(self):
        done = subprocess.run([ROOT / "dev", "fuzz", "no_such_target"], capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 1, done)
        self.assertEqual(done.stderr, "dev: there is no fuzz target 'no_such_target'\n")


if __name__ == "__main__":
    unittest.main()
