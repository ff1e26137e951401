# SPDX-License-Identifier: MIT
"""What a package asks of a PE file: its machine, its Authenticode hash, its signature."""
import hashlib
import struct

SECURITY_DIRECTORY = 4
DIRECTORIES_AT = {0x10B: 96, 0x20B: 112}  # By the magic of PE32 and PE32+.


class PeImage:
    def __init__(self, data):
        self.data = data
        try:
            self.read_headers()
        except struct.error:
            raise ValueError("it ends within its headers") from None

    def read_headers(self):
        data = self.data
        self.header = struct.unpack_from("<I", data, 0x3C)[0] if data[:2] == b"MZ" else len(data)
        if data[self.header:self.header + 4] != b"PE\0\0":
            raise ValueError("it is no PE file")
        self.machine = struct.unpack_from("<H", data, self.header + 4)[0]
        optional = self.header + 24
        magic = struct.unpack_from("<H", data, optional)[0]
        if magic not in DIRECTORIES_AT:
            raise ValueError(f"its optional header has the magic {magic:#x}")
        self.checksum_at = optional + 64
        self.security_at = optional + DIRECTORIES_AT[magic] + 8 * SECURITY_DIRECTORY
        self.signature()

    def signature(self):
        """Offset and size of what signs the file; (0, 0) when nothing does."""
        return struct.unpack_from("<II", self.data, self.security_at)

    def authenticode_sha1(self):
        """SHA-1 over everything but the checksum, the security directory and the signature."""
        start, _ = self.signature()
        end = start or len(self.data)
        body = (self.data[:self.checksum_at] +
                self.data[self.checksum_at + 4:self.security_at] +
                self.data[self.security_at + 8:end])
        return hashlib.sha1(body + bytes(-end % 8)).digest()

    def unsigned(self):
        """The file as it was before it was signed."""
        start, _ = self.signature()
        if start == 0:
            return self.data
        data = bytearray(self.data[:start])
        struct.pack_into("<II", data, self.security_at, 0, 0)
        struct.pack_into("<I", data, self.checksum_at, 0)
        struct.pack_into("<I", data, self.checksum_at, checksum(data))
        return bytes(data)


def checksum(data):
    """As the loader computes it, of a file whose checksum is zero."""
    padded = bytes(data) + bytes(len(data) % 2)
    total = sum(struct.unpack(f"<{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total + len(data)
