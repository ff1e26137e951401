# SPDX-License-Identifier: MIT
"""What a driver package holds, by architecture (kmd.md 4.1, 4.2): the one table of names."""
import dataclasses
import datetime
import os
import pathlib
import re

import driver_version as versions
import tools

ROOT = pathlib.Path(__file__).resolve().parents[3]
HARDWARE_ID = r"PCI\VEN_A3A0&DEV_0001"
INF, CATALOG, DRIVER = "aerogpu.inf", "aerogpu.cat", "aerogpu.sys"
CERTIFICATE, IMAGE = "aerogpu_test.cer", "aerogpu-win7-guest.iso"
CERTIFICATE_SUBJECT = "AeroGPU Test Signing"
SCRIPTS = ("install.cmd", "uninstall.cmd", "verify.cmd")
DOCUMENTS = {"LICENSE.txt": "LICENSE", "README.txt": "docs/windows7.md"}
# The day of each version, a later one of a later version: Windows ranks drivers by date, then by version.
RELEASE_DAYS = {"0.1.0": "2025-01-01"}
MACHINES = {"x64": 0x8664, "x86": 0x014C}  # IMAGE_FILE_MACHINE_AMD64, _I386


@dataclasses.dataclass(frozen=True)
class UserModeDriver:
    name: str
    built_for: str  # Which architecture's folder of binaries it comes from.
    directory: str  # "native": System32; "wow": SysWOW64.


@dataclasses.dataclass(frozen=True)
class Architecture:
    name: str
    decoration: str  # Of DDInstall sections; those of Models add the version.
    source_files: str  # [SourceDisksFiles.*]
    user_mode: tuple[UserModeDriver, ...]  # D3D9 alone: there is no D3D10 driver.
    tool: str  # aerogpu_dbgctl.exe under this name: both lie side by side.


ARCHITECTURES = {
    "x86": Architecture("x86", "NTx86", "x86",
                        (UserModeDriver("aerogpu_d3d9.dll", "x86", "native"),),
                        "aerogpu_dbgctl.exe"),
    "x64": Architecture("x64", "NTamd64", "amd64",
                        (UserModeDriver("aerogpu_d3d9_x64.dll", "x64", "native"),
                         UserModeDriver("aerogpu_d3d9.dll", "x86", "wow")),
                        "aerogpu_dbgctl_x64.exe"),
}


def project_version():
    """As the root meson.build says it."""
    text = (ROOT / "meson.build").read_text()
    return re.search(r"^\s*version : '(\d+\.\d+\.\d+)'", text, re.MULTILINE)[1]


def release_date(version=None):
    """Of the project's version, or of that one."""
    version = version or project_version()
    if version not in RELEASE_DAYS:
        tools.fail(f"version {version} has no day in contents.py")
    day = datetime.datetime.fromisoformat(RELEASE_DAYS[version])
    return day.replace(tzinfo=datetime.timezone.utc)


def build_time():
    """The date of everything that carries one: never the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return release_date()
    return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)


def driver_version():
    """That of the project, as Windows wants it."""
    return versions.driver_version(project_version())
