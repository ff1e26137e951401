# SPDX-License-Identifier: MIT
"""The parts of ./dev wine-tests and ./dev run-d3d9 that need no Wine.

usage: wine_tools_test.py ROOT
"""
import ast
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zlib

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(ROOT / folder) for folder in ("drivers/wine/tools", "tests/drivers/wine", "tests/drivers/wine/judges")]
import d3d9_tests  # noqa: E402
import judge_program  # noqa: E402
import judge_run  # noqa: E402
import judge_table  # noqa: E402
import run_d3d9  # noqa: E402
import wine_station  # noqa: E402
import x11_display  # noqa: E402
import xvfb_pictures  # noqa: E402

SOURCE = """static void test_first(void)
{
    test_helper();
}

START_TEST(sample)
{
    int before;

    before = prepare();
    test_first();
    test_second();
    clean_up(before);
}
"""
FINISHED = """sample.c:10: Test failed: Got 1.
sample.c:11: Test marked todo: Got 2.
sample.c:12: Test succeeded inside todo block: Got 3.
0020:sample: 14 tests executed (1 marked as todo, 0 as flaky, 2 failures), 3 skipped.
"""


class ProgramTest(unittest.TestCase):
    def test_the_functions_are_those_that_the_test_calls(self):
        self.assertEqual(judge_program.functions_of(SOURCE, "sample"),
                         ["test_first", "test_second"])

    def test_each_call_gets_a_condition_and_lines_keep_their_numbers(self):
        chosen = judge_program.with_choice(SOURCE, "sample")
        self.assertIn("    if (JUDGE_WANTS(test_first)) test_first();\n", chosen)
        self.assertIn("    test_helper();\n", chosen)
        self.assertIn("    before = prepare();\n", chosen)
        self.assertEqual(chosen.count("\n"), SOURCE.count("\n"))

    def test_a_file_of_another_shape_is_refused(self):
        for text in (SOURCE.replace("START_TEST", "BEGIN_TEST"),
                     SOURCE.replace("test_second", "test_first"),
                     SOURCE.replace("    test_first();\n    test_second();\n", "")):
            with self.assertRaises(judge_program.ProgramError):
                judge_program.functions_of(text, "sample")


class RunTest(unittest.TestCase):
    def test_what_a_run_printed_is_counted(self):
        outcome = judge_run.count(FINISHED)
        self.assertEqual((outcome.checks, outcome.failures, outcome.todo, outcome.fixed,
                          outcome.skipped, outcome.crashed), (14, 1, 1, 1, 3, False))
        self.assertFalse(outcome.passes())

    def test_a_run_without_its_last_line_has_crashed(self):
        outcome = judge_run.count("sample.c:11: Test marked todo: Got 2.\n")
        self.assertTrue(outcome.crashed)
        self.assertFalse(outcome.passes())

    def test_a_function_that_checks_nothing_does_not_pass(self):
        self.assertFalse(judge_run.count(FINISHED.replace("14 tests", "0 tests").replace(
            "sample.c:10: Test failed: Got 1.\n", "")).passes())

    def test_a_fault_of_the_host_fails_a_function_that_passes(self):
        text = FINISHED.replace("sample.c:10: Test failed: Got 1.\n", "")
        self.assertFalse(judge_run.count(
            text + "aerogpu-run: the host process ended with status 1\n").passes())

    def test_a_check_that_succeeded_against_expectation_is_no_failure(self):
        text = FINISHED.replace("sample.c:10: Test failed: Got 1.\n", "")
        self.assertTrue(judge_run.count(text).passes())


class VerdictTest(unittest.TestCase):
    def test_a_function_is_judged_by_the_builtin(self):
        good, fewer = judge_run.Outcome(checks=9), judge_run.Outcome(checks=8)
        bad, crash = judge_run.Outcome(checks=9, failures=1), judge_run.Outcome(crashed=True)
        for ours, builtin, wanted in ((good, good, "same"), (fewer, good, "fewer"),
                                      (bad, good, "BELOW"), (crash, good, "BELOW"),
                                      (good, bad, "above"), (crash, bad, "same"), (None, good, ""),
                                      (good, None, "")):
            self.assertEqual(judge_table.verdict(ours, builtin), wanted)

    def test_the_table_lines_up(self):
        rows = [("test_a", judge_run.Outcome(checks=100116, seconds=41.3), None),
                ("test_longer", judge_run.Outcome(checks=3), judge_run.Outcome(checks=3))]
        lines = judge_table.text("sample x64", rows).split("\n")[:4]
        self.assertEqual(len({line.index(" | ") for line in lines}), 1)


    def test_what_was_left_out_is_counted_by_its_reason(self):
        text = "a.c:1: Tests skipped: No volumes.\na.c:2: Tests skipped: No volumes.\n"
        rows = [("test_a", judge_run.count(text), None), ("test_b", None, judge_run.count(text)),
                ("test_c", judge_run.count("a.c:3: Tests skipped: No cubes.\n"), None)]
        self.assertEqual(list(judge_table.skips(rows)),
                         ["    2  No volumes (test_a)", "    1  No cubes (test_c)"])


class ProgramFileTest(unittest.TestCase):
    def machine_of(self, data):
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            return run_d3d9.machine_of(pathlib.Path(file.name))

    def test_the_header_tells_the_architecture(self):
        def program(machine, at=128):
            return b"MZ".ljust(60, b"\0") + struct.pack("<I", at).ljust(at - 60, b"\0") + \
                b"PE\0\0" + struct.pack("<H", machine)

        self.assertEqual(self.machine_of(program(0x8664)), "x64")
        self.assertEqual(self.machine_of(program(0x014C)), "i686")
        for data in (program(0xAA64), program(0x8664)[:-1], b"MZ", b"", b"\x7fELF",
                     b"MZ".ljust(60, b"\0") + b"\xff" * 4):
            with self.assertRaises(wine_station.StationError):
                self.machine_of(data)


class FindingsTest(unittest.TestCase):
    """What ./dev wine-d3d9-tests takes from a program."""

    def test_rules_that_can_be_printed_are_taken(self):
        self.assertEqual(d3d9_tests.fault_of('{"findings":[{"rule":"a patch is drawn"}]}'), "")
        self.assertEqual(d3d9_tests.judge("d3d9_patch_sanity", 0, '{"findings":[]}'), ("passed", True))

    def test_text_whose_place_was_used_again_is_found(self):
        for said in ("", "PASS d3d9_patch_sanity", "[]", '{"findings":[{"seen":""}]}', '{"findings":[{"rule":""}]}',
                     '{"findings":[{"rule":"a \x01"}]}', '{"findings":[{"rule":"a \ufffd"}]}',
                     '{"findings":[{"rule":"\\u0001"}]}'):
            self.assertNotEqual(d3d9_tests.fault_of(said), "", said)
            self.assertFalse(d3d9_tests.judge("d3d9_patch_sanity", 0, said)[1], said)


class BuildTest(unittest.TestCase):
    """Scripts stand for Meson and pkg-config."""

    def test_a_checkout_may_have_a_blank_in_its_path(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "a checkout"
            tools, scripts, catch = (folder / name for name in ("bin", "scripts", "catch2"))
            for made in (tools, scripts, catch):
                made.mkdir(parents=True)
            (catch / "catch.hpp").touch()
            for name in ("windows-build", "configure.sh"):
                shutil.copy(ROOT / "scripts" / name, scripts)
            for name, text in (("pkg-config", f"echo '{folder}'"),
                               ("meson", f"mkdir -p \"$2\"; printf '%s\\n' \"$@\" >'{folder}/words'")):
                (tools / name).write_text(f"#!/bin/sh\n{text}\n")
                (tools / name).chmod(0o755)
            subprocess.run([scripts / "windows-build", "x86_64", folder / "build/x64"], check=True,
                           env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
            words = (folder / "words").read_text().splitlines()
            given = [word.partition("=")[2] for word in words if word.startswith("-Dcpp_args=")]
            self.assertEqual([ast.literal_eval(value) for value in given],
                             [[f"-I{folder.resolve()}/build/include"]])
            self.assertTrue((folder / "build/include/catch2/catch.hpp").is_file())


class ScreenTest(unittest.TestCase):
    def test_a_screen_becomes_a_picture(self):
        words = [0] * 25
        for index, value in ((0, 100), (2, 2), (4, 2), (5, 1), (11, 32), (12, 12), (19, 1)):
            words[index] = value
        colours, row = bytes(12), bytes([3, 2, 1, 0, 6, 5, 4, 0, 9, 9, 9, 9])
        screen = struct.pack(">25I", *words) + colours + row
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "screen"
            path.write_bytes(screen)
            picture = xvfb_pictures.read_screen(path)
        self.assertEqual(picture, (2, 1, [bytes([1, 2, 3, 4, 5, 6])]))
        png = xvfb_pictures.encode_png(*picture)
        at = png.index(b"IDAT")
        (size,) = struct.unpack(">I", png[at - 4:at])
        self.assertEqual(zlib.decompress(png[at + 4:at + 4 + size]), b"\0" + picture[2][0])


class DisplaySizeTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("Xvfb"), "no Xvfb here")
    def test_a_display_says_how_large_it_is(self):
        with wine_station.display(wants_own=True, size="1300x700") as (name, _):
            self.assertEqual(x11_display.size_of(name), (1300, 700))

    def test_no_display_says_nothing(self):
        self.assertIsNone(x11_display.size_of(":65000"))

    def test_the_desktop_is_as_large_as_the_display_where_the_gpu_can_be(self):
        for found, wanted in (((2560, 1440), "2560x1440"), ((5120, 1440), wine_station.SCREEN),
                              (None, wine_station.SCREEN)):
            with unittest.mock.patch("x11_display.size_of", return_value=found):
                self.assertEqual(run_d3d9.size_on(":0", False), wanted)
                self.assertEqual(run_d3d9.size_on(":0", True), wine_station.SCREEN)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
