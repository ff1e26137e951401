// SPDX-License-Identifier: MIT
/// \file What a generated guest believes to have: handles with what they were created as.
#pragma once

#include "tests/property/choices.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace aerogpu::property {

enum class object_kind : std::uint8_t {
  buffer,
  texture,
  view,
  vertex_shader,
  pixel_shader,
  geometry_shader,
  hull_shader,
  domain_shader,
  compute_shader,
  layout,
  sampler,
  token,
};
inline constexpr std::size_t object_kind_count = 12;

struct object {
  std::uint32_t handle = 0;
  std::uint32_t size_bytes = 0;  ///< Of a buffer.
  test::texture_spec texture{};  ///< Of a texture; of a view, what it shows.
  bool is_d3d9 = false;          ///< Of a shader or layout.
  bool is_backed = false;
};

/// A packet that makes or destroys something, which holds once the packet was executed.
struct object_change {
  std::uint32_t offset = 0;  ///< Of the packet in its stream.
  object_kind kind{};
  bool is_gone = false;
  object what{};
};

class object_lists {
 public:
  [[nodiscard]] auto of(object_kind kind) const -> const std::vector<object>& {
    return lists_[static_cast<std::size_t>(kind)];
  }
  void apply(const object_change& change) {
    auto& list = lists_[static_cast<std::size_t>(change.kind)];
    std::erase_if(list, [&](const object& o) { return o.handle == change.what.handle; });
    if (!change.is_gone) list.push_back(change.what);
  }
  [[nodiscard]] auto highest_handle() const -> std::uint32_t {
    std::uint32_t highest = 0;
    for (const auto& list : lists_) {
      for (const object& each : list) highest = std::max(highest, each.handle);
    }
    return highest;
  }
  /// A live object; null when there is none.
  [[nodiscard]] auto pick(choices& by, object_kind kind) const -> const object* {
    const auto& list = of(kind);
    return list.empty() ? nullptr : &list[by.below(list.size())];
  }
  /// One of those that fit.
  template <class Fits>
  [[nodiscard]] auto pick_if(choices& by, object_kind kind, Fits&& fits) const -> const object* {
    std::vector<const object*> found;
    for (const object& each : of(kind)) {
      if (fits(each)) found.push_back(&each);
    }
    return found.empty() ? nullptr : found[by.below(found.size())];
  }

 private:
  std::array<std::vector<object>, object_kind_count> lists_;
};

}  // namespace aerogpu::property
