// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/dump_bytes.hpp"

#include "aerogpu/core/text.hpp"

#include <algorithm>
#include <string>

namespace aerogpu::tool {

void append_bytes_around(text& out, const_bytes bytes, std::uint64_t offset) {
  constexpr std::uint64_t row_size = 16;
  constexpr std::uint64_t marked = 4;
  if (offset >= bytes.size()) {
    out.append("    " + hex(offset) + " is the end of the bytes\n");
    return;
  }
  const std::uint64_t row = offset / row_size * row_size;
  std::string line = "    ";
  text address;
  append_hex(address, row, 8);
  line += address.str() + ":";
  std::string marks(line.size(), ' ');
  for (std::uint64_t i = row; i < std::min<std::uint64_t>(row + row_size, bytes.size()); ++i) {
    const auto value = std::to_integer<unsigned>(bytes[static_cast<std::size_t>(i)]);
    line += ' ';
    line += "0123456789abcdef"[value >> 4];
    line += "0123456789abcdef"[value & 0xF];
    marks += i >= offset && i < offset + marked ? " ^^" : "   ";
  }
  marks.erase(marks.find_last_not_of(' ') + 1);
  out.append(line + "\n" + marks + "\n");
}

}  // namespace aerogpu::tool
