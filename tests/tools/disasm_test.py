# SPDX-License-Identifier: MIT
"""aerogpu disasm."""
import struct
import subprocess

from program import ProgramTest, main

SHADER = struct.pack(
    "<13I", 0xFFFF0200,
    0x0200001F, 0x90000000, 0xA00F0800,
    0x03010042, 0x801F0000, 0xB0E40000, 0xA0E40800,
    0x02000001, 0x800F0800, 0x81FF0000,
    0x0000FFFF, 0xDEADBEEF)
LISTING = """\
ps_2_0                     ; token 0
dcl_2d s0                  ; token 1
texldp_sat r0, t0, s0      ; token 4
mov oC0, -r0.w             ; token 8
"""


class Disasm(ProgramTest):
    def lines(self, text):
        return [[part.strip() for part in line.split(";")] for line in text.splitlines()]

    def test_a_shader_is_listed_with_its_tokens_in_a_column(self):
        output, errors = self.run_program("disasm", self.file("s", SHADER))
        self.assertEqual(self.lines(output), self.lines(LISTING))
        self.assertEqual(len({line.index(";") for line in output.splitlines()}), 1)
        self.assertEqual(errors, "")

    def test_stdin_is_read_for_a_dash(self):
        done = subprocess.run([self.program, "disasm", "-"], input=SHADER, capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.lines(done.stdout.decode()), self.lines(LISTING))
        done = subprocess.run([self.program, "disasm", "-"], input=b"", capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "aerogpu: stdin: token 0: shader is empty\n")

    def test_several_shaders_have_their_names_above_them(self):
        a, b = self.file("a", SHADER), self.file("b", SHADER)
        output, _ = self.run_program("disasm", a, b)
        first, second = output.split("\n\n")
        self.assertTrue(first.startswith(f"; {a}\nps_2_0"))
        self.assertTrue(second.startswith(f"; {b}\nps_2_0"))

    def test_what_is_larger_than_a_shader_is_2_and_is_not_read_to_its_end(self):
        words = "it has more than 4194304 bytes"
        _, errors = self.run_program("disasm", "/dev/zero", code=2)
        self.assertIn("/dev/zero: " + words, errors)
        with open("/dev/zero") as endless:
            done = subprocess.run([self.program, "disasm", "-"], stdin=endless, capture_output=True,
                                  timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.decode(), f"aerogpu: stdin: {words}\n")

    def test_a_shader_with_errors_is_1_and_the_token_is_named(self):
        for code, words in [
            (b"", "token 0: shader is empty"),
            (SHADER[:7], "token 1: shader size is not a multiple of 4"),
            (SHADER[:40], "token 10: source token is missing"),
            (b"DXBC" * 8, "token 0: version token names no shader type (0x43425844)"),
            (struct.pack("<5I", 0xFFFE0200, 0x02000001, 0x800F0000, 0x80E41000, 0xFFFF),
             "token 3: register type is unknown (0x80e41000)"),
        ]:
            path = self.file("s", code)
            output, errors = self.run_program("disasm", path, code=1)
            self.assertEqual(errors, f"aerogpu: {path}: {words}\n")
            self.assertEqual(output, "")

    def test_the_worst_of_several_files_is_the_exit_code(self):
        good, bad = self.file("good", SHADER), self.file("bad", b"nonsense")
        output, _ = self.run_program("disasm", bad, good, code=1)
        self.assertIn("mov oC0", output)
        output, errors = self.run_program("disasm", "missing", bad, good, code=2)
        self.assertIn("missing: No such file", errors)
        self.assertIn("mov oC0", output)
        self.run_program("disasm", self.folder, code=2)


if __name__ == "__main__":
    main()
