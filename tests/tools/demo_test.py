# SPDX-License-Identifier: MIT
"""aerogpu demo: its verdicts, its picture, and that its recording replays to the same picture."""
import json

import png
from program import ProgramTest, main


class Demo(ProgramTest):
    def test_every_step_works(self):
        output, errors = self.run_program("demo")
        lines = output.splitlines()
        self.assertTrue(lines[0].startswith("step "))
        self.assertGreaterEqual(len(lines), 12)
        for line in lines[1:]:
            self.assertTrue(line.endswith("  ok"), line)
        self.assertEqual(errors, "")

    def test_the_picture_is_the_desktop_with_a_cursor(self):
        self.run_program("demo", "--png", "out")
        width, height, rows = png.read(self.folder / "out/demo.png")
        self.assertEqual((width, height), (800, 450))
        self.assertEqual(rows[200][60][:3], (235, 235, 235))  # The card's first bar.
        self.assertEqual(rows[300][399][:3], (255, 255, 255))  # The end of its gray ramp.
        self.assertEqual(rows[350][375][:3], (255, 255, 255))  # Inside the cursor.
        self.assertEqual({p[3] for row in rows for p in row}, {255})

    def test_two_runs_give_the_same_bytes(self):
        for name in ("a", "b"):
            self.run_program("demo", "--png", name)
        self.assertEqual((self.folder / "a/demo.png").read_bytes(),
                         (self.folder / "b/demo.png").read_bytes())

    def test_the_recording_replays_to_the_same_desktop(self):
        self.run_program("demo", "--png", "live", "--record", "demo.aerogputrace")
        output, _ = self.run_program("info", "demo.aerogputrace")
        self.assertIn("agrees with the records", output)
        output, _ = self.run_program("replay", "--backend", "null", "demo.aerogputrace", "--png", "again", "--json", "-")
        report, = json.loads(output)["recordings"]
        self.assertEqual(report["errors"], 0)
        pictures = [p["png"] for s in report["submissions"] for p in s["presents"] if p["png"]]
        self.assertEqual(len(pictures), 1)
        live, again = png.read(self.folder / "live/demo.png"), png.read(self.folder / pictures[0])
        self.assertEqual(live[:2], again[:2])
        different = [(x, y) for y in range(450) for x in range(800)
                     if live[2][y][x][:3] != again[2][y][x][:3]]
        self.assertTrue(different)  # The cursor is no part of what was presented.
        self.assertTrue(all(372 <= x < 396 and 336 <= y < 374 for x, y in different))

    def test_unchanged_memory_is_recorded_once(self):
        self.run_program("demo", "--record", "demo.aerogputrace")
        output, _ = self.run_program("info", "demo.aerogputrace")
        line = next(x for x in output.splitlines() if x.startswith("blobs, allocation content"))
        self.assertLess(int(line.split()[3].rstrip(",")), 10)


if __name__ == "__main__":
    main()
