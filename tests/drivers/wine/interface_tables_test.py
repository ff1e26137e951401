# SPDX-License-Identifier: MIT
"""Compares the interfaces of drivers/wine/d3d9/api with those of mingw-w64's <d3d9.h>: each table's
methods in order, with their arguments, and each interface's name.

usage: interface_tables_test.py ROOT COMPILER MINGW_COMPILER
"""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT, COMPILER, MINGW = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
API = ROOT / "drivers/wine/d3d9/api"
INTERFACE = re.compile(r"(?:class|struct)\s+(IUnknown|IDirect3D\w+)\s*(?::\s*public\s+(\w+))?\s*\{(.*?)\n\}",
                       re.DOTALL)
METHOD = re.compile(r"virtual\s+([^;()]*(?:\(\(\w+\)\))?[^;()]*?)\s+(\w+)\s*\(([^()]*)\)\s*=\s*0;")
NAME = re.compile(r"(\w+)\{\s*(0x\w+|0),\s*(0x\w+|0),\s*(0x\w+|0),\s*\{([^}]*)\}\}")
PUBLISHED_NAME = re.compile(r"DEFINE_GUID\(IID_(I\w+),([^)]*)\)")
# One type, two spellings.
ALIASES = {"IID": "GUID", "iid": "GUID", "VOID": "void", "unsigned int": "UINT", "_RGNDATA": "RGNDATA",
           "int": "INT", "float": "FLOAT", "WINBOOL": "BOOL",
           "std uint32_t": "UINT32"}


def preprocessed(compiler, includes, *options):
    text = "".join(f"#include {name}\n" for name in includes)
    return subprocess.run([compiler, *options, "-E", "-P", "-x", "c++", "-"], input=text, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def plain_type(words, is_named=False):
    """Without a name, const, aliases, and the Ex that our tables have wherever theirs come in two. An
    array or a reference is a pointer."""
    tokens = re.findall(r"\w+|[*&\[]", re.sub(r"\[\w*\]", "[", words))
    names = [token for token in tokens if token[0].isalpha() or token[0] == "_"]
    names = [name for name in names if name not in ("const", "struct")]
    if is_named and len(names) > 1:
        names.pop()
    name = " ".join(names)
    return re.sub(r"(?<=9)Ex$", "", ALIASES.get(name, name)) + "*" * sum(t in "*&[" for t in tokens)


def tables(text):
    """Methods by interface, those of what it derives from first, each as (name, types)."""
    own = {}
    for name, base, body in INTERFACE.findall(text):
        methods = []
        for result, method, arguments in METHOD.findall(body):
            result = re.sub(r"__attribute__\(\(\w+\)\)", "", result)
            given = [] if arguments.strip() in ("", "void") else arguments.split(",")
            methods.append((method, plain_type(result), *(plain_type(one, True) for one in given)))
        own[name] = (base, methods)

    def whole(name):
        base, methods = own.get(name, ("", []))
        inherited = whole(base) if base else []
        known = {method[0] for method in inherited}
        return inherited + [method for method in methods if method[0] not in known]

    return {name: whole(name) for name in own}


def numbers(text):
    return tuple(int(word, 0) for word in text.replace("{", "").split(","))


class InterfaceTables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ours = [f'"{path}"' for path in sorted(API.glob("*.hpp"))]
        cls.ours = tables(preprocessed(COMPILER, ours, "-std=c++20", f"-I{ROOT}", f"-I{ROOT}/include"))
        cls.header = preprocessed(MINGW, ["<d3d9.h>"])
        cls.theirs = tables(cls.header)

    def test_each_table_is_the_published_one(self):
        compared = 0
        for name, methods in self.ours.items():
            with self.subTest(name):
                self.assertEqual(methods, self.theirs[name])
                compared += len(methods)
        self.assertGreater(compared, 200)

    def test_every_published_interface_is_here(self):
        published = {name for name in self.theirs if name.startswith("IDirect3D")}
        missing = {name for name in published
                   if name not in self.ours and name + "Ex" not in self.ours}
        self.assertEqual(missing, set())

    def test_names_are_the_published_ones(self):
        folder = subprocess.run([MINGW, "-M", "-x", "c++", "-"], input="#include <d3d9.h>\n", check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        header = next(word for word in folder.split() if word.endswith("/d3d9.h"))
        published = {numbers(words) for _, words in
                     PUBLISHED_NAME.findall(pathlib.Path(header).read_text())}
        ours = [numbers(",".join(found[1:])) for found in
                NAME.findall((API / "names.hpp").read_text())]
        self.assertGreater(len(ours), 15)
        self.assertEqual(set(ours) - published, set())
        self.assertEqual(len(set(ours)), len(ours))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
