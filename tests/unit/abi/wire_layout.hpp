// SPDX-License-Identifier: MIT
// Wire structures by name at run time: where a field such as `state.colors[1]` lies.
#pragma once

#include "aerogpu/abi.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace aerogpu::test {

struct wire_field {
  std::string_view structure;
  std::string_view name;
  std::size_t offset;
  std::size_t size;
  std::string_view type;
  std::size_t count;  ///< 0 = no array.
};

struct wire_structure {
  std::string_view name;
  std::size_t size;
};

/// The fields as the compiler lays them out, in the order of the facts.
inline constexpr wire_field wire_fields[] = {
#define AEROGPU_FIELD(structure, field, offset, size, type, count) \
  {#structure, #field, offsetof(struct structure, field), sizeof(structure::field), #type, count},
#include "tests/unit/abi/abi_facts.inc"
};

inline constexpr wire_structure wire_structures[] = {
#define AEROGPU_STRUCT(name, size) {#name, sizeof(struct name)},
#include "tests/unit/abi/abi_facts.inc"
};

/// A scalar in a structure; size 0 = there is no such field.
struct wire_place {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// Bytes of a structure, 0 = there is none of that name.
constexpr auto structure_size(std::string_view name) -> std::size_t {
  for (const wire_structure& structure : wire_structures) {
    if (structure.name == name) return structure.size;
  }
  return 0;
}

/// The place of `name`, `outer.name` or `name[3]` in a structure.
constexpr auto find_place(std::string_view structure, std::string_view path) -> wire_place {
  const std::string_view part = path.substr(0, path.find('.'));
  const std::string_view name = part.substr(0, part.find('['));
  std::size_t index = 0;
  for (const char c : part.substr(name.size())) {
    if (c >= '0' && c <= '9') index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  for (const wire_field& field : wire_fields) {
    if (field.structure != structure || field.name != name) continue;
    const std::size_t size = field.count == 0 ? field.size : field.size / field.count;
    const std::size_t offset = field.offset + index * size;
    if (part.size() == path.size()) return {offset, size};
    const std::string_view inner = field.type.substr(std::string_view{"struct "}.size());
    const wire_place place = find_place(inner, path.substr(part.size() + 1));
    return {offset + place.offset, place.size};
  }
  return {};
}

/// The scalar at a place, zero-extended. Precondition: it lies in the bytes.
inline auto load_place(std::span<const std::byte> bytes, wire_place at) -> std::uint64_t {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at.offset, at.size);
  return value;
}

}  // namespace aerogpu::test
