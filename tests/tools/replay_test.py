# SPDX-License-Identifier: MIT
"""aerogpu replay: the device, pictures, memory and the JSON contract of docs/replay-json.md."""
import json
import os
import pathlib
import struct
import unittest

import png
import wire
from program import ProgramTest, main

CREATE = [wire.create_texture(1, wire.B8G8R8A8, 64, 32), wire.targets(1), wire.viewport(64, 32)]
RED = wire.stream(*CREATE, wire.clear(1, 0, 0, 0), wire.present(1))
FAILS = wire.stream(wire.nop(), wire.draw(3))

REPORT = {"trace", "backend", "submissions", "completed_fence", "errors", "validation_errors",
          "stopped_early", "damaged", "picture", "notes"}
SUBMISSION = {"index", "context", "fence", "status", "error", "presents", "time_ns", "draws"}
DRAW = {"offset", "opcode_name", "time_ns"}
ERROR = {"kind", "opcode", "opcode_name", "offset", "detail", "limit", "message"}
PRESENT = {"scanout", "flags", "handle", "width", "height", "format", "png"}


class Replay(ProgramTest):
    def replay(self, data, *options, code=0):
        output, errors = self.run_program("replay", "--backend", "null", "--json", "-",
                                          self.file("t", data), *options, code=code)
        self.assertEqual(errors, "")
        return self.only_report(output)

    def only_report(self, output):
        document = json.loads(output)
        self.check_contract(document)
        report, = document["recordings"]
        return report

    def check_contract(self, document):
        self.assertEqual(set(document), {"version", "recordings"})
        self.assertEqual(document["version"], 2)
        for report in document["recordings"]:
            self.check_report(report)

    def check_report(self, report):
        self.assertEqual(set(report), REPORT)
        for submission in report["submissions"]:
            self.assertEqual(set(submission), SUBMISSION)
            failed = submission["status"] == "error"
            self.assertIn(submission["status"], ("ok", "error"))
            self.assertEqual(failed, submission["error"] is not None)
            if failed:
                self.assertEqual(set(submission["error"]), ERROR)
            for present in submission["presents"]:
                self.assertEqual(set(present), PRESENT)
            for draw in submission["draws"]:
                self.assertEqual(set(draw), DRAW)

    def test_a_good_submission_completes_its_fence_and_presents(self):
        report = self.replay(wire.Trace().begin(0).submit(RED, 70, context=3).present().bytes())
        self.assertEqual(report["completed_fence"], 70)
        self.assertEqual(report["errors"], 0)
        self.assertEqual(report["backend"], "null")
        submission, = report["submissions"]
        self.assertEqual((submission["index"], submission["context"], submission["fence"],
                          submission["status"]), (0, 3, 70, "ok"))
        self.assertEqual(submission["presents"], [
            {"scanout": 0, "flags": 1, "handle": 1, "width": 64, "height": 32,
             "format": "B8G8R8A8_UNORM", "png": None}])

    def test_a_picture_is_what_was_presented(self):
        report = self.replay(wire.Trace().begin(0).submit(RED, 1).present().bytes(), "--png", "out")
        path = self.folder / report["submissions"][0]["presents"][0]["png"]
        width, height, rows = png.read(path)
        self.assertEqual((width, height), (64, 32))
        self.assertEqual({p for row in rows for p in row}, {(255, 0, 0, 0)})

    def test_a_present_without_a_target_shows_the_guest_frame_buffer(self):
        report = self.replay(wire.stream(wire.present()), "--png", "out")
        present, = report["submissions"][0]["presents"]
        self.assertEqual((present["handle"], present["width"], present["format"], present["png"]),
                         (0, 0, None, None))

    def test_a_failing_packet_is_named_and_the_fence_still_completes(self):
        report = self.replay(wire.Trace().begin(0).submit(FAILS, 9).present().bytes(), code=1)
        self.assertEqual(report["completed_fence"], 9)
        self.assertEqual(report["errors"], 1)
        why = report["submissions"][0]["error"]
        self.assertEqual((why["kind"], why["opcode"], why["opcode_name"], why["offset"]),
                         ("MissingBinding", 0x601, "DRAW", 32))

    def test_kinds_of_what_the_device_rejects(self):
        table = wire.alloc_table((5, 0, 0x1000, 16))
        good = wire.stream(wire.nop())
        cases = [
            (wire.stream(wire.packet(0x601)), b"", "Framing"),
            (good[:4] + struct.pack("<I", 0x00020000) + good[8:], b"", "CmdDecode"),
            (good[:20], b"", "CmdDecode"),
            (good[:8] + struct.pack("<I", 4096) + good[12:], b"", "OutOfBounds"),
            (good, b"\0" * 24, "CmdDecode"),
            (good, wire.alloc_table((5, 0, 0x1000, 0)), "CmdDecode"),
            (good, wire.alloc_table((5, 0, 2**64 - 8, 16)), "OutOfBounds"),
            (wire.stream(wire.create_buffer(1, 64, alloc=5)), b"", "MissingAllocTable"),
            (wire.stream(wire.create_buffer(1, 64, alloc=6)), table, "UnknownAllocId"),
            (wire.stream(wire.create_buffer(1, 64, alloc=5)), table, "AllocOutOfBounds"),
        ]
        for commands, allocs, kind in cases:
            data = wire.Trace().begin(0).submit(commands, 3, allocs).present().bytes()
            report = self.replay(data, code=1)
            self.assertEqual(report["submissions"][0]["error"]["kind"], kind)
            self.assertEqual(report["completed_fence"], 3)

    def test_it_stops_at_the_first_failure_unless_told_to_go_on(self):
        data = wire.Trace().begin(0).submit(RED, 1).submit(FAILS, 2).submit(RED, 3).present().bytes()
        report = self.replay(data, code=1)
        self.assertEqual([s["status"] for s in report["submissions"]], ["ok", "error"])
        self.assertTrue(report["stopped_early"])
        self.assertEqual(report["completed_fence"], 2)
        report = self.replay(data, "--keep-going", code=1)
        self.assertEqual([s["status"] for s in report["submissions"]], ["ok", "error", "ok"])
        self.assertFalse(report["stopped_early"])
        self.assertEqual(report["completed_fence"], 3)

    def test_shaders_that_cannot_run_are_noted_and_the_replay_goes_on(self):
        tokens = struct.pack("<2I", 0x00010040, 4) + struct.pack("<2I", 0xFFFFFFFF, 0xFFFFFFFF)
        chunk = b"SHDR" + struct.pack("<I", len(tokens)) + tokens
        size = 32 + 4 + len(chunk)
        code = b"DXBC" + bytes(16) + struct.pack("<IIII", 1, size, 1, 36) + chunk
        data = wire.Trace().begin(0).submit(wire.stream(wire.create_shader(9, 0, code)), 1) \
            .submit(RED, 2).present().bytes()
        report = self.replay(data)
        self.assertTrue(any("vertex shader 9 at 0x18 cannot be run" in n for n in report["notes"]),
                        report["notes"])
        self.assertEqual(len(report["submissions"]), 2)

    def test_recorded_memory_is_there_before_its_submission(self):
        """A buffer is filled from guest memory and copied back into another allocation."""
        at, size = 0x7FFF0000, 64
        table = wire.alloc_table((5, 1, at, size), (6, 0, at + size, size))
        copy = wire.stream(wire.create_buffer(1, size, alloc=5), wire.create_buffer(2, size, alloc=6),
                           wire.copy_buffer(2, 1, size, wire.WRITEBACK))
        again = wire.stream(wire.packet(0x103, 1, 0, 0, 0, size, 0),
                            wire.copy_buffer(2, 1, size, wire.WRITEBACK))
        first, second = bytes(range(64)), bytes(range(64, 128))
        t = wire.Trace().begin(0)
        t.submit(copy, 1, table, [(5, 1, at, first), (6, 0, at + size, bytes(size))])
        report = self.replay(t.present().bytes(), "--dump-memory", "ram")
        self.assertEqual(report["errors"], 0)
        self.assertEqual((self.folder / "ram/5.bin").read_bytes(), first)
        self.assertEqual((self.folder / "ram/6.bin").read_bytes(), first)
        t.begin(1).submit(again, 2, table, [(5, 1, at, second)])
        self.replay(t.present().bytes(), "--dump-memory", "ram")
        self.assertEqual((self.folder / "ram/6.bin").read_bytes(), second)

    def test_an_allocation_that_moves_is_dumped_where_it_went(self):
        stream = wire.stream(wire.nop())
        t = wire.Trace().begin(0)
        for fence, at in ((1, 0x10000000), (2, 0x20000000)):
            t.submit(stream, fence, wire.alloc_table((5, 0, at, 4)), [(5, 0, at, b"%04d" % fence)])
        self.replay(t.present().bytes(), "--dump-memory", "ram")
        self.assertEqual((self.folder / "ram/5.bin").read_bytes(), b"0002")

    def test_the_ring_avoids_recorded_memory_wherever_it_lies(self):
        stream = wire.stream(wire.nop())
        for at in (0, 0x1000, 0x10000000, 0xFFFF0000, 2**63, 2**64 - 0x2000):
            content = bytes(range(256)) * 16
            t = wire.Trace().begin(0).submit(stream, 1, wire.alloc_table((5, 0, at, 4096)),
                                             [(5, 0, at, content)])
            self.replay(t.present().bytes(), "--dump-memory", "ram")
            self.assertEqual((self.folder / "ram/5.bin").read_bytes(), content)

    def test_memory_without_content_is_zero_and_noted(self):
        data = wire.Trace().begin(0).submit(wire.stream(wire.nop()), 1,
                                            wire.alloc_table((5, 0, 0x1000, 8))).present().bytes()
        report = self.replay(data, "--dump-memory", "ram")
        self.assertIn("1 allocation without recorded content", report["notes"][1])
        self.assertEqual((self.folder / "ram/5.bin").read_bytes(), bytes(8))

    def test_an_allocation_that_is_too_large_to_dump_is_called_so(self):
        table = wire.alloc_table((5, 0, 2**32, 2**30 + 4096), (6, 0, 0x1000, 8))
        data = wire.Trace().begin(0).submit(wire.stream(wire.nop()), 1, table).present().bytes()
        report = self.replay(data, "--dump-memory", "ram")
        self.assertIn("allocation 5 is larger than 1 GiB and not dumped", report["notes"])
        self.assertEqual([path.name for path in (self.folder / "ram").iterdir()], ["6.bin"])

    def test_frames_are_reported_on_top_of_what_came_before(self):
        t = wire.Trace().begin(0).submit(RED, 1).present()
        t.begin(1).submit(wire.stream(wire.clear(0, 1, 0, 1), wire.present()), 2).present()
        t.begin(2).submit(FAILS, 3).present()
        report = self.replay(t.bytes(), "--frames", "1", "--png", "out")
        self.assertEqual([s["index"] for s in report["submissions"]], [1])
        self.assertEqual(report["completed_fence"], 2)
        path = report["submissions"][0]["presents"][0]["png"]
        self.assertEqual(png.read(self.folder / path)[2][0][0], (0, 255, 0, 255))

    def test_a_failure_outside_the_frames_is_named(self):
        t = wire.Trace().begin(0).submit(FAILS, 1).present().begin(1).submit(RED, 2).present()
        report = self.replay(t.bytes(), "--frames", "1", "--keep-going", code=1)
        self.assertEqual([(s["index"], s["status"]) for s in report["submissions"]],
                         [(0, "error"), (1, "ok")])
        output, _ = self.run_program("replay", "--backend", "null", "t", "--frames", "1",
                                     "--keep-going", code=1)
        self.assertIn("  MissingBinding\n", output)
        self.assertIn("t 0: MissingBinding: Draw at 0x20: ", output)

    def test_packet_records_and_raw_streams_get_fences_in_order(self):
        data = wire.Trace(1).begin(0).packet(RED).packet(RED).present().bytes()
        report = self.replay(data)
        self.assertEqual([s["fence"] for s in report["submissions"]], [1, 2])
        report = self.replay(RED)
        self.assertEqual(report["completed_fence"], 1)

    def test_the_toy_abi_has_nothing_to_replay(self):
        data = wire.Trace(1, 1).begin(0).packet(struct.pack("<II", 1, 2)).present().bytes()
        report = self.replay(data)
        self.assertEqual(report["submissions"], [])
        self.assertIn("1 packet record of another ABI", report["notes"][1])

    def test_fences_cross_32_bits_and_may_repeat(self):
        t = wire.Trace().begin(0)
        for fence in (0xFFFFFFFF, 0, 0x100000000, 0x100000000, 5):
            t.submit(wire.stream(wire.nop()), fence)
        report = self.replay(t.present().bytes())
        self.assertEqual(report["completed_fence"], 0x100000000)
        self.assertEqual(len(report["submissions"]), 5)

    def test_several_traces_are_one_document_and_one_table(self):
        a, b = self.file("a", RED), self.file("b", FAILS)
        output, _ = self.run_program("replay", "--backend", "null", "--json", "-", a, b, code=1)
        self.check_contract(json.loads(output))
        self.assertEqual([r["errors"] for r in json.loads(output)["recordings"]], [0, 1])
        output, _ = self.run_program("replay", "--backend", "null", a, b, code=1)
        lines = output.splitlines()
        self.assertTrue(lines[0].startswith("trace  backend  submissions"))
        self.assertTrue(lines[1].endswith("ok") and lines[2].endswith("MissingBinding"), output)
        self.assertIn("b 0: MissingBinding: Draw at 0x20: ", output)

    def test_json_can_go_to_a_file_beside_the_table(self):
        output, _ = self.run_program("replay", "--backend", "null", self.file("a", RED), "--json",
                                     "report.json")
        self.assertIn("verdict", output)
        self.check_contract(json.loads((self.folder / "report.json").read_text()))

    def test_quiet_prints_nothing(self):
        output, errors = self.run_program("replay", "--backend", "null", "--quiet", self.file("a", RED))
        self.assertEqual((output, errors), ("", ""))

    def test_quiet_prints_errors(self):
        a, b = self.file("a", RED), self.file("b", FAILS)
        for options in ([], ["--json", "report"]):
            output, errors = self.run_program("replay", "--backend", "null", "--quiet", a, b, *options,
                                              code=1)
            self.assertEqual(output, "")
            self.assertRegex(errors, r"^aerogpu: b 0: MissingBinding: Draw at 0x20: [^\n]*\n$")

    def test_the_null_backend_says_that_it_does_not_draw(self):
        self.assertIn("the null backend draws nothing", self.replay(RED)["notes"][0])

    def test_the_best_backend_here_is_the_default(self):
        """That is vulkan where a device is, and null, with its note, on a machine without one."""
        trace = self.file("a", RED)
        devices, _ = self.run_program("replay", "--list-devices", code=None)
        best = "vulkan" if "nothing\n" in devices else "null"
        output, _ = self.run_program("replay", "--json", "-", trace)
        self.assertEqual(self.only_report(output)["backend"], best)
        nothing = {"VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}
        output, _ = self.run_program("replay", "--json", "-", trace, environment=nothing)
        report = self.only_report(output)
        self.assertEqual(report["backend"], "null")
        self.assertIn("the null backend draws nothing", report["notes"][0])

    def test_options_without_effect_are_2(self):
        trace = self.file("a", RED)
        for options, words in [
            (["--backend", "null", "--validate"], "--validate is for --backend vulkan"),
            (["--backend", "null", "--watchdog", "9"], "--watchdog is for --backend vulkan"),
            (["--list-devices"], "--list-devices runs nothing"),
            (["--frames", "0"], "no submission lies in a frame of --frames"),
            (["--backend", "null", "--png", "a", "--png", "b"], "--png is given twice"),
        ]:
            _, errors = self.run_program("replay", trace, *options, code=2)
            self.assertIn(words, errors)

    def test_a_backend_that_does_not_exist_is_2(self):
        _, errors = self.run_program("replay", self.file("a", RED), "--backend", "metal", code=2)
        self.assertIn("there is no backend 'metal'; there are null and vulkan", errors)

    def test_nothing_to_replay_is_2(self):
        _, errors = self.run_program("replay", code=2)
        self.assertIn("FILE... is missing", errors)

    @unittest.skipUnless("AEROGPU_REFERENCE_TRACES" in os.environ, "no reference traces here")
    def test_reference_traces_end_as_expected(self):
        folder = pathlib.Path(os.environ["AEROGPU_REFERENCE_TRACES"])
        expected = {
            "aerogpu_cmd_clear_b8g8r8a8": (None, (255, 0, 0, 0)),
            "aerogpu_cmd_copy_texture2d": (None, (0, 255, 255, 255)),
            "aerogpu_cmd_triangle": ("MissingBinding", None),
        }
        for name, (kind, pixel) in expected.items():
            report = self.replay((folder / f"{name}.aerogputrace").read_bytes(), "--png", name,
                                 code=0 if kind is None else 1)
            submission, = report["submissions"]
            if kind is not None:
                self.assertEqual(submission["error"]["kind"], kind)
                continue
            width, height, rows = png.read(self.folder / submission["presents"][0]["png"])
            self.assertEqual((width, height), (64, 64))
            self.assertEqual({p for row in rows for p in row}, {pixel})


if __name__ == "__main__":
    main()
