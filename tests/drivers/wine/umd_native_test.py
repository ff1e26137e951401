# SPDX-License-Identifier: MIT
"""The user-mode driver in one process, kernel and device in another one, natively.

usage: umd_native_test.py FOLDER GUESTD DIRECT REMOTE

Pictures are those of a process that has all of it in itself, byte for byte. Two processes share a
surface; one that is killed takes nothing with it; one whose server is killed ends.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import umd_host


def pictures(folder, guestd, direct, remote):
    for name in ("direct", "remote"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    umd_host.run_program(direct, "pictures", folder / "direct", folder="")
    with umd_host.server(guestd) as (where, _):
        print(umd_host.run_program(remote, "pictures", folder / "remote", folder=where))
    umd_host.compare(folder / "direct", folder / "remote")


def sharing(folder, guestd, remote):
    with umd_host.server(guestd) as (where, _):
        environment = {**os.environ, "AEROGPU_GUESTD": str(where)}
        with umd_host.producer([remote, "-", "produce"], environment) as (share, process):
            umd_host.run_program(remote, "consume", share, folder, folder=where)
            umd_host.check_run("the producer", *umd_host.finish(process))
    umd_host.check_shared(folder / "shared.ppm")


def killed_client(folder, guestd, remote):
    """The server's status would tell of a handle that is left."""
    with umd_host.server(guestd) as (where, _):
        environment = {**os.environ, "AEROGPU_GUESTD": str(where)}
        with umd_host.producer([remote, "-", "produce"], environment) as (_, process):
            process.kill()
        umd_host.run_program(remote, "pictures", folder / "remote", folder=where)
    print("a killed process left nothing")


def killed_server(guestd, remote):
    with umd_host.server(guestd, expects_status=-9) as (where, server):
        environment = {**os.environ, "AEROGPU_GUESTD": str(where)}
        with umd_host.producer([remote, "-", "produce"], environment) as (_, process):
            server.kill()
            status, text = umd_host.finish(process)
            # D3DERR_DEVICEREMOVED.
            if status == 0 or "Flush: 0x88760870" not in text:
                umd_host.fail(f"a program does not notice that its server is gone:\n{text}")
    print("without its server a program gets errors, and ends")


def no_server(folder, remote):
    done = subprocess.run([remote, "-", "pictures", folder], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, timeout=umd_host.SECONDS,
                          env={**os.environ, "AEROGPU_GUESTD": str(folder / "nobody")})
    if done.returncode == 0 or "there is no server in" not in done.stderr:
        umd_host.fail(f"without a server: {done.returncode}, {done.stderr}")
    print("without a server a program says so")


def watched(folder, guestd, remote):
    """Whatever the backend: something is shown, and something was submitted."""
    seen, recorded = folder / "seen", folder / "recorded.aerogputrace"
    shutil.rmtree(seen, ignore_errors=True)
    recorded.unlink(missing_ok=True)
    with umd_host.server(guestd, "--png", seen, "--trace", recorded) as (where, _):
        umd_host.run_program(remote, "pictures", folder / "remote", folder=where)
    if not (seen / "desktop-0001.png").read_bytes().startswith(b"\x89PNG"):
        umd_host.fail("a watched desktop has no picture")
    texture_bytes = 64 * 64 * 4
    if recorded.stat().st_size < texture_bytes:
        umd_host.fail("a recording holds less than one texture")
    print("pictures and a recording of what was drawn")


def unwritable(guestd):
    """Pictures that were wanted and could not be written are a status."""
    with umd_host.server(guestd, "--png", "/dev/null/folder", expects_status=1):
        print("a folder that cannot be made is told")


def main():
    folder, guestd, direct, remote = sys.argv[1:]
    folder = pathlib.Path(folder)
    pictures(folder, guestd, direct, remote)
    sharing(folder, guestd, remote)
    killed_client(folder, guestd, remote)
    killed_server(guestd, remote)
    no_server(folder, remote)
    watched(folder, guestd, remote)
    unwritable(guestd)


if __name__ == "__main__":
    main()
