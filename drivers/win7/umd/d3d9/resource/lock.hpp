// SPDX-License-Identifier: MIT
/// \file Locks of the application: memory in its hands until it unlocks (umd-d3d9.md 2.7.2, 2.7.3).
#pragma once

#include "aerogpu/memory/texture_layout.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::umd {

class device;

struct lock_request {
  std::uint32_t subresource = 0;
  /// From the start of the subresource, or of a buffer; size 0 = to its end.
  std::optional<byte_range> range;
  /// Texels. Cut to the subresource and widened to whole blocks; what is empty then goes to its
  /// end.
  std::optional<rectangle> area;
  bool is_read_only = false;
  bool is_write_only = false;
  bool discards = false;
  bool only_notifies = false;  ///< Waits, and gives no memory.
  bool may_wait = true;
  bool may_nest = false;  ///< A buffer that is locked may be locked again.
};

struct lock_answer {
  std::byte* bytes = nullptr;  ///< The first one that was asked for.
  std::uint32_t row_pitch_bytes = 0;
  std::uint32_t slice_pitch_bytes = 0;
};

/// E_INVALIDARG for a subresource or range that there is not; E_FAIL for one that is locked and may
/// not be again; D3DERR_INVALIDCALL for a resource that is not lockable; D3DERR_WASSTILLDRAWING;
/// E_OUTOFMEMORY; errors of callbacks and sending.
[[nodiscard]] auto lock_resource(device& on, resource& of, const lock_request& request,
                                 lock_answer& out) noexcept -> HRESULT;

/// The commit point: what was locked for writing goes to the host, with the last unlock of a buffer
/// that was locked several times. E_INVALIDARG for a subresource that is not locked. The lock ends,
/// whatever happens.
[[nodiscard]] auto unlock_resource(device& on, resource& of, std::uint32_t subresource) noexcept
    -> HRESULT;

/// The same as profile U names it: by bytes of the whole resource, which are all that goes to the
/// host; none = what was locked. E_FAIL when nothing is locked there; E_INVALIDARG, and the lock
/// stays, for bytes outside.
[[nodiscard]] auto unlock_range(device& on, resource& of, byte_range changed) noexcept -> HRESULT;

/// Where a byte of the whole resource lies, as profile U names it: the subresource and the rest.
/// E_INVALIDARG behind the end.
[[nodiscard]] auto locate_byte(const resource& of, std::uint64_t offset_bytes,
                               std::uint32_t& subresource, std::uint64_t& rest) noexcept -> HRESULT;

/// The bytes that a request names, and where they lie. For locks of every kind.
struct located_range {
  byte_range bytes;          ///< Of the resource: from the first to the last one that may change.
  std::uint64_t offset = 0;  ///< In the subresource: of the first byte that was asked for.
  std::uint32_t row_pitch_bytes = 0;
  std::uint32_t slice_pitch_bytes = 0;
};
[[nodiscard]] auto locate_request(const resource& of, const lock_request& request,
                                  located_range& out) noexcept -> HRESULT;

}  // namespace aerogpu::umd
