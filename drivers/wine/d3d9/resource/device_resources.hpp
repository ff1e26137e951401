// SPDX-License-Identifier: MIT
/// \file What a device knows of all its resources.
#pragma once

#include "drivers/wine/d3d9/com/object.hpp"
#include "drivers/wine/d3d9/resource/creation_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::d3d9 {

class device;

/// A resource, as evictions and Reset see it.
class listed_resource {
 public:
  listed_resource() = default;
  listed_resource(const listed_resource&) = delete;
  auto operator=(const listed_resource&) -> listed_resource& = delete;

  [[nodiscard]] virtual auto listed_pool() const noexcept -> D3DPOOL = 0;
  /// Drops a managed resource's copy in video memory. True when there was one.
  virtual auto evict() -> bool = 0;
  [[nodiscard]] virtual auto listed_object() const noexcept -> const object& = 0;

 protected:
  ~listed_resource() = default;

 private:
  friend class device_resources;
  static constexpr std::size_t nowhere = SIZE_MAX;
  std::size_t position_ = nowhere;
};

class device_resources {
 public:
  explicit device_resources(device& of);

  /// Between a resource's creation and its end.
  void add(listed_resource& made);
  void remove(listed_resource& gone) noexcept;

  /// Whether anything is left that a Reset must not find. Chains' buffers are not listed.
  [[nodiscard]] auto has_default_pool_objects() const noexcept -> bool;
  /// EvictManagedResources. True when there was something to drop.
  auto evict() -> bool;
  /// A resource of the driver's. On a lost device that is not Ex the driver has nothing of it, and
  /// gets what is in system memory with the Reset.
  [[nodiscard]] auto make(const sim::resource_description& wanted, sim::d3d9_resource*& made,
                          void* user_memory = nullptr) -> HRESULT;
  /// The same in video memory, from which managed copies go when it is full: all
  /// but those of what is bound, and those too when that was not enough.
  [[nodiscard]] auto make_video(const sim::resource_description& wanted, sim::d3d9_resource*& made)
      -> HRESULT;
  /// The device ends: whatever the program still has, the driver has nothing of it.
  void end() noexcept;

  /// Rises with everything after which a bound resource needs `prepare` again.
  [[nodiscard]] auto changes() const noexcept -> std::uint64_t { return changes_; }
  void count_change() noexcept { ++changes_; }
  /// Rises when what is bound may have lost its copy.
  [[nodiscard]] auto evictions() const noexcept -> std::uint64_t { return evictions_; }

  /// A buffer's first lock, or the end of its last.
  void note_locked_buffer(bool is_locked) noexcept { locked_buffers_ += is_locked ? 1 : -1; }
  [[nodiscard]] auto has_locked_buffers() const noexcept -> bool { return locked_buffers_ != 0; }

  [[nodiscard]] auto formats() const noexcept -> std::span<const FORMATOP> { return formats_; }
  [[nodiscard]] auto limits() const noexcept -> creation_limits;

 private:
  auto evict_unbound() -> bool;

  device& owner_;
  std::vector<listed_resource*> list_;
  std::vector<FORMATOP> formats_;
  D3DCAPS9 caps_{};
  std::uint64_t changes_ = 1;
  std::uint64_t evictions_ = 0;
  int locked_buffers_ = 0;
};

}  // namespace aerogpu::d3d9
