// SPDX-License-Identifier: MIT
/// \file SM4+ programs that run together: their modules, fitted to each other and to the device.
#pragma once

#include "vulkan/programs/draw_programs.hpp"

#include <array>

namespace aerogpu::vulkan {

/// By graphics_stage.
inline constexpr std::array<shader_stage, graphics_stage_count> stages_of_draws{
    shader_stage::vertex, shader_stage::pixel, shader_stage::geometry, shader_stage::hull,
    shader_stage::domain};

/// Whether the device can run a module. Errors: unsupported.
[[nodiscard]] auto check_device(const shader_variant& shader, const gpu& device) -> result<void>;

/// Modules of a draw's programs; each writes what the next one reads (host.md 3.2). Errors:
/// unsupported for programs that cannot be linked and for what the device lacks;
/// invalid_parameter when primitives or control points do not fit; out_of_memory, device_lost.
[[nodiscard]] auto resolve_dxbc_variants(const draw_state_of& state, shader_store& shaders,
                                         device_parts& device) -> result<stage_variants>;

/// Vulkan's descriptor type of a register.
[[nodiscard]] auto descriptor_type_of(dxbc::binding_kind kind) noexcept -> VkDescriptorType;

/// The bindings of one module's set. Errors: out_of_memory.
[[nodiscard]] auto set_bindings_of(const shader_variant& shader, VkShaderStageFlags stage) noexcept
    -> result<heap_array<set_binding>>;

}  // namespace aerogpu::vulkan
