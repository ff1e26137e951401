#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the driver packages for Windows 7 from binaries that are built.

Each folder of binaries holds aerogpu.sys, and may hold aerogpu_dbgctl.exe, the guest tests in
tests/, and the user-mode driver: aerogpu_d3d9_x64.dll (x64), aerogpu_d3d9.dll (x86). Packages have
user-mode drivers when both are there.

OUT gets x64/ and x86/ (INF, catalogue, driver), the programs, install.cmd, uninstall.cmd,
verify.cmd, LICENSE.txt, README.txt, the test certificate and an image of all that; signing/ keeps
the key for the next time.
"""
import argparse
import pathlib
import shutil

import contents
import tools
from catalog import member_of, write_catalog
from inf_lint import lint
from inf_writer import write_inf
from iso import write_iso
from pe_image import PeImage
from signing import Signer

HERE = pathlib.Path(__file__).resolve().parent
TOOL = "aerogpu_dbgctl.exe"


def read_binary(folder, name, arch):
    """A PE file without signature, built for `arch`."""
    path = folder / name
    if not path.is_file():
        tools.fail(f"there is no {path}")
    try:
        image = PeImage(path.read_bytes())
    except ValueError as error:
        tools.fail(f"{path}: {error}")
    if image.machine != contents.MACHINES[arch]:
        tools.fail(f"{path} is built for machine {image.machine:#06x}, not for {arch}")
    return image.unsigned()


def user_mode_binaries(sources):
    """The user-mode drivers by name; none when there is none, and half of them is a mistake."""
    drivers = {d for arch in contents.ARCHITECTURES.values() for d in arch.user_mode}
    present = {d.name for d in drivers if (sources[d.built_for] / d.name).exists()}
    missing = {d.name for d in drivers} - present
    if present and missing:
        tools.fail(f"{sorted(present)[0]} is there and {sorted(missing)[0]} is not")
    return {d.name: read_binary(sources[d.built_for], d.name, d.built_for)
            for d in drivers if present}


def fresh_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def write_driver_folder(out, arch, source, user_mode, signer):
    """One architecture's INF, driver and catalogue, signed and held to the rules."""
    driver = read_binary(source, contents.DRIVER, arch.name)
    folder = fresh_folder(out / arch.name)
    when = contents.build_time()
    (folder / contents.DRIVER).write_bytes(driver)
    signer.sign(folder / contents.DRIVER, "AeroGPU")
    drivers = [d for d in arch.user_mode if d.name in user_mode]
    for d in drivers:
        (folder / d.name).write_bytes(user_mode[d.name])
    inf = write_inf(arch, drivers, contents.driver_version(), when)
    (folder / contents.INF).write_bytes(inf.encode("ascii"))
    members = [member_of(p.name, p.read_bytes()) for p in sorted(folder.iterdir())]
    (folder / contents.CATALOG).write_bytes(write_catalog(members, when))
    signer.sign(folder / contents.CATALOG, "AeroGPU")
    findings = lint(folder, arch.name)
    if findings:
        tools.fail("\n".join(f"{arch.name}: {rule}: {text}" for rule, text in findings))


def write_programs(out, sources):
    """The tool and the guest tests, where they were built; returns their names below `out`."""
    names = []
    shutil.rmtree(out / "tests", ignore_errors=True)
    for arch in contents.ARCHITECTURES.values():
        source = sources[arch.name]
        (out / arch.tool).unlink(missing_ok=True)
        if (source / TOOL).exists():
            (out / arch.tool).write_bytes(read_binary(source, TOOL, arch.name))
            names.append(arch.tool)
        for test in sorted((source / "tests").glob("*.exe")):
            folder = out / "tests" / arch.name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / test.name).write_bytes(read_binary(test.parent, test.name, arch.name))
    return names + (["tests"] if (out / "tests").exists() else [])


def write_texts(out):
    """Scripts, licence and help, with the line ends of Windows."""
    sources = {name: HERE / name for name in contents.SCRIPTS}
    sources |= {name: contents.ROOT / path for name, path in contents.DOCUMENTS.items()}
    for name, source in sources.items():
        (out / name).write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))


def make_package(out, sources):
    if any(source.resolve().is_relative_to(out.resolve()) for source in sources.values()):
        tools.fail("binaries are read from a build folder, not from the package itself")
    user_mode = user_mode_binaries(sources)
    signer = Signer(out / "signing", contents.build_time())
    for arch in contents.ARCHITECTURES.values():
        write_driver_folder(out, arch, sources[arch.name], user_mode, signer)
    signer.export(out / contents.CERTIFICATE)
    write_texts(out)
    names = [*contents.ARCHITECTURES, contents.CERTIFICATE, *contents.SCRIPTS, *contents.DOCUMENTS,
             *write_programs(out, sources)]
    write_iso(out, names, out / contents.IMAGE, contents.build_time())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for arch in contents.ARCHITECTURES:
        parser.add_argument(f"--{arch}", metavar="DIR", required=True, type=pathlib.Path,
                            help=f"where the {arch} binaries are")
    parser.add_argument("--out", metavar="OUT", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    make_package(arguments.out, {"x64": arguments.x64, "x86": arguments.x86})
    print(f"{arguments.out}: packages for {' and '.join(contents.ARCHITECTURES)}, "
          f"{contents.IMAGE}")


if __name__ == "__main__":
    main()
