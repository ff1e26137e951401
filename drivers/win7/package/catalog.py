# SPDX-License-Identifier: MIT
"""Writes and reads driver catalogues: a list of hashes in an unsigned PKCS #7 (kmd.md 4.3)."""
import dataclasses
import hashlib

from der import (bmp_string, element, explicit, integer, null, object_id, octets, read, sequence,
                 set_of, utc_time)
from pe_image import PeImage

SIGNED_DATA = "1.2.840.113549.1.7.2"
SHA1 = "1.3.14.3.2.26"
CERTIFICATE_TRUST_LIST = "1.3.6.1.4.1.311.10.1"
CATALOG_LIST = "1.3.6.1.4.1.311.12.1.1"
CATALOG_LIST_MEMBER = "1.3.6.1.4.1.311.12.1.2"
NAME_VALUE = "1.3.6.1.4.1.311.12.2.1"
MEMBER_INFO = "1.3.6.1.4.1.311.12.2.2"
INDIRECT_DATA = "1.3.6.1.4.1.311.2.1.4"
PE_IMAGE_DATA = "1.3.6.1.4.1.311.2.1.15"
CAB_DATA = "1.3.6.1.4.1.311.2.1.25"
PE_SUBJECT = "{C689AAB8-8E78-11D0-8C47-00C04FC295EE}"
FLAT_SUBJECT = "{DE351A42-8E59-11D0-8C47-00C04FC295EE}"
MEMBER_VERSION = 0x200
ATTRIBUTE_FLAGS = 0x10010001  # Authenticated, in place, named by text.
OS_ATTRIBUTE = "2:6.1"  # Windows 7.
NO_FILE = explicit(2, element(0x80, "<<<Obsolete>>>".encode("utf-16-be")))


@dataclasses.dataclass(frozen=True)
class Member:
    name: str
    digest: bytes
    is_pe: bool


def member_of(name, data):
    """A PE file by its Authenticode hash, which no signature changes; others by their bytes."""
    if data[:2] == b"MZ":
        return Member(name, PeImage(data).authenticode_sha1(), True)
    return Member(name, hashlib.sha1(data).digest(), False)


def wide(text):
    return text.encode("utf-16-le") + b"\0\0"


def attribute(kind, value):
    return sequence(object_id(kind), set_of(value))


def name_value(name, value):
    return attribute(NAME_VALUE, sequence(bmp_string(name), integer(ATTRIBUTE_FLAGS),
                                          octets(wide(value))))


def indirect_data(member):
    if member.is_pe:
        subject = sequence(object_id(PE_IMAGE_DATA),
                           sequence(element(0x03, b"\0"), explicit(0, NO_FILE)))
    else:
        subject = sequence(object_id(CAB_DATA), NO_FILE)
    digest = sequence(sequence(object_id(SHA1), null()), octets(member.digest))
    return attribute(INDIRECT_DATA, sequence(subject, digest))


def trusted_subject(member):
    info = sequence(bmp_string(PE_SUBJECT if member.is_pe else FLAT_SUBJECT),
                    integer(MEMBER_VERSION))
    return sequence(octets(wide(member.digest.hex().upper())),
                    set_of(name_value("File", member.name.lower()),
                           name_value("OSAttr", OS_ATTRIBUTE), attribute(MEMBER_INFO, info),
                           indirect_data(member)))


def write_catalog(members, when):
    """The catalogue before it is signed; the same members and time give the same bytes."""
    subjects = [trusted_subject(m) for m in sorted(members, key=lambda m: m.digest)]
    identifier = hashlib.sha256(b"".join(subjects)).digest()[:16]
    trust_list = sequence(sequence(object_id(CATALOG_LIST)), octets(identifier), utc_time(when),
                          sequence(object_id(CATALOG_LIST_MEMBER), null()), sequence(*subjects))
    content = sequence(object_id(CERTIFICATE_TRUST_LIST), explicit(0, trust_list))
    return sequence(object_id(SIGNED_DATA),
                    explicit(0, sequence(integer(1), set_of(), content, set_of())))


def children(body, *path):
    """The elements inside the one that `path` leads to."""
    elements = read(body)
    for index in path:
        elements = read(elements[index][1])
    return elements


def read_member(body):
    attributes = {}
    for _, fields in children(body, 1):
        (_, kind), (_, values) = read(fields)
        value = children(values, 0)
        key = value[0][1].decode("utf-16-be") if kind == object_id(NAME_VALUE)[2:] else kind
        attributes[key] = value
    digest = read(attributes[object_id(INDIRECT_DATA)[2:]][1][1])[1][1]
    subject = attributes[object_id(MEMBER_INFO)[2:]][0][1].decode("utf-16-be")
    name = attributes["File"][2][1].decode("utf-16-le").rstrip("\0")
    if attributes["OSAttr"][2][1] != wide(OS_ATTRIBUTE):
        raise ValueError(f"{name} is not for Windows 7")
    return Member(name, digest, subject == PE_SUBJECT)


def read_catalog(data):
    """The members of a catalogue, signed or not."""
    signed_data = children(data, 0, 1, 0)
    content = next(body for tag, body in signed_data if tag == 0x30)
    trust_list = children(content, 1, 0)
    return [read_member(body) for _, body in read(trust_list[4][1])]
