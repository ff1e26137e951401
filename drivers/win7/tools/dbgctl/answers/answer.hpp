// SPDX-License-Identifier: MIT
/// \file An answer of the driver, checked before anything is read from it.
#pragma once

#include "drivers/win7/tools/dbgctl/answers/answer_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace aerogpu::dbgctl {

class answer {
 public:
  answer(const answer_layout& layout, std::span<const std::byte> bytes) noexcept
      : layout_(&layout), bytes_(bytes) {}

  [[nodiscard]] auto layout() const noexcept -> const answer_layout& { return *layout_; }
  /// The value; nothing when the answer ends before it or its flags say that it means nothing.
  [[nodiscard]] auto value(const field& row) const noexcept -> std::optional<std::uint64_t>;
  /// The value of the field of that name, 0 when there is none.
  [[nodiscard]] auto value(std::string_view name) const noexcept -> std::uint64_t;
  /// How many entries follow the fields.
  [[nodiscard]] auto entry_count() const noexcept -> std::uint32_t;
  [[nodiscard]] auto entry_value(std::uint32_t index, const field& row) const noexcept
      -> std::uint64_t;
  /// The bytes behind the fields.
  [[nodiscard]] auto raw_bytes() const noexcept -> std::span<const std::byte>;

 private:
  [[nodiscard]] auto read(std::size_t offset, std::uint32_t width) const noexcept -> std::uint64_t;

  const answer_layout* layout_;
  std::span<const std::byte> bytes_;
};

/// What is wrong with `buffer` as the answer to `op`; empty when nothing is. `size_bytes` gets how
/// much of it the driver filled.
[[nodiscard]] auto check_answer(std::uint32_t op, const answer_layout& layout,
                                std::span<const std::byte> buffer, std::size_t& size_bytes)
    -> std::string;

}  // namespace aerogpu::dbgctl
