# SPDX-License-Identifier: MIT
"""aerogpu trim."""
import json
import struct
from random import Random

import wire
from program import ProgramTest, main

BASE = [wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.targets(1), wire.viewport(64, 64),
        wire.clear(1, 0, 0, 1), wire.present()]


class Trim(ProgramTest):
    def recording(self):
        """Frame 0 creates, frame 1 draws, frames 2 and 3 clear with other colours."""
        t = wire.Trace().begin(0)
        t.submit(wire.stream(*BASE), 1).present()
        t.begin(1).submit(wire.stream(wire.draw(3), wire.present()), 2).present()
        t.begin(2).submit(wire.stream(wire.clear(0, 1, 0, 1), wire.present()), 3).present()
        t.begin(3).submit(wire.stream(wire.clear(0, 0, 1, 1), wire.present()), 4).present()
        return self.file("long", t.bytes())

    def packets(self, path):
        output, _ = self.run_program("dump", "--json", path)
        return [[p["packet"] for p in work["stream"]["packets"]] 
                for work in json.loads(output)["submissions"]]

    def test_earlier_frames_leave_what_later_packets_need(self):
        output, _ = self.run_program("trim", self.recording(), "--frames", "2", "--output", "short")
        self.assertIn("short: 1 submission kept, 1 ahead of them for set-up", output)
        self.assertEqual(self.packets("short"), [
            ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "SET_VIEWPORT"], ["CLEAR", "PRESENT"]])
        self.run_program("info", "short")

    def test_what_was_drawn_stays_where_it_is_seen(self):
        t = wire.Trace().begin(0).submit(wire.stream(*BASE), 1).present()
        t.begin(1).submit(wire.stream(wire.present()), 2).present()
        path = self.file("long", t.bytes())
        self.run_program("trim", path, "--frames", "1", "--output", "short")
        self.assertEqual(self.packets("short")[0],
                         ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "SET_VIEWPORT", "CLEAR"])
        self.run_program("trim", path, "--frames", "1", "--output", "short", "--drop-draws")
        self.assertEqual(self.packets("short")[0],
                         ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "SET_VIEWPORT"])

    def test_what_nobody_uses_again_is_cut(self):
        """Texture 2 is drawn on, copied to texture 3 and destroyed; 3 is never looked at."""
        other = [wire.create_texture(2, wire.B8G8R8A8, 64, 64), wire.create_texture(3, wire.B8G8R8A8, 64, 64),
                 wire.targets(2), wire.clear(0, 1, 0, 1), wire.copy_texture(3, 2, 64, 64), wire.targets(1),
                 wire.packet(0x102, 2, 0), wire.packet(0x512, 19, 2), wire.packet(0x512, 19, 5),
                 wire.packet(0x512, 19, 2)]
        t = wire.Trace().begin(0).submit(wire.stream(*BASE[:3], *other), 1).present()
        t.begin(1).submit(wire.stream(wire.clear(0, 0, 1, 1), wire.present()), 2).present()
        self.run_program("trim", self.file("long", t.bytes()), "--frames", "1", "--output", "short")
        self.assertEqual(self.packets("short")[0],
                         ["CREATE_TEXTURE2D", "SET_VIEWPORT", "SET_RENDER_TARGETS", "SET_RENDER_STATE",
                          "SET_RENDER_STATE"])

    def test_a_copy_that_covers_a_texture_needs_nothing_of_what_it_held(self):
        before = [wire.create_texture(2, wire.B8G8R8A8, 64, 64), wire.create_texture(3, wire.B8G8R8A8, 64, 64),
                  wire.targets(2), wire.clear(0, 1, 0, 1)]
        for width, clears in ((64, 1), (63, 2)):
            copies = [wire.targets(3), wire.clear(1, 1, 0, 1), wire.copy_texture(2, 3, width, 64),
                      wire.targets(2)]
            t = wire.Trace().begin(0).submit(wire.stream(*before, *copies), 1).present()
            t.begin(1).submit(wire.stream(wire.present()), 2).present()
            self.run_program("trim", self.file("long", t.bytes()), "--frames", "1", "--output", "short")
            self.assertEqual(self.packets("short")[0].count("CLEAR"), clears, width)

    def test_a_transfer_of_nothing_replaces_nothing(self):
        for nothing in (wire.upload(1, b""), wire.copy_texture(1, 2, 0, 64), wire.copy_buffer(3, 4, 0)):
            t = wire.Trace().begin(0).submit(wire.stream(*BASE), 1).present()
            t.begin(1).submit(wire.stream(nothing), 2).present()
            t.begin(2).submit(wire.stream(wire.present()), 3).present()
            path = self.file("long", t.bytes())
            self.run_program("trim", path, "--frames", "2", "--output", "short")
            self.assertEqual(self.pictures("short", "--frames", "2"), self.pictures(path, "--frames", "2"))
            self.assertEqual(self.packets("short")[0],
                             ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "SET_VIEWPORT", "CLEAR"])

    def test_packets_behind_a_failed_one_stay_without_effect(self):
        t = wire.Trace().begin(0).submit(wire.stream(*BASE), 1)
        t.submit(wire.stream(wire.draw(3), wire.clear(0, 1, 0, 1)), 2).present()
        t.begin(1).submit(wire.stream(wire.present()), 3).present()
        path = self.file("long", t.bytes())
        self.run_program("trim", path, "--frames", "1", "--output", "short")
        self.assertEqual([p for packets in self.packets("short") for p in packets].count("CLEAR"), 1)

    def assert_frame_is_kept(self, trace, frames):
        path = self.file("long", trace.bytes())
        self.run_program("trim", path, "--frames", frames, "--output", "short")
        shown = self.pictures(path, "--frames", frames)
        self.assertTrue(shown)
        self.assertEqual(self.pictures("short", "--frames", frames), shown)

    def test_what_is_bound_before_it_is_made_is_there(self):
        make = [wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.clear(1, 0, 0, 1)]
        t = wire.Trace().begin(0).submit(wire.stream(wire.targets(1), *make, wire.present()), 1).present()
        self.assert_frame_is_kept(t.begin(1).submit(wire.stream(wire.present()), 2).present(), "1")
        self.assertEqual(self.packets("short")[0], ["SET_RENDER_TARGETS", "CREATE_TEXTURE2D", "CLEAR"])

    def test_what_one_context_binds_and_another_makes_is_there(self):
        make = [wire.targets(2), wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.targets(1),
                wire.clear(1, 0, 0, 1)]
        t = wire.Trace().begin(0).submit(wire.stream(wire.targets(1)), 1, context=7)
        t.submit(wire.stream(*make), 2, context=8).present()
        self.assert_frame_is_kept(
            t.begin(1).submit(wire.stream(wire.present()), 3, context=7).present(), "1")

    def test_what_was_bound_and_destroyed_does_not_come_back_with_its_handle(self):
        """The clear of an empty target leaves the new texture as it was."""
        data = bytes(range(256))
        again = [wire.packet(0x102, 1, 0), wire.create_texture(1, wire.B8G8R8A8, 8, 8), wire.upload(1, data)]
        for before in ([BASE[0], wire.targets(1)], [wire.targets(1), BASE[0], wire.clear(1, 0, 0, 1)]):
            t = wire.Trace().begin(0).submit(wire.stream(*before, *again), 1).present()
            t.begin(1).submit(wire.stream(wire.clear(0, 1, 0, 1)), 2).present()
            t.begin(2).submit(wire.stream(wire.targets(1), wire.present()), 3).present()
            self.assert_frame_is_kept(t, "2")

    def test_the_end_of_a_context_stays_with_what_it_destroys(self):
        t = wire.Trace()
        for frame, size in enumerate((64, 32, 16)):
            draw = [wire.create_texture(1, wire.B8G8R8A8, size, size), wire.targets(1), wire.clear(1, 0, 0, 1)]
            t.begin(frame).submit(wire.stream(*draw, wire.present()), 2 * frame + 1, context=1)
            if frame < 2:
                t.submit(wire.stream(wire.packet(0x512, 2004, 1)), 2 * frame + 2, context=1)
            t.present()
        t.begin(3).submit(wire.stream(wire.present()), 6, context=1).present()
        self.assert_frame_is_kept(t, "3")
        self.assertEqual(set(self.errors("short", "0-3")), {None})

    def test_a_target_of_a_context_that_ended_is_not_cleared(self):
        data = bytes(range(256))
        again = [wire.create_texture(1, wire.B8G8R8A8, 8, 8), wire.upload(1, data), wire.clear(0, 1, 0, 1)]
        t = wire.Trace().begin(0).submit(wire.stream(*BASE), 1, context=1)
        t.submit(wire.stream(wire.packet(0x512, 2004, 1)), 2, context=1)
        t.submit(wire.stream(*again), 3, context=1).present()
        t.begin(1).submit(wire.stream(wire.targets(1), wire.present()), 4, context=1).present()
        self.assert_frame_is_kept(t, "1")

    def errors(self, path, frames):
        output, _ = self.run_program("replay", "--backend", "null", "--keep-going", path, "--frames", frames,
                                     "--json", "-", code=None)
        report, = json.loads(output)["recordings"]
        return [s["error"] and s["error"]["message"] for s in report["submissions"]]

    def test_what_fails_fails_in_the_same_way(self):
        one, other = wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.create_texture(2, wire.R8G8B8A8, 64, 64)
        export, imports = wire.packet(0x710, 1, 0, *wire.u64(7)), wire.packet(0x711, 2, 0, *wire.u64(7))
        retire = wire.packet(0x712, *wire.u64(7), *wire.u64(0))
        for before, fails in [
            ([one, other], wire.copy_texture(2, 1, 64, 64)),
            ([one], wire.create_texture(1, wire.B8G8R8A8, 32, 32)),
            ([one], wire.upload(1, b"abcd", 64 * 64 * 4)),
            ([one, export, other], imports),
            ([one, export, retire], imports),
            ([one, other, export], wire.packet(0x710, 2, 0, *wire.u64(7))),
            ([one, wire.targets(1)], wire.draw(3)),
            ([wire.create_buffer(1, 64), wire.targets(1)], wire.clear(1, 0, 0, 1)),
            ([one], wire.create_shader(1, 0, b"no shader")),
        ]:
            t = wire.Trace().begin(0).submit(wire.stream(*before), 1).present()
            t.begin(1).submit(wire.stream(wire.nop(), fails, wire.packet(0x102, 1, 0)), 2).present()
            path = self.file("long", t.bytes())
            self.run_program("trim", path, "--frames", "1", "--output", "short")
            said = self.errors(path, "1")
            self.assertEqual(self.errors("short", "1"), said)
            self.assertIsNotNone(said[0])

    def pictures(self, path, *options):
        """The bytes of the picture of each presented frame."""
        output, _ = self.run_program("replay", "--backend", "null", "--keep-going", path, "--png", "p",
                                     "--json", "-", *options, code=None)
        report, = json.loads(output)["recordings"]
        return [(self.folder / p["png"]).read_bytes() for s in report["submissions"]
                for p in s["presents"] if p["png"]]

    def random_packet(self, random, live):
        """A packet on one of four handles, of which `live` exist."""
        handle = random.randint(1, 4)
        other = random.choice(sorted(live) or [handle])
        color = [random.random() for _ in range(3)]
        data = bytes(random.randrange(256) for _ in range(8 * 8 * 4))
        if handle not in live:
            live.add(handle)
            size = random.choice([8, 8, 8, 4])
            return [wire.create_texture(handle, wire.B8G8R8A8, size, size)]
        if random.random() < 0.1:
            live.discard(handle)
            return [wire.packet(0x102, handle, 0)]
        if random.random() < 0.25:
            return [wire.targets(handle)]
        part = random.choice([8, 8, 3])
        return [random.choice([
            wire.clear(*color, 1), wire.clear(*color, 1), wire.copy_texture(handle, other, part, part),
            wire.upload(handle, data if part == 8 else data[:64]), wire.upload(handle, b""),
            wire.packet(0x512, 174, part % 2),
            wire.packet(0x402, 2, 2, 4, 4), wire.present()])]

    def test_frames_show_what_they_showed_whatever_came_before(self):
        for seed in range(12):
            random = Random(seed)
            t, live = wire.Trace(), set()
            for frame in range(6):
                packets = [p for _ in range(12) for p in self.random_packet(random, live)]
                t.begin(frame).submit(wire.stream(*packets, wire.present()), frame + 1).present()
            path = self.file(f"{seed}", t.bytes())
            for frames in ("2", "4-5"):
                self.run_program("trim", path, "--frames", frames, "--output", "short")
                self.assertEqual(self.pictures(path, "--frames", frames),
                                 self.pictures("short", "--frames", frames), (seed, frames))

    def fences(self, path, *options):
        output, _ = self.run_program("replay", "--backend", "null", path, "--json", "-", *options)
        report, = json.loads(output)["recordings"]
        return [s["fence"] for s in report["submissions"]]

    def test_packet_records_have_the_fences_that_they_had(self):
        t = wire.Trace().begin(0).submit(wire.stream(*BASE), 7).packet(wire.stream(wire.nop())).present()
        t.begin(1).packet(wire.stream(wire.present())).packet(wire.stream(wire.present())).present()
        path = self.file("long", t.bytes())
        self.run_program("trim", path, "--frames", "1", "--output", "short")
        self.assertEqual(self.fences(path, "--frames", "1"), [9, 10])
        self.assertEqual(self.fences("short"), [7, 9, 10])

    def test_guest_memory_is_read_when_it_was(self):
        """A buffer's memory changes without a word after the buffer was used: the copy is the old one."""
        at, size = 0x7FFF0000, 64
        table = wire.alloc_table((5, 1, at, size), (6, 0, at + size, size))
        old, new = bytes(range(64)), bytes(range(64, 128))
        create = wire.stream(wire.create_buffer(1, size, alloc=5), wire.create_buffer(2, size, alloc=6),
                             wire.create_buffer(3, size), wire.copy_buffer(3, 1, size))
        t = wire.Trace().begin(0).submit(create, 1, table, [(5, 1, at, old), (6, 0, at + size, bytes(size))])
        t.present().begin(1).submit(wire.stream(wire.copy_buffer(2, 1, size, wire.WRITEBACK)), 2, table,
                                    [(5, 1, at, new)]).present()
        path = self.file("long", t.bytes())
        self.run_program("trim", path, "--frames", "1", "--output", "short")
        for trace in (path, "short"):
            self.run_program("replay", "--backend", "null", trace, "--dump-memory", "ram")
            self.assertEqual((self.folder / "ram/6.bin").read_bytes(), old)

    def test_memory_of_submissions_that_are_cut_is_there(self):
        at = 0x10000000
        table = wire.alloc_table((5, 0, at, 64))
        t = wire.Trace().begin(0).submit(wire.stream(wire.nop()), 1, table, [(5, 0, at, b"m" * 64)]).present()
        copy = wire.stream(wire.create_buffer(1, 64, alloc=5), wire.create_buffer(2, 64),
                           wire.copy_buffer(2, 1, 64), wire.copy_buffer(1, 2, 64, wire.WRITEBACK))
        t.begin(1).submit(copy, 2, table).present()
        self.run_program("trim", self.file("long", t.bytes()), "--frames", "1", "--output", "short")
        self.run_program("replay", "--backend", "null", "short", "--dump-memory", "ram")
        self.assertEqual((self.folder / "ram/5.bin").read_bytes(), b"m" * 64)

    def test_memory_goes_along_once(self):
        table = wire.alloc_table((5, 0, 0x1000, 4096))
        t = wire.Trace().begin(0)
        stream, allocs = t.blob(0x100, wire.stream(wire.nop())), t.blob(0x101, table)
        content = t.blob(0x102, b"z" * 4096)
        for fence in (1, 2):
            t.record(5, struct.pack("<6IQQQIIIIQQQ", 1, 56, 0, 0, 0, 0, fence, stream,
                                                  allocs, 1, 0, 5, 0, 0x1000, 4096, content))
        path = self.file("t", t.present().bytes())
        self.run_program("trim", path, "--frames", "0", "--output", "short")
        self.assertEqual((self.folder / "short").read_bytes().count(b"z" * 4096), 1)
        self.run_program("diff", path, "short")

    def test_a_range_of_no_bytes_is_left_out(self):
        stream, at = wire.stream(wire.nop()), 0x1000
        t = wire.Trace().begin(0)
        for fence in (1, 2):
            t.submit(stream, fence, b"", [(5, 0, at, b""), (6, 0, at, b"abcd")])
        path = self.file("t", t.present().bytes())
        self.run_program("trim", path, "--frames", "0", "--output", "short")
        output, errors = self.run_program("dump", "short")
        self.assertEqual(errors, "")
        self.assertEqual([line for line in output.splitlines() if "allocation" in line],
                         ["  allocation 6 at 0x1000, 4 bytes"] * 2)

    def test_memory_that_is_recorded_again_is_written_once_with_its_last_content(self):
        stream, one, other = wire.stream(wire.nop()), 0x1000, 0x2000
        before = [(5, 0, one, b"old!"), (6, 0, other, b"here"), (5, 0, one, b"more bytes")]
        t = wire.Trace().begin(0).submit(stream, 1, b"", before).present()
        t.begin(1).submit(stream, 2, b"", [(5, 0, one, b"new!"), (7, 0, other, b"late")]).present()
        self.run_program("trim", self.file("t", t.bytes()), "--frames", "1", "--output", "short")
        output, _ = self.run_program("dump", "short")
        self.assertEqual([line for line in output.splitlines() if "allocation" in line],
                         ["  allocation 5 at 0x1000, 10 bytes", "  allocation 5 at 0x1000, 4 bytes",
                          "  allocation 7 at 0x2000, 4 bytes"])
        written = (self.folder / "short").read_bytes()
        self.assertEqual([written.count(b) for b in (b"old!", b"here", b"new!", b"late")], [0, 0, 1, 1])

    def test_very_many_memory_ranges_are_written(self):
        """What time grows with the square of them takes minutes."""
        t, count = wire.Trace().begin(0), 200_000
        content = t.blob(0x102, b"abcd")
        ranges = b"".join(struct.pack("<IIQQQ", 5, 0, 0x10000 + 4 * i, 4, content) for i in range(count))
        t.record(5, struct.pack("<6IQQQII", 1, 56, 0, 0, 0, 0, 1, 0, 0, count, 0) + ranges)
        path = self.file("many", t.present().bytes())
        self.run_program("trim", path, "--frames", "0", "--output", "short")
        output, _ = self.run_program("info", "short")
        self.assertRegex(output, rf"memory ranges +{count}\n")

    def test_memory_that_was_not_recorded_is_not_read(self):
        """The buffer lies behind what the submissions bring of its allocation."""
        at, offset, size = 0x100000000, 1 << 27, 4096
        table = wire.alloc_table((1, 0, at, 1 << 28))
        create = wire.stream(wire.packet(0x100, 1, 0, *wire.u64(size), 1, offset, *wire.u64(0)))
        dirty = wire.stream(wire.packet(0x103, 1, 0, *wire.u64(0), *wire.u64(size)))
        t = wire.Trace().begin(0).submit(create, 1, table, [(1, 0, at, b"A" * 64)])
        t.submit(dirty, 2, table, [(1, 0, at, b"B" * 64)]).present()
        t.begin(1).submit(wire.stream(wire.nop()), 3).present()
        self.run_program("trim", self.file("long", t.bytes()), "--frames", "1", "--output", "short")
        self.run_program("info", "short")

    def test_frames_that_are_not_there_are_2(self):
        _, errors = self.run_program("trim", self.recording(), "--frames", "9", "--output", "x", code=2)
        self.assertIn("no submission lies in such a frame", errors)
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    main()
