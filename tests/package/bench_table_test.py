#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ./dev bench prints of results that are known: verdicts, units, rows without an aim."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts/bench_table.py"
SPEC = importlib.util.spec_from_file_location("bench_table", PATH)
bench_table = importlib.util.module_from_spec(SPEC)
sys.dont_write_bytecode = True
SPEC.loader.exec_module(bench_table)


def run(name, ratio, ns):
    return {"name": name, "run_name": name, "run_type": "iteration", "ratio": ratio, "ns": ns}


class BenchTable(unittest.TestCase):
    def table(self, *runs):
        return bench_table.table_of(bench_table.results_of({"benchmarks": list(runs)}))

    def test_a_ratio_at_its_aim_meets_it(self):
        self.assertTrue(self.table(run("submission/one_draw/manual_time", 1.2, 5e4))[2].endswith("| yes |"))

    def test_a_ratio_above_its_aim_does_not(self):
        self.assertTrue(self.table(run("submission/one_draw/manual_time", 1.21, 5e4))[2].endswith("| no  |"))

    def test_an_aim_in_nanoseconds_looks_at_the_time(self):
        row = self.table(run("submit_small", 24, 119.0))[2]
        self.assertIn("| 120 ns |", row)
        self.assertIn("| yes |", row)

    def test_the_median_of_the_runs_counts(self):
        runs = [run("lock_buffer", ratio, 2e3) for ratio in (9.0, 1.0, 1.05)]
        self.assertIn("1.05x, 2 us", self.table(*runs)[2])

    def test_a_row_without_an_aim_has_no_verdict(self):
        self.assertRegex(self.table(run("fixed_unchanged", 1.4, 110))[2], r"\|\s+\|$")

    def test_what_no_row_names_is_left_out_of_the_table(self):
        self.assertEqual(len(self.table(run("unknown", 1, 1))), 2)

    def test_what_no_row_names_is_shown(self):
        one = json.dumps({"benchmarks": [run("desktop_frame/alone", 1.25, 2e6)]})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as source:
            source.write(one)
            source.flush()
            done = subprocess.run([sys.executable, PATH, "--from", source.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("desktop_frame/alone: 1.25x, 2 ms", done.stdout)

    def test_what_a_program_says_behind_its_results_is_left_out(self):
        self.assertEqual(bench_table.first_object('{"benchmarks": [1]}\na frame\n'), {"benchmarks": [1]})
        self.assertEqual(bench_table.first_object("no such benchmark"), {"benchmarks": []})

    def test_a_ratio_close_to_its_aim_shows_on_which_side_it_is(self):
        self.assertIn("1.204x", self.table(run("submission/one_draw", 1.2042, 5e4))[2])
        self.assertIn("1.196x", self.table(run("submission/one_draw", 1.1958, 5e4))[2])
        self.assertIn("1.20x", self.table(run("submission/one_draw", 1.2, 5e4))[2])

    def test_a_row_without_a_result_is_found(self):
        results = {row.benchmark: {"ratio": 1, "ns": 1} for row in bench_table.ROWS}
        self.assertEqual(bench_table.missing_from(results), [])
        del results["draw_through_ddi/biased"]
        self.assertEqual(bench_table.missing_from(results), ["17 (draw_through_ddi/biased)"])

    def test_a_run_of_all_benchmarks_fails_when_a_row_has_no_result(self):
        one = json.dumps({"benchmarks": [run("lock_buffer", 1.0, 2e3)]})
        with tempfile.TemporaryDirectory() as build:
            program = pathlib.Path(build, "bench/user_driver_bench")
            program.parent.mkdir()
            program.write_text(f"#!/bin/sh\ncat <<'END'\n{one}\nEND\n")
            program.chmod(0o755)
            for arguments, code in (([], 1), (["--only", "lock_buffer"], 0)):
                done = subprocess.run([sys.executable, PATH, build, *arguments], capture_output=True,
                                      text=True)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn("lock and unlock", done.stdout)
                self.assertEqual("12 (submission/one_draw)" in done.stderr, code == 1)

    def test_every_row_names_a_benchmark(self):
        """As Google Benchmark writes it: the function's name or a given one, the case or the argument."""
        names = set()
        for path in (PATH.parent.parent / "bench").glob("*.cpp"):
            for kind, inner, rest in re.findall(r"BENCHMARK(_CAPTURE)?\(([^)]*)\)([^;]*);", path.read_text()):
                parts = [part.strip() for part in inner.split(",")]
                name = "/".join(parts[:2]) if kind else parts[0]
                name = "".join(re.findall(r'->Name\("([^"]*)"\)', rest)) or name
                names |= {f"{name}/{n}" for n in re.findall(r"->Arg\((\d+)\)", rest)} or {name}
        self.assertEqual([row.benchmark for row in bench_table.ROWS if row.benchmark not in names], [])


if __name__ == "__main__":
    unittest.main()
