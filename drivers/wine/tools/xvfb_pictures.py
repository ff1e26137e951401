# SPDX-License-Identifier: MIT
"""What an Xvfb shows, a PNG file for each second in which it changed."""
import pathlib
import struct
import threading
import zlib

HEADER_WORDS = 25
Z_PIXMAP, BYTES_PER_PIXEL = 2, 4
SECONDS = 1


def read_screen(path):
    """Width, height and rows of bytes R, G, B of a file that Xvfb -fbdir keeps (X11/XWDFile.h)."""
    data = path.read_bytes()
    words = struct.unpack_from(f">{HEADER_WORDS}I", data)
    header_bytes, form, width, height = words[0], words[2], words[4], words[5]
    pitch, colours = words[12], words[19]
    if form != Z_PIXMAP or words[11] != 8 * BYTES_PER_PIXEL:
        raise ValueError(f"{path} is no screen of 32 bits a pixel")
    first = header_bytes + colours * 12
    rows = []
    for y in range(height):
        row = data[first + y * pitch:first + y * pitch + width * BYTES_PER_PIXEL]
        pixels = bytearray(3 * width)
        pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(pixels))
    return width, height, rows


def encode_png(width, height, rows):
    """RGB8 rows as the bytes of a PNG file."""
    def chunk(name, content):
        checked = name + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    scanlines = b"".join(b"\0" + row for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(scanlines, 6)) + chunk(b"IEND", b""))


class Series:
    """Writes FOLDER/screen-0001.png and so on until it is left."""

    def __init__(self, screen, folder):
        self.screen, self.folder = pathlib.Path(screen), pathlib.Path(folder)
        self.last, self.written = None, 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        self.take()

    def run(self):
        while not self.is_over.wait(SECONDS):
            self.take()

    def take(self):
        picture = read_screen(self.screen)
        if picture == self.last:
            return
        self.last = picture
        self.written += 1
        (self.folder / f"screen-{self.written:04}.png").write_bytes(encode_png(*picture))
