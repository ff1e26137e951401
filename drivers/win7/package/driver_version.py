#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The version that the drivers and their INF carry, of the project's (kmd.md 4.1).

usage: driver_version.py MAJOR.MINOR.PATCH

Prints 8.14.CC.DDDD: of Windows 7's driver model and a Direct3D 9 driver, as Microsoft wants it.
"""
import sys

WDDM_1_1, DIRECT3D_9 = 8, 14
LIMIT = 100  # Two digits each of DDDD, so that a later project version is a later one here.


def driver_version(project):
    major, minor, patch = (int(number) for number in project.split("-")[0].split("."))
    if minor >= LIMIT or patch >= LIMIT:
        raise ValueError(f"{project} has a number above {LIMIT - 1} behind the first")
    return f"{WDDM_1_1}.{DIRECT3D_9}.{major + 1}.{LIMIT * minor + patch}"


def fault_of(version):
    """What Microsoft's rule has against it, or nothing."""
    numbers = version.split(".")
    if len(numbers) != 4 or not all(n.isdecimal() for n in numbers):
        return f"'{version}' is not four numbers"
    model, interface, build, revision = (int(n) for n in numbers)
    if (model, interface) != (WDDM_1_1, DIRECT3D_9):
        return f"'{version}' is not 8.14, that of a Direct3D 9 driver for WDDM 1.1"
    if not 1 <= build <= 9999 or revision > 9999:
        return f"'{version}' is outside 8.14.1.0 to 8.14.9999.9999"
    return ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(driver_version(sys.argv[1]))
