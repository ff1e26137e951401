// SPDX-License-Identifier: MIT
/// \file The guest's buffers, textures and views, whichever device has them at the moment.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/memory/record_list.hpp"
#include "vulkan/resources/resource_objects.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// Owns the records of all live buffers, textures and views. They outlive a lost device: `rebuild`
/// gives them objects on the next one, whose content is zero.
class resource_records {
 public:
  /// With an object of its own. Errors: those of `resource_objects::create`; out_of_memory.
  [[nodiscard]] auto create(resource_objects& on, const buffer_desc& desc)
      -> result<buffer_record*>;
  [[nodiscard]] auto create(resource_objects& on, const texture_desc& desc)
      -> result<image_record*>;
  /// Errors: out_of_memory.
  [[nodiscard]] auto create(const texture_view_desc& desc) -> result<view_record*>;
  /// Its object, if it has one, is destroyed already.
  void destroy(buffer_record* buffer) noexcept { remove_record(buffers_, buffer); }
  void destroy(image_record* image) noexcept { remove_record(images_, image); }
  void destroy(view_record* view) noexcept { remove_record(views_, view); }

  /// Makes an object for each record. Errors: as for `create`.
  [[nodiscard]] auto rebuild(resource_objects& on) -> result<void>;
  /// Gives up the objects on a device that goes.
  void drop_objects(resource_objects& on) noexcept;

  [[nodiscard]] auto live_objects() const noexcept -> std::size_t {
    return buffers_.size() + images_.size() + views_.size();
  }

 private:
  std::uint64_t next_id_ = 1;
  record_list<buffer_record> buffers_;
  record_list<image_record> images_;
  record_list<view_record> views_;
};

}  // namespace aerogpu::vulkan
