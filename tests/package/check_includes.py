#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that no header includes a layer to its right, that the freestanding tier stays so, that what is
private to a layer or a backend stays there, and that the drivers stand on what they may.

usage: check_includes.py ROOT
"""
import pathlib
import re
import sys

FREESTANDING = ["abi", "core", "stream", "memory", "ring", "sync", "share"]
HOSTED = ["hosted", "shader", "backend", "processor", "device", "trace"]
LAYERS = FREESTANDING + HOSTED
FREESTANDING_STD = set(
    "cstddef cstdint cstring bit array span concepts type_traits limits utility string_view atomic"
    .split())
VERSION = "aerogpu/version.h"  # Of the whole: below all layers.
SHADERS = ("common/", "d3d9_to_spirv/", "dxbc_to_spirv/", "spirv_bounds/")
GENERATED = {"program_place.hpp"}
# A device that only bridges does without a command processor, and its users without compiling one.
WITH_PROCESSOR = {"aerogpu/device/device.hpp"}
BELOW_PROCESSOR = {"aerogpu/processor/present_log.hpp", "aerogpu/processor/submission.hpp"}
ABI_STD = {"stdint.h", "stddef.h"}
DETAIL = re.compile(r"^namespace (?:[\w:]+::)?detail \{(.*?)^\}  // namespace (?:[\w:]+::)?detail",
                    re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(path):
    """The layer of "aerogpu/<layer>/x" or of its umbrella "aerogpu/<layer>.hpp"; None otherwise."""
    name = path.split("/")[1].split(".")[0]
    return name if name in LAYERS else None


def problems_of(name, text):
    """What is wrong with the header `name` ("aerogpu/...")."""
    layer = layer_of(name)
    for kind, target in INCLUDE.findall(text):
        if name == VERSION:
            yield f"is below all layers and includes {target}"
        elif kind == '"':
            if not target.startswith("aerogpu/"):
                yield f"includes {target}, which is outside include/"
            elif layer is None or target == VERSION:
                continue
            elif layer_of(target) is None:
                yield f"includes {target}, the umbrella of everything"
            elif LAYERS.index(layer_of(target)) > LAYERS.index(layer):
                yield f"is of layer {layer} and includes {target}, to its right"
            elif (layer == "device" and layer_of(target) == "processor" and name not in WITH_PROCESSOR
                  and target not in BELOW_PROCESSOR):
                yield f"includes {target}, which a device that only bridges does without"
            elif "/detail/" in target and layer_of(target) != layer:
                yield f"includes {target}, a private part of another layer"
        elif layer == "abi" and target not in ABI_STD:
            yield f"is C and includes <{target}>"
        elif layer in FREESTANDING[1:] and target not in FREESTANDING_STD:
            yield f"is freestanding and includes <{target}>"


def backend_problems(name, text):
    """A backend never includes another backend nor device/ (name is "<backend>/...")."""
    own = name.split("/")[0]
    for kind, target in INCLUDE.findall(text):
        if kind != '"':
            continue
        if target.startswith(("aerogpu/device", "aerogpu/trace")):
            yield f"is a backend and includes {target}"
        elif not target.startswith(("aerogpu/", own + "/") + SHADERS):
            yield f"includes {target}, which is neither its own nor the library's"


def shader_problems(name, text):
    """A shader compiler stands on what is below backend/ and on others of its kind (Vulkan is not)."""
    for kind, target in INCLUDE.findall(text):
        if kind == "<" and target.startswith(("vulkan/", "volk")):
            yield f"is a shader compiler and includes {target}"
        elif kind == '"' and target.startswith("aerogpu/"):
            if target != VERSION and LAYERS.index(layer_of(target)) >= LAYERS.index("backend"):
                yield f"is a shader compiler and includes {target}"
        elif kind == '"' and target not in GENERATED and not target.startswith(SHADERS):
            yield f"includes {target}, which is neither a shader compiler's nor the library's"


def layers_as_folders(layers):
    return tuple(f"aerogpu/{layer}/" for layer in layers)


# What a folder of drivers/ may include beside itself, of the library and of drivers/; the first that fits.
# guestd and the drivers' tests put all of it together.
TIER = layers_as_folders(FREESTANDING)
DDI = ("drivers/win7/ddi/",)
WIN7 = DDI + ("drivers/win7/primary_pitch.hpp", "drivers/win7/shared_u64.hpp")
SIMULATED = ("drivers/sim/kernel/",)
DRIVER_ROOMS = [
    ("drivers/win7/ddi/", ()),
    ("drivers/win7/kmd/system/", TIER + DDI),
    ("drivers/win7/kmd/", TIER + WIN7),
    ("drivers/win7/umd/d3d9/core/", TIER + DDI),
    ("drivers/win7/umd/", TIER + layers_as_folders(["hosted", "shader"]) + WIN7),
    ("drivers/win7/tools/", TIER + DDI),
    ("drivers/sim/kernel/", ("aerogpu/", "backends/", "vulkan/", "drivers/win7/kmd/system/os.hpp") + DDI),
    ("drivers/sim/runtime/", ("aerogpu/abi/",) + SIMULATED + DDI),
    ("drivers/wine/d3d9/", ("aerogpu/abi/", "drivers/sim/runtime/") + DDI),
    ("drivers/wine/transport/", TIER + SIMULATED + DDI),
]


def driver_problems(name, text):
    """A driver stands on the freestanding tier; its other half, the simulator and Wine are not below it."""
    room, allowed = next(((room, allowed) for room, allowed in DRIVER_ROOMS if name.startswith(room)),
                         (None, ()))
    for kind, target in INCLUDE.findall(text) if room else ():
        if kind == '"' and not target.startswith(allowed + (room,)):
            yield f"is of {room} and includes {target}"


# Our own headers in angle brackets would go past all rules above. vulkan/ is Vulkan's folder too, whose headers
# are C.
OWN_IN_BRACKETS = re.compile(r"(aerogpu|backends|null|drivers|shaders|tools|tests|\w+_to_spirv|spirv_bounds|common)/"
                             r"|vulkan/.*\.hpp$")


def bracket_problems(name, text):
    for kind, target in INCLUDE.findall(text):
        if kind == "<" and OWN_IN_BRACKETS.match(target):
            yield f"includes <{target}>; own headers are quoted"


def detail_problems(texts):
    """Uses of another room's detail:: in one room's files: text by name."""
    own = set()
    for text in texts.values():
        for block in DETAIL.findall(text):
            own.update(re.findall(r"\w+", block))
    for name, text in texts.items():
        for used in sorted(set(re.findall(r"\bdetail::(\w+)", text)) - own):
            yield f"{name}: uses detail::{used}, a private part of another room"


def rooms(root):
    """Folders that have a detail:: of their own."""
    yield from (root / "include/aerogpu" / layer for layer in LAYERS)
    yield from (root / folder for folder in ("backends/null", "backends/vulkan", "shaders"))


def check_details(root):
    complaints = []
    for room in rooms(root):
        sources = (path for path in sorted(room.rglob("*")) if path.suffix in {".hpp", ".cpp"})
        complaints += detail_problems({path.relative_to(root).as_posix(): path.read_text()
                                       for path in sources})
    return complaints


def check_tree(folder, prefix, problems):
    """Complaints about all headers and sources below `folder`, and how many there were."""
    complaints, count = [], 0
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".h", ".hpp", ".cpp"}:
            continue
        count += 1
        text = path.read_text(encoding="utf-8")
        name = prefix + path.relative_to(folder).as_posix()
        complaints += [f"{name}: {found}" for check in (problems, bracket_problems)
                       for found in check(name, text)]
        if path.suffix != ".cpp" and "#pragma once" not in text:
            complaints.append(f"{name}: lacks #pragma once")
    return complaints, count


def self_test():
    """The checker finds what it is there for."""
    wrong = [
        ("aerogpu/core/x.hpp", '#include "aerogpu/stream/y.hpp"'),
        ("aerogpu/ring/x.hpp", '#include "aerogpu/device/y.hpp"'),
        ("aerogpu/ring/x.hpp", '#include "aerogpu/core/detail/y.hpp"'),
        ("aerogpu/ring/x.hpp", "#include <vector>"),
        ("aerogpu/ring/x.hpp", '#include "aerogpu/aerogpu.hpp"'),
        ("aerogpu/abi/x.h", "#include <string.h>"),
        ("aerogpu/trace/x.hpp", '#include "null/y.hpp"'),
        (VERSION, "#include <stdint.h>"),
    ]
    right = [
        ("aerogpu/trace/x.hpp", '#include "aerogpu/device/y.hpp"\n#include <vector>'),
        ("aerogpu/aerogpu.hpp", '#include "aerogpu/trace.hpp"'),
        ("aerogpu/core/x.hpp", '#include "aerogpu/core/y.hpp"\n#include <span>'),
        ("aerogpu/core/x.hpp", '#include "aerogpu/version.h"'),
    ]
    wrong_elsewhere = [
        (backend_problems, "null/x.hpp", '#include "vulkan/y.hpp"'),
        (backend_problems, "null/x.hpp", '#include "aerogpu/device/y.hpp"'),
        (shader_problems, "shaders/common/x.hpp", "#include <vulkan/vulkan.h>"),
        (shader_problems, "shaders/common/x.hpp", '#include "vulkan/y.hpp"'),
        (shader_problems, "shaders/common/x.hpp", '#include "aerogpu/processor/y.hpp"'),
        (driver_problems, "drivers/win7/kmd/memory/paging.hpp", '#include "aerogpu/hosted/y.hpp"'),
        (driver_problems, "drivers/win7/kmd/memory/paging.hpp", '#include "aerogpu/shader/y.hpp"'),
        (driver_problems, "drivers/win7/kmd/system/os.hpp", '#include "drivers/win7/kmd/memory/paging.hpp"'),
        (driver_problems, "drivers/win7/umd/d3d9/draw/draw.cpp", '#include "drivers/sim/kernel/kernel.hpp"'),
        (driver_problems, "drivers/win7/umd/d3d9/draw/draw.cpp", '#include "aerogpu/processor/y.hpp"'),
        (driver_problems, "drivers/wine/d3d9/state/values.cpp", '#include "drivers/win7/umd/d3d9/draw/draw.hpp"'),
    ]
    wrong_elsewhere += [
        (bracket_problems, "aerogpu/processor/x.hpp", "#include <aerogpu/trace/file_sink.hpp>"),
        (bracket_problems, "null/x.hpp", "#include <vulkan/vulkan_backend.hpp>"),
        (bracket_problems, "drivers/win7/umd/d3d9/draw/draw.cpp", "#include <drivers/sim/kernel/kernel.hpp>"),
    ]
    right_elsewhere = [
        (bracket_problems, "vulkan/x.hpp", "#include <vulkan/vulkan.h>\n#include <vector>"),
        (backend_problems, "null/x.hpp", '#include "null/y.hpp"\n#include "common/z.hpp"'),
        (shader_problems, "shaders/common/x.hpp",
         '#include "aerogpu/shader/y.hpp"\n#include "spirv_bounds/z.hpp"'),
        (driver_problems, "drivers/win7/umd/d3d9/draw/draw.cpp",
         '#include "aerogpu/hosted/y.hpp"\n#include "drivers/win7/umd/d3d9/core/os.hpp"\n#include <vector>'),
        (driver_problems, "drivers/wine/guestd/main.cpp", '#include "tools/aerogpu/files/files.hpp"'),
    ]
    for check, name, text in [(problems_of, *row) for row in wrong] + wrong_elsewhere:
        if not list(check(name, text)):
            sys.exit(f"self-test: nothing found in {name}: {text}")
    for check, name, text in [(problems_of, *row) for row in right] + right_elsewhere:
        found = list(check(name, text))
        if found:
            sys.exit(f"self-test: {name}: {found[0]}")
    kept = {"a.hpp": "namespace x::detail {\nint y;\n}  // namespace x::detail\n",
            "b.hpp": "int z = detail::y;"}
    if list(detail_problems(kept)) or not list(detail_problems({"b.hpp": kept["b.hpp"]})):
        sys.exit("self-test: another room's detail:: is not told from one's own")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip().splitlines()[-1])
    self_test()
    root = pathlib.Path(sys.argv[1])
    complaints, count = check_details(root), 0
    for folder, prefix, problems in [("include/aerogpu", "aerogpu/", problems_of),
                                     ("shaders", "shaders/", shader_problems),
                                     ("backends/null", "null/", backend_problems),
                                     ("backends/vulkan", "vulkan/", backend_problems),
                                     ("drivers", "drivers/", driver_problems)]:
        more, files = check_tree(root / folder, prefix, problems)
        complaints += more
        count += files
    print("\n".join(complaints) if complaints else f"{count} files include in the right direction")
    sys.exit(1 if complaints or count == 0 else 0)


if __name__ == "__main__":
    main()
