// SPDX-License-Identifier: MIT
/// \file Lines for a debugger, each with the driver's prefix and whole (umd-d3d9.md 5.3).
#pragma once

#include "aerogpu/core/text.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu::umd {

/// One line, written when it is complete. What does not fit is cut.
class log_line {
 public:
  explicit log_line(std::string_view start) noexcept {
    text_.append("aerogpu-d3d9: ");
    text_.append(start);
  }
  log_line(const log_line&) = delete;
  auto operator=(const log_line&) -> log_line& = delete;
  ~log_line() {
    storage_[text_.view().size()] = '\n';
    os::write_log({storage_.data(), text_.view().size() + 1});
  }

  auto text(std::string_view more) noexcept -> log_line& {
    text_.append(more);
    return *this;
  }
  auto number(std::uint64_t value) noexcept -> log_line& {
    append_decimal(text_, value);
    return *this;
  }
  /// 0x and at least `digits` digits.
  auto hex(std::uint64_t value, std::size_t digits = 1) noexcept -> log_line& {
    append_hex(text_, value, digits);
    return *this;
  }
  /// The digits alone.
  auto bare_hex(std::uint32_t value, std::size_t digits) noexcept -> log_line& {
    std::array<char, 24> number;
    text_buffer buffer{number};
    append_hex(buffer, value, digits);
    std::string_view digits_alone = buffer.view();
    digits_alone.remove_prefix(2);
    return text(digits_alone);
  }
  auto pointer(const void* value) noexcept -> log_line& {
    return hex(reinterpret_cast<std::uintptr_t>(value));
  }

 private:
  static constexpr std::size_t longest = 512;  ///< Bytes, the newline included.

  std::array<char, longest> storage_;
  text_buffer text_{std::span{storage_}.first(longest - 1)};
};

/// Says yes once in the life of the process, for diagnostics that repeat.
class once {
 public:
  [[nodiscard]] auto is_first() noexcept -> bool { return !is_done_.exchange(true); }

 private:
  std::atomic<bool> is_done_{false};
};

/// Says yes a number of times in the life of the process.
template <std::uint32_t Limit>
class at_most {
 public:
  [[nodiscard]] auto is_allowed() noexcept -> bool {
    return times_.load() < Limit && times_.fetch_add(1) < Limit;
  }

 private:
  std::atomic<std::uint32_t> times_{0};
};

}  // namespace aerogpu::umd
