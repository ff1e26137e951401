// SPDX-License-Identifier: MIT
/// \file SM4+ programs of a draw: up to five stages, each with its own set of descriptors.
#pragma once

#include "vulkan/programs/dxbc_bindings.hpp"
#include "vulkan/programs/program_binder.hpp"
#include "vulkan/programs/program_sources.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

class dxbc_programs final : public program_binder {
 public:
  explicit dxbc_programs(const program_sources& from) noexcept;

  [[nodiscard]] auto resolve(const draw_state_of& state, std::uint32_t changes)
      -> result<void> override;
  [[nodiscard]] auto prepare() -> result<void> override;
  [[nodiscard]] auto use_resources() -> result<void> override;
  [[nodiscard]] auto bind(const draw_state_of& state, std::uint32_t changes)
      -> result<void> override;
  [[nodiscard]] auto finish() -> result<void> override;
  [[nodiscard]] auto images() const noexcept -> std::span<image_record* const> override {
    return images_.view();
  }
  /// Layouts are looked up for each draw.
  void forget_image_layouts() noexcept override {}
  void forget_bound() noexcept override;

 private:
  [[nodiscard]] auto resolve_layout() -> result<void>;
  void keep_sets(const pipeline_layout& next) noexcept;

  program_sources from_;
  std::array<dxbc_bindings, graphics_stage_count> bindings_;
  heap_array<image_record*> images_;
  aerogpu_primitive_topology topology_{};  ///< Of the last draw.
  const pipeline_layout* bound_layout_ = nullptr;
  std::array<VkDescriptorSet, most_descriptor_sets> bound_{};
};

}  // namespace aerogpu::vulkan
