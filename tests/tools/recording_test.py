# SPDX-License-Identifier: MIT
"""Recordings that were cut off, are large, or come through a pipe; aerogpu repair."""
import json
import os
import pathlib
import re
import struct
import subprocess

import wire
from program import ProgramTest, main

STREAM = wire.stream(wire.create_texture(1, wire.B8G8R8A8, 8, 8), wire.targets(1),
                     wire.clear(1, 0, 0, 1), wire.present())


def trace(frames=3):
    """A whole recording of as many frames, and where each of its frames ends."""
    t, ends = wire.Trace(), []
    for i in range(frames):
        stream = STREAM if i == 0 else wire.stream(wire.clear(0, 1, 0, 1), wire.present())
        table = wire.alloc_table((5, 1, 0x1000, 16))
        t.begin(i).submit(stream, i + 1, table, [(5, 1, 0x1000, bytes([i]) * 16)], flags=1).present()
        ends.append(len(t.data))
    return t.bytes(), ends


class Cut(ProgramTest):
    def cut_file(self):
        """Two frames, and a third one of which 20 bytes are missing."""
        data, ends = trace()
        return self.file("cut", data[:ends[2] - 12 - 20])

    def test_every_command_reads_a_cut_recording_with_a_note(self):
        cut = self.cut_file()
        for arguments in (["info", cut], ["dump", cut], ["replay", "--backend", "null", cut],
                          ["diff", cut, cut], ["extract", cut, "--to", "out"],
                          ["trim", cut, "--frames", "0-1", "--output", "trimmed"]):
            output, errors = self.run_program(*arguments)
            self.assertIn(f"aerogpu: {cut}: note: cut off at byte 0x", errors, arguments)
            self.assertIn(" bytes after it are lost", errors, arguments)
            self.assertNotIn("note: cut off", output if arguments[0] != "replay" else "")

    def test_what_was_whole_is_there(self):
        output, _ = self.run_program("info", self.cut_file())
        self.assertIn("submissions", output)
        self.assertRegex(output, r"submissions +2\n")
        self.assertRegex(output, r"contents table +missing: cut off at byte 0x")
        output, _ = self.run_program("replay", "--backend", "null", "--json", "-", self.cut_file())
        report, = json.loads(output)["recordings"]
        self.assertEqual(len(report["submissions"]), 2)
        self.assertTrue(any("cut off at byte" in note for note in report["notes"]), report["notes"])

    def test_a_recording_without_its_end_alone_lost_nothing(self):
        data, ends = trace()
        for size in (ends[2], ends[2] + 5, len(data) - 1):
            output, errors = self.run_program("info", self.file("cut", data[:size]))
            self.assertIn("only its table of contents is missing", errors)
            self.assertRegex(output, r"submissions +3\n")

    def test_a_cut_header_is_2(self):
        data, _ = trace()
        _, errors = self.run_program("info", self.file("cut", data[:40]), code=2)
        self.assertIn("meta_len leaves the file", errors)
        _, errors = self.run_program("info", self.file("cut", data[:20]), code=2)
        self.assertIn("file is shorter than a header", errors)


class Repair(ProgramTest):
    def test_a_file_that_lacks_its_end_becomes_what_it_would_have_been(self):
        data, ends = trace()
        output, errors = self.run_program("repair", self.file("cut", data[:ends[2]]), "--output", "new")
        self.assertIn("only its table of contents is missing", errors)
        self.assertEqual(output, "new: 3 submissions in 3 frames kept, nothing lost\n")
        self.assertEqual((self.folder / "new").read_bytes(), data)

    def test_a_file_cut_anywhere_becomes_whole(self):
        data, ends = trace()
        for size in range(ends[0], ends[1] + 1, 37):
            output, _ = self.run_program("repair", self.file("cut", data[:size]), "--output", "new")
            self.assertRegex(output, r"^new: [12] submissions? in [12] frames? kept, (nothing|\d+ bytes?) lost\n$")
            output, errors = self.run_program("info", "new")
            self.assertRegex(output, r"contents table +agrees with the records")
            self.assertEqual(errors, "")

    def test_a_broken_record_in_the_middle_ends_what_is_kept(self):
        data, ends = trace()
        broken = bytearray(data)
        struct.pack_into("<I", broken, ends[0] + 4, 0x7FFFFFFF)
        output, errors = self.run_program("repair", self.file("bad", broken), "--output", "new")
        self.assertIn("payload_len leaves the record area", errors)
        self.assertIn("1 submission in 1 frame kept", output)

    def test_a_whole_file_is_copied(self):
        data, _ = trace()
        output, _ = self.run_program("repair", self.file("whole", data), "--output", "new")
        self.assertEqual(output, "new: 3 submissions in 3 frames kept, nothing lost: it was whole\n")
        self.assertEqual((self.folder / "new").read_bytes(), data)

    def test_what_cannot_be_repaired_or_written_is_2(self):
        data, _ = trace()
        whole = self.file("whole", data)
        for arguments, words in [
            ([self.file("s", STREAM), "--output", "new"], "only traces can be repaired"),
            ([whole, "--output", whole], "it is read by this command, so it is not written"),
            ([whole, "--output", "nowhere/new"], "nowhere/new: No such file or directory"),
            ([whole, "--output", "/dev/full"], "/dev/full: No space left on device"),
        ]:
            _, errors = self.run_program("repair", *arguments, code=2)
            self.assertIn(words, errors)
        self.assertEqual(pathlib.Path(whole).read_bytes(), data)

    def test_trim_does_not_write_over_the_file_that_it_reads(self):
        data, _ = trace()
        whole = self.file("whole", data)
        _, errors = self.run_program("trim", whole, "--frames", "0", "--output", "./whole", code=2)
        self.assertIn("it is read by this command, so it is not written", errors)
        self.assertEqual(pathlib.Path(whole).read_bytes(), data)


class Compressed(ProgramTest):
    """What a program with zstd does, or what one without it says."""

    def has_zstd(self):
        if not hasattr(Compressed, "zstd"):
            done = subprocess.run([self.program, "demo", "--record", "probe.zst"], capture_output=True,
                                  cwd=self.folder, timeout=60)
            Compressed.zstd = done.returncode == 0
        return Compressed.zstd

    def record(self):
        self.run_program("demo", "--record", "demo.aerogputrace.zst")
        return (self.folder / "demo.aerogputrace.zst").read_bytes()

    def submissions(self, path):
        output, errors = self.run_program("info", path)
        return int(re.search(r"submissions +(\d+)\n", output)[1]), output, errors

    def test_without_zstd_the_program_says_so(self):
        if self.has_zstd():
            return
        packed = self.file("packed", b"\x28\xb5\x2f\xfd" + bytes(40))
        _, errors = self.run_program("info", packed, code=2)
        self.assertIn("packed: it is compressed, and this program was built without zstd", errors)
        _, errors = self.run_program("demo", "--record", "new.zst", code=2)
        self.assertIn("new.zst: a name in .zst asks for compression", errors)

    def test_a_name_in_zst_is_compressed_and_read_as_if_it_were_not(self):
        if not self.has_zstd():
            return
        data, _ = trace()
        whole = self.file("whole", data)
        self.run_program("repair", whole, "--output", "new.zst")
        packed = (self.folder / "new.zst").read_bytes()
        self.assertEqual(packed[:4], b"\x28\xb5\x2f\xfd")
        self.assertLess(len(packed), len(data) / 2)
        output, errors = self.run_program("info", "new.zst")
        self.assertEqual(errors, "")
        self.assertRegex(output, rf"size +{len(packed)} bytes, {len(data)} unpacked\n")
        self.run_program("diff", "whole", "new.zst")
        self.run_program("repair", "new.zst", "--output", "again")
        self.assertEqual((self.folder / "again").read_bytes(), data)

    def test_a_recording_is_compressed_as_it_grows_and_read_when_it_is_cut(self):
        if not self.has_zstd():
            return
        packed = self.record()
        count, _, errors = self.submissions("demo.aerogputrace.zst")
        self.assertEqual(errors, "")
        self.assertGreater(count, 3)
        seen = set()
        for part in (0.5, 0.7, 0.9, 0.97):
            cut, output, errors = self.submissions(
                self.file("cut", packed[:int(len(packed) * part)]))
            self.assertIn("note: cut off at byte", errors)
            self.assertLess(cut, count)
            seen.add(cut)
        self.assertGreater(len(seen), 1)

    def test_broken_compressed_data_is_2(self):
        if not self.has_zstd():
            return
        packed = self.record()
        for data, words in [
            (packed[:6], "the compressed data ends early"),
            (packed[:4] + b"\xff" * 40, "packed: "),
        ]:
            _, errors = self.run_program("info", self.file("packed", data), code=2)
            self.assertIn(words, errors)

    def test_damage_in_compressed_data_is_told_by_every_command_and_is_1(self):
        """The checksum alone knows: all that was packed is there, in its order."""
        if not self.has_zstd():
            return
        packed = bytearray(self.record())
        packed[-1] ^= 0x10
        bad = self.file("bad.zst", packed)
        for arguments in (["info", bad], ["dump", bad], ["dump", "--json", bad], ["diff", bad, bad],
                          ["replay", "--backend", "null", bad], ["extract", bad, "--to", "out"],
                          ["trim", bad, "--frames", "0", "--output", "trimmed"],
                          ["repair", bad, "--output", "repaired"]):
            output, errors = self.run_program(*arguments, code=1)
            self.assertIn(f"aerogpu: {bad}: note: the compressed data is damaged: ", errors, arguments)
            self.assertIn("; what was read may be wrong", errors)
            if arguments[0] == "repair":
                self.assertIn("what is lost is unknown: the compressed data is damaged", output)
            if arguments[0] == "info":
                self.assertRegex(output, r"compressed data +the compressed data is damaged: ")
        output, _ = self.run_program("replay", "--backend", "null", bad, code=1)
        self.assertIn("  damaged recording\n", output)
        output, _ = self.run_program("replay", "--backend", "null", "--json", "-", bad, code=1)
        report, = json.loads(output)["recordings"]
        self.assertTrue(report["damaged"])
        self.assertTrue(any("the compressed data is damaged" in note for note in report["notes"]))

    def test_no_flipped_bit_of_compressed_data_is_taken_for_an_ordinary_end(self):
        if not self.has_zstd():
            return
        packed = self.record()
        self.run_program("repair", "demo.aerogputrace.zst", "--output", "right")
        for at in range(4, len(packed), len(packed) // 25):
            bad = bytearray(packed)
            bad[at] ^= 0x10
            _, errors = self.run_program("repair", self.file("bad.zst", bad), "--output", "got", code=None)
            if "note: cut off" in errors:
                self.assertIn("note: the compressed data ", errors)
            if not errors:  # A bit that means nothing.
                self.assertEqual((self.folder / "got").read_bytes(), (self.folder / "right").read_bytes())

    def test_compressed_data_that_ends_early_is_no_damage_and_not_whole(self):
        if not self.has_zstd():
            return
        packed = self.record()
        for size in (len(packed) - 4, len(packed) - 1, len(packed) * 2 // 3):
            cut = self.file("cut.zst", packed[:size])
            _, errors = self.run_program("info", cut)
            self.assertIn("note: the compressed data ends early, before its checksum", errors)
            output, _ = self.run_program("repair", cut, "--output", "new")
            self.assertNotIn("nothing lost", output)
            self.assertNotIn("it was whole", output)
            self.assertIn("what is lost is unknown: the compressed data ends early", output)
            output, _ = self.run_program("replay", "--backend", "null", "--json", "-", cut)
            report, = json.loads(output)["recordings"]
            self.assertFalse(report["damaged"])
            self.assertTrue(any("the compressed data ends early" in note for note in report["notes"]))

    def test_a_full_disk_is_told_through_the_compression(self):
        if not self.has_zstd():
            return
        (self.folder / "full.zst").symlink_to("/dev/full")
        _, errors = self.run_program("demo", "--record", "full.zst", code=2)
        self.assertIn("full.zst: No space left on device", errors)


class Files(ProgramTest):
    def test_a_recording_of_more_than_4_gib_is_read(self):
        """Its content is a hole in the file, and nobody looks at it."""
        path = self.folder / "large"
        hole = 0xF0000000
        t = wire.Trace().begin(0)
        start, start_size = t.data, len(t.data)
        with open(path, "wb") as out:
            out.write(start)
            for number in (100, 101):
                out.write(struct.pack("<BBHI", 4, 0, 0, 16 + hole) + struct.pack("<QII", number, 0x102, 0))
                out.seek(hole, os.SEEK_CUR)
            t.data = b""
            t.submit(STREAM, 1)
            out.write(t.data)
        size = start_size + 2 * (24 + hole) + len(t.data)
        output, errors = self.run_program("info", path)
        self.assertIn(f"cut off at byte {size:#x}: ", errors)
        self.assertRegex(output, r"submissions +1\n")
        self.assertRegex(output, rf"size +{size} bytes\n")
        self.assertIn(f"blobs, allocation content  2, {2 * hole} bytes", output)

    def file_of(self, record, count):
        """A whole recording of one record, again and again."""
        start, whole = wire.Trace().data, wire.Trace()
        whole.data = start + record
        path, end = self.folder / "many", whole.bytes()[len(whole.data):]
        with open(path, "wb") as out:
            out.write(start)
            for first in range(0, count, 1 << 16):
                out.write(record * min(1 << 16, count - first))
            at = out.tell()
            out.write(end[:-16] + struct.pack("<Q", at) + end[-8:])
        return path

    def test_a_recording_that_lists_too_much_is_2(self):
        """Records of eight bytes and a little more, many times that in memory."""
        frame, packet = struct.pack("<BBHII", 1, 0, 0, 4, 7), struct.pack("<BBHI", 3, 0, 0, 0)
        for record in (frame, packet):
            _, errors = self.run_program("info", self.file_of(record, (4 << 20) + 1), code=2)
            self.assertIn("the recording lists more than this program holds", errors)
            self.assertNotIn("cut off", errors)

    def test_a_recording_of_too_many_blobs_is_2(self):
        """They are empty, and nobody names them."""
        blob = struct.pack("<BBHIQII", 4, 0, 0, 16, 1, 0x102, 0)
        path = self.file_of(blob, (4 << 20) + 1)
        _, errors = self.run_program("info", path, code=2)
        self.assertIn("the trace has more blobs than its reader holds", errors)
        self.assertNotIn("cut off", errors)

    def test_a_last_submission_that_lists_too_much_is_2(self):
        """Its ranges are a hole in the file, and none is looked at."""
        path, count = self.folder / "many", (4 << 20) + 1
        head = wire.Trace().begin(0).data
        head += struct.pack("<BBHI", 5, 0, 0, 56 + 32 * count)
        head += struct.pack("<6IQQQII", 1, 56, 0, 0, 0, 0, 1, 0, 0, count, 0)
        with open(path, "wb") as out:
            out.write(head)
            out.truncate(len(head) + 32 * count)
        _, errors = self.run_program("info", path, code=2)
        self.assertIn("the recording lists more than this program holds", errors)

    def test_metadata_of_a_hundred_thousand_members_is_read(self):
        """What time grows with the square of them takes minutes."""
        facts = {"emulator_version": "by hand", "command_abi_version": wire.ABI}
        metadata = json.dumps(facts | {f"{i:05}": 0 for i in range(90000)}, separators=(",", ":"))
        data = wire.Trace(metadata=metadata.encode()).begin(0).submit(STREAM, 1).present().bytes()
        output, _ = self.run_program("info", self.file("many", data), timeout=40)
        self.assertRegex(output, r"recorded by +by hand\n")
        self.run_program("trim", "many", "--frames", "0", "--output", "short", timeout=40)

    def test_a_recording_can_come_through_a_pipe(self):
        data, _ = trace()
        done = subprocess.run([self.program, "info", "/dev/stdin"], input=data, capture_output=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"agrees with the records", done.stdout)

    def test_the_first_bytes_of_an_endless_file_are_enough_to_refuse_it(self):
        _, errors = self.run_program("info", "/dev/zero", code=2)
        self.assertIn("neither as a trace", errors)

    def test_empty_files_are_2(self):
        _, errors = self.run_program("info", self.file("empty", b""), code=2)
        self.assertIn("neither as a trace", errors)

    def test_a_full_disk_ends_a_recording_with_a_sentence(self):
        _, errors = self.run_program("demo", "--record", "/dev/full", code=2)
        self.assertIn("/dev/full: No space left on device", errors)


if __name__ == "__main__":
    main()
