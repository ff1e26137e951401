# SPDX-License-Identifier: MIT
"""Rules about files: what the INF copies, where to, what lies in folder and catalogue."""
import catalog
from pe_image import PeImage

IN_USE_TRY_RENAME = "0x00004000"
MACHINES = {"x86": 0x014C, "x64": 0x8664}
# Directory and machine of each file that a package may have, by architecture.
PLACES = {
    "x86": {"aerogpu.sys": (("12",), "x86"), "aerogpu_d3d9.dll": (("11",), "x86")},
    "x64": {"aerogpu.sys": (("12",), "x64"), "aerogpu_d3d9_x64.dll": (("11",), "x64"),
            "aerogpu_d3d9.dll": (("10", "SysWOW64"), "x86")},
}
SOURCE_FILES = {"x86": "SourceDisksFiles.x86", "x64": "SourceDisksFiles.amd64"}


def destinations(package):
    if package.inf.find("DestinationDirs", "DefaultDestDir") != ("11",):
        yield "DefaultDestDir is not 11 (System32)"
    for name, row in package.copied():
        file = row.values[0]
        if file not in PLACES[package.arch]:
            yield f"{file} is no file of an {package.arch} package"
        elif package.directory(name) != PLACES[package.arch][file][0]:
            yield f"{file} goes to {package.directory(name)}, not {PLACES[package.arch][file][0]}"


def copy_flags(package):
    for _, row in package.copied():
        file, flags = row.values[0], (row.values + ("", "", ""))[3]
        expected = "" if file.endswith(".sys") else IN_USE_TRY_RENAME
        if flags != expected:
            yield f"{file} is copied with '{flags}', not '{expected}'"


def source_disks(package):
    disks = [row.key for row in package.inf.rows("SourceDisksNames")]
    if disks != ["1"]:
        yield f"[SourceDisksNames] lists {disks}, not one disk"
    listed = {row.key: row.values[0] for row in package.inf.rows(SOURCE_FILES[package.arch])}
    if set(listed) != set(package.copied_names()):
        yield f"[{SOURCE_FILES[package.arch]}] lists {sorted(listed)}, " \
              f"CopyFiles {sorted(package.copied_names())}"
    for file, disk in listed.items():
        if disk not in disks:
            yield f"{file} lies on disk {disk}, which is not named"


def driver_present(package):
    if "aerogpu.sys" not in package.copied_names():
        yield "nothing copies aerogpu.sys"
    drivers = set(package.copied_names()) - {"aerogpu.sys"}
    if drivers and drivers != set(PLACES[package.arch]) - {"aerogpu.sys"}:
        yield f"of the user-mode drivers there is only {sorted(drivers)}"


def folder_contents(package):
    present = {p.name for p in package.folder.iterdir()}
    expected = {"aerogpu.inf", "aerogpu.cat", *package.copied_names()}
    for name in sorted(expected - present):
        yield f"{name} is not in the folder"
    for name in sorted(present - expected):
        yield f"{name} lies in the folder, and the INF does not name it"


def file_machines(package):
    for name in package.copied_names():
        path = package.folder / name
        if name not in PLACES[package.arch] or not path.exists():
            continue  # Other rules say so.
        expected = PLACES[package.arch][name][1]
        try:
            machine = PeImage(path.read_bytes()).machine
        except ValueError as error:
            yield f"{name}: {error}"
            continue
        if machine != MACHINES[expected]:
            yield f"{name} is built for machine {machine:#06x}, not for {expected}"


def catalogue_members(package):
    """The INF and every file that it copies, nothing else, with the bytes that lie here."""
    path = package.folder / "aerogpu.cat"
    if not path.exists():
        return
    members = {m.name: m for m in catalog.read_catalog(path.read_bytes())}
    expected = {"aerogpu.inf", *package.copied_names()}
    if set(members) != expected:
        yield f"the catalogue lists {sorted(members)}, the INF {sorted(expected)}"
    for name in sorted(expected & set(members)):
        file = package.folder / name
        if file.exists() and catalog.member_of(name, file.read_bytes()) != members[name]:
            yield f"{name} has other bytes than the catalogue says"


RULES = [destinations, copy_flags, source_disks, driver_present, folder_contents, file_machines,
         catalogue_members]
