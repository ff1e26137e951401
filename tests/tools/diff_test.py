"""aerogpu diff and trim."""
import json

import wire
from program import ProgramTest, main

BASE = [wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.targets(1), wire.viewport(64, 64),
        wire.clear(1, 0, 0, 1), wire.present()]


def trace(packets=None, fence=1, table=b"", memory=()):
    return wire.Trace().begin(0).submit(wire.stream(*(packets or BASE)), fence, table, memory) \
        .present().bytes()


class Diff(ProgramTest):
    def differs(self, a, b, words, *options):
        output, _ = self.run_program("diff", self.file("a", a), self.file("b", b), *options, code=1)
        self.assertIn(words, output)
        self.assertEqual(output.count("\n"), 1)

    def test_equal_files_are_0_and_silent(self):
        output, _ = self.run_program("diff", self.file("a", trace()), self.file("b", trace()))
        self.assertEqual(output, "")

    def test_a_stream_and_a_trace_can_be_compared(self):
        raw = self.file("raw", wire.stream(*BASE))
        self.run_program("diff", "--ignore-fences", raw, self.file("b", trace()))

    def test_fields_are_named_with_both_values(self):
        other = list(BASE)
        other[2] = wire.viewport(32, 64)
        self.differs(trace(), trace(other), "submission 0: packet 2 at 0x80 and 0x80: SET_VIEWPORT: "
                     "width_f32=64 against width_f32=32")

    def test_another_packet_is_named(self):
        other = BASE[:2] + [wire.draw(3)] + BASE[3:]
        self.differs(trace(), trace(other), "packet 2 at 0x80 and 0x80: SET_VIEWPORT against DRAW")

    def test_a_missing_packet_is_named(self):
        self.differs(trace(), trace(BASE[:4]), "packet 4: B ends: PRESENT at 0xc4 of A has no match")

    def test_fences_tables_and_memory_count_unless_ignored(self):
        self.differs(trace(), trace(fence=2), "fence 1 against 2")
        self.run_program("diff", "--ignore-fences", self.folder / "a", self.folder / "b")
        table = wire.alloc_table((5, 0, 0x1000, 4))
        a, b = (trace(table=table, memory=[(5, 0, 0x1000, data)]) for data in (b"abcd", b"abxd"))
        self.differs(a, b, "allocation 5: content differs from byte 0x2 on")
        self.run_program("diff", "--ignore-memory", self.folder / "a", self.folder / "b")
        self.differs(a, trace(), "the allocation tables differ")

    def test_a_missing_submission_is_told(self):
        two = wire.Trace().begin(0).submit(wire.stream(*BASE), 1).submit(b"", 2).present().bytes()
        self.differs(trace(), two, "A has 1 submission, B has 2")


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

    def test_draws_can_be_kept(self):
        self.run_program("trim", self.recording(), "--frames", "3", "--output", "short",
                         "--keep-draws")
        self.assertEqual(self.packets("short"), [
            ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "SET_VIEWPORT", "CLEAR"], ["DRAW"], ["CLEAR"],
            ["CLEAR", "PRESENT"]])

    def test_memory_goes_along_once(self):
        table = wire.alloc_table((5, 0, 0x1000, 4096))
        t = wire.Trace().begin(0)
        stream, allocs = t.blob(0x100, wire.stream(wire.nop())), t.blob(0x101, table)
        content = t.blob(0x102, b"z" * 4096)
        for fence in (1, 2):
            t.record(5, __import__("struct").pack("<6IQQQIIIIQQQ", 1, 56, 0, 0, 0, 0, fence, stream,
                                                  allocs, 1, 0, 5, 0, 0x1000, 4096, content))
        path = self.file("t", t.present().bytes())
        self.run_program("trim", path, "--frames", "0", "--output", "short")
        self.assertEqual((self.folder / "short").read_bytes().count(b"z" * 4096), 1)
        self.run_program("diff", path, "short")

    def test_frames_that_are_not_there_are_2(self):
        _, errors = self.run_program("trim", self.recording(), "--frames", "9", "--output", "x", code=2)
        self.assertIn("no submission lies in such a frame", errors)
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    main()
