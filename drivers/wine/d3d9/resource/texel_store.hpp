// SPDX-License-Identifier: MIT
/// \file Where the texels of a surface or of a texture's levels are: the driver's resource, memory
/// of the runtime, or both.
#pragma once

#include "drivers/sim/runtime/resource.hpp"
#include "drivers/wine/d3d9/window/share_handles.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu::d3d9 {

class device;

/// Managed resources have memory, and a copy that the driver samples, made when it is first needed.
/// SYSTEMMEM and SCRATCH have memory alone, DEFAULT the driver's resource alone.
class texel_store {
 public:
  /// A chain's buffer: the resource is its chain's, with all its buffers.
  texel_store(device& of, const sim::d3d9_surface& lent, const sim::resource_description& shape);
  texel_store(device& of, const sim::resource_description& shape);
  ~texel_store();
  texel_store(const texel_store&) = delete;
  auto operator=(const texel_store&) -> texel_store& = delete;

  /// `user_memory`: of the program, for texels in system memory; nullptr: the runtime's.
  [[nodiscard]] auto create(void* user_memory = nullptr) -> HRESULT;
  /// A shared resource that exists. D3DERR_INVALIDCALL where it is not as `shape` says.
  [[nodiscard]] auto open(HANDLE share) -> HRESULT;
  /// A shared resource's handle, which is its own. Fails where the system has none left.
  [[nodiscard]] auto publish(HANDLE& share) -> HRESULT;
  /// Another buffer for a chain's surface; nullptr: it has none any more.
  void lend(const sim::d3d9_surface& buffer) noexcept {
    video_ = buffer.resource;
    lent_part_ = buffer.index;
  }

  [[nodiscard]] auto shape() const noexcept -> const sim::resource_description& { return shape_; }
  [[nodiscard]] auto part(UINT index) const -> const sim::subresource&;
  [[nodiscard]] auto part_count() const noexcept -> UINT;
  /// What the driver samples; nullptr before it is made.
  [[nodiscard]] auto video() const noexcept -> sim::d3d9_resource* { return video_; }
  /// Where copies of the API read and write: nowhere of managed texels and of SCRATCH.
  [[nodiscard]] auto place(UINT index) const noexcept -> sim::d3d9_surface;
  [[nodiscard]] auto is_lockable() const noexcept -> bool;
  [[nodiscard]] auto is_locked(UINT index) const -> bool { return locks_[index] != 0; }
  [[nodiscard]] auto has_locks() const -> bool;
  /// While a device context of any part is out, no part is locked for anything else.
  void note_context(bool is_out) noexcept { has_context_ = is_out; }
  [[nodiscard]] auto has_context() const noexcept -> bool { return has_context_; }

  /// `area` nullptr: all. `locked` is only written on success.
  [[nodiscard]] auto lock(UINT index, D3DLOCKED_RECT& locked, const RECT* area, DWORD flags)
      -> HRESULT;
  [[nodiscard]] auto lock_box(UINT index, D3DLOCKED_BOX& locked, const D3DBOX* box, DWORD flags)
      -> HRESULT;
  /// D3DERR_INVALIDCALL for what is not locked.
  [[nodiscard]] auto unlock(UINT index) -> HRESULT;

  /// AddDirtyRect: on the top level, and what lies below it.
  void add_dirty_rect(UINT face, const RECT* area);
  /// The driver has changed the texels: the API's copies, or a draw.
  void note_written(UINT index);
  [[nodiscard]] auto prepare() -> HRESULT;
  /// Drops the copy of what has memory. True when there was one.
  auto evict() -> bool;
  /// Levels above this one are not sampled; of managed textures.
  void set_least_level(UINT level);
  [[nodiscard]] auto least_level() const noexcept -> UINT { return least_level_; }

  /// Whether the driver makes the levels below the first.
  void set_generation_filter(D3DTEXTUREFILTERTYPE filter);
  [[nodiscard]] auto generation_filter() const noexcept -> D3DTEXTUREFILTERTYPE {
    return generation_filter_;
  }
  /// GenerateMipSubLevels.
  [[nodiscard]] auto generate_levels() -> HRESULT;

 private:
  [[nodiscard]] auto memory() const noexcept -> sim::d3d9_resource*;
  [[nodiscard]] auto described() const noexcept -> const sim::d3d9_resource*;
  [[nodiscard]] auto check_lock(UINT index, DWORD flags) const -> HRESULT;
  [[nodiscard]] auto is_area_allowed(UINT index, const RECT& area) const -> bool;
  [[nodiscard]] auto make_memory(void* user_memory) -> HRESULT;
  [[nodiscard]] auto make_video() -> HRESULT;
  [[nodiscard]] auto lock_video(UINT index, D3DLOCKED_RECT& locked, const RECT* area, DWORD flags)
      -> HRESULT;
  [[nodiscard]] auto lock_lost(UINT index, const RECT* area) -> D3DLOCKED_RECT;
  [[nodiscard]] auto upload(UINT index) -> HRESULT;
  void note_lock(UINT index, const RECT& area);
  void mark_dirty(UINT index, const RECT& area);
  void mark_all_dirty();
  void count_change() const;

  device& owner_;
  std::unique_ptr<published_share> share_;   ///< Of what is made shared.
  sim::resource_description shape_;          ///< As the API has it.
  std::unique_ptr<sim::d3d9_resource> own_;  ///< Memory of which the driver does not know.
  sim::d3d9_resource* system_ = nullptr;     ///< Memory of which it does.
  sim::d3d9_resource* video_ = nullptr;
  std::vector<RECT> dirty_;  ///< Of memory, against the copy; for each part.
  std::vector<std::uint8_t> locks_;
  std::vector<sim::lockable_bytes> lost_memory_;  ///< What a lost device's locks are of.
  UINT lent_part_ = 0;                            ///< Which surface of its chain a buffer is.
  UINT least_level_ = 0;
  D3DTEXTUREFILTERTYPE generation_filter_ = D3DTEXF_LINEAR;
  bool is_lent_ = false;
  bool has_context_ = false;
  bool is_dirty_ = false;
  bool generates_levels_ = false;
  bool needs_levels_ = false;
};

}  // namespace aerogpu::d3d9
