// SPDX-License-Identifier: MIT
/// \file A buffer on the host for vertices or indices that live no longer than a draw.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "drivers/win7/ddi/hresults.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// Grows by doubling, and is used again by every draw: uploads are ordered with the draws, so that
/// nobody waits (umd-d3d9.md 2.10.4).
class scratch_buffer {
 public:
  static constexpr std::uint64_t first_size_bytes = 4096;
  static constexpr std::uint64_t most_bytes = 0x7FFFFFFF;

  /// Makes `bytes` its first ones. E_INVALIDARG for more than 2 GiB; errors of sending.
  [[nodiscard]] auto upload(device& on, const_bytes bytes) noexcept -> HRESULT;
  /// 0 before the first upload.
  [[nodiscard]] auto handle() const noexcept -> resource_handle { return handle_; }
  /// Ends it on the host.
  void destroy(device& on) noexcept;

 private:
  [[nodiscard]] auto grow(device& on, std::uint64_t size_bytes) noexcept -> HRESULT;

  resource_handle handle_{};
  std::uint64_t size_bytes_ = 0;
};

}  // namespace aerogpu::umd
