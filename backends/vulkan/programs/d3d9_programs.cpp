// SPDX-License-Identifier: MIT
#include "vulkan/programs/d3d9_programs.hpp"

#include "aerogpu/core/bytes.hpp"
#include "vulkan/programs/d3d9_render_states.hpp"

#include <cstring>

namespace aerogpu::vulkan {

d3d9_programs::d3d9_programs(const program_sources& from) noexcept
    : from_(from), textures_(from), constants_(from.device) {}

void d3d9_programs::forget_image_layouts() noexcept {
  textures_.forget_sets();
  recorded_.images = VK_NULL_HANDLE;
}

auto d3d9_programs::resolve(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  if ((changes & program_changes) == 0) return {};
  const auto& pixel = state.stages[static_cast<std::size_t>(shader_stage::pixel)];
  const d3d9_slot_kinds kinds = find_slot_kinds(pixel);
  sampler_lookup lookup = sampler_lookup::keep;
  if (needs_variants(changes, kinds)) {
    const auto found = resolve_d3d9_variants(state, from_);
    if (!found) return found.why();
    stages_ = *found;
    kinds_ = kinds;
    images_ = {};
    lookup = sampler_lookup::find;
  }
  if (auto resolved = resolve_images(state, lookup); !resolved) return resolved.why();
  if (layout_ != nullptr && layout_images_ == images_.used) return {};
  const auto layout = from_.layouts.resolve_d3d9(images_.used);
  if (!layout) return layout.why();
  layout_ = *layout;
  layout_images_ = images_.used;
  return {};
}

/// Another texture of the same kind needs no other module.
auto d3d9_programs::needs_variants(std::uint32_t changes,
                                   const d3d9_slot_kinds& kinds) const noexcept -> bool {
  return (changes & (shader_changes | layout_changes | fixed_changes)) != 0 || !(kinds == kinds_);
}

auto d3d9_programs::resolve_images(const draw_state_of& state, sampler_lookup lookup)
    -> result<void> {
  for (const shader_stage stage : {shader_stage::vertex, shader_stage::pixel}) {
    const auto place =
        stage == shader_stage::vertex ? graphics_stage::vertex : graphics_stage::pixel;
    const shader_variant* shader = stages_[static_cast<std::size_t>(place)];
    if (shader == nullptr) continue;
    auto resolved = textures_.resolve(state, stage, shader->translated, lookup, images_);
    if (!resolved) return resolved.why();
  }
  return {};
}

auto d3d9_programs::use_resources() -> result<void> {
  for (image_record* const image : images()) {
    if (image != nullptr) from_.resources.use_in_main(*image, image_use::sampled);
  }
  return {};
}

auto d3d9_programs::bind(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  if ((changes & target_changes) != 0) bind_push_constants(state);
  if (auto written = write_constants(state, changes); !written) return written.why();
  const auto constants = constants_.resolve_set(layout_->sets[0]);
  if (!constants) return constants.why();
  const auto images = resolve_images(changes);
  if (!images) return images.why();
  bind_sets(*constants, *images);
  return {};
}

auto d3d9_programs::write_constants(const draw_state_of& state, std::uint32_t changes)
    -> result<void> {
  constexpr std::array stages{shader_stage::vertex, shader_stage::pixel};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool is_changed = (changes & change_bit(state_change::stage_constants, stages[i])) != 0;
    if (is_changed) recorded_.constant_owners[i] = 0;
    if (stages_[i] == nullptr || recorded_.constant_owners[i] == stages_[i]->id) continue;
    const auto& registers = state.stages[static_cast<std::size_t>(stages[i])].constants;
    auto written = constants_.write(i, registers, stages_[i]->translated);
    if (!written) return written.why();
    recorded_.constant_owners[i] = stages_[i]->id;
  }
  return {};
}

/// The set of `images_`; null where none is read.
auto d3d9_programs::resolve_images(std::uint32_t changes) -> result<VkDescriptorSet> {
  if (images_.used == 0) return VkDescriptorSet{VK_NULL_HANDLE};
  const bool is_bound = (changes & program_changes) == 0 && recorded_.images != VK_NULL_HANDLE;
  if (is_bound) return recorded_.images;
  return textures_.resolve_set(images_, layout_->sets[1]);
}

/// Both in one command, if both are others. Without images, those that were bound before count as
/// gone: the layout of programs that read none has no place for them.
void d3d9_programs::bind_sets(const d3d9_constant_set& constants, VkDescriptorSet images) noexcept {
  const bool keeps_constants =
      recorded_.constants == constants.set && recorded_.constant_offsets == constants.offsets;
  const bool keeps_images = images == VK_NULL_HANDLE || recorded_.images == images;
  recorded_.images = images;
  if (keeps_constants && keeps_images) return;
  recorded_.constants = constants.set;
  recorded_.constant_offsets = constants.offsets;
  const std::array sets{constants.set, images};
  const std::uint32_t first = keeps_constants ? 1 : 0;
  const std::uint32_t end = keeps_images ? 1 : 2;
  from_.device.vk().vkCmdBindDescriptorSets(
      from_.device.work.main().commands(), VK_PIPELINE_BIND_POINT_GRAPHICS, layout_->handle, first,
      end - first, &sets[first], keeps_constants ? 0 : 2, constants.offsets.data());
}

void d3d9_programs::bind_push_constants(const draw_state_of& state) noexcept {
  const gpu& device = *from_.device.gpu;
  const float most_points =
      device.features.large_points ? device.properties.limits.pointSizeRange[1] : 1.0f;
  const auto now = make_push_constants(*state.d3d9, state.fixed->alpha_test, most_points);
  // Bits, not numbers: a NaN is pushed only once, and -0 is not 0.
  const const_bytes last = aerogpu::bytes_of(recorded_.push_constants);
  const const_bytes next = aerogpu::bytes_of(now);
  if (recorded_.has_push_constants && std::memcmp(last.data(), next.data(), next.size()) == 0) {
    return;
  }
  recorded_.has_push_constants = true;
  recorded_.push_constants = now;
  device.vk.vkCmdPushConstants(from_.device.work.main().commands(), layout_->handle,
                               VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                               sizeof now, &now);
}

}  // namespace aerogpu::vulkan
