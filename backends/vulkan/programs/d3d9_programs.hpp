// SPDX-License-Identifier: MIT
/// \file SM1-3 programs of a draw: textures, constant registers, and states that are constants.
#pragma once

#include "vulkan/programs/d3d9_constants.hpp"
#include "vulkan/programs/d3d9_textures.hpp"
#include "vulkan/programs/program_binder.hpp"
#include "vulkan/programs/program_sources.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace aerogpu::vulkan {

class d3d9_programs final : public program_binder {
 public:
  explicit d3d9_programs(const program_sources& from) noexcept;

  [[nodiscard]] auto resolve(const draw_state_of& state, std::uint32_t changes)
      -> result<void> override;
  [[nodiscard]] auto prepare() -> result<void> override { return {}; }
  [[nodiscard]] auto use_resources() -> result<void> override;
  [[nodiscard]] auto bind(const draw_state_of& state, std::uint32_t changes)
      -> result<void> override;
  [[nodiscard]] auto finish() -> result<void> override { return {}; }
  [[nodiscard]] auto images() const noexcept -> std::span<image_record* const> override {
    return std::span{images_.images}.first(static_cast<std::size_t>(std::bit_width(images_.used)));
  }
  void forget_image_layouts() noexcept override;
  void forget_bound() noexcept override {
    recorded_ = {};
    layout_ = nullptr;
  }

 private:
  /// What the open command buffer has bound.
  struct recorded_state {
    bool has_push_constants = false;
    d3d9::push_constants push_constants{};
    VkDescriptorSet images = VK_NULL_HANDLE;
    VkDescriptorSet constants = VK_NULL_HANDLE;
    std::array<std::uint32_t, 2> constant_offsets{};
    /// Whose constants were written last; 0 = nobody's.
    std::array<std::uint64_t, 2> constant_owners{};
  };

  [[nodiscard]] auto needs_variants(std::uint32_t changes,
                                    const d3d9_slot_kinds& kinds) const noexcept -> bool;
  [[nodiscard]] auto resolve_images(const draw_state_of& state, sampler_lookup lookup)
      -> result<void>;
  [[nodiscard]] auto write_constants(const draw_state_of& state, std::uint32_t changes)
      -> result<void>;
  [[nodiscard]] auto resolve_images(std::uint32_t changes) -> result<VkDescriptorSet>;
  void bind_sets(const d3d9_constant_set& constants, VkDescriptorSet images) noexcept;
  void bind_push_constants(const draw_state_of& state) noexcept;

  program_sources from_;
  d3d9_texture_binder textures_;
  d3d9_constant_binder constants_;
  d3d9_slot_kinds kinds_;  ///< That `stages_` are made for.
  d3d9_images images_;
  std::uint32_t layout_images_ = 0;  ///< That `layout_` is made for.
  recorded_state recorded_;
};

}  // namespace aerogpu::vulkan
