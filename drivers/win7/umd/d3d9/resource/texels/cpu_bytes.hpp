// SPDX-License-Identifier: MIT
/// \file The bytes of a resource as the CPU has them, for the time of one call.
#pragma once

#include "aerogpu/memory/texture_layout.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

class device;

/// Maps shadow, memory of the runtime or, by a kernel lock, the allocation; unmaps at the end.
/// Nothing may be submitted meanwhile that lists the allocation.
class cpu_bytes {
 public:
  explicit cpu_bytes(device& on) noexcept : device_(on) {}
  cpu_bytes(const cpu_bytes&) = delete;
  auto operator=(const cpu_bytes&) -> cpu_bytes& = delete;
  ~cpu_bytes();

  /// Waits for the GPU where it shares the memory. D3DERR_WASSTILLDRAWING; E_FAIL while the
  /// application has the allocation locked; D3DERR_INVALIDCALL when the CPU has no bytes of it.
  [[nodiscard]] auto map(resource& of, lock_access access) noexcept -> HRESULT;
  /// From byte `offset` of the resource on, of a buffer or of a texture without memory of the
  /// runtime.
  [[nodiscard]] auto at(std::uint64_t offset) const noexcept -> std::byte* {
    return bytes_ + offset;
  }
  /// The rows of a subresource.
  [[nodiscard]] auto rows(std::uint64_t subresource_index) const noexcept -> row_target;

 private:
  device& device_;
  resource* of_ = nullptr;
  std::byte* bytes_ = nullptr;
  bool is_locked_ = false;
};

/// The rows of a subresource in `bytes`, which are all of the resource's, or where its runtime has
/// them.
[[nodiscard]] auto rows_in(const resource& of, std::byte* bytes,
                           std::uint64_t subresource_index) noexcept -> row_target;

}  // namespace aerogpu::umd
