#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print docs/conformance.md from the names of the conformance cases, or check that it is up to date.

usage: conformance_table.py [--check]

Every id of the groups below has at least one case, and no case has another id.
"""
import re
import sys

import generated_document

ROOT = generated_document.ROOT
SUITE = ROOT / "tests/conformance"
DOCUMENT = ROOT / "docs/conformance.md"

RENDERING = [ROOT / "tests/golden", ROOT / "tests/vulkan_faults"]

# (prefix, ids, heading)
GROUPS = [
    ("DEV", 140, "Device model (host.md 4.1)"),
    ("CP", 122, "Command processor (host.md 4.2)"),
]
RENDERING_GROUP = ("VK", 86, "Rendering (host.md 4.3)")
# Ids that every case of their suites checks, whatever it is about.
EVERYWHERE = {"VK-085": "every case demands that the validation layers report nothing"}

INTRO = """# Conformance

For whoever writes a backend, or changes the device or the command processor, and wants to know that
the guest cannot tell. Made from the names of the cases by `scripts/conformance_table.py`.

## Run it on your own backend

A backend is a class that models `aerogpu::backend` (`aerogpu/backend/backend.hpp`). The suite is
headers over Catch2 2.13 or 3; two short files of your own turn it into a program.

`my_backends.hpp` says what to test and how to make it:

```cpp
{backends}```

`run.cpp` is the program:

```cpp
{run}```

```sh
c++ -std=c++20 run.cpp -I. $(pkg-config --cflags aerogpu aerogpu-conformance) -o conformance
./conformance
AEROGPU_CONFORMANCE_RUN=hostile_memory ./conformance
AEROGPU_CONFORMANCE_RUN=failing_backend ./conformance
```

(Catch2 3 has its `main` in a library: leave `CATCH_CONFIG_MAIN` out and link `Catch2Main`.)

These very files, with a backend that finishes on a thread of its own, are `tests/conformance/example`. A build
with the thread sanitizer compiles and runs them: `./dev test --all` has one.

## What each run does

| `AEROGPU_CONFORMANCE_RUN` | The environment |
|---|---|
| unset, or `plain` | Calm. The command processor is called directly. |
| `hostile_memory` | Streams go through a device: ring, doorbell, fence page. Guest memory counts the reads of each byte and changes it after the first. No byte of ring, descriptor, table or stream is read twice. |
| `failing_backend` | Each case is recorded and played again through a device while the backend fails at its call 1, 2, 3, ... to the last: once out of memory at that call, once unable to do it, once lost from then on until the reset. `AEROGPU_CONFORMANCE_STRIDE=n` takes every nth call, for backends whose calls take long. The device goes on, fences advance in order, and no object is left. |
| `held` | Completions come as late as the case allows. A backend of your own need not know it. |

Beside what a case asks, each run holds throughout: a submission completes once, in order, after its
write-backs; the backend has no more objects than the processor's tables; commands come between
`begin_submission` and `end_submission`; and no host invariant breaks.

## Cases

An id may have several cases. A name in the last column is a header under `tests/conformance`.

"""

RENDERING_INTRO = """## Pictures

These cases compare every pixel. They know no backend either: an embedder derives one class and
defines `make_host` (`tests/golden/hosts/host.hpp`). [testing.md](testing.md) says where expectations come
from.

"""

CASE = re.compile(r'(?:TEMPLATE_LIST_)?TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')


def cases():
    """(id, sentence, header) of every case, in the order of the files."""
    for path in sorted(SUITE.rglob("*.hpp")):
        for match in CASE.finditer(path.read_text()):
            name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])).replace('\\"', '"')
            found = re.match(r"([A-Z]+-\d{3}) (.+)$", name)
            if not found:
                sys.exit(f"{path.relative_to(ROOT)}: a case without an id: {name!r}")
            yield found[1], found[2], path.relative_to(SUITE).as_posix()


def table(prefix, count, title, found):
    """One row for each id; cases of one id share it."""
    lines = [f"### {title}", "", "| Id | Cases | In |", "|---|---|---|"]
    for number in range(1, count + 1):
        name = f"{prefix}-{number:03}"
        rows = [(sentence, header) for case, sentence, header in found if case == name]
        if not rows:
            sys.exit(f"{name} has no case")
        sentences = "<br>".join(sentence.replace("|", "\\|") for sentence, _ in rows)
        headers = "<br>".join(dict.fromkeys(f"`{header}`" for _, header in rows))
        lines.append(f"| {name} | {sentences} | {headers} |")
    return "\n".join(lines) + "\n"


def rendering_cases():
    """(id, sentence, file) of the cases that look at pictures or at lost devices."""
    for folder in RENDERING:
        for path in sorted(folder.rglob("*.cpp")):
            for match in CASE.finditer(path.read_text()):
                name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])).replace('\\"', '"')
                found = re.match(r"((?:VK-\d{3} )+)([^\[]+)", name)
                for case in found[1].split() if found else ():
                    yield case, found[2].strip(), path.relative_to(ROOT / "tests").as_posix()


def rendering_table():
    found = list(rendering_cases())
    found += [(case, sentence, "golden") for case, sentence in EVERYWHERE.items()]
    return RENDERING_INTRO + table(*RENDERING_GROUP, found)


def document():
    found = list(cases())
    everything = (SUITE / "all.hpp").read_text()
    for header in dict.fromkeys(header for _, _, header in found):
        if f'"tests/conformance/{header}"' not in everything:
            sys.exit(f"tests/conformance/all.hpp leaves out {header}")
    known = {f"{prefix}-{n:03}" for prefix, count, _ in GROUPS for n in range(1, count + 1)}
    unknown = sorted({case for case, _, _ in found} - known)
    if unknown:
        sys.exit(f"cases with ids that the suite does not have: {', '.join(unknown)}")
    example = SUITE / "example"
    intro = INTRO.replace("{backends}", (example / "my_backends.hpp").read_text())
    intro = intro.replace("{run}", (example / "run.cpp").read_text())
    return intro + "\n".join([table(*group, found) for group in GROUPS] + [rendering_table()])


if __name__ == "__main__":
    generated_document.main(DOCUMENT, document, __doc__)
