// SPDX-License-Identifier: MIT
#include "vulkan/programs/dxbc_programs.hpp"

#include "vulkan/programs/dxbc_link.hpp"

namespace aerogpu::vulkan {

namespace {

constexpr std::array<VkShaderStageFlags, graphics_stage_count> stage_flags{
    VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};

constexpr auto sets_are_numbered_by_place() noexcept -> bool {
  for (std::size_t i = 0; i < stages_of_draws.size(); ++i) {
    if (dxbc::descriptor_set_of(stages_of_draws[i]) != i) return false;
  }
  return true;
}
static_assert(sets_are_numbered_by_place());

}  // namespace

dxbc_programs::dxbc_programs(const program_sources& from) noexcept
    : from_(from),
      bindings_{dxbc_bindings{from}, dxbc_bindings{from}, dxbc_bindings{from}, dxbc_bindings{from},
                dxbc_bindings{from}} {}

void dxbc_programs::forget_bound() noexcept {
  bound_layout_ = nullptr;
  bound_ = {};
  for (dxbc_bindings& bindings : bindings_) bindings.forget();
}

auto dxbc_programs::resolve(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const stage_variants before = stages_;
  const bool has_other_topology = topology_ != state.fixed->topology;
  if ((changes & shader_changes) != 0 || has_other_topology) {
    topology_ = state.fixed->topology;
    const auto found = resolve_dxbc_variants(state, from_.shaders, from_.device);
    if (!found) return found.why();
    stages_ = *found;
    if (auto ready = resolve_layout(); !ready) return ready.why();
  }
  images_.clear();
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i] == nullptr) continue;
    const shader_stage stage = stages_of_draws[i];
    const std::uint32_t parts = shader_changes | change_bit(state_change::stage_bindings, stage) |
                                change_bit(state_change::stage_constants, stage);
    if ((changes & parts) != 0 || stages_[i] != before[i]) {
      const auto& bound = state.stages[static_cast<std::size_t>(stage)];
      if (auto found = bindings_[i].resolve(bound, *stages_[i]); !found) return found.why();
    }
    const auto images = bindings_[i].images();
    if (!images_.append(images)) return no_memory_for_record();
  }
  return {};
}

auto dxbc_programs::resolve_layout() -> result<void> {
  std::array<heap_array<set_binding>, graphics_stage_count> sets;
  std::size_t count = 0;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i] == nullptr) continue;
    auto bindings = set_bindings_of(*stages_[i], stage_flags[i]);
    if (!bindings) return bindings.why();
    sets[i] = *std::move(bindings);
    if (!sets[i].empty()) count = i + 1;
  }
  const std::uint32_t most = from_.device.gpu->properties.limits.maxBoundDescriptorSets;
  if (count > most) {
    return make_error(error_code::unsupported,
                      "the device binds fewer descriptor sets than there are shader stages", count,
                      most);
  }
  const auto found = from_.layouts.resolve(std::span{sets}.first(count));
  if (!found) return found.why();
  layout_ = *found;
  return {};
}

auto dxbc_programs::prepare() -> result<void> {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i] == nullptr) continue;
    if (auto copied = bindings_[i].copy_in(); !copied) return copied.why();
  }
  return {};
}

auto dxbc_programs::use_resources() -> result<void> {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i] == nullptr) continue;
    if (auto used = bindings_[i].use(); !used) return used.why();
  }
  return {};
}

/// Sets stay bound up to the first whose layout is another one.
void dxbc_programs::keep_sets(const pipeline_layout& next) noexcept {
  if (bound_layout_ == &next) return;
  std::size_t kept = 0;
  while (bound_layout_ != nullptr && kept < bound_layout_->set_count && kept < next.set_count &&
         bound_layout_->sets[kept] == next.sets[kept]) {
    ++kept;
  }
  for (; kept < bound_.size(); ++kept) bound_[kept] = VK_NULL_HANDLE;
  bound_layout_ = &next;
}

auto dxbc_programs::bind(const draw_state_of&, std::uint32_t) -> result<void> {
  keep_sets(*layout_);
  for (std::uint32_t i = 0; i < layout_->set_count; ++i) {
    if (stages_[i] == nullptr || bindings_[i].is_empty()) continue;
    const auto set = bindings_[i].resolve_set(layout_->sets[i]);
    if (!set) return set.why();
    if (bound_[i] == *set) continue;
    bound_[i] = *set;
    from_.device.vk().vkCmdBindDescriptorSets(from_.device.work.main().commands(),
                                              VK_PIPELINE_BIND_POINT_GRAPHICS, layout_->handle, i,
                                              1, &bound_[i], 0, nullptr);
  }
  return {};
}

auto dxbc_programs::finish() -> result<void> {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i] == nullptr) continue;
    if (auto copied = bindings_[i].copy_out(); !copied) return copied.why();
  }
  return {};
}

}  // namespace aerogpu::vulkan
