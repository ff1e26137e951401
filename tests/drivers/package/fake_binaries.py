# SPDX-License-Identifier: MIT
"""Small PE files that stand for the drivers, and folders and packages made of them."""
import contextlib
import os
import pathlib
import struct
import sys

PACKAGE = pathlib.Path(__file__).resolve().parents[3] / "drivers/win7/package"
sys.path.insert(0, str(PACKAGE))

import contents  # noqa: E402
import make_package  # noqa: E402
import pe_image  # noqa: E402

MACHINES = {"x64": 0x8664, "x86": 0x014C}


def pe_file(arch, payload=b"code", tail=b""):
    """One section at 0x200, `tail` behind it; it cannot run, and what signs can read it."""
    wide = arch == "x64"
    optional = bytearray(240 if wide else 224)
    struct.pack_into("<H", optional, 0, 0x20B if wide else 0x10B)
    struct.pack_into("<II", optional, 32, 0x1000, 0x200)  # Alignments.
    struct.pack_into("<II", optional, 56, 0x2000, 0x200)  # Sizes of image and headers.
    struct.pack_into("<H", optional, 68, 1)  # Native.
    struct.pack_into("<I", optional, 108 if wide else 92, 16)
    section = struct.pack("<8sIIIIIIHHI", b".text", 0x200, 0x1000, 0x200, 0x200, 0, 0, 0, 0,
                          0x60000020)
    header = (b"MZ" + bytes(0x3A) + struct.pack("<I", 0x40) + b"PE\0\0" +
              struct.pack("<HHIIIHH", MACHINES[arch], 1, 0, 0, 0, len(optional), 0x22) +
              bytes(optional) + section)
    data = bytearray(header.ljust(0x200, b"\0") + payload.ljust(0x200, b"\xcc") + tail)
    at = pe_image.PeImage(data).checksum_at
    struct.pack_into("<I", data, at, pe_image.checksum(data))
    return bytes(data)


def write_binaries(folder, user_mode=True, programs=True):
    """Folders of binaries as a build leaves them; returns them by architecture."""
    sources = {}
    for arch in MACHINES:
        source = sources[arch] = folder / f"built-{arch}"
        (source / "tests").mkdir(parents=True)
        (source / "aerogpu.sys").write_bytes(pe_file(arch, b"the driver"))
        if programs:
            (source / "aerogpu_dbgctl.exe").write_bytes(pe_file(arch, b"the tool"))
            (source / "tests/fence_state_sanity.exe").write_bytes(pe_file(arch, b"a test"))
    if user_mode:
        (sources["x64"] / "aerogpu_d3d9_x64.dll").write_bytes(pe_file("x64", b"Direct3D"))
        (sources["x86"] / "aerogpu_d3d9.dll").write_bytes(pe_file("x86", b"Direct3D"))
    return sources


def unsigned_folder(folder, arch, user_mode):
    """A driver folder with everything but signatures: for what the linter says."""
    architecture = contents.ARCHITECTURES[arch]
    drivers = architecture.user_mode if user_mode else ()
    folder.mkdir()
    (folder / "aerogpu.sys").write_bytes(pe_file(arch))
    for d in drivers:
        (folder / d.name).write_bytes(pe_file(d.built_for))
    (folder / "aerogpu.inf").write_bytes(make_package.write_inf(
        architecture, drivers, contents.driver_version(), contents.release_date()).encode("ascii"))
    write_catalogue(folder)
    return folder


def write_catalogue(folder):
    members = [make_package.member_of(p.name, p.read_bytes())
               for p in sorted(folder.iterdir()) if p.suffix != ".cat"]
    (folder / "aerogpu.cat").write_bytes(
        make_package.write_catalog(members, contents.release_date()))


@contextlib.contextmanager
def environment(**values):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
