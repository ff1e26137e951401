#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold a driver package's folder to what Windows 7 asks of a display driver (kmd.md 4.1 to 4.3).

usage: inf_lint.py FOLDER x86|x64

The rules are written out here a second time, apart from what writes the INF. Prints one finding a
line and ends with 1 when there is one.
"""
import pathlib
import sys

import inf_rules_files
import inf_rules_registry
import inf_rules_sections
from inf_reader import Inf

RULES = inf_rules_sections.RULES + inf_rules_files.RULES + inf_rules_registry.RULES


class Package:
    """A folder with aerogpu.inf, aerogpu.cat and what they name."""

    def __init__(self, folder, arch):
        self.folder, self.arch = pathlib.Path(folder), arch
        self.decoration = {"x86": "NTx86", "x64": "NTamd64"}[arch]
        self.bytes = (self.folder / "aerogpu.inf").read_bytes()
        self.inf = Inf(self.bytes.decode("latin-1"))
        self.install = f"{self.install_name()}.{self.decoration}"

    def install_name(self):
        """The undecorated DDInstall section that the model names."""
        rows = self.inf.rows(f"{self.models_name()}.{self.decoration}.6.1")
        return rows[0].values[0] if rows else ""

    def models_name(self):
        rows = self.inf.rows("Manufacturer")
        return rows[0].values[0] if rows else ""

    def install_values(self, directive):
        return [v for v in self.inf.find(self.install, directive) if v]

    def copied(self):
        """(list, row) of each file that the install section copies."""
        return [(name, row) for name in self.install_values("CopyFiles")
                for row in self.inf.rows(name)]

    def copied_names(self):
        return [row.values[0] for _, row in self.copied()]

    def directory(self, name):
        """Where a list's files go: the values of its DestinationDirs row, or of the default."""
        return (self.inf.find("DestinationDirs", name) or
                self.inf.find("DestinationDirs", "DefaultDestDir"))


def lint(folder, arch):
    """(rule, finding) of each thing that is wrong."""
    package = Package(folder, arch)
    return [(rule.__name__, finding) for rule in RULES for finding in rule(package)]


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("x86", "x64"):
        sys.exit(__doc__)
    findings = lint(sys.argv[1], sys.argv[2])
    for rule, finding in findings:
        print(f"{rule}: {finding}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
