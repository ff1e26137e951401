# SPDX-License-Identifier: MIT
"""aerogpu compare."""
import base64
import re

import png
from program import ProgramTest, main

GRAY = (100, 100, 100, 255)


def picture(width=4, height=3, changes=()):
    rows = [[GRAY] * width for _ in range(height)]
    for x, y, pixel in changes:
        rows[y][x] = pixel
    return rows


class Compare(ProgramTest):
    def frames(self, folder, **pictures):
        (self.folder / folder).mkdir()
        for name, rows in pictures.items():
            png.write(self.folder / folder / f"{name}.png", rows)

    def rows(self, *arguments, code=0):
        """The table without its head, as lists of words."""
        output, _ = self.run_program("compare", *arguments, code=code)
        return [line.split() for line in output.splitlines()[1:] if line.endswith(
            ("same", "different")) or "different: " in line or "missing" in line]

    def test_equal_folders_are_0(self):
        self.frames("a", one=picture(), two=picture(5, 5))
        self.frames("b", one=picture(), two=picture(5, 5))
        self.assertEqual(self.rows("a", "b"), [["one.png", "4x3", "0", "0.000", "0", "same"],
                                               ["two.png", "5x5", "0", "0.000", "0", "same"]])

    def test_differences_are_counted_in_pixels_and_measured_in_steps(self):
        self.frames("a", f=picture())
        self.frames("b", f=picture(changes=[(0, 0, (103, 100, 91, 255)), (2, 1, (100, 98, 100, 255))]))
        self.assertEqual(self.rows("a", "b", code=1),
                         [["f.png", "4x3", "9", "0.292", "2", "different"]])

    def test_a_tolerance_is_inclusive(self):
        self.frames("a", f=picture())
        self.frames("b", f=picture(changes=[(1, 1, (105, 100, 100, 255))]))
        self.assertEqual(self.rows("--tolerance", "4", "a", "b", code=1)[0][4:], ["1", "different"])
        self.assertEqual(self.rows("--tolerance", "5", "a", "b")[0][4:], ["0", "same"])

    def test_alpha_counts(self):
        self.frames("a", f=picture())
        self.frames("b", f=picture(changes=[(3, 2, (100, 100, 100, 250))]))
        self.assertEqual(self.rows("a", "b", code=1)[0][2], "5")

    def test_two_files_can_be_compared_whatever_their_names(self):
        self.frames("a", f=picture())
        self.frames("b", g=picture())
        self.assertEqual(self.rows("a/f.png", "b/g.png")[0][-1], "same")

    def test_other_sizes_differ(self):
        self.frames("a", f=picture(4, 3))
        self.frames("b", f=picture(3, 4))
        self.assertEqual(self.rows("a", "b", "--html", "page.html", code=1)[0][-4:],
                         ["different:", "B", "is", "3x4"])
        self.assertIn("the sizes differ", (self.folder / "page.html").read_text())

    def test_a_missing_frame_is_2_and_named(self):
        self.frames("a", f=picture(), only=picture())
        self.frames("b", f=picture(), other=picture())
        rows = self.rows("a", "b", code=2)
        self.assertIn(["only.png", "missing", "in", "B"], rows)
        self.assertIn(["other.png", "missing", "in", "A"], rows)

    def test_what_cannot_be_read_is_2(self):
        self.frames("a", f=picture())
        self.frames("empty")
        (self.folder / "text.png").write_text("no picture")
        for arguments, words in [(("a", "a/f.png"), "both be folders or both be PNG files"),
                                 (("empty", "empty"), "there are no PNG files"),
                                 (("a/f.png", "text.png"), "text.png: "),
                                 (("a/f.png", "gone.png"), "gone.png: ")]:
            _, errors = self.run_program("compare", *arguments, code=2)
            self.assertIn(words, errors)

    def test_difference_pictures_are_amplified(self):
        self.frames("a", f=picture())
        self.frames("b", f=picture(changes=[(0, 0, (102, 100, 200, 255))]))
        self.run_program("compare", "a", "b", "--diff", "d/e", code=1)
        width, height, rows = png.read(self.folder / "d" / "e" / "f.png")
        self.assertEqual((width, height), (4, 3))
        self.assertEqual(rows[0][:2], [(32, 0, 255, 255), (0, 0, 0, 255)])

    def test_the_page_begins_with_a_summary_and_shows_frames_that_one_side_has(self):
        self.frames("a", f=picture(), g=picture(), only=picture(2, 2))
        self.frames("b", f=picture(), g=picture(changes=[(0, 0, (0, 0, 0, 255))]))
        self.run_program("compare", "a", "b", "--html", "page.html", code=2)
        page = (self.folder / "page.html").read_text()
        words = re.sub(r"<[^>]*>", "", page)
        self.assertIn("3 frames: 1 the same, 1 different, 1 missing.", words)
        self.assertLess(page.index("1 different"), page.index("<img"))
        anchors = re.findall(r'href="#([^"]*)"', page)
        self.assertEqual(len(anchors), 3)
        for anchor in anchors:
            self.assertIn(f'id="{anchor}"', page)
        self.assertIn("only.png missing in B", words)
        self.assertIn("A, 2 x 2", words)
        self.assertEqual(page.count('<input type="range"'), 2)  # A slider where there are two.

    def test_the_page_holds_all_pictures_and_no_links(self):
        self.frames("a&a", **{"f<1>": picture()})
        self.frames("b", **{"f<1>": picture(changes=[(0, 0, (104, 100, 100, 255))])})
        self.run_program("compare", "a&a", "b", "--html", "page.html", code=1)
        page = (self.folder / "page.html").read_text()
        self.assertIn("a&amp;a against b", page)
        self.assertIn("f&lt;1&gt;.png", page)
        self.assertIn("largest difference 4, mean 0.083, 1 pixel above the tolerance", page)
        sources = re.findall(r'src="([^"]*)"', page)
        self.assertEqual(len(sources), 3)
        for number, source in enumerate(sources):
            kind, data = source.split(",", 1)
            self.assertEqual(kind, "data:image/png;base64")
            path = self.folder / f"{number}.png"
            path.write_bytes(base64.b64decode(data, validate=True))
            self.assertEqual(png.read(path)[:2], (4, 3))


if __name__ == "__main__":
    main()
