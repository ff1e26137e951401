# SPDX-License-Identifier: MIT
"""One function of a test in a process of its own: what it said, as numbers."""
import collections
import dataclasses
import os
import re
import signal
import subprocess
import time

FAILED, TODO, FIXED = "Test failed: ", "Test marked todo: ", "Test succeeded inside todo block: "
LAST_LINE = re.compile(r"^[0-9a-f]+:\w+: (\d+) tests executed \((\d+) marked as todo, "
                       r"\d+ as flaky, \d+ failures?\), (\d+) skipped\.$", re.MULTILINE)
SKIPPED = re.compile(r"Tests skipped: (.*?)\.?$", re.MULTILINE)
HOST_ENDED = "aerogpu-run: the host process ended with status "
GRACE_SECONDS = 20
# Every todo is counted: above 1, test.h silences no line. What Wine's own d3d9 cannot do is a todo.
ENVIRONMENT = {"WINETEST_DEBUG": "2", "WINETEST_PLATFORM": "wine"}


@dataclasses.dataclass
class Outcome:
    """What one run found. `checks` counts those that were made, failed ones and todos too."""
    checks: int = 0
    failures: int = 0
    todo: int = 0  # Checks that Wine's d3d9 is known to fail, and that failed.
    fixed: int = 0  # The same, which succeeded: as on Windows.
    skipped: int = 0
    crashed: bool = False
    timed_out: bool = False
    host_fault: bool = False  # The host process found a fault, or died.
    seconds: float = 0.0
    reasons: dict = dataclasses.field(default_factory=dict)  # Of what was skipped: how often each.

    def passes(self):
        is_bad = self.crashed or self.timed_out or self.host_fault
        return self.checks != 0 and self.failures == 0 and not is_bad


def count(text):
    """Of a finished run, from what it printed. One without its last line has crashed."""
    reasons = collections.Counter(SKIPPED.findall(text))
    outcome = Outcome(failures=text.count(FAILED), todo=text.count(TODO), fixed=text.count(FIXED),
                      skipped=reasons.total(), host_fault=HOST_ENDED in text,
                      reasons=dict(reasons))
    last = None
    for last in LAST_LINE.finditer(text):
        pass
    if last is None:
        outcome.crashed = True
        return outcome
    outcome.checks, outcome.todo, outcome.skipped = int(last[1]), int(last[2]), int(last[3])
    return outcome


def end(process):
    """Asks a process group to end, and then does not ask."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE_SECONDS)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            break
    process.wait()


def run(command, environment, folder, log, timeout):
    """Runs a test's program in a folder. What it and its host print goes into the file `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    timed_out = False
    with open(log, "wb") as out:
        process = subprocess.Popen(command, env={**environment, **ENVIRONMENT}, stdout=out,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=folder,
                                   start_new_session=True)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            end(process)
    outcome = count(log.read_text(errors="replace").replace("\r\n", "\n"))
    outcome.seconds = round(time.monotonic() - begin, 2)
    if timed_out:
        outcome.timed_out, outcome.crashed = True, False
    return outcome
