# SPDX-License-Identifier: MIT
"""What variables of the environment do to the driver's DLL: what a debugger hears, and stderr."""
import re
import subprocess

import umd_host
import wine_host

SECTIONS = (r"Local\\AeroGPU\.GlobalHandleCounter",
            r"Local\\AeroGPU\.D3D9\.ShareToken\.[0-9A-F]{16}")
TRACE = "aerogpu-d3d9-trace: "
DUMP = re.compile(TRACE + r"dump reason=DLL_PROCESS_DETACH entries=(\d+) ")


def hear(program, environment, folder):
    """A device is made and ended. Lines that a debugger hears, and those on stderr."""
    heard = folder / "debugger.txt"
    heard.unlink(missing_ok=True)
    wanted = {**environment, "AEROGPU_TEST_DEBUGGER": wine_host.windows_path(heard)}
    done = subprocess.run(program + ["open"], env=wanted, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=umd_host.SECONDS)
    text = done.stdout.decode(errors="replace").replace("\r\n", "\n")
    umd_host.check_run("the program that opens a device", done.returncode, text)
    lines = heard.read_text().split("\n")[:-1]
    if not any(line.startswith("aerogpu-d3d9: module_path=") for line in lines):
        umd_host.fail(f"a debugger does not hear the driver: {lines}")
    return lines, done.stderr.decode(errors="replace").splitlines()


def check_sections(lines, security):
    """One line for each section, in any order, with this security; without one no line."""
    said = [line for line in lines if "MIC section=" in line]
    wanted = [f"aerogpu-d3d9: MIC section={section} security={security}" for section in SECTIONS]
    for pattern in wanted if security else ():
        if sum(re.fullmatch(pattern, line) is not None for line in said) != 1:
            umd_host.fail(f"no single line of {pattern} in {said}")
    if len(said) != (len(SECTIONS) if security else 0):
        umd_host.fail(f"lines about sections: {said}")
    print(f"sections: {said or 'no line'}")


def sections(program, environment, folder):
    """The real DLL says of each section which security was taken, only when asked to. [T280]"""
    asked = {**environment, "AEROGPU_LOG_MIC": "1"}
    without_sddl = {**asked, "AEROGPU_TEST_WITHOUT_SDDL": "1"}
    check_sections(hear(program, environment, folder)[0], None)
    check_sections(hear(program, asked, folder)[0], "SDDL")
    check_sections(hear(program, without_sddl, folder)[0], "NULL DACL")
    with umd_host.producer(program + ["produce"], environment) as (_, process):
        check_sections(hear(program, asked, folder)[0], "relabelled")
        umd_host.check_run("the producer", *umd_host.finish(process))


def check_dump(lines):
    """A banner, and a dump with as many records as its header says."""
    at = [i for i, line in enumerate(lines) if DUMP.match(line)]
    if not lines or not lines[0].startswith(TRACE + "enabled ") or len(at) != 1:
        umd_host.fail(f"the trace is no banner and one dump: {lines}")
    records = lines[at[0] + 1:]
    if int(DUMP.match(lines[at[0]])[1]) != len(records) or len(records) < 3:
        umd_host.fail(f"the dump does not hold its records: {lines}")
    if not all(line.startswith(f"{TRACE}#{i:03} ") for i, line in enumerate(records)):
        umd_host.fail(f"the dump's records are not in order: {records}")


def stderr(program, environment, folder):
    """The real DLL's dump reaches stderr as well as the debugger, only when asked to. [T281]"""
    traced = {**environment, "AEROGPU_D3D9_TRACE": "1", "AEROGPU_D3D9_TRACE_DUMP_ON_DETACH": "1"}
    for is_asked in (False, True):
        wanted = {**traced, "AEROGPU_D3D9_TRACE_STDERR": "1"} if is_asked else traced
        heard, errors = hear(program, wanted, folder)
        trace = [line for line in heard if line.startswith(TRACE)]
        check_dump(trace)
        on_stderr = [line for line in errors if line.startswith(TRACE)]
        if on_stderr != (trace if is_asked else []):
            umd_host.fail(f"asked {is_asked}, stderr has {on_stderr} of {trace}")
        print(f"trace: {len(trace)} lines for a debugger, {len(on_stderr)} on stderr")


def check(program, environment, folder):
    sections(program, environment, folder)
    stderr(program, environment, folder)
