#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/spec/abi.json as rows that tests include, so that each fact is written down once.

usage: make_abi_facts.py ABI.JSON FOLDER     writes the .inc files that tests include into FOLDER
"""

import json
import pathlib
import struct
import sys

# Facts about headers that this project does not have: wire.md 14 keeps them as prose.
ELSEWHERE = "legacy"
TYPES = {name + bits: f"{'u' if name == 'u' else ''}int{bits}_t" for name in "ui"
         for bits in ("8", "16", "32", "64")}
HEADER_BYTES = 8  # Fields of a packet are those behind struct aerogpu_cmd_hdr.


def own_headers(abi):
    return [header for name, header in abi["headers"].items() if ELSEWHERE not in name]


def c_type(field_type, structs):
    return f"struct {field_type}" if field_type in structs else TYPES.get(field_type, field_type)


def text(value):
    return json.dumps(value)


def row(*values):
    return "{" + ", ".join(values) + "},"


def abi_rows(abi):
    """Rows of abi_facts.inc: constants, enumerators, structures, typedefs and fields."""
    headers = own_headers(abi)
    structs = {name for header in headers for name in header["structs"]}
    for header in headers:
        for name, value in header["constants"].items():
            kind = header["constant_types"][name]
            suffix = {"i32": "", "u64": "ull"}.get(kind, "u")
            yield f"AEROGPU_CONSTANT({name}, {TYPES[kind]}, {value:#x}{suffix})"
        for enumeration, values in header["enums"].items():
            for name, value in values.items():
                yield f"AEROGPU_ENUMERATOR({enumeration}, {name}, {value})"
        for name, target in header["typedefs"].items():
            yield f"AEROGPU_TYPEDEF({name}, {c_type(target, structs)})"
        for name, layout in header["structs"].items():
            yield f"AEROGPU_STRUCT({name}, {layout['size']})"
            for field in layout["fields"]:
                kind = "aerogpu_handle_t" if field.get("handle") else c_type(field["type"], structs)
                yield (f"AEROGPU_FIELD({name}, {field['name']}, {field['offset']}, {field['size']}, "
                       f"{kind}, {field.get('array_len', 0)})")


def layouts_of(abi):
    return {name: layout["fields"] for header in own_headers(abi)
            for name, layout in header["structs"].items()}


def packet_fields(fields, layouts, base=0):
    for field in fields:
        at = base + field["offset"]
        if at < HEADER_BYTES:
            continue
        if field["type"] in layouts:
            yield from packet_fields(layouts[field["type"]], layouts, at)
            continue
        handle = ":h" if field.get("handle") else ""
        yield f"{field['name']}:{at}:{field['type']}:{field.get('array_len', 1)}{handle}"


def packet_rows(abi):
    """Rows of packet_facts: a field is name:offset:type:length, with a trailing h for handles."""
    layouts = layouts_of(abi)
    for name, packet in sorted(abi["packets"].items(), key=lambda item: item[1]["opcode"]):
        trailing = packet["trailing"] or {}
        element_bytes = trailing.get("element_size", 0) * trailing.get("elements_per_count", 1)
        fields = packet_fields(layouts.get(packet["struct"], []), layouts)
        yield row(text(name.removeprefix("AEROGPU_CMD_")), f"{packet['opcode']:#x}",
                  str(packet["min_size"]), str(packet.get("since_minor", 0)),
                  text(trailing.get("count_field") or ""), str(element_bytes), text(" ".join(fields)))


def enumerator_rows(abi):
    """Rows of enum_facts."""
    for header in own_headers(abi):
        for enumeration, values in header["enums"].items():
            for name, value in sorted(values.items(), key=lambda item: item[1]):
                since = abi["formats"].get(name, {}).get("since_minor", 0)
                yield row(text(enumeration), text(name), str(value), str(since))


def flat(value, name):
    """name=value of each number in a tree, in its order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flat(inner, f"{name}[{index}]")
    else:
        yield f"{name}={value}"


def in_order(value, fields, layouts):
    """A structure's values in the order of its fields, which JSON does not keep."""
    return {field["name"]: ordered(value[field["name"]], field["type"], layouts) for field in fields
            if field["name"] in value}


def ordered(value, kind, layouts):
    if isinstance(value, list):
        return [ordered(inner, kind, layouts) for inner in value]
    if kind in layouts:
        return in_order(value, layouts[kind], layouts)
    if isinstance(value, float):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    return value


def extra_of(vector, abi, layouts):
    """What a vector says of the bytes behind its structure."""
    packet = abi["packets"].get(vector.get("packet"), {})
    extra = {}
    if "extension" in vector:
        extra.update({field["name"]: vector["extension"][field["name"]]
                      for field in packet["extension"]["fields"]})
    for name, kind in (("entries", "aerogpu_alloc_entry"), ("slots", "aerogpu_submit_desc")):
        if name in vector:
            extra[name] = ordered(vector[name], kind, layouts)
    if "packets" in vector:
        extra["packets"] = [{"offset": one["offset"], "opcode": one["opcode"],
                             "size_bytes": one["size"]} for one in vector["packets"]]
        extra["slack_bytes"] = vector["slack_bytes"]
    if "trailing" in vector:
        extra["payload"] = ordered(vector["trailing"], packet["trailing"]["element"], layouts)
    return extra


def golden_rows(abi):
    """Rows of golden_vectors: bytes that every implementation of the wire agrees on."""
    layouts = layouts_of(abi)
    sizes = {name: layout["size"] for header in own_headers(abi)
             for name, layout in header["structs"].items()}
    for vector in abi["golden_vectors"]:
        if vector["kind"] == ELSEWHERE:
            continue
        kind, padding = vector["struct"], vector.get("trailing_padding", 0)
        has_payload = any(key in vector for key in ("trailing", "trailing_hex", "trailing_text"))
        payload = vector.get("trailing_hex",
                             vector["hex"][2 * sizes[kind]:len(vector["hex"]) - 2 * padding])
        yield row(text(vector["name"]), f"golden_kind::{vector['kind']}", text(kind),
                  text(vector.get("packet", "")), text(vector["hex"]),
                  text(" ".join(flat(in_order(vector["fields"], layouts[kind], layouts), ""))),
                  text(" ".join(flat(extra_of(vector, abi, layouts), ""))),
                  text(payload if has_payload else ""), str(padding))


def rejected_rows(abi):
    """Rows of rejected_streams: whole streams that a reader must refuse."""
    for stream in abi["rejected_streams"]:
        yield row(text(stream["name"]), text(stream["reason"]), text(stream["hex"]))


def stage_rows(abi):
    """Rows of stage_truth_table: abi_minor, stage, stage_ex, stage meant (wire.md 8)."""
    for truth in abi["stage_ex_truth_table"]:
        yield row(*(str(truth[key]) for key in ("abi_minor", "stage", "stage_ex")),
                  text(truth["result"]))


def format_rows(abi):
    """Rows of the formats that format_test.cpp expects; number 0 is none."""
    for name, fact in sorted(abi["formats"].items(), key=lambda item: item[1]["value"]):
        if fact["value"] == 0:
            continue
        traits = [trait for trait, holds in (
            ("alpha", fact["has_alpha"]), ("x8", fact["x8"]), ("srgb", fact["srgb"]),
            ("depth", "depth" in fact["class"]), ("block", fact["block_dim"] != 1)) if holds]
        yield row(name, text(name.removeprefix("AEROGPU_FORMAT_")), str(fact["bytes"]),
                  str(fact["since_minor"]), " | ".join(traits) or "none",
                  *(str(fact[key] or 0) for key in ("vk_format", "dxgi_format", "d3d9_format")))


FILES = {"abi_rows": abi_rows, "enumerator_rows": enumerator_rows, "format_rows": format_rows,
         "golden_rows": golden_rows, "packet_rows": packet_rows, "rejected_rows": rejected_rows,
         "stage_rows": stage_rows}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    abi = json.loads(pathlib.Path(arguments[0]).read_text())
    for name, rows in FILES.items():
        path = pathlib.Path(arguments[1]) / f"{name}.inc"
        path.write_text("".join(line + "\n" for line in rows(abi)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
