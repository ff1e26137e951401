# SPDX-License-Identifier: MIT
"""aerogpu diff."""
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
        readonly = trace(table=table, memory=[(5, 1, 0x1000, b"abcd")])
        self.differs(a, readonly, "allocation 5: flags 0 against 1")

    def test_a_missing_submission_is_told(self):
        two = wire.Trace().begin(0).submit(wire.stream(*BASE), 1).submit(b"", 2).present().bytes()
        self.differs(trace(), two, "A has 1 submission, B has 2")


if __name__ == "__main__":
    main()
