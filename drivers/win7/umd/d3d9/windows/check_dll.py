#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a user-mode driver's image: header, imports, exports, version, and what must not be in it.

usage: check_dll.py DRIVER.dll IMPORTS.txt EXPORTS.txt VERSION

Ends with the line "DRIVER.dll: N imports, M exports, fits Windows 7", or with one line for each
fault and status 1. The symbols are checked when the image still has them.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / 'kmd/windows'))
import check_sys  # noqa: E402

DLL = 0x2000
WINDOWS_GUI, WINDOWS_CONSOLE = 2, 3

# Initialisers that nobody would run, guards, thread-local storage, exceptions.
FORBIDDEN_SECTIONS = re.compile(r'^\.(ctors|dtors|init_array|fini_array|CRT|tls)')
FORBIDDEN_SYMBOLS = re.compile(
    r'^_*(_GLOBAL__sub_I|__cxa_guard|__cxa_atexit|__main$|__emutls|_tls_index|_tls_used'
    r'|__cxa_throw|__cxa_begin_catch|__dyn_tls|pthread_|_ZSt(17|20|25)__throw)')


def words(path, machine):
    """First words of the lines that name no machine, or this one."""
    with open(path) as lines:
        rows = [line.split('#')[0].split() for line in lines]
    return {row[0] for row in rows if row and (len(row) == 1 or row[1] == machine)}


def exports(image):
    rva, size = image.directory(check_sys.EXPORTS)
    if not size:
        return []
    at = image.offset(rva)
    names = image.offset(image.u32(at + 32))
    return [image.string(image.offset(image.u32(names + 4 * i))) for i in range(image.u32(at + 24))]


def header_faults(image, machine):
    optional = image.optional
    if not image.characteristics & DLL:
        yield 'is no DLL'
    if image.u16(optional + 68) not in (WINDOWS_GUI, WINDOWS_CONSOLE):
        yield f'subsystem is {image.u16(optional + 68)}'
    for what, at in ('operating system', 40), ('subsystem', 48):
        version = image.u16(optional + at), image.u16(optional + at + 2)
        if version > (6, 1):
            yield f'{what} version is {version[0]}.{version[1]}, above 6.1'
    if image.characteristics & check_sys.RELOCS_STRIPPED or not image.directory(
            check_sys.RELOCATIONS)[1]:
        yield 'has no relocations'
    safe = check_sys.DYNAMIC_BASE | check_sys.NX_COMPAT
    if image.u16(optional + 70) & safe != safe:
        yield 'not marked for any base address and no execution of data'
    if image.directory(check_sys.TLS)[1]:
        yield 'has thread-local storage'


def content_faults(image, modules, expected):
    for name, *_ in image.sections:
        if FORBIDDEN_SECTIONS.match(name):
            yield f'section {name}'
    for module, name in image.imports():
        if module not in modules:
            yield f'imports {name} from {module}, which is not on the list'
    found = set(exports(image))
    for name in sorted(expected - found):
        yield f'does not export {name}'
    for name in sorted(found - expected):
        yield f'exports {name}, which is not on the list'
    for name in image.symbols():
        if FORBIDDEN_SYMBOLS.match(name):
            yield f'symbol {name}'


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    path = sys.argv[1]
    with open(path, 'rb') as file:
        image = check_sys.Image(file.read())
    machine = check_sys.MACHINES.get(image.machine)
    if machine is None:
        sys.exit(f'{path}: machine {image.machine:#x} is neither x64 nor x86')
    faults = [*header_faults(image, machine),
              *content_faults(image, words(sys.argv[2], machine), words(sys.argv[3], machine)),
              *check_sys.version_faults(image, sys.argv[4])]
    for fault in faults:
        print(f'{path}: {fault}')
    if faults:
        sys.exit(1)
    print(f'{path}: {len(list(image.imports()))} imports, {len(exports(image))} exports, '
          'fits Windows 7')


if __name__ == '__main__':
    main()
