# SPDX-License-Identifier: MIT
"""Streams and traces made by hand, so that the program is not tested against itself."""
import json
import struct

ABI = 0x00010004
CLEAR_COLOR = 1
WRITEBACK = 1
RENDER_TARGET = 0x10
B8G8R8A8, R8G8B8A8 = 1, 3


def f32(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def packet(opcode, *dwords, payload=b""):
    """A packet of dwords and a payload that is padded with zeros."""
    body = struct.pack(f"<{len(dwords)}I", *dwords) + payload + b"\0" * (-len(payload) % 4)
    return struct.pack("<II", opcode, 8 + len(body)) + body


def u64(value):
    return value & 0xFFFFFFFF, value >> 32


def nop():
    return packet(0x000)


def create_buffer(handle, size, alloc=0, offset=0):
    return packet(0x100, handle, 1, *u64(size), alloc, offset, 0, 0)


def create_texture(handle, fmt, width, height, alloc=0, pitch=0):
    return packet(0x101, handle, RENDER_TARGET, fmt, width, height, 1, 1, pitch, alloc, 0, 0, 0)


def copy_buffer(to, source, size, flags=0):
    return packet(0x105, to, source, *u64(0), *u64(0), *u64(size), flags, 0)


def copy_texture(to, source, width, height, flags=0):
    return packet(0x106, to, source, 0, 0, 0, 0, 0, 0, 0, 0, width, height, flags, 0)


def upload(handle, data, offset=0):
    return packet(0x104, handle, 0, *u64(offset), *u64(len(data)), payload=data)


def create_shader(handle, stage, code):
    return packet(0x200, handle, stage, len(code), 0, payload=code)


def targets(*colors):
    return packet(0x400, len(colors), 0, *(list(colors) + [0] * (8 - len(colors))))


def viewport(width, height):
    return packet(0x401, f32(0), f32(0), f32(width), f32(height), f32(0), f32(1))


def clear(*rgba):
    return packet(0x600, CLEAR_COLOR, *(f32(c) for c in rgba), f32(1), 0)


def draw(vertices):
    return packet(0x601, vertices, 1, 0, 0)


def present(flags=0, scanout=0):
    return packet(0x700, scanout, flags)


def stream(*packets, abi=ABI):
    body = b"".join(packets)
    return struct.pack("<6I", 0x444D4341, abi, 24 + len(body), 0, 0, 0) + body


def alloc_table(*entries):
    """Entries: (alloc_id, flags, gpa, size)."""
    body = b"".join(struct.pack("<IIQQQ", i, flags, gpa, size, 0) for i, flags, gpa, size in entries)
    return struct.pack("<6I", 0x434F4C41, ABI, 24 + len(body), len(entries), 32, 0) + body


class Trace:
    """A container of either version, record by record."""

    def __init__(self, version=2, abi=ABI, metadata=None):
        self.version = version
        if metadata is None:
            metadata = json.dumps({"emulator_version": "by hand", "command_abi_version": abi}).encode()
        self.data = b"AEROGPUT" + struct.pack("<6I", 32, version, abi, 0, len(metadata), 0) + metadata
        self.frames = []
        self.next_blob = 1

    def record(self, kind, payload):
        self.data += struct.pack("<BBHI", kind, 0, 0, len(payload)) + payload
        return self

    def begin(self, index):
        self.frames.append([index, len(self.data), 0, 0])
        return self.record(1, struct.pack("<I", index))

    def present(self):
        self.frames[-1][2] = len(self.data)
        self.record(2, struct.pack("<I", self.frames[-1][0]))
        self.frames[-1][3] = len(self.data)
        return self

    def packet(self, payload):
        return self.record(3, payload)

    def blob(self, kind, data):
        number = self.next_blob
        self.next_blob += 1
        self.record(4, struct.pack("<QII", number, kind, 0) + data)
        return number

    def submit(self, commands, fence, table=b"", memory=(), context=0, flags=0):
        """`memory`: (alloc_id, flags, gpa, bytes)."""
        stream_blob = self.blob(0x100, commands) if commands else 0
        table_blob = self.blob(0x101, table) if table else 0
        ranges = [(i, f, gpa, len(data), self.blob(0x102, data)) for i, f, gpa, data in memory]
        payload = struct.pack("<6IQQQII", 1, 56, flags, context, 0, 0, fence, stream_blob, table_blob,
                              len(ranges), 0)
        payload += b"".join(struct.pack("<IIQQQ", *r) for r in ranges)
        return self.record(5, payload)

    def bytes(self):
        at = len(self.data)
        toc = b"AEROTOC\0" + struct.pack("<II", 1, len(self.frames))
        for index, start, present_at, end in self.frames:
            toc += struct.pack("<IIQQQ", index, 0, start, present_at, end or at)
        return (self.data + toc + b"AEROGPUF" +
                struct.pack("<IIQQ", 32, self.version, at, len(toc)))
