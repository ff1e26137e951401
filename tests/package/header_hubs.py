# SPDX-License-Identifier: MIT
"""Which headers are precompiled, so that checking each header alone does not read most of the library
for each of them.

A header may be checked on top of a precompiled one, its hub, when it includes the hub before its own
first line of code, and the hub does not include it: what the hub brings is there in any case, and
whether the hub itself includes what it uses is checked too.
"""
import re

INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)
HUB_COUNT = 8


def leading_includes(text):
    """What a header includes before its first line of code."""
    names = []
    for line in text.splitlines():
        if match := INCLUDE.match(line):
            names.append(match[1])
        elif line.strip() and not line.startswith(("#", "//")):
            break
    return names


def closure_of(names, includes):
    seen, pending = set(), [name for name in names if name in includes]
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += [other for other in includes[name] if other in includes]
    return seen


class hub_choice:
    """Hubs for `texts`, the text of each header by name."""

    def __init__(self, texts):
        includes = {name: INCLUDE.findall(text) for name, text in texts.items()}
        self._inside = {name: closure_of([name], includes) for name in texts}
        self._before = {name: closure_of(leading_includes(text), includes)
                        for name, text in texts.items()}
        self._weight = {name: sum(len(texts[other]) for other in inside)
                        for name, inside in self._inside.items()}
        self.hubs = []
        while len(self.hubs) < HUB_COUNT:
            gains = {hub: self._gain(hub) for hub in texts if hub not in self.hubs}
            best = max(gains, key=gains.get, default=None)
            if best is None or gains[best] <= 0:
                break
            self.hubs.append(best)

    def _serves(self, hub, name):
        return hub in self._before[name] and name not in self._inside[hub]

    def _saved(self, name):
        hub = self.hub_of(name)
        return self._weight[hub] if hub else 0

    def _gain(self, hub):
        """Bytes that would not be read again, less those that the hub takes: it has none itself."""
        weight = self._weight[hub]
        return sum(max(0, weight - self._saved(name)) for name in self._inside
                   if self._serves(hub, name) and name not in self.hubs) - weight

    def hub_of(self, name):
        """The heaviest one that serves a header, or None."""
        return max((hub for hub in self.hubs if self._serves(hub, name)), key=self._weight.get,
                   default=None)
