// SPDX-License-Identifier: MIT
/// \file A surface, texture or buffer of one device: what it is and where its contents live.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/umd/d3d9/core/object_list.hpp"
#include "drivers/win7/umd/d3d9/submit/allocation_tracker.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace aerogpu::umd {

enum class resource_kind : std::uint8_t { surface, texture, cube_texture, buffer };
enum class memory_pool : std::uint8_t { video, system };

/// What a runtime asks for, in either profile (umd-d3d9.md 2.5.1).
struct resource_flags {
  bool is_render_target : 1 = false;
  bool is_depth_stencil : 1 = false;
  bool is_dynamic : 1 = false;
  bool generates_mips : 1 = false;
  bool hides_mips : 1 = false;  ///< The runtime numbers the top levels alone.
  bool is_shared : 1 = false;
  bool is_primary : 1 = false;
  bool is_lockable : 1 = true;
  bool is_vertex_buffer : 1 = false;
  bool is_index_buffer : 1 = false;
  bool is_standard : 1 = false;  ///< Opened, and the kernel driver's own: the shared primary.
};

/// Memory of the runtime itself that a system-memory subresource lives in (pSurfList of M).
struct caller_memory {
  std::byte* bytes = nullptr;
  std::uint32_t row_pitch_bytes = 0;
};

struct resource_request {
  resource_kind kind = resource_kind::surface;
  memory_pool pool = memory_pool::video;
  resource_flags flags;
  std::uint32_t format = 0;  ///< D3DFORMAT; 0 for buffers.
  std::uint32_t width = 0;   ///< Texels of mip 0.
  std::uint32_t height = 0;
  std::uint32_t mip_levels = 1;                  ///< 0 = down to 1 by 1.
  std::uint32_t array_layers = 1;                ///< Cubes take 0 and 1 for their 6.
  std::uint64_t size_bytes = 0;                  ///< Of a buffer.
  std::span<const caller_memory> system_memory;  ///< One for each subresource, or none.
  void* runtime_handle = nullptr;
  std::uint32_t vidpn_source = 0;
};

/// What the wire calls one subresource of a texture, for targets that are not all of it.
struct subresource_view {
  std::uint32_t subresource = 0;
  resource_handle handle{};
};

/// Where the bytes that the CPU sees live.
enum class residence : std::uint8_t {
  guest,   ///< In a kernel allocation that the host reads: dirty ranges.
  shadow,  ///< In `shadow`, on the host by uploads.
  caller,  ///< In memory of the runtime; the host has no such resource.
  host,    ///< On the host alone, until the CPU asks for them: then in `shadow`.
};

/// A lock that the application holds, or several of one buffer (umd-d3d9.md 2.7.2).
struct held_lock {
  std::uint32_t subresource = 0;
  std::uint32_t count = 1;
  std::byte* first = nullptr;        ///< Of the subresource; null when it was only notified.
  byte_range changed;                ///< What unlocking sends; empty when it only read.
  std::byte* allocation = nullptr;   ///< Where a kernel lock mapped the allocation.
  kernel_allocation renamed_from{};  ///< Of a new one that is not yet bound to the handle.
};

/// Memory that a resource had, for locks that discard (umd-d3d9.md 2.7.4).
struct spare_memory {
  guest_backing backing;
  fence_value last_use{};
};

class resource : public listed<resource> {
 public:
  resource() = default;
  resource(const resource&) = delete;
  auto operator=(const resource&) -> resource& = delete;

  resource_kind kind = resource_kind::surface;
  memory_pool pool = memory_pool::video;
  resource_flags flags;
  residence contents = residence::shadow;
  std::uint32_t format = 0;              ///< D3DFORMAT.
  bool reads_opaque_alpha = false;       ///< As the format's row says: X1R5G5B5.
  std::optional<texture_layout> texels;  ///< Of what is no buffer.
  /// Of a narrow format, whose contents are in `shadow` or `caller`: the host's, which are wider.
  std::optional<texture_layout> wide_texels;
  std::uint64_t size_bytes = 0;  ///< Of all subresources, or of the buffer.
  resource_handle handle{};      ///< On the wire; 0 = the host does not know it.
  guest_backing backing;
  heap_array<std::byte> shadow;
  heap_array<caller_memory> system_memory;
  heap_array<subresource_view> views;  ///< Made when first bound; destroyed with it.
  void* runtime_handle = nullptr;
  fence_value last_use{};      ///< Of a submission that read or wrote it.
  bool is_host_newer = false;  ///< Draws, clears or copies wrote what the CPU has not read.
  heap_array<held_lock> locks;
  heap_array<spare_memory> spares;
  /// The next surface of a swap chain, which profile M names by the handle of the first.
  resource* next_surface = nullptr;
  std::uint32_t priority = 0;                 ///< Kept for who asks; residency is the kernel's.
  std::uint32_t mip_filter = D3DTEXF_LINEAR;  ///< D3DTEXTUREFILTERTYPE of generated levels.

  [[nodiscard]] auto layout() const noexcept -> const texture_layout* {
    return texels ? &*texels : nullptr;
  }
  /// As the host has it.
  [[nodiscard]] auto host_layout() const noexcept -> const texture_layout* {
    return wide_texels ? &*wide_texels : layout();
  }
  /// L8, A8 and A8L8: nothing on the host writes them.
  [[nodiscard]] auto is_narrow() const noexcept -> bool { return wide_texels.has_value(); }
  [[nodiscard]] auto subresource_count() const noexcept -> std::uint64_t {
    return texels ? texels->subresource_count() : 1;
  }
  /// Whether a lock of the kernel is held, so that no submission may list the allocation.
  [[nodiscard]] auto is_mapped() const noexcept -> bool {
    for (const held_lock& each : locks) {
      if (each.allocation != nullptr) return true;
    }
    return false;
  }
};

/// The host's name of it; 0 for none.
[[nodiscard]] inline auto handle_of(const resource* of) noexcept -> resource_handle {
  return of != nullptr ? of->handle : resource_handle{};
}

}  // namespace aerogpu::umd
