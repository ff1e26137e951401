# SPDX-License-Identifier: MIT
"""Builds aerogpu.sys as it ships and runs it as a service of Wine's kernel, beside a driver that
plays dxgkrnl.

usage: run_service_test.py ROOT FOLDER WINE x86_64|i686

Twice: dxgkrnl is loaded by the driver, and before it. The program's closing line is what passes, and
counts above zero; an access that cannot be decoded ends the kernel's process, and with it the run.
"""
import pathlib
import sys

import wine_host

FOLDER = "drivers/win7/tests/run_service"
PROGRAMS = [f"{FOLDER}/{name}" for name in
            ("run_service.exe", "dxgkrnl_test.sys", "dxgkrnl_model.dll")]
CLOSING_LINE = "aerogpu.sys ran as a service to the end"
COUNTS = ("imports", "Wine's own", "table entries", "register reads", "register writes",
          "clock reads", "IRQL reads")
ORDERS = {"miniport": "dxgkrnl was loaded by the driver",
          "dxgkrnl": "dxgkrnl was loaded before the driver"}


def faults(order, status, text):
    yield from wine_host.faults(status, text, CLOSING_LINE, COUNTS)
    if ORDERS[order] not in text.split("\n"):
        yield f"the line '{ORDERS[order]}' is missing"


def run(root, folder, wine, machine):
    folder32, why = wine_host.wine32_for(root, machine)
    if why:
        print(f"SKIPPED: the x86 aerogpu.sys is not run as a service: {why}")
        return wine_host.SKIPPED
    driver, out = wine_host.build_driver(root, folder, machine, PROGRAMS)
    found = []
    for order in ORDERS:
        with wine_host.Wine(wine, folder / "prefix", folder32) as started:
            status, text = started.run(
                out / FOLDER / "run_service.exe", wine_host.windows_path(driver),
                wine_host.windows_path(out / FOLDER / "dxgkrnl_test.sys"), order, cwd=folder)
        print(text)
        for fault in faults(order, status, text):
            print(f"run_service, {order}: {fault}")
            found.append(fault)
    return 1 if found else 0


if __name__ == "__main__":
    wine_host.main(run)
