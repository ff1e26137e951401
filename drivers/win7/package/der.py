# SPDX-License-Identifier: MIT
"""As much of DER as a catalogue needs: writes values, and takes them apart again."""


def element(tag, *parts):
    body = b"".join(parts)
    if len(body) < 0x80:
        return bytes([tag, len(body)]) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + body


def sequence(*parts):
    return element(0x30, *parts)


def set_of(*parts):
    return element(0x31, *sorted(parts))  # DER orders a SET OF by its bytes.


def octets(data):
    return element(0x04, data)


def explicit(number, *parts):
    return element(0xA0 | number, *parts)


def integer(value):
    return element(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def null():
    return element(0x05)


def bmp_string(text):
    return element(0x1E, text.encode("utf-16-be"))


def utc_time(when):
    return element(0x17, when.strftime("%y%m%d%H%M%SZ").encode())


def object_id(dotted):
    first, second, *rest = map(int, dotted.split("."))
    body = bytearray()
    for number in [40 * first + second, *rest]:
        digits = [number & 0x7F]
        while number := number >> 7:
            digits.append(0x80 | number & 0x7F)
        body += bytes(reversed(digits))
    return element(0x06, bytes(body))


def read(data):
    """The elements of `data`, one behind the other, as (tag, body)."""
    elements, at = [], 0
    while at < len(data):
        tag, length = data[at], data[at + 1]
        at += 2
        if length & 0x80:
            size = length & 0x7F
            length, at = int.from_bytes(data[at:at + size], "big"), at + size
        if length > len(data) - at:
            raise ValueError(f"an element of {length} bytes has {len(data) - at}")
        elements.append((tag, data[at:at + length]))
        at += length
    return elements
