// SPDX-License-Identifier: MIT
/// \file What a backend was asked to do: a count and a sum of bytes for each kind of call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace example {

enum class operation : std::uint8_t {
  create,
  destroy,
  upload,
  copy,
  read_back,
  clear,
  draw,
  dispatch,
  present,
  flush,
  submission,
};

inline constexpr std::array<const char*, 11> operation_names{
    "create", "destroy",  "upload",  "copy",  "read back", "clear",
    "draw",   "dispatch", "present", "flush", "submission"};

struct operation_row {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  ///< Moved or cleared.
};

class operation_log {
 public:
  void add(operation kind, std::uint64_t bytes = 0) noexcept {
    operation_row& row = rows_[static_cast<std::size_t>(kind)];
    ++row.calls;
    row.bytes += bytes;
  }
  [[nodiscard]] auto operator[](operation kind) const noexcept -> const operation_row& {
    return rows_[static_cast<std::size_t>(kind)];
  }

 private:
  std::array<operation_row, operation_names.size()> rows_{};
};

}  // namespace example
