// SPDX-License-Identifier: MIT
/// \file What the host has, back in memory that the CPU reads (umd-d3d9.md 2.8.1).
#pragma once

#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::umd {

class device;

/// Rows of texels, or of blocks, in memory of the CPU.
struct row_target {
  std::byte* first = nullptr;
  std::uint64_t pitch_bytes = 0;
};

/// What a host counts for a copy of such rows into guest memory: those with gaps are writes of 256
/// bytes at least (umd-d3d9.md 4.8).
[[nodiscard]] constexpr auto write_back_cost(const texture_rows& rows) noexcept -> std::uint64_t {
  return std::uint64_t{rows.row_count} * std::max(rows.row_size_bytes, 256u);
}

/// The one guest-backed texture of a device that the host writes copies into. It grows on demand,
/// and is made anew for another format.
class read_back_texture {
 public:
  /// Copies a rectangle of a subresource to `to`, which may be memory of the application, in strips
  /// that one submission writes back. Submits and waits for each, at most the idle limit:
  /// D3DERR_WASSTILLDRAWING then. D3DERR_INVALIDCALL for depth, which the host does not write back;
  /// E_FAIL while the application has the resource's allocation locked; errors of callbacks and
  /// sending. Precondition: the rectangle lies in the subresource and cuts no block.
  [[nodiscard]] auto read(device& on, resource& from, subresource where,
                          const texel_rectangle& area, const row_target& to) noexcept -> HRESULT;
  void destroy(device& on) noexcept;

 private:
  [[nodiscard]] auto read_strip(device& on, resource& from, subresource where,
                                const texel_rectangle& area, const row_target& to) noexcept
      -> HRESULT;
  [[nodiscard]] auto fit(device& on, const resource& from, const texel_rectangle& area) noexcept
      -> HRESULT;
  [[nodiscard]] auto copy_in(device& on, resource& from, subresource where,
                             const texel_rectangle& area) noexcept -> HRESULT;
  [[nodiscard]] auto copy_out(device& on, const texel_rectangle& area,
                              const row_target& to) noexcept -> HRESULT;

  resource texture_;  ///< In no list: guest-backed, with one subresource.
};

/// Makes the CPU's bytes of a resource what the host has, where the host is newer. Contents that
/// lived on the host alone get a shadow. Errors as of reading, E_OUTOFMEMORY.
[[nodiscard]] auto read_from_host(device& on, resource& of) noexcept -> HRESULT;
/// The shadow alone, with whatever is in it: for who writes all of it.
[[nodiscard]] auto require_shadow(resource& of) noexcept -> HRESULT;

}  // namespace aerogpu::umd
