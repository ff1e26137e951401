// SPDX-License-Identifier: MIT
/// \file What happened, a line each, and the first thing that was wrong.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace aerogpu::sim {
class clock;
}

namespace win7_desktop {

/// "S_OK", "D3DERR_DEVICELOST"; a number for what has no name here.
[[nodiscard]] auto name_of(HRESULT result) -> std::string;
/// Milliseconds with one digit behind the point.
[[nodiscard]] auto milliseconds(std::uint64_t ns) -> std::string;

class journal {
 public:
  explicit journal(const aerogpu::sim::clock& time) : time_(time) {}

  /// The heads of the columns.
  void start() const;
  void stage(std::string_view title) const;
  /// `fence` is the last one that the kernel gave out; `latency_ns` is 0 where nothing was waited
  /// for.
  void line(std::string_view who, std::uint32_t fence, std::uint64_t latency_ns,
            std::string_view text) const;

  /// Always false; the first reason is kept.
  auto fail(std::string why) -> bool;
  /// Whether the driver answered what it has to.
  auto check(HRESULT seen, std::string_view call, HRESULT wanted = S_OK) -> bool;
  [[nodiscard]] auto why() const -> const std::string& { return why_; }
  [[nodiscard]] auto now_ns() const -> std::uint64_t;

  std::uint32_t frame = 0;  ///< Which one the lines belong to.

 private:
  const aerogpu::sim::clock& time_;
  std::string why_;
};

}  // namespace win7_desktop
