// SPDX-License-Identifier: MIT
/// \file A Direct3D resource as the runtime keeps it, and the surfaces that it consists of.
#pragma once

#include "drivers/sim/runtime/ddi/ddi_device.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace aerogpu::sim {

/// What the API's creation says; the runtime gives it to openers, byte for byte.
struct resource_description {
  D3DRESOURCETYPE type = D3DRTYPE_SURFACE;
  D3DFORMAT format = D3DFMT_A8R8G8B8;
  D3DPOOL pool = D3DPOOL_DEFAULT;
  DWORD usage = 0;
  UINT width = 0;  ///< Of a buffer: its bytes.
  UINT height = 1;
  UINT depth = 1;
  UINT levels = 1;    ///< 0: all.
  UINT surfaces = 1;  ///< Of a swap chain, each as large as the first.
  DWORD vertex_format = 0;
  UINT is_lockable = 0;
  UINT is_shared = 0;
  UINT is_primary = 0;

  friend auto operator==(const resource_description&, const resource_description&)
      -> bool = default;
};

/// How a format's texels lie in memory: in blocks, most of them of one texel.
struct texel_layout {
  UINT block_bytes = 0;  ///< 0: the runtime does not know the format.
  UINT block_width = 1;
  UINT block_height = 1;

  [[nodiscard]] auto has_blocks() const noexcept -> bool { return block_width > 1; }
};
[[nodiscard]] auto layout_of(D3DFORMAT format) -> texel_layout;

/// Memory as programs expect it of a lock: they use vector instructions on it.
template <class T>
struct lock_allocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{16};

  lock_allocator() = default;
  template <class U>
  explicit lock_allocator(const lock_allocator<U>&) noexcept {}
  [[nodiscard]] auto allocate(std::size_t count) -> T* {
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* gone, std::size_t) noexcept { ::operator delete(gone, alignment); }
  friend auto operator==(const lock_allocator&, const lock_allocator&) -> bool = default;
};
using lockable_bytes = std::vector<std::byte, lock_allocator<std::byte>>;

/// One level of one face, or a surface of a swap chain.
struct subresource {
  UINT width = 0;
  UINT height = 0;
  UINT depth = 1;
  UINT pitch_bytes = 0;          ///< Of the runtime's own memory.
  UINT slice_pitch_bytes = 0;    ///< Likewise.
  std::span<std::byte> memory;   ///< Of a resource in system memory.
  UINT locks = 0;                ///< Of a buffer more than one.
  bool is_notification = false;  ///< The lock's: the driver only knows of it.
};

struct d3d9_resource {
  [[nodiscard]] auto is_buffer() const noexcept -> bool {
    return description.type == D3DRTYPE_VERTEXBUFFER || description.type == D3DRTYPE_INDEXBUFFER;
  }
  [[nodiscard]] auto is_in_system_memory() const noexcept -> bool {
    return description.pool == D3DPOOL_SYSTEMMEM;
  }
  /// How many times the levels are there.
  [[nodiscard]] auto faces() const noexcept -> UINT {
    constexpr UINT cube_faces = 6;
    return description.type == D3DRTYPE_CUBETEXTURE ? cube_faces : description.surfaces;
  }

  resource_description description;
  void* user_memory = nullptr;  ///< The program's, which the runtime uses instead of its own.
  ddi_resource names;
  D3DKMT_HANDLE share = 0;                ///< In its process.
  lockable_bytes memory;                  ///< All of it, in the order of the subresources.
  std::vector<subresource> subresources;  ///< Face by face, each with its levels.
  std::vector<RECT> dirty;                ///< Of each face's top level; empty rectangles are clean.
};

/// A surface is a place in a resource; nullptr for none.
struct d3d9_surface {
  d3d9_resource* resource = nullptr;
  UINT index = 0;

  [[nodiscard]] auto part() const -> subresource& { return resource->subresources[index]; }
  [[nodiscard]] auto whole() const -> RECT {
    return {0, 0, static_cast<LONG>(part().width), static_cast<LONG>(part().height)};
  }
  friend auto operator==(const d3d9_surface&, const d3d9_surface&) -> bool = default;
};

/// Levels and faces with their sizes; those in system memory get it. Changes `levels` 0 to how many
/// there are. False for a format that cannot be laid out, and for more than 2 GiB.
[[nodiscard]] auto lay_out(d3d9_resource& resource) -> bool;
/// Where a texel's block lies in system memory. Places outside give addresses outside: Windows
/// accepts them of some locks.
[[nodiscard]] auto address_of(const subresource& part, const texel_layout& layout, LONG x, LONG y,
                              LONG z = 0) -> std::byte*;
/// What CreateResource is asked for, but its surfaces. `fill` is what members without a meaning
/// hold.
[[nodiscard]] auto to_ddi(const d3d9_resource& resource, UINT fill) -> D3DDDIARG_CREATERESOURCE;
[[nodiscard]] auto surfaces_of(const d3d9_resource& resource) -> std::vector<D3DDDI_SURFACEINFO>;

}  // namespace aerogpu::sim
