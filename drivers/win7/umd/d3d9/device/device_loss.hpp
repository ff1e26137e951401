// SPDX-License-Identifier: MIT
/// \file The first failure of a submission, which every later call repeats.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"

#include <atomic>

namespace aerogpu::umd {

/// Sticky (umd-d3d9.md 2.17). Any thread.
class device_loss {
 public:
  /// S_OK, or the code of the loss.
  [[nodiscard]] auto code() const noexcept -> HRESULT { return code_.load(); }
  [[nodiscard]] auto is_lost() const noexcept -> bool { return code() != S_OK; }
  /// Keeps the first failure: removed and hung as they are, anything else as DEVICELOST. True for
  /// the call that set it, which logs.
  auto note(HRESULT failure) noexcept -> bool;

 private:
  std::atomic<HRESULT> code_{S_OK};
};

}  // namespace aerogpu::umd
