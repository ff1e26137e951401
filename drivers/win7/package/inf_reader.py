# SPDX-License-Identifier: MIT
"""Takes an INF apart: sections, rows, values, strings."""
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Row:
    key: str | None  # Left of "=", when there is one.
    values: tuple[str, ...]  # Without quotes; %strings% as written.
    line: int


class Inf:
    """Sections by name in lower case, as setup compares them; `names` has them as written."""

    def __init__(self, text):
        self.sections, self.names, self.problems = {}, {}, []
        current = None
        for number, line in enumerate(text.splitlines(), 1):
            line = without_comment(line).strip()
            if not line:
                continue
            if line.startswith("["):
                current = self.open_section(line, number)
            elif current is None:
                self.problems.append(f"line {number} stands before the first section")
            else:
                current.append(read_row(line, number))
        self.strings = {row.key.lower(): row.values[0] for row in self.rows("Strings")
                        if row.key and row.values}

    def open_section(self, line, number):
        name = line[1:-1].strip()
        if not line.endswith("]") or not name:
            self.problems.append(f"line {number} opens no section: {line}")
        if name.lower() in self.sections:
            self.problems.append(f"line {number} opens [{name}] a second time")
        self.names.setdefault(name.lower(), name)
        return self.sections.setdefault(name.lower(), [])

    def has(self, section):
        return section.lower() in self.sections

    def rows(self, section):
        return self.sections.get(section.lower(), [])

    def find(self, section, key):
        """The values of the first row with that key, resolved; () when there is none."""
        for row in self.rows(section):
            if row.key is not None and row.key.lower() == key.lower():
                return tuple(self.resolve(v) for v in row.values)
        return ()

    def resolve(self, text):
        """With %name% replaced from [Strings]; %12% and its like are directories and stay."""
        return re.sub(r"%([^%]*)%", lambda m: self.strings.get(m[1].lower(), m[0]), text)


def without_comment(line):
    quoted = False
    for at, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == ";" and not quoted:
            return line[:at]
    return line


def split_unquoted(text, separator, limit=-1):
    parts, quoted = [""], False
    for character in text:
        if character == '"':
            quoted = not quoted
        if character == separator and not quoted and limit != 0:
            parts.append("")
            limit -= 1
        else:
            parts[-1] += character
    return [p.strip() for p in parts]


def unquote(text):
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


def read_row(line, number):
    sides = split_unquoted(line, "=", 1)
    key = unquote(sides[0]) if len(sides) == 2 else None
    return Row(key, tuple(unquote(v) for v in split_unquoted(sides[-1], ",")), number)
