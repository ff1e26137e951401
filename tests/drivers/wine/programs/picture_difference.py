# SPDX-License-Identifier: MIT
"""Two pictures of one frame, drawn by two implementations: how far apart they are, and where."""
import dataclasses

# Rasterisers may differ by rounding in a channel, and at an edge by a pixel.
CHANNEL_TOLERANCE = 16
PIXELS_BEYOND = 0.005


@dataclasses.dataclass
class Difference:
    """`beyond`: the share of pixels with a channel that is further apart than CHANNEL_TOLERANCE.
    `picture`: where they are, in white on what the second picture shows, darkened."""
    largest: int
    mean: float
    beyond: float
    picture: tuple

    def is_tolerable(self):
        return self.beyond <= PIXELS_BEYOND


def of_rows(ours, other):
    """The differences of a row's bytes."""
    return [a - b if a > b else b - a for a, b in zip(ours, other)]


def shown(row, apart):
    """A row of the difference's picture, and how many pixels of it are white."""
    out = bytearray(value >> 2 for value in row)
    count = 0
    for at in range(0, len(row), 3):
        if max(apart[at:at + 3]) > CHANNEL_TOLERANCE:
            out[at:at + 3] = b"\xff\xff\xff"
            count += 1
    return bytes(out), count


def difference(ours, other):
    """Of pictures of the same size; nothing when the sizes differ."""
    width, height, rows = ours
    if (width, height) != other[:2]:
        return None
    largest = total = beyond = 0
    marked = []
    for row, other_row in zip(rows, other[2]):
        if row == other_row:
            marked.append(bytes(value >> 2 for value in row))
            continue
        apart = of_rows(row, other_row)
        largest, total = max(largest, *apart), total + sum(apart)
        line, count = shown(other_row, apart)
        marked.append(line)
        beyond += count
    return Difference(largest, total / (3 * width * height), beyond / (width * height),
                      (width, height, marked))


def is_blank(picture):
    """Whether it shows one colour alone: then nothing was drawn."""
    width, _, rows = picture
    return all(row == rows[0][:3] * width for row in rows)
