// SPDX-License-Identifier: MIT
// The tables of the debug tool against the ABI header.
#include "drivers/win7/tools/dbgctl/answers/answer.hpp"
#include "drivers/win7/tools/dbgctl/commands.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace aerogpu::dbgctl;

namespace {

/// Bytes that a table leaves out, by operation: reserved words, capacities that only a request has.
struct left_out {
  std::uint32_t op;
  std::uint32_t bytes;
};
constexpr left_out not_shown[]{
    {1, 4},   // reserved0
    {3, 4},   // desc_capacity
    {4, 4},   // reserved0
    {6, 12},  // desc_capacity, reserved0, reserved1
    {7, 8},   // reserved0
    {8, 4},   // reserved0
    {9, 8},   // entry_capacity, reserved0
    {11, 8},  // reserved0, reserved1
    {12, 4},  // pending_meta_handle_reserved0
    {13, 4},  // reserved0
    {14, 4},  // reserved0
    {15, 8},  // reserved0, reserved1
    {17, 4},  // reserved0
};

auto covered(std::span<const field> fields) -> std::set<std::uint32_t> {
  std::set<std::uint32_t> bytes;
  for (const field& row : fields) {
    for (std::uint32_t i = 0; i < row.width; ++i) {
      INFO(row.name);
      CHECK(bytes.insert(row.offset + i).second);
    }
  }
  return bytes;
}

auto fixed_size(const answer_layout& layout) -> std::uint32_t {
  if (layout.entries != nullptr) return layout.entries->first_at;
  if (layout.bytes != nullptr) return layout.bytes->first_at;
  return layout.size;
}

}  // namespace

TEST_CASE("each operation from 1 to 17 has one command", "[dbgctl]") {
  REQUIRE(commands().size() == 17);
  for (std::size_t i = 0; i < 17; ++i) CHECK(commands()[i].op == i + 1);
}

TEST_CASE("no two values overlap, and each byte of an answer is shown or known as reserved",
          "[dbgctl]") {
  for (const command& row : commands()) {
    INFO(row.name);
    const auto bytes = covered(row.layout->fields);
    const std::uint32_t fixed = fixed_size(*row.layout);
    CHECK(*bytes.begin() >= 16);
    CHECK(*bytes.rbegin() < fixed);
    std::uint32_t hidden = 0;
    for (const left_out& rest : not_shown) {
      if (rest.op == row.op) hidden = rest.bytes;
    }
    CHECK(bytes.size() + 16 + hidden == fixed);
  }
}

TEST_CASE("entries fill their stride", "[dbgctl]") {
  for (const command& row : commands()) {
    const entry_list* const list = row.layout->entries;
    if (list == nullptr) continue;
    INFO(row.name);
    const auto bytes = covered(list->fields);
    CHECK(list->stride - bytes.size() <= 4);  // A reserved word.
    CHECK(list->first_at + list->stride * list->capacity == row.layout->size);
  }
}

TEST_CASE("sizes are those of the chapter", "[dbgctl]") {
  const std::vector<std::uint32_t> sizes{24,        48, 40 + 32 * 24, 32, 56, 52 + 32 * 40,
                                         48,        32, 32 + 32 * 56, 80, 72, 264,
                                         40 + 4096, 40, 48,           24, 24};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    INFO(commands()[i].name);
    CHECK(commands()[i].layout->size == sizes[i]);
  }
}

TEST_CASE("values that need a flag have a flags word", "[dbgctl]") {
  for (const command& row : commands()) {
    const bool needs_flags = std::any_of(row.layout->fields.begin(), row.layout->fields.end(),
                                         [](const field& f) { return f.valid_with != 0; });
    INFO(row.name);
    if (needs_flags) CHECK(row.layout->flags_at != 0);
  }
}
