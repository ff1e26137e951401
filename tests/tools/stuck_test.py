#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""aerogpu replay of a guest that hangs the device: the program ends, and says so honestly, while
threads of the driver still run."""
import struct
import time
import unittest

import wire
from program import ProgramTest, main

VS = struct.pack("<8I", 0xFFFE0200,                      # vs_2_0
                 0x0200001F, 0x80000000, 0x900F0000,     # dcl_position0 v0
                 0x02000001, 0xC00F0000, 0x90E40000,     # mov oPos, v0
                 0x0000FFFF)
PS = struct.pack("<11I", 0xFFFF0200,                     # ps_2_0
                 0x05000051, 0xA00F0000, *[0x3F800000] * 4,  # def c0, 1, 1, 1, 1
                 0x02000001, 0x800F0800, 0xA0E40000,     # mov oC0, c0
                 0x0000FFFF)
LAYOUT = struct.pack("<HHBBBB", 0, 0, 3, 0, 0, 0) + struct.pack("<HHBBBB", 0xFF, 0, 17, 0, 0, 0)
VERTEX, PIXEL, TRIANGLES = 0, 1, 4


def draw_for_years():
    return wire.stream(
        wire.create_texture(1, wire.B8G8R8A8, 16, 16), wire.create_buffer(2, 64),
        wire.create_shader(1, VERTEX, VS), wire.create_shader(2, PIXEL, PS),
        wire.packet(0x204, 1, len(LAYOUT), 0, payload=LAYOUT), wire.packet(0x206, 1, 0),
        wire.targets(1), wire.viewport(16, 16), wire.packet(0x202, 1, 2, 0, 0),
        wire.packet(0x500, 0, 1, 2, 16, 0, 0), wire.packet(0x502, TRIANGLES, 0),
        wire.packet(0x601, 0xFFFFFFF0, 0xFFFFFFFF, 0, 0))


class Stuck(ProgramTest):
    def test_the_program_ends_with_the_code_of_a_failed_submission(self):
        trace = self.file("years", wire.Trace().begin(0).submit(draw_for_years(), 1)
                          .submit(wire.stream(wire.nop()), 2).present().bytes())
        begin = time.monotonic()
        output, errors = self.run_program("replay", "--backend", "vulkan", "--watchdog", 300,
                                          trace, code=1)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(errors, "")
        # All of the report is there, though the process does not run its exit handlers.
        self.assertIn("longer than the watchdog allows", output)
        self.assertTrue(output.endswith("\n"), output)

    def test_a_watchdog_is_a_number_of_milliseconds_up_to_an_hour(self):
        trace = self.file("nop", wire.stream(wire.nop()))
        for wrong in ("0", "3600001", "soon", "-1", ""):
            _, errors = self.run_program("replay", "--watchdog=" + wrong, trace, code=2)
            self.assertIn("--watchdog needs milliseconds from 1 to 3600000", errors)
        self.run_program("replay", "--watchdog", "3600000", trace)
        # On a loaded machine nothing at all may take longer than a millisecond.
        output, errors = self.run_program("replay", "--watchdog", "1", trace, code=None)
        self.assertEqual(errors, "")
        self.assertIn("submissions", output)


if __name__ == "__main__":
    main()
