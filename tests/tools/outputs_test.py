# SPDX-License-Identifier: MIT
"""What the program writes: whole files, never over what it reads, known to be writable beforehand."""
import os
import pty
import subprocess
import threading
import time
import unittest

import png
import wire
from program import ProgramTest, main

PICTURE = wire.stream(wire.create_texture(1, wire.B8G8R8A8, 8, 8), wire.targets(1),
                      wire.clear(1, 0, 0, 1), wire.present())


def trace(frames=1):
    t = wire.Trace()
    for index in range(frames):
        t.begin(index).submit(PICTURE, index + 1).present()
    return t.bytes()


class Outputs(ProgramTest):
    def names(self):
        return sorted(path.name for path in self.folder.rglob("*"))

    def test_nothing_but_what_was_asked_for_stays_behind(self):
        self.file("t", trace())
        self.run_program("replay", "--backend", "null", "t", "--png", "p", "--json", "report")
        self.run_program("trim", "t", "--frames", "0", "--output", "short")
        self.run_program("demo", "--record", "demo", "--quiet")
        self.assertEqual(self.names(), ["demo", "p", "report", "short", "t", "t-0000.png"])

    def test_a_file_that_is_there_is_replaced_whole_and_keeps_its_mode(self):
        self.file("t", trace())
        report = self.folder / "report"
        report.write_text("old")
        report.chmod(0o640)
        with open(report) as old:
            self.run_program("replay", "--backend", "null", "t", "--json", "report")
            self.assertEqual(old.read(), "old")  # A new file took the name.
        self.assertIn("backend", report.read_text())
        self.assertEqual(report.stat().st_mode & 0o777, 0o640)

    def test_links_are_followed_and_devices_are_written_as_they_are(self):
        self.file("t", trace())
        (self.folder / "there").write_text("old")
        (self.folder / "link").symlink_to("there")
        self.run_program("replay", "--backend", "null", "t", "--json", "link")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertIn("backend", (self.folder / "there").read_text())
        self.run_program("replay", "--backend", "null", "t", "--json", "/dev/null")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))

    def test_an_input_is_not_written(self):
        path = self.folder / "t"
        self.file("t", trace())
        (self.folder / "same").symlink_to("t")
        for output in ("t", "same", "./t"):
            for arguments in (["trim", "t", "--frames", "0", "--output", output],
                              ["replay", "--backend", "null", "t", "--json", output]):
                _, errors = self.run_program(*arguments, code=2)
                self.assertIn("it is read by this command", errors)
        self.assertEqual(path.read_bytes(), trace())

    def test_compared_pictures_are_not_written(self):
        for folder in ("a", "b"):
            (self.folder / folder).mkdir()
            png.write(self.folder / folder / "f.png", [[(1, 2, 3, 255)]])
        before = (self.folder / "a/f.png").read_bytes()
        for options in (["--diff", "a"], ["--html", "a/f.png"]):
            _, errors = self.run_program("compare", "a", "b", *options, code=2)
            self.assertIn("it is read by this command", errors)
        self.assertEqual((self.folder / "a/f.png").read_bytes(), before)

    def test_an_extracted_file_does_not_replace_the_input(self):
        path = self.file("submission-0000.acmd", PICTURE)
        _, errors = self.run_program("extract", path, "--streams", code=2)
        self.assertIn("it is read by this command", errors)

    def test_recordings_of_one_name_have_pictures_of_their_own(self):
        for folder in ("a", "b", "c"):
            (self.folder / folder).mkdir()
        inputs = ["a/t.aerogputrace", "b/t", "c/t-2"]
        for name in inputs:
            self.file(name, trace())
        output, _ = self.run_program("replay", "--backend", "null", "--png", "p", *inputs)
        self.assertEqual([p.name for p in sorted((self.folder / "p").iterdir())],
                         ["t-0000.png", "t-2-0000.png", "t-3-0000.png"])
        self.assertEqual([line.split()[0] for line in output.splitlines()[1:4]], ["t", "t-3", "t-2"])

    def test_a_recording_of_dots_has_a_folder_of_its_own(self):
        table = wire.alloc_table((5, 0, 0x1000, 4))
        data = wire.Trace().begin(0).submit(PICTURE, 1, table, [(5, 0, 0x1000, b"abcd")]).present().bytes()
        inputs = ["...aerogputrace", "..aerogputrace"]
        for name in inputs:
            self.file(name, data)
        self.run_program("replay", "--backend", "null", "--dump-memory", "mem", *inputs)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted([*inputs, "mem"]))
        self.assertEqual(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("5.bin")),
                         ["mem/...aerogputrace/5.bin", "mem/..aerogputrace/5.bin"])

    def test_what_cannot_be_written_is_told_before_the_run(self):
        """The inputs are missing, so a run would complain about them first."""
        (self.folder / "folder").mkdir()
        self.file("file", b"")
        for arguments, words in [
            (["replay", "missing", "--json", "folder"], "folder: it is a folder"),
            (["replay", "missing", "--json", "no/report"], "no/report: No such file or directory"),
            (["replay", "missing", "--png", "file"], "file: the folder cannot be made"),
            (["replay", "missing", "--png", "/proc"], "/proc"),
            (["trim", "missing", "--frames", "0", "--output", "no/t"], "no/t: No such file"),
        ]:
            _, errors = self.run_program(*arguments, code=2)
            self.assertIn(words, errors)
        _, errors = self.run_program("demo", "--png", "file", code=2)
        self.assertIn("file: the folder cannot be made", errors)

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_a_file_that_may_not_be_written_is_not_replaced(self):
        self.file("t", trace())
        (self.folder / "report").write_text("old")
        (self.folder / "report").chmod(0o444)
        _, errors = self.run_program("replay", "--backend", "null", "t", "--json", "report", code=2)
        self.assertIn("Permission denied", errors)

    def test_a_picture_that_cannot_be_written_does_not_remove_what_was_there(self):
        """A link to a device: to remove it would remove the link."""
        self.file("t", trace())
        (self.folder / "p").mkdir()
        link = self.folder / "p/t-0000.png"
        link.symlink_to("/dev/full")
        _, errors = self.run_program("replay", "--backend", "null", "t", "--png", "p", code=2)
        self.assertIn("p/t-0000.png: No space left on device", errors)
        self.assertTrue(link.is_symlink() and link.is_char_device())

    def test_two_outputs_of_one_command_are_never_one_file(self):
        self.file("t", trace())
        (self.folder / "d").mkdir()
        (self.folder / "link").symlink_to("d")
        png.write(self.folder / "a.png", [[(1, 2, 3, 255)]])
        png.write(self.folder / "b.png", [[(9, 2, 3, 255)]])
        table = wire.alloc_table((5, 0, 0x1000, 4))
        self.file("m", wire.Trace().begin(0).submit(PICTURE, 1, table, [(5, 0, 0x1000, b"abcd")])
                  .present().bytes())
        null = ["replay", "--backend", "null"]
        for arguments, second, first in [
            (["demo", "--record", "d/demo.png", "--png", "link"], "d/demo.png", "link/demo.png"),
            ([*null, "t", "--state", "s.json", "--json", "./s.json"], "s.json", "./s.json"),
            ([*null, "t", "--png", "d", "--json", "link/t-0000.png"], "d/t-0000.png", "link/t-0000.png"),
            ([*null, "m", "--dump-memory", "d", "--state", "d/5.bin"], "d/5.bin", "d/5.bin"),
            (["compare", "a.png", "b.png", "--diff", "d", "--html", "link/a.png"], "d/a.png", "link/a.png"),
        ]:
            _, errors = self.run_program(*arguments, code=2)
            self.assertEqual(errors, f"aerogpu: {second}: this command writes it already, as {first}; "
                                     "name another file\n")
            for path in (self.folder / "d").iterdir():
                path.unlink()

    def test_a_device_may_be_two_outputs(self):
        self.file("t", trace())
        for name in ("nowhere", "elsewhere"):
            (self.folder / name).symlink_to("/dev/null")
        self.run_program("replay", "--backend", "null", "t", "--state", "nowhere", "--json", "elsewhere")
        self.assertTrue((self.folder / "nowhere").is_char_device())

    def test_a_recording_in_a_pipe_is_the_file(self):
        self.file("t", trace(2))
        for arguments, option in [(["trim", "t", "--frames", "1"], "--output"), (["repair", "t"], "--output"),
                                  (["demo"], "--record")]:
            told, _ = self.run_program(*arguments, option, "file")
            done = subprocess.run([self.program, *arguments, option, "/dev/stdout"], capture_output=True,
                                  cwd=self.folder, check=True)
            self.assertEqual(done.stdout, (self.folder / "file").read_bytes())
            self.assertEqual(done.stderr.decode(), told.replace("file:", "/dev/stdout:"))

    def test_a_dash_is_no_name_of_a_recording(self):
        self.file("t", trace())
        for arguments in (["trim", "t", "--frames", "0", "--output"], ["repair", "t", "--output"],
                          ["demo", "--record"]):
            _, errors = self.run_program(*arguments, "-", code=2)
            self.assertEqual(errors, "aerogpu: -: name a file, ./- for one of that name, or /dev/stdout\n")
            self.run_program(*arguments, "./-")
            (self.folder / "-").unlink()

    def test_an_empty_name_of_an_output_is_refused(self):
        for option, argument in (("--png", "DIR"), ("--json", "FILE"), ("--state", "FILE"),
                                 ("--dump-memory", "DIR")):
            for given in ([option, ""], [option + "="]):
                _, errors = self.run_program("replay", "missing", *given, code=2)
                self.assertIn(f"{option} needs {argument}", errors)

    def test_a_run_that_fails_leaves_what_was_there(self):
        (self.folder / "short").write_text("old")
        self.file("t", trace())
        self.run_program("trim", "t", "--frames", "9", "--output", "short", code=2)
        self.assertEqual((self.folder / "short").read_text(), "old")
        self.assertEqual(self.names(), ["short", "t"])


class Progress(ProgramTest):
    """dump writes more than a pipe holds, and this reads nothing for longer than a second."""

    def errors_of_a_long_run(self, stderr):
        nops = wire.stream(*[wire.nop()] * 20000)
        t = wire.Trace().begin(0)
        for fence in range(8):
            t.submit(nops, fence + 1)
        path = self.file("t", t.present().bytes())
        with subprocess.Popen([self.program, "dump", path], stdout=subprocess.PIPE, stderr=stderr,
                              cwd=self.folder) as run:
            time.sleep(1.5)
            self.assertIn(b"NOP", run.stdout.read())
            self.assertEqual(run.wait(), 0)

    def test_a_terminal_sees_how_far_it_is(self):
        ours, theirs = pty.openpty()
        said = []
        reader = threading.Thread(target=lambda: said.append(os.read(ours, 4096)))
        reader.start()
        self.errors_of_a_long_run(theirs)
        reader.join(10)
        os.close(theirs)
        os.close(ours)
        self.assertRegex(said[0].decode(), r"aerogpu: dumping .*t +\d+ %")

    def test_a_file_does_not(self):
        with open(self.folder / "errors", "w+b") as errors:
            self.errors_of_a_long_run(errors)
            errors.seek(0)
            self.assertEqual(errors.read(), b"")


if __name__ == "__main__":
    main()
