#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a kernel driver's image: header, checksum, imports, version, and what must not be in it.

usage: check_sys.py DRIVER.sys IMPORTS.txt VERSION

Ends with the line "DRIVER.sys: N imports, fits Windows 7", or with one line for each fault and
status 1. The symbols are checked when the image still has them.
"""
import re
import struct
import sys

MACHINES = {0x8664: 'x64', 0x014C: 'x86'}
NATIVE = 1
RELOCS_STRIPPED = 0x0001
DYNAMIC_BASE, NX_COMPAT = 0x0040, 0x0100
EXPORTS, IMPORTS, RESOURCES, EXCEPTIONS, RELOCATIONS, TLS = 0, 1, 2, 3, 5, 9
RT_VERSION = 16
FIXED_FILE_INFO = b'\xbd\x04\xef\xfe'  # How VS_FIXEDFILEINFO begins.
CHECKSUM_OFFSET = 64

# Initialisers that nobody would run, and unwind tables that only x64 has.
FORBIDDEN_SECTIONS = re.compile(r'^\.(ctors|dtors|init_array|fini_array|CRT|tls|idata\$)')
# libgcc's soft floating point and decimals, the C run-time, guards, thread-local storage.
FORBIDDEN_SYMBOLS = re.compile(
    r'^_*(__(add|sub|mul|div|neg|cmp|unord|eq|ne|lt|le|gt|ge)(s|d|t|x)f[0-9]'
    r'|__fix(uns)?(s|d|t|x)f|__float(un)?(s|d|t)i|__(extend|trunc)(s|d|t|x)f|__pow[sdtx]'
    r'|sqrtf?|powf?|floorf?|ceilf?'
    r'|_GLOBAL__sub_I|__cxa_guard|__cxa_atexit|__main|atexit|__emutls|_tls_index|malloc|free$|calloc'
    r'|_Zn[wa]|__cxa_throw|_Unwind_)')


class Image:
    def __init__(self, data):
        self.data = data
        pe = self.u32(0x3C)
        if data[pe:pe + 4] != b'PE\0\0':
            raise ValueError('no PE image')
        self.machine, sections = struct.unpack_from('<HH', data, pe + 4)
        self.symbol_table, self.symbol_count = struct.unpack_from('<II', data, pe + 12)
        optional_size, self.characteristics = struct.unpack_from('<HH', data, pe + 20)
        self.optional = pe + 24
        self.is_64 = self.u16(self.optional) == 0x20B
        self.directories = self.optional + (112 if self.is_64 else 96)
        first = self.optional + optional_size
        self.sections = [self.section(first + 40 * i) for i in range(sections)]

    def u16(self, at):
        return struct.unpack_from('<H', self.data, at)[0]

    def u32(self, at):
        return struct.unpack_from('<I', self.data, at)[0]

    def string(self, at):
        return self.data[at:self.data.index(b'\0', at)].decode()

    def section(self, at):
        name = self.data[at:at + 8].rstrip(b'\0').decode()
        if name.startswith('/'):
            name = self.string(self.symbol_table + 18 * self.symbol_count + int(name[1:]))
        size, rva, raw_size, raw = struct.unpack_from('<IIII', self.data, at + 8)
        flags = self.u32(at + 36)
        return name, rva, max(size, raw_size), raw, flags

    def offset(self, rva):
        for _, first, size, raw, _ in self.sections:
            if first <= rva < first + size:
                return raw + rva - first
        raise ValueError(f'address {rva:#x} lies in no section')

    def directory(self, index):
        return struct.unpack_from('<II', self.data, self.directories + 8 * index)

    def imports(self):
        rva, _ = self.directory(IMPORTS)
        at = self.offset(rva) if rva else None
        step, flag = (8, 1 << 63) if self.is_64 else (4, 1 << 31)
        while at is not None and self.u32(at + 12):
            module = self.string(self.offset(self.u32(at + 12))).lower()
            thunk = self.offset(self.u32(at) or self.u32(at + 16))
            while value := int.from_bytes(self.data[thunk:thunk + step], 'little'):
                yield module, '#ordinal' if value & flag else self.string(self.offset(value) + 2)
                thunk += step
            at += 20

    def resource(self, kind):
        """The first one of a kind, in its first language; empty when there is none."""
        root, size = self.directory(RESOURCES)
        if not size:
            return b''
        at = base = self.offset(root)
        for level in range(3):
            first = at + 16
            entries = [struct.unpack_from('<II', self.data, first + 8 * i)
                       for i in range(self.u16(at + 12) + self.u16(at + 14))]
            found = [to for name, to in entries if level > 0 or name == kind]
            if not found:
                return b''
            at = base + (found[0] & 0x7FFFFFFF)
        start = self.offset(self.u32(at))
        return self.data[start:start + self.u32(at + 4)]

    def file_version(self):
        """Of the version resource, as text; empty when there is none."""
        resource = self.resource(RT_VERSION)
        at = resource.find(FIXED_FILE_INFO)
        if at < 0:
            return ''
        high, low = struct.unpack_from('<II', resource, at + 8)
        return f'{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}'

    def symbols(self):
        strings = self.symbol_table + 18 * self.symbol_count
        index = 0
        while index < self.symbol_count:
            at = self.symbol_table + 18 * index
            if self.u32(at) == 0:
                yield self.string(strings + self.u32(at + 4))
            else:
                yield self.data[at:at + 8].rstrip(b'\0').decode()
            index += 1 + self.data[at + 17]

    def checksum(self):
        data = bytearray(self.data)
        struct.pack_into('<I', data, self.optional + CHECKSUM_OFFSET, 0)
        data += b'\0' * (len(data) % 2)
        total = sum(struct.unpack(f'<{len(data) // 2}H', data))
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        return total + len(self.data)


def read_allowed(path, machine):
    allowed = set()
    with open(path) as lines:
        for line in lines:
            words = line.split('#')[0].split()
            if words and (len(words) == 2 or words[2] == machine):
                allowed.add((words[0], words[1]))
    return allowed


def version_faults(image, expected):
    found = image.file_version()
    if found != expected:
        yield f"the file version is '{found}', not {expected}"


def header_faults(image, machine):
    optional = image.optional
    if image.u16(optional + 68) != NATIVE:
        yield f'subsystem is {image.u16(optional + 68)}, not {NATIVE} (native)'
    for what, at in ('operating system', 40), ('subsystem', 48):
        version = image.u16(optional + at), image.u16(optional + at + 2)
        if version != (6, 1):
            yield f'{what} version is {version[0]}.{version[1]}, not 6.1'
    stated = image.u32(optional + CHECKSUM_OFFSET)
    if stated != image.checksum():
        yield f'checksum is {stated:#x}, not {image.checksum():#x}'
    if image.characteristics & RELOCS_STRIPPED:
        yield 'relocations are stripped'
    if image.u16(optional + 70) & (DYNAMIC_BASE | NX_COMPAT) != DYNAMIC_BASE | NX_COMPAT:
        yield 'not marked for any base address and no execution of data'
    if image.u16(optional + 2) == 0:
        yield 'no linker version'
    entry = image.u32(optional + 16)
    executable = [name for name, first, size, _, flags in image.sections
                  if first <= entry < first + size and flags & 0x20000000]
    if not executable:
        yield f'entry {entry:#x} lies in no executable section'
    if machine == 'x86' and not image.directory(RELOCATIONS)[1]:
        yield 'no relocations, and the base address is not free on x86'


def content_faults(image, machine, allowed):
    for index, what in (EXPORTS, 'exports'), (TLS, 'thread-local storage'):
        if image.directory(index)[1]:
            yield f'the image has {what}'
    if (image.directory(EXCEPTIONS)[1] != 0) != (machine == 'x64'):
        yield 'x64 needs a table of unwind entries, x86 has none'
    for name, *_ in image.sections:
        if FORBIDDEN_SECTIONS.match(name):
            yield f'section {name}'
    for module, name in image.imports():
        if (module, name) not in allowed:
            yield f'imports {name} from {module}, which is not on the list'
    for name in image.symbols():
        if FORBIDDEN_SYMBOLS.match(name):
            yield f'symbol {name}'


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    path = sys.argv[1]
    with open(path, 'rb') as file:
        image = Image(file.read())
    machine = MACHINES.get(image.machine)
    if machine is None:
        sys.exit(f'{path}: machine {image.machine:#x} is neither x64 nor x86')
    allowed = read_allowed(sys.argv[2], machine)
    faults = [*header_faults(image, machine), *content_faults(image, machine, allowed),
              *version_faults(image, sys.argv[3])]
    for fault in faults:
        print(f'{path}: {fault}')
    if faults:
        sys.exit(1)
    print(f'{path}: {len(list(image.imports()))} imports, fits Windows 7')


if __name__ == '__main__':
    main()
