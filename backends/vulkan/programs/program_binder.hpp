// SPDX-License-Identifier: MIT
/// \file What the programs of a draw read and write: found, made ready and bound. SM1-3 and SM4+
/// programs do it each in their own way, behind the same draw.
#pragma once

#include "vulkan/programs/draw_programs.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

[[nodiscard]] constexpr auto change_bit(state_change part,
                                        shader_stage stage = shader_stage{}) noexcept
    -> std::uint32_t {
  return static_cast<std::uint32_t>(part) << static_cast<std::uint32_t>(stage);
}

inline constexpr std::uint32_t all_changes = ~0u;
inline constexpr std::uint32_t fixed_changes = change_bit(state_change::fixed_function);
inline constexpr std::uint32_t shader_changes = change_bit(state_change::shaders);
inline constexpr std::uint32_t layout_changes = change_bit(state_change::input_layout);
inline constexpr std::uint32_t target_changes = change_bit(state_change::targets) | fixed_changes;
/// What modules depend on: those of SM1-3 also on what is in their texture slots.
inline constexpr std::uint32_t program_changes =
    shader_changes | layout_changes | fixed_changes |
    change_bit(state_change::stage_bindings, shader_stage::vertex) |
    change_bit(state_change::stage_bindings, shader_stage::pixel);

/// For each draw in this order: `resolve`, `prepare`, `use_resources`, `bind`, `finish`.
class program_binder {
 public:
  virtual ~program_binder() = default;

  /// Finds modules and layout, and what stands in the slots that they read. Errors: unsupported,
  /// invalid_parameter for programs that do not go together; out_of_memory, device_lost.
  [[nodiscard]] virtual auto resolve(const draw_state_of& state, std::uint32_t changes)
      -> result<void> = 0;
  /// Records what the draw needs and what cannot stand in a render pass. Errors: out_of_memory,
  /// device_lost.
  [[nodiscard]] virtual auto prepare() -> result<void> = 0;
  /// Announces what the draw uses to the main commands. Precondition: `images` are materialized.
  /// Errors: as above.
  [[nodiscard]] virtual auto use_resources() -> result<void> = 0;
  /// Records descriptors and constants. Errors: as above.
  [[nodiscard]] virtual auto bind(const draw_state_of& state, std::uint32_t changes)
      -> result<void> = 0;
  /// Records what follows the draw. Errors: as above.
  [[nodiscard]] virtual auto finish() -> result<void> = 0;

  /// Images that the draw reads; some are null.
  [[nodiscard]] virtual auto images() const noexcept -> std::span<image_record* const> = 0;
  /// One of them changed its layout for good.
  virtual void forget_image_layouts() noexcept = 0;
  /// The command buffer has nothing bound that could be kept, and what caches gave for another
  /// batch may be gone.
  virtual void forget_bound() noexcept = 0;

  [[nodiscard]] auto stages() const noexcept -> const stage_variants& { return stages_; }
  [[nodiscard]] auto layout() const noexcept -> const pipeline_layout& { return *layout_; }

 protected:
  stage_variants stages_{};
  const pipeline_layout* layout_ = nullptr;
};

}  // namespace aerogpu::vulkan
