# SPDX-License-Identifier: MIT
"""Reads the PNG files that the program writes (8 bits, RGBA or RGB), and writes some."""
import struct
import zlib


def unfilter(kind, row, above, bpp):
    """One row without its filter (PNG 9.2)."""
    if kind == 0:
        return row
    if kind == 2:
        return bytes((value + up) & 0xFF for value, up in zip(row, above))
    out = bytearray(bpp) + row
    over = bytes(bpp) + above
    for i in range(bpp, len(out)):
        left, up, corner = out[i - bpp], over[i], over[i - bpp]
        if kind == 1:
            predicted = left
        elif kind == 3:
            predicted = (left + up) // 2
        else:
            to_left, to_up = abs(up - corner), abs(left - corner)
            to_corner = abs(left + up - 2 * corner)
            predicted = left if to_left <= to_up and to_left <= to_corner else \
                up if to_up <= to_corner else corner
        out[i] = (out[i] + predicted) & 0xFF
    return bytes(out[bpp:])


def read(path):
    """(width, height, rows), a row being a list of (r, g, b, a)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, compressed = 8, b""
    while at < len(data):
        size, = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", data, at + 8 + size)[0]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", body)
            assert (depth, color) in ((8, 6), (8, 2)), (depth, color)
            bpp = 4 if color == 6 else 3
        elif kind == b"IDAT":
            compressed += body
        at += 12 + size
    raw = zlib.decompress(compressed)
    rows, above, stride = [], bytes(width * bpp), width * bpp
    for y in range(height):
        begin = y * (stride + 1)
        above = unfilter(raw[begin], raw[begin + 1:begin + 1 + stride], above, bpp)
        pixels = [tuple(above[i:i + bpp]) for i in range(0, stride, bpp)]
        rows.append([p if bpp == 4 else p + (255,) for p in pixels])
    return width, height, rows


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def write(path, rows):
    """A PNG of rows as `read` gives them."""
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                     chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
