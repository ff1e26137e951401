#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the benchmarks of a build and prints one table: each row of docs/performance.md with its aim,
what was measured and the verdict.

usage: bench_table.py BUILD_FOLDER [--only WORD]... [--runs N] [--write]
       bench_table.py --from RESULT.json... [--write]

--only WORD  only benchmarks whose names hold WORD
--runs N     runs of each benchmark, of which the median counts (default 5)
--from       results that Google Benchmark wrote before, as JSON
--write      put the table into docs/performance.md, too

Exits with 0 when the benchmarks ran, whatever they measured: a busy machine proves nothing. A run of all of
them fails when a row has no result.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/performance.md"
BEGIN, END = "<!-- made by: ./dev bench --write -->", "<!-- end of what ./dev bench made -->"
PROGRAMS = ["aerogpu_bench", "driver_bench", "user_driver_bench", "translator_bench",
            "compiler_bench", "vulkan_bench", "fleet_bench"]


class Row(typing.NamedTuple):
    number: str
    benchmark: str
    work: str
    aim: float | None = None     # Most times the baseline.
    aim_ns: float | None = None  # Most nanoseconds.


ROWS = [
    Row("1", "decode_frame/packet_rows", "decode a frame, checked, each packet's row", 1.7),
    Row("1", "decode_frame/check_and_dispatch", "the same with a call of each handler", 1.7),
    Row("2", "decode_shuffled/packet_rows", "packets in unpredictable order", 1.8),
    Row("2", "decode_shuffled/check_and_dispatch", "the same with a call of each handler", 1.8),
    Row("3", "execute_frame", "a frame through the processor on null", 4.5),
    Row("4", "decode_64_mib/packet_rows", "a submission of 64 MiB", 1.2),
    Row("5", "submit_small", "a submission: table of 16, 6 packets, fence", None, 120),
    Row("6", "encode_frame/by_library", "encode 1,000 draws, beside memcpy", 1.67),
    Row("7", "cpu_per_draw", "record a draw, beside Vulkan by hand", 1.5),
    Row("8", "frame_to_pixels/thousand_draws", "1,000 draws to pixels", 1.1),
    Row("9", "frame_to_pixels/twenty_windows", "20 blended windows to pixels", 1.05),
    Row("10", "read_back_1080p", "read back 1080p", 1.15),
    Row("11", "upload_1080p/from_stream", "upload 1080p from the stream", 1.1),
    Row("11", "upload_1080p/from_guest_memory", "upload 1080p from guest memory", 1.1),
    Row("12", "submission/one_draw", "one draw, submission to completion", 1.2),
    Row("13", "translate/beside_mojoshader/10", "translate 10 instructions, beside MojoShader", 0.33),
    Row("13", "translate/beside_mojoshader/200", "translate 200 instructions", 0.33),
    Row("14", "new_pipeline", "first frame of a new pixel shader", 1.1),
    Row("16", "render_to_dpc/16", "kernel driver: Render to DPC, list of 16"),
    Row("17", "draw_through_ddi/biased", "a draw of four DDI calls, beside the writer", 2.5),
    Row("17", "draw_through_ddi/plain", "the same on a device of several threads"),
    Row("18", "draw_tracking/4", "tracking of 4 allocations for a draw"),
    Row("19", "fixed_unchanged", "a fixed-function draw, nothing changed"),
    Row("20", "lock_buffer", "lock and unlock of 64 KiB, beside memcpy", 1.1),
]


def results_of(document):
    """Name without the suffix of its clock -> its counters, the median of its runs."""
    runs = {}
    for one in document["benchmarks"]:
        if one.get("run_type", "iteration") == "iteration" and "ratio" in one:
            name = one.get("run_name", one["name"]).removesuffix("/manual_time")
            runs.setdefault(name, []).append(one)
    return {name: {key: statistics.median(run[key] for run in of) for key in ("ratio", "ns")
                   if key in of[0]} for name, of in runs.items()}


def first_object(text):
    """What Google Benchmark wrote; a program may say more behind it, or run nothing of what was chosen."""
    text = text.lstrip()
    return json.JSONDecoder().raw_decode(text)[0] if text.startswith("{") else {"benchmarks": []}


def run(program, only, runs):
    command = [str(program), "--benchmark_format=json", f"--benchmark_repetitions={runs}",
               "--benchmark_report_aggregates_only=false"]
    if only:
        command.append(f"--benchmark_filter={'|'.join(only)}")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench_table: {program.name} ended with {done.returncode}")
    return first_object(done.stdout)


def time_text(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def ratio_text(ratio, aim):
    """Two digits behind the point, or as many as it takes to see on which side of its aim it lies."""
    digits = 2
    while aim is not None and ratio != aim and digits < 9 and float(f"{ratio:.{digits}f}") == aim:
        digits += 1
    return f"{ratio:.{digits}f}x"


def cells_of(row, result):
    measured = f"{ratio_text(result['ratio'], row.aim)}, {time_text(result['ns'])}"
    if row.aim is None and row.aim_ns is None:
        return [row.number, row.work, "", measured, ""]
    is_met = result["ratio"] <= row.aim if row.aim is not None else result["ns"] <= row.aim_ns
    aim = f"{row.aim:g}x" if row.aim is not None else time_text(row.aim_ns)
    return [row.number, row.work, aim, measured, "yes" if is_met else "no"]


def table_of(results):
    """Lines of a Markdown table, aligned; rows without a result are left out."""
    head = ["#", "Work", "Aim", "Measured", "Met"]
    rows = [cells_of(row, results[row.benchmark]) for row in ROWS if row.benchmark in results]
    widths = [max(len(line[i]) for line in [head] + rows) for i in range(len(head))]
    line = lambda cells: "| " + " | ".join(f"{c:{w}}" for c, w in zip(cells, widths)) + " |"
    return [line(head), "|" + "|".join("-" * (w + 2) for w in widths) + "|"] + [line(r) for r in rows]


def without_row(results):
    """What was measured and has no aim of its own, a line each."""
    known = {row.benchmark for row in ROWS}
    return [f"  {name}: {one['ratio']:.2f}x" + (f", {time_text(one['ns'])}" if "ns" in one else "")
            for name, one in results.items() if name not in known]


def missing_from(results):
    """Rows without a result: a benchmark was renamed, or its program was not built."""
    return [f"{row.number} ({row.benchmark})" for row in ROWS if row.benchmark not in results]


def processor_name():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def write(lines):
    text = DOCUMENT.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"bench_table: {DOCUMENT.name} has no place for the table: {BEGIN}")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    where = f"On {os.cpu_count()} of {processor_name()}:"
    DOCUMENT.write_text("\n".join([before + BEGIN, where, "", *lines, "", END + after]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--from", nargs="+", dest="sources", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    chosen = parser.parse_args()
    if chosen.help:
        print(__doc__.strip())
        return 0
    if bool(chosen.build) == bool(chosen.sources) or chosen.runs < 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    results = {}
    for source in chosen.sources:
        results |= results_of(json.loads(pathlib.Path(source).read_text()))
    for name in PROGRAMS if chosen.build else []:
        program = pathlib.Path(chosen.build, "bench", name)
        if program.exists():
            print(f"{name} ...", file=sys.stderr, flush=True)
            results |= results_of(run(program, chosen.only, chosen.runs))
    if not results:
        print("bench_table: nothing was measured", file=sys.stderr)
        return 1
    lines = table_of(results)
    others = without_row(results)
    if len(lines) > 2:
        print("\n".join(lines))
    if others:
        print("Without an aim:", *others, sep="\n")
    missing = missing_from(results) if chosen.build and not chosen.only else []
    if missing:
        print(f"bench_table: no result for row {', '.join(missing)}", file=sys.stderr)
        return 1
    if chosen.write and len(lines) > 2:
        write(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
