// SPDX-License-Identifier: MIT
/// \file Which entries a filter keeps (umd-d3d9.md 5.1, AEROGPU_D3D9_TRACE_FILTER).
#pragma once

#include "drivers/win7/umd/d3d9/trace/entries.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::umd::trace {

/// Decided for each entry once, when the text is read.
class entry_filter {
 public:
  /// Tokens between commas, trimmed; a name is kept when it contains one. No token: all are kept.
  void parse(std::string_view text) noexcept;

  [[nodiscard]] auto keeps(entry_id id) const noexcept -> bool {
    const auto index = static_cast<std::size_t>(id);
    return index < entry_count && is_kept_[index];
  }
  [[nodiscard]] auto is_on() const noexcept -> bool { return is_on_; }
  /// Entries that it keeps.
  [[nodiscard]] auto count() const noexcept -> std::uint32_t;

 private:
  bool is_on_ = false;
  std::array<bool, entry_count> is_kept_{};
};

}  // namespace aerogpu::umd::trace
