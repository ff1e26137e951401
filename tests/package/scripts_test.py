#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ./dev and the scripts that it calls take, and leave alone, with programs that only say how they were called."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class Folders(unittest.TestCase):
    """With CDPATH, `cd` goes elsewhere and prints where."""

    def run_here(self, *words, **environment):
        return subprocess.run(words, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=30)

    def test_an_exported_cdpath_leads_nobody_astray(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            (pathlib.Path(elsewhere) / "scripts").mkdir()
            for cdpath in (".", elsewhere):
                done = self.run_here("./dev", "fuzz", "no_such_target", CDPATH=cdpath)
                self.assertEqual(done.stderr, "dev: there is no fuzz target 'no_such_target'\n", cdpath)
                done = self.run_here("scripts/setup", "tets", CDPATH=cdpath)
                self.assertIn("there is no purpose 'tets'", done.stderr, cdpath)
                done = self.run_here("scripts/fuzz", "tests", "5", "three", CDPATH=cdpath)
                self.assertEqual(done.stdout, "", cdpath)

    def test_a_script_that_changes_its_folder_forgets_cdpath_first(self):
        scripts = [path for path in [ROOT / "dev", ROOT / ".ci/run", *(ROOT / "scripts").iterdir()] if path.is_file()]
        shells = [path for path in scripts if path.name == "wine-apt" or
                  (first := path.read_bytes().split(b"\n")[0]).startswith(b"#!") and first.endswith((b"/sh", b" bash"))]
        self.assertGreater(len(shells), 8)
        for path in shells:
            lines = path.read_text().splitlines()
            changes = [n for n, line in enumerate(lines) if "cd " in line and not line.startswith("#")]
            forgets = [n for n, line in enumerate(lines) if line in ("unset CDPATH", '. "$(dirname "$0")/wine-apt"')]
            if changes:
                self.assertTrue(forgets and forgets[0] < changes[0], path)


class Setup(unittest.TestCase):
    def test_nobody_is_asked_anything_behind_sudo_which_forgets_the_environment(self):
        with tempfile.TemporaryDirectory() as scratch:
            tools = pathlib.Path(scratch)
            write_program(tools / "id", "echo 1000")
            write_program(tools / "sudo", 'exec env -i PATH="$PATH" "$@"')
            write_program(tools / "dpkg-query", "exit 1")
            write_program(tools / "apt-get", 'echo "asks: $DEBIAN_FRONTEND"')
            done = subprocess.run([ROOT / "scripts/setup", "bench"], capture_output=True, text=True, timeout=30,
                                  env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"})
            self.assertEqual(done.stdout.count("asks: noninteractive\n"), 2, done)

    def test_help_lists_the_purposes(self):
        done = subprocess.run([ROOT / "scripts/setup", "--help"], capture_output=True, text=True)
        first, usage = done.stdout.splitlines()
        self.assertTrue(first.startswith("Installs the Debian packages"), first)
        self.assertIn("[build]", usage)

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


class Configure(unittest.TestCase):
    """A project of one file; the second compiler is the first by another name."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "meson.build").write_text("project('tiny', 'cpp')\nstatic_library('tiny', 'tiny.cpp')\n")
        (self.folder / "tiny.cpp").touch()
        (self.folder / "meson_options.txt").write_text("option('word', type : 'string')\n")
        self.other = self.folder / "other-g++"
        write_program(self.other, 'exec g++ "$@"')

    def configure(self, word, **environment):
        subprocess.run(["bash", "-euc", f". {ROOT}/scripts/configure.sh; configure build -Dword={word}"], check=True,
                       cwd=self.folder, env=os.environ | environment, stdout=subprocess.DEVNULL, timeout=60)
        return (self.folder / "build/build.ninja").read_text()

    def test_another_compiler_is_taken_and_another_option_keeps_what_is_built(self):
        self.assertNotIn(str(self.other), self.configure("a", CXX="g++"))
        (self.folder / "build/built").touch()
        self.assertNotIn(str(self.other), self.configure("b", CXX="g++"))
        self.assertTrue((self.folder / "build/built").exists())
        self.assertIn(str(self.other), self.configure("b", CXX=str(self.other)))
        self.assertFalse((self.folder / "build/built").exists())

    def test_another_linker_is_taken(self):
        self.configure("a", CXX="g++")
        (self.folder / "build/built").touch()
        self.configure("a", CXX="g++", CXX_LD="bfd")
        self.assertFalse((self.folder / "build/built").exists())


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


class Clean(unittest.TestCase):
    def test_the_key_that_guests_trust_stays(self):
        with tempfile.TemporaryDirectory() as scratch:
            tree = pathlib.Path(scratch)
            shutil.copy(ROOT / "dev", tree)
            shutil.copytree(ROOT / "scripts", tree / "scripts")
            for name in ("out/win7/signing/test.key", "out/win7/x64/aerogpu.inf", "out/a.png", "build-test/gcc/x"):
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).touch()
            subprocess.run([tree / "dev", "clean"], check=True, timeout=30)
            self.assertEqual([path.name for path in (tree / "out").rglob("*") if path.is_file()], ["test.key"])
            self.assertFalse((tree / "build-test").exists())
            shutil.rmtree(tree / "out/win7/signing")
            subprocess.run([tree / "dev", "clean"], check=True, timeout=30)
            self.assertFalse((tree / "out").exists())


class Drivers(unittest.TestCase):
    def test_what_an_earlier_build_shipped_is_gone_before_the_next(self):
        text = (ROOT / "dev").read_text()
        self.assertLess(text.index('rm -rf "$dir/shipped"'), text.index('mkdir -p "$dir/shipped/tests"'))


if __name__ == "__main__":
    unittest.main()
