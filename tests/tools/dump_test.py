# SPDX-License-Identifier: MIT
"""aerogpu info, dump and extract."""
import json
import os
import resource
import struct
import subprocess

import png
import wire
from program import ProgramTest, main

GOOD = wire.stream(
    wire.create_texture(1, wire.B8G8R8A8, 64, 32),
    wire.targets(1),
    wire.clear(1, 0, 0, 0.5),
    wire.packet(0x7F0, 5),
    wire.present(1),
)
GOOD_LINES = """\
  0x00000018 CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=B8G8R8A8_UNORM \
width=64 height=32 mip_levels=1 array_layers=1 row_pitch_bytes=0 backing_alloc_id=0 \
backing_offset_bytes=0
  0x00000050 SET_RENDER_TARGETS color_count=1 depth_stencil=0 colors=[1 0 0 0 0 0 0 0]
  0x00000080 CLEAR flags=COLOR color_rgba_f32=[1 0 0 0.5] depth_f32=1 stencil=0
"""


def trace():
    t = wire.Trace().begin(0).submit(GOOD, 7, context=3, flags=1).present()
    t.begin(1).submit(wire.stream(wire.nop()), 8, wire.alloc_table((5, 1, 0x1000, 16)),
                      [(5, 1, 0x1000, b"x" * 16)])
    return t.present().bytes()


class Info(ProgramTest):
    def facts(self, output):
        lines = output.split("\n\n")[0].splitlines()
        return {line.split("  ")[0]: line.split("  ", 1)[1].strip() for line in lines}

    def test_a_trace_is_described(self):
        output, _ = self.run_program("info", self.file("t", trace()))
        facts = self.facts(output)
        self.assertEqual(facts["kind"], "trace, container version 2")
        self.assertEqual(facts["command ABI"], "1.4")
        self.assertEqual(facts["recorded by"], "by hand")
        self.assertEqual(facts["frames"], "2")
        self.assertEqual(facts["contents table"], "agrees with the records")
        self.assertEqual(facts["submissions"], "2")
        self.assertEqual(facts["packets"], "6, 1 of unknown opcodes")
        self.assertEqual(facts["presents"], "1")
        self.assertEqual(facts["blobs, allocation content"], "1, 16 bytes")
        self.assertIn("\nCLEAR ", output)

    def test_a_raw_stream_is_described(self):
        output, _ = self.run_program("info", self.file("s", GOOD))
        self.assertEqual(self.facts(output)["kind"], "raw command stream")

    def test_the_toy_abi_is_described(self):
        data = wire.Trace(1, 1).begin(0).packet(struct.pack("<II", 1, 2)).present().bytes()
        output, _ = self.run_program("info", self.file("t", data))
        self.assertEqual(self.facts(output)["command ABI"], "0.1 (toy, listed only)")
        self.assertEqual(self.facts(output)["foreign packets"], "1")

    def test_a_table_of_contents_that_disagrees_is_1(self):
        data = bytearray(trace())
        data[-32 - 64 + 8] ^= 1
        output, _ = self.run_program("info", self.file("t", data), code=1)
        self.assertIn("disagrees", self.facts(output)["contents table"])

    def test_metadata_that_disagrees_is_1(self):
        for meta in (b"{}", b"nonsense", b'{"emulator_version":"x","command_abi_version":5}', b"[" * 9999):
            data = wire.Trace(metadata=meta).begin(0).present().bytes()
            output, _ = self.run_program("info", self.file("t", data), code=1)
            self.assertIn("unknown: the metadata", self.facts(output)["recorded by"])

    def test_text_of_a_recording_reaches_the_terminal_without_control_characters(self):
        name = "a\x1b]0;title\x07b\nbroken streams  0\\\u009b2Jé"
        meta = json.dumps({"emulator_version": name, "command_abi_version": wire.ABI}).encode()
        data = wire.Trace(metadata=meta).begin(0).present().bytes()
        output, _ = self.run_program("info", self.file("t", data))
        self.assertEqual(self.facts(output)["recorded by"],
                         r"a\x1b]0;title\x07b\x0abroken streams  0\\\x9b2Jé")

    def test_a_newer_container_is_refused_by_name(self):
        data = wire.Trace(version=3).begin(0).present().bytes()
        _, errors = self.run_program("info", self.file("t", data), code=2)
        self.assertIn("BadVersion", errors)
        self.assertIn("container_version is newer than this reader (3, limit 2)", errors)


class Dump(ProgramTest):
    def test_one_packet_a_line(self):
        output, errors = self.run_program("dump", self.file("s", GOOD))
        self.assertTrue(output.startswith(GOOD_LINES), output)
        self.assertIn("  0x000000a4 UNKNOWN_0x7f0", output)
        self.assertEqual(len(output.splitlines()), 5)
        self.assertEqual(errors, "")

    def test_direct3d_states_and_values_have_their_names(self):
        states = [(19, 5), (168, 7), (38, wire.f32(0.5)), (60, 0xFF102030), (57, 3), (19, 77), (4000, 9)]
        path = self.file("s", wire.stream(*[wire.packet(0x512, *state) for state in states],
                                          wire.packet(0x511, 1, 2, 6, 3)))
        output, _ = self.run_program("dump", path)
        self.assertEqual([line.split(" ", 4)[4] for line in output.splitlines()], [
            "state=SRCBLEND value=SRCALPHA", "state=COLORWRITEENABLE value=RED|GREEN|BLUE",
            "state=FOGDENSITY value=0.5", "state=TEXTUREFACTOR value=0xff102030",
            "state=STENCILREF value=3", "state=SRCBLEND value=0x4d", "state=4000 value=0x9",
            "shader_stage=PIXEL slot=2 state=MINFILTER value=ANISOTROPIC"])
        output, _ = self.run_program("dump", "--json", path)
        fields = json.loads(output)["submissions"][0]["stream"]["packets"][0]["fields"]
        self.assertEqual(fields, {"state": "SRCBLEND", "value": "SRCALPHA"})

    def test_a_trace_has_a_line_for_each_submission_and_allocation(self):
        output, _ = self.run_program("dump", self.file("t", trace()))
        self.assertIn("submission 0, frame 0, context 3, fence 7, PRESENT\n" + GOOD_LINES, output)
        self.assertIn("submission 1, frame 1, context 0, fence 8\n"
                      "  allocation 5 at 0x1000, 16 bytes, READONLY\n"
                      "  0x00000018 NOP\n", output)

    def test_frames_and_submissions_can_be_chosen(self):
        for option in ("--frames", "--submissions"):
            output, _ = self.run_program("dump", self.file("t", trace()), option, "1")
            self.assertTrue(output.startswith("submission 1"), output)

    def test_frames_and_submissions_that_are_not_there_are_2(self):
        for option in ("--frames", "--submissions"):
            output, errors = self.run_program("dump", self.file("t", trace()), option, "70-90", code=2)
            self.assertEqual(output, "")
            self.assertIn("no submission lies in what was chosen", errors)

    def test_packet_records_of_version_1_are_dumped(self):
        data = wire.Trace(1).begin(4).packet(GOOD).present().bytes()
        output, _ = self.run_program("dump", self.file("t", data))
        self.assertTrue(output.startswith("packet record 0, frame 4\n" + GOOD_LINES), output)

    def test_toy_packets_and_blobs_are_listed(self):
        t = wire.Trace(1, 1).begin(0)
        t.blob(4, b"// wgsl")
        data = t.packet(struct.pack("<5I", 1, 3, 0, 9, 2)).present().bytes()
        output, _ = self.run_program("dump", self.file("t", data))
        self.assertIn("  0x0 opcode 1, 12 bytes\n  0xc opcode 9, 8 bytes\n", output)
        self.assertIn("blob 1, WGSL, 7 bytes\n", output)

    def test_records_of_another_abi_are_not_read_as_toy_packets(self):
        payload = wire.stream(wire.nop(), abi=0x20000)
        path = self.file("t", wire.Trace(1, 0x20000).begin(0).packet(payload).present().bytes())
        output, _ = self.run_program("dump", "--json", path)
        record, = json.loads(output)["foreign_records"]
        self.assertEqual((record["size_bytes"], record["packets"], record["error"]), (len(payload), [], None))
        output, _ = self.run_program("dump", path)
        self.assertEqual(output, f"packet record at {record['file_offset']:#x}, ABI 2.0, {len(payload)} bytes\n")

    def test_an_error_points_at_its_byte(self):
        broken = bytearray(GOOD)
        struct.pack_into("<I", broken, 0x80 + 4, 16)  # CLEAR is too short.
        output, _ = self.run_program("dump", self.file("s", broken), code=1)
        self.assertIn("  error: Clear at 0x80: size_bytes is less than the packet's minimum (16, limit 36)\n"
                      "    0x00000080: 00 06 00 00 10 00 00 00", output)
        self.assertIn("\n                ^^ ^^ ^^ ^^\n", output)

    def test_a_wrong_header_is_1(self):
        broken = GOOD[:4] + struct.pack("<I", 0x00020000) + GOOD[8:]
        output, _ = self.run_program("dump", self.file("s", broken), code=1)
        self.assertIn("error: stream header at 0x4: abi_version has another major (2, limit 1)", output)

    def test_strict_reports_rules_that_need_no_host(self):
        data = wire.stream(wire.create_texture(1, 99, 64, 32), wire.packet(0x501, 0, 0, 0, 7))
        path = self.file("s", data)
        self.run_program("dump", path)
        output, _ = self.run_program("dump", "--strict", path, code=1)
        self.assertIn("  error: CreateTexture2D at 0x18: ", output)
        self.assertIn("  warning: SetIndexBuffer at 0x50: ", output)

    def test_json_has_a_version_and_the_submissions(self):
        output, _ = self.run_program("dump", "--json", self.file("t", trace()))
        document = json.loads(output)
        self.assertEqual(set(document), {"version", "submissions", "foreign_records"})
        self.assertEqual(document["version"], 2)
        self.assertEqual(document["foreign_records"], [])
        works = document["submissions"]
        self.assertEqual([w["fence"] for w in works], [7, 8])
        self.assertEqual(works[0]["frame"], 0)
        self.assertEqual(works[0]["context"], 3)
        packets = works[0]["stream"]["packets"]
        self.assertEqual([p["packet"] for p in packets][:3],
                         ["CREATE_TEXTURE2D", "SET_RENDER_TARGETS", "CLEAR"])
        self.assertEqual(packets[0]["fields"]["format"], "B8G8R8A8_UNORM")
        self.assertIsNone(works[0]["stream"]["error"])
        data = trace()
        at = works[0]["file_offset"]
        self.assertEqual(data[at:at + 4], b"ACMD")

    def test_json_of_broken_streams_is_json(self):
        data = wire.Trace().begin(0).submit(GOOD[:30], 1).submit(b"", 2).submit(b"ACMD", 3)
        output, _ = self.run_program("dump", "--json", "--strict",
                                     self.file("t", data.present().bytes()), code=1)
        works = json.loads(output)["submissions"]
        self.assertEqual(works[0]["stream"]["error"]["kind"], "Framing")
        self.assertIsNone(works[1]["stream"])
        self.assertEqual(works[2]["stream"]["error"]["offset"], 0)
        good, _ = self.run_program("dump", "--json", self.file("s", GOOD))
        members = set(json.loads(good)["submissions"][0]["stream"])
        for work in works:
            self.assertIn("findings", work)
            if work["stream"] is not None:
                self.assertEqual(set(work["stream"]), members)
                self.assertIn("opcode", work["stream"]["error"])

    def test_json_lists_toy_packets_and_says_where_they_are_broken(self):
        good, broken = struct.pack("<5I", 1, 3, 0, 9, 2), struct.pack("<4I", 1, 2, 9, 5)
        for payloads, code in (([good], 0), ([good, broken], 1), ([good + b"abc"], 1)):
            t = wire.Trace(1, 1).begin(0)
            for payload in payloads:
                t.packet(payload)
            path = self.file("t", t.present().bytes())
            self.run_program("dump", path, code=code)
            output, _ = self.run_program("dump", "--json", path, code=code)
            records = json.loads(output)["foreign_records"]
            self.assertEqual(len(records), len(payloads))
            self.assertEqual(records[0]["packets"], [
                {"offset": 0, "opcode": 1, "packet_size_bytes": 12},
                {"offset": 12, "opcode": 9, "packet_size_bytes": 8}])
            self.assertEqual(records[-1]["error"] is not None, code == 1)
            data = (self.folder / "t").read_bytes()
            self.assertEqual(records[0]["size_bytes"], len(payloads[0]))
            self.assertIn(good, data[records[0]["file_offset"]:][:8 + len(good)])

    def test_a_dump_takes_no_memory_for_what_it_has_printed(self):
        """Of four megabytes come up to fifty of text."""
        room, count = 40 << 20, 1 << 19
        warned = wire.stream(wire.packet(0x501, 0, 0, 0, 7) * (count // 3))
        toy = wire.Trace(1, 1).begin(0).packet(struct.pack("<II", 9, 2) * count).present().bytes()
        for data, options in ((warned, ["--strict"]), (wire.stream(wire.nop() * count), ["--json"]),
                              (warned, ["--json", "--strict"]), (toy, []), (toy, ["--json"])):
            done = subprocess.run([self.program, "dump", self.file("large", data), *options],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
            self.assertEqual((done.returncode, done.stderr), (0, b""), options)

    def test_json_strict_lists_findings(self):
        data = wire.stream(wire.create_texture(1, 99, 64, 32))
        output, _ = self.run_program("dump", "--json", "--strict", self.file("s", data), code=1)
        finding = json.loads(output)["submissions"][0]["findings"][0]
        self.assertEqual(finding["level"], "error")
        self.assertEqual(finding["offset"], 24)


class Extract(ProgramTest):
    CODE = struct.pack("<II", 0xFFFE0200, 0x0000FFFF)

    def test_shaders_streams_memory_and_blobs_become_files(self):
        t = wire.Trace().begin(0)
        t.blob(5, b"void main() {}")
        t.submit(wire.stream(wire.create_shader(9, 0, self.CODE)), 1,
                 wire.alloc_table((5, 0, 0x1000, 4)), [(5, 0, 0x1000, b"abcd")])
        path = self.file("t", t.present().bytes())
        output, _ = self.run_program("extract", path, "--to", "out", "--streams", "--memory")
        files = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}
        self.assertEqual(files["submission-0000-at-0x18-vertex.d3d9"], self.CODE)
        self.assertEqual(files["submission-0000-at-0x18-vertex.d3d9.asm"], b"vs_2_0  ; token 0\n")
        self.assertEqual(files["submission-0000-allocation-5.bin"], b"abcd")
        self.assertEqual(files["blob-1.glsl"], b"void main() {}")
        self.assertIn("vertex shader 9", output)
        self.run_program("dump", self.folder / "out/submission-0000.acmd")

    def test_each_range_of_an_allocation_becomes_a_file(self):
        ranges = [(5, 0, 0x1000, b"abcd"), (5, 0, 0x2000, b"efgh"), (6, 0, 0x3000, b"ijkl"),
                  (5, 0, 0x2000, b"mn")]
        t = wire.Trace().begin(0).submit(wire.stream(wire.nop()), 1, b"", ranges)
        path = self.file("t", t.present().bytes())
        output, _ = self.run_program("extract", path, "--to", "out", "--memory")
        files = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}
        name = "submission-0000-allocation-"
        self.assertEqual(files, {name + "5.bin": b"abcd", name + "5-at-0x2000.bin": b"efgh",
                                 name + "6.bin": b"ijkl", name + "5-at-0x2000-2.bin": b"mn"})
        self.assertEqual(output.count(name), 4)

    def test_each_blob_of_an_id_that_occurs_again_becomes_a_file(self):
        t, contents = wire.Trace().begin(0), [b"first", b"second", b"third"]
        for content in contents:
            t.next_blob = 7
            t.blob(5, content)
        t.next_blob = 8
        t.blob(3, b"DXBC")
        data = t.present().bytes()
        self.run_program("extract", self.file("t", data), "--to", "out")
        files = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}
        later = {f"blob-7-at-{data.index(content):#x}.glsl": content for content in contents[1:]}
        self.assertEqual(files, {"blob-7.glsl": contents[0], **later, "blob-8.dxbc": b"DXBC"})

    def test_a_shader_that_cannot_be_read_is_written_without_assembly(self):
        code = struct.pack("<II", 0xFFFE0200, 0x02000070)
        path = self.file("s", wire.stream(wire.create_shader(9, 0, code)))
        output, _ = self.run_program("extract", path, "--to", "out")
        self.assertIn("vertex shader 9; token 1: opcode is unknown (0x2000070)", output)
        names = [p.name for p in (self.folder / "out").iterdir()]
        self.assertEqual(names, ["submission-0000-at-0x18-vertex.d3d9"])

    def test_a_shader_that_is_made_again_is_written_once(self):
        other = struct.pack("<II", 0xFFFE0300, 0x0000FFFF)
        path = self.file("s", wire.stream(*[wire.create_shader(9 + i, 0, code)
                                            for i, code in enumerate([self.CODE, other, self.CODE])]))
        self.run_program("extract", path, "--to", "out")
        self.assertEqual({p.read_bytes() for p in (self.folder / "out").glob("*.d3d9")},
                         {self.CODE, other})
        self.assertEqual(len(list((self.folder / "out").glob("*.d3d9"))), 2)

    def test_textures_become_pictures(self):
        red = [wire.create_texture(1, wire.B8G8R8A8, 4, 2), wire.create_texture(2, wire.R8G8B8A8, 1, 1),
               wire.create_texture(3, 32, 4, 4), wire.targets(1), wire.clear(1, 0, 0, 1),
               wire.upload(2, bytes([1, 2, 3, 4]))]
        path = self.file("s", wire.stream(*red, wire.clear(0, 0, 1, 1), wire.packet(0x102, 2, 0)))
        output, errors = self.run_program("extract", path, "--to", "out", "--textures")
        self.assertIn("texture 1, 4x2 B8G8R8A8_UNORM", output)
        self.assertIn("texture 3 is D24_UNORM_S8_UINT, which is no picture", errors)
        self.assertEqual([p.name for p in (self.folder / "out").iterdir()], ["texture-1.png"])
        self.assertEqual(png.read(self.folder / "out/texture-1.png")[2], [[(0, 0, 255, 255)] * 4] * 2)
        place = f"0:{len(wire.stream(*red[:-1]))}"
        self.run_program("extract", path, "--to", "then", "--textures", "--until", place)
        self.assertEqual(png.read(self.folder / "then/texture-1.png")[2][0][0], (255, 0, 0, 255))
        self.assertEqual(png.read(self.folder / "then/texture-2.png")[2], [[(1, 2, 3, 4)]])
        broken = self.file("broken", wire.stream(*red[:1], wire.draw(3)))
        _, errors = self.run_program("extract", broken, "--to", "broken-out", "--textures", code=1)
        self.assertIn("submission 0: Draw at 0x50: no vertex shader is bound", errors)
        _, errors = self.run_program("extract", path, "--until", "0", code=2)
        self.assertIn("--until is for --textures", errors)

    def test_byte_code_of_other_kinds_has_no_assembly(self):
        for code in (b"DXBC" + bytes(28), struct.pack("<II", 0x00000040, 2)):
            path = self.file("s", wire.stream(wire.create_shader(9, 0, code)))
            output, _ = self.run_program("extract", path, "--to", "out")
            self.assertNotIn("assembly", output)
            self.assertNotIn("token", output)

    def test_a_recording_of_too_many_files_is_2(self):
        t, most = wire.Trace().begin(0), 1 << 16
        t.data += b"".join(struct.pack("<BBHIQII", 4, 0, 0, 16, i + 1, 5, 0) for i in range(most + 1))
        path = self.file("many", t.present().bytes())
        _, errors = self.run_program("extract", path, "--to", "out", code=2)
        self.assertIn(f"what the recording holds is more than {most} files", errors)
        self.assertEqual(os.listdir(self.folder / "out"), [])

    def test_nothing_to_extract_is_said(self):
        output, _ = self.run_program("extract", self.file("s", wire.stream(wire.nop())))
        self.assertEqual(output, "nothing to extract\n")


if __name__ == "__main__":
    main()
