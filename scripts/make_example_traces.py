#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the recordings in examples/traces/, or check that they are up to date.

usage: make_example_traces.py [--check]
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples/traces"
sys.path.insert(0, str(ROOT / "tests/tools"))
import wire  # noqa: E402

WRITEBACK, EXPORT, IMPORT = 1, 0x710, 0x711


def clear():
    """One frame: a target is made, cleared and presented."""
    stream = wire.stream(wire.create_texture(1, wire.B8G8R8A8, 320, 180), wire.targets(1),
                         wire.viewport(320, 180), wire.clear(0.16, 0.42, 0.62, 1), wire.present())
    return wire.Trace().begin(0).submit(stream, 1, flags=1).present()


def shared_surface():
    """Two contexts: one draws and exports, the other imports by token and presents."""
    token = wire.u64(0x5EED00000001)
    draw = wire.stream(wire.create_texture(10, wire.B8G8R8A8, 128, 128), wire.targets(10),
                       wire.viewport(128, 128), wire.clear(0.93, 0.45, 0.13, 1),
                       wire.packet(EXPORT, 10, 0, *token))
    show = wire.stream(wire.packet(IMPORT, 11, 0, *token),
                       wire.create_texture(1, wire.B8G8R8A8, 128, 128),
                       wire.copy_texture(1, 11, 128, 128), wire.targets(1), wire.present())
    return wire.Trace().begin(0).submit(draw, 1, context=1).submit(show, 2, context=2, flags=1) \
        .present()


def guest_memory():
    """A picture in guest memory, changed between two frames, and a write-back of the second."""
    width, height, at = 32, 32, 0x7F000000
    size = width * height * 4

    def checker(a, b):
        rows = [b"".join((a if (x // 4 + y // 4) % 2 else b) for x in range(width))
                for y in range(height)]
        return b"".join(rows)

    table = wire.alloc_table((5, 1, at, size), (6, 0, at + size, size))
    first = checker(b"\x30\x30\xd0\xff", b"\xf0\xf0\xf0\xff")
    second = checker(b"\x40\xa0\x40\xff", b"\xf0\xf0\xf0\xff")
    create = wire.stream(
        wire.create_texture(1, wire.B8G8R8A8, width, height, alloc=5, pitch=width * 4),
        wire.create_texture(2, wire.B8G8R8A8, width, height, alloc=6, pitch=width * 4),
        wire.copy_texture(2, 1, width, height), wire.targets(2), wire.present())
    change = wire.stream(wire.packet(0x103, 1, 0, *wire.u64(0), *wire.u64(size)),
                         wire.copy_texture(2, 1, width, height, WRITEBACK), wire.present())
    t = wire.Trace().begin(0)
    t.submit(create, 1, table, [(5, 1, at, first), (6, 0, at + size, bytes(size))], flags=1).present()
    return t.begin(1).submit(change, 2, table, [(5, 1, at, second)], flags=1).present()


def broken_draw():
    """A draw with nothing bound: that submission fails, the next one works."""
    good = wire.stream(wire.create_texture(1, wire.B8G8R8A8, 64, 64), wire.targets(1),
                       wire.viewport(64, 64), wire.clear(0.2, 0.6, 0.3, 1), wire.present())
    return wire.Trace().begin(0).submit(wire.stream(wire.draw(3)), 1).submit(good, 2, flags=1) \
        .present()


EXAMPLES = {"clear": clear, "shared_surface": shared_surface, "guest_memory": guest_memory,
            "broken_draw": broken_draw}


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__.strip().splitlines()[-1])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in EXAMPLES.items():
        path, data = FOLDER / f"{name}.aerogputrace", make().bytes()
        if sys.argv[1:]:
            if not path.exists() or path.read_bytes() != data:
                sys.exit(f"{path} is out of date: run scripts/make_example_traces.py")
        else:
            path.write_bytes(data)


if __name__ == "__main__":
    main()
