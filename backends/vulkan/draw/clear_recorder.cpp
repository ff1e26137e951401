// SPDX-License-Identifier: MIT
#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "vulkan/draw/draw_recorder.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

/// The colour whose UNORM store gives exactly the texel that every backend stores: clears are
/// packed once, by the library.
auto exact_color(aerogpu_format format, const vec4f& color, bool srgb_write) noexcept
    -> VkClearColorValue {
  const packed_texel texel = pack_clear_color(format, color, srgb_write);
  const color_layout& layout = *find_color_layout(format);
  const auto channel = [&](std::uint32_t shift, std::uint32_t bits) {
    if (bits == 0) return 1.0f;
    const std::uint32_t maximum = (1u << bits) - 1;
    return static_cast<float>(texel.bits >> shift & maximum) / static_cast<float>(maximum);
  };
  return {.float32 = {channel(layout.red_shift, layout.red_bits),
                      channel(layout.green_shift, layout.green_bits),
                      channel(layout.blue_shift, layout.blue_bits),
                      layout.has_alpha ? channel(layout.alpha_shift, layout.alpha_bits) : 1.0f}};
}

auto area_of(const clear_call<vulkan_backend>& call, VkExtent2D extent) noexcept -> VkRect2D {
  const scissor_state whole;
  const pixel_rect rect =
      clip_scissor(call.has_scissor ? call.scissor : whole, {extent.width, extent.height});
  return {{static_cast<std::int32_t>(rect.x), static_cast<std::int32_t>(rect.y)},
          {rect.width, rect.height}};
}

/// What a clear of so much of the targets fills.
auto bytes_of(const pass_targets& targets, VkExtent2D extent) noexcept -> std::uint64_t {
  std::uint64_t of_pixel = 0;
  const auto add = [&](const attachment& target) {
    if (target.image != nullptr) of_pixel += target.image->format->image_bytes();
  };
  for (const attachment& target : targets.colors) add(target);
  add(targets.depth_stencil);
  return of_pixel * extent.width * extent.height;
}

}  // namespace

/// Targets may differ in size, and each is cleared whole: one pass for all of one size.
auto draw_recorder::clear(const clear_call<vulkan_backend>& call) -> result<void> {
  auto all = make_pass_targets(from_.resources, call.targets, target_encoding::as_stored,
                               from_.device.gpu->properties.limits);
  if (!all) return all.why();
  const bool clears_color = (call.flags & AEROGPU_CLEAR_COLOR) != 0;
  const bool clears_depth = (call.flags & (AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL)) != 0;
  if (!clears_color) all->color_count = 0, all->colors = {};
  if (!clears_depth) all->depth_stencil = {};
  const auto size_of = [&](std::size_t i) -> VkExtent2D {
    const auto& target =
        i < call.targets.colors.size() ? call.targets.colors[i] : call.targets.depth_stencil;
    return {target.width, target.height};
  };
  constexpr std::size_t depth_place = AEROGPU_MAX_RENDER_TARGETS;
  const auto target_at = [&](std::size_t i) -> attachment& {
    return i < depth_place ? all->colors[i] : all->depth_stencil;
  };
  for (std::size_t first = 0; first <= depth_place; ++first) {
    if (target_at(first).image == nullptr) continue;
    pass_targets group;
    group.extent = size_of(first);
    group.color_count = all->color_count;
    for (std::size_t i = first; i <= depth_place; ++i) {
      const VkExtent2D size = size_of(i);
      if (target_at(i).image == nullptr || size.width != group.extent.width ||
          size.height != group.extent.height) {
        continue;
      }
      (i < depth_place ? group.colors[i] : group.depth_stencil) = target_at(i);
      target_at(i) = {};
    }
    if (auto done = clear_targets(group, call); !done) return done.why();
  }
  return {};
}

auto draw_recorder::clear_targets(const pass_targets& targets,
                                  const clear_call<vulkan_backend>& call) -> result<void> {
  device_parts& device = from_.device;
  pass_clear clear;
  clear.area = area_of(call, targets.extent);
  if (clear.area.extent.width == 0 || clear.area.extent.height == 0) return {};
  clear.color = (call.flags & AEROGPU_CLEAR_COLOR) != 0;
  clear.depth = (call.flags & AEROGPU_CLEAR_DEPTH) != 0;
  clear.stencil = (call.flags & AEROGPU_CLEAR_STENCIL) != 0;
  clear.depth_stencil = {call.depth, call.stencil};
  for (std::uint32_t i = 0; i < targets.color_count; ++i) {
    if (targets.colors[i].image == nullptr) continue;
    clear.colors[i] = exact_color(call.targets.colors[i].format, call.color, call.srgb_write);
  }
  if (auto ready = materialize(targets); !ready) return ready.why();
  command_stream& main = device.work.main();
  device.pass.begin(main, targets, &clear);
  device.work.note_bytes(bytes_of(targets, clear.area.extent));
  // Draws to the same targets may join a pass of the whole of them.
  const bool is_whole = clear.area.extent.width == targets.extent.width &&
                        clear.area.extent.height == targets.extent.height;
  if (!is_whole) device.pass.end(main);
  return {};
}

}  // namespace aerogpu::vulkan
