# SPDX-License-Identifier: MIT
"""aerogpu replay --until, --state and --time: what is there at any packet, and what it takes."""
import json

import png
import wire
from program import ProgramTest, main

SRCBLEND, SRCALPHA = 19, 5
FIRST = wire.stream(
    wire.create_texture(1, wire.B8G8R8A8, 8, 4), wire.targets(1), wire.viewport(8, 4),
    wire.clear(1, 0, 0, 1), wire.packet(0x512, SRCBLEND, SRCALPHA), wire.clear(0, 1, 0, 1))
SECOND = wire.stream(wire.clear(0, 0, 1, 1), wire.present())
FIRST_CLEAR = 24 + 56 + 48 + 32
SECOND_CLEAR = FIRST_CLEAR + 36 + 16


class Until(ProgramTest):
    def setUp(self):
        super().setUp()
        self.trace = self.file("t", wire.Trace().begin(0).submit(FIRST, 1).submit(SECOND, 2)
                               .present().bytes())

    def replay(self, *options, code=0):
        return self.run_program("replay", "--backend", "null", self.trace, *options, code=code)

    def color_at(self, place):
        output, _ = self.replay("--until", place, "--png", "out", "--json", "-")
        report, = json.loads(output)["recordings"]
        pixels = {pixel for row in png.read(self.folder / report["picture"])[2] for pixel in row}
        self.assertEqual(len(pixels), 1)
        return report, pixels.pop()[:3]

    def test_the_picture_is_what_is_drawn_on_behind_that_packet(self):
        for place, color, name in [
            (f"0:{FIRST_CLEAR}", (255, 0, 0), f"t-0000-at-{FIRST_CLEAR:#x}-target.png"),
            (f"0:{SECOND_CLEAR:#x}", (0, 255, 0), f"t-0000-at-{SECOND_CLEAR:#x}-target.png"),
            ("1:0x18", (0, 0, 255), "t-0001-at-0x18-target.png"),
            ("0", (0, 255, 0), "t-0000-target.png"),
        ]:
            report, found = self.color_at(place)
            self.assertEqual(found, color)
            self.assertEqual(report["picture"], f"out/{name}")
            self.assertEqual([s["index"] for s in report["submissions"]], [0] if place[0] == "0" else [0, 1])
            self.assertEqual(report["errors"], 0)

    def test_an_end_before_that_packet_is_named_after_its_submission(self):
        broken = wire.stream(wire.targets(1), wire.draw(3))
        path = self.file("f", wire.Trace().begin(0).submit(FIRST, 1).submit(broken, 2).submit(SECOND, 3)
                         .present().bytes())
        output, _ = self.run_program("replay", "--backend", "null", path, "--until", "2:0x18", "--png", "out",
                                     "--state", "-", code=1)
        state = json.loads(output)
        self.assertEqual((state["submission"], state["offset"], state["picture"]),
                         (1, None, "out/f-0001-target.png"))

    def test_an_end_without_a_target_has_no_picture(self):
        output, _ = self.replay("--until", "0:24", "--png", "out", "--json", "-")
        report, = json.loads(output)["recordings"]
        self.assertIsNone(report["picture"])
        self.assertIn("the end has no picture", report["notes"][-1])

    def test_the_state_is_that_behind_the_packet(self):
        before, _ = self.replay("--until", f"0:{FIRST_CLEAR:#x}", "--state", "-")
        after, _ = self.replay("--until", f"0:{FIRST_CLEAR + 36:#x}", "--state", "-")
        before, after = json.loads(before), json.loads(after)
        self.assertEqual((before["version"], before["submission"], before["offset"]),
                         (2, 0, FIRST_CLEAR))
        self.assertEqual(before["targets"], {"colors": [1], "depth_stencil": None})
        self.assertEqual(before["viewport"], {"x": 0, "y": 0, "width": 8, "height": 4, "min_depth": 0,
                                              "max_depth": 1})
        self.assertEqual(before["resources"], [
            {"handle": 1, "kind": "texture", "width": 8, "height": 4, "format": "B8G8R8A8_UNORM",
             "mip_levels": 1, "array_layers": 1}])
        self.assertEqual(before["render_states"], [])
        self.assertEqual(after["render_states"], [{"state": "SRCBLEND", "value": "SRCALPHA"}])
        self.assertEqual((before["blend"]["color"]["source"], after["blend"]["color"]["source"]),
                         ("ONE", "SRC_ALPHA"))
        before["offset"] = after["offset"]
        self.assertEqual({key for key in after if before[key] != after[key]}, {"blend", "render_states"})

    def test_bindings_constants_and_destroyed_objects(self):
        vec4 = wire.packet(0x203, 0, 2, 1, 0, wire.f32(1), wire.f32(0.5), 0, 0)
        path = self.file("b", wire.stream(
            wire.create_buffer(2, 64), wire.create_texture(3, wire.R8G8B8A8, 4, 4), wire.targets(3),
            wire.packet(0x500, 1, 1, 2, 16, 8, 0), vec4, wire.packet(0x510, 1, 4, 3, 0),
            wire.packet(0x102, 3, 0)))
        output, _ = self.run_program("replay", "--backend", "null", path, "--state", "-")
        state = json.loads(output)
        self.assertEqual(state["vertex_buffers"],
                         [{"slot": 1, "buffer": 2, "offset_bytes": 8, "stride_bytes": 16}])
        vertex, pixel = state["stages"][:2]
        self.assertEqual((vertex["stage"], pixel["stage"]), ("vertex", "pixel"))
        self.assertEqual(vertex["float_constants"], [{"register": 2, "value": [1, 0.5, 0, 0]}])
        self.assertEqual(pixel["resources"], [])  # What was bound there is destroyed.
        self.assertEqual(state["targets"]["colors"], [None])
        self.assertEqual([r["handle"] for r in state["resources"]], [2])

    def test_places_that_are_not_there_are_2(self):
        for options, words in [
            (["--until", "2"], "there is no submission 2; it has 2"),
            (["--until", "0:0x19"], "submission 0: no packet starts at 0x19; the one before it starts at 0x18"),
            (["--until", "x"], "--until needs a submission"),
            (["--until", "0:"], "--until needs a submission"),
            (["--until", "0:0xg"], "--until needs a submission"),
            (["--until", "0", "--frames", "0"], "both say where the replay ends"),
            (["--until", "0", self.trace], "are for one FILE"),
            (["--state", "x", "--json", "x"], "name one file"),
        ]:
            _, errors = self.replay(*options, code=2)
            self.assertIn(words, errors)

    def test_submissions_are_timed(self):
        output, _ = self.replay("--time", "submissions", "--json", "-")
        report, = json.loads(output)["recordings"]
        self.assertTrue(all(s["time_ns"] > 0 and s["draws"] == [] for s in report["submissions"]))
        output, _ = self.replay("--json", "-")
        report, = json.loads(output)["recordings"]
        self.assertTrue(all(s["time_ns"] is None for s in report["submissions"]))

    def test_draws_are_timed_alone_and_change_nothing(self):
        output, _ = self.replay("--time", "draws", "--json", "-", "--png", "timed")
        report, = json.loads(output)["recordings"]
        first, second = report["submissions"]
        self.assertEqual([(d["offset"], d["opcode_name"]) for d in first["draws"]],
                         [(FIRST_CLEAR, "CLEAR"), (SECOND_CLEAR, "CLEAR")])
        self.assertEqual([(d["offset"], d["opcode_name"]) for d in second["draws"]],
                         [(24, "CLEAR"), (60, "PRESENT")])
        self.assertEqual(first["time_ns"], sum(d["time_ns"] for d in first["draws"]))
        self.assertEqual((report["completed_fence"], report["errors"]), (2, 0))
        self.replay("--png", "plain")
        self.assertEqual((self.folder / "timed/t-0001.png").read_bytes(),
                         (self.folder / "plain/t-0001.png").read_bytes())
        output, _ = self.replay("--time", "draws")
        self.assertRegex(output, r"t +1  0x18 CLEAR +\d+\.\d{3}\n")

    def test_a_draw_that_fails_ends_its_timed_submission(self):
        broken = wire.stream(wire.draw(3), *[wire.clear(0, 0, 0, 0)] * 2)
        path = self.file("f", wire.Trace().begin(0).submit(broken, 7).present().bytes())
        output, _ = self.run_program("replay", "--backend", "null", path, "--time", "draws", "--json",
                                     "-", code=1)
        report, = json.loads(output)["recordings"]
        self.assertEqual((report["errors"], report["completed_fence"]), (1, 7))
        self.assertEqual(len(report["submissions"][0]["draws"]), 1)


if __name__ == "__main__":
    main()
