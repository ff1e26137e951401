#include "vulkan/draw_recorder.hpp"

#include "vulkan/d3d9_render_states.hpp"
#include "vulkan/state_map.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::vulkan {

namespace {

constexpr std::uint32_t all_changes = ~0u;

/// Indices past the end of their buffer read 0. So many of them are drawn as such; the rest would
/// only repeat them.
constexpr std::uint64_t most_missing_indices = 65'536;

constexpr auto bit(state_change part, shader_stage stage = shader_stage{}) noexcept
    -> std::uint32_t {
  return static_cast<std::uint32_t>(part) << static_cast<std::uint32_t>(stage);
}

constexpr std::uint32_t fixed_changes = bit(state_change::fixed_function);
constexpr std::uint32_t image_changes = bit(state_change::stage_bindings, shader_stage::vertex) |
                                        bit(state_change::stage_bindings, shader_stage::pixel);
constexpr std::uint32_t target_changes = bit(state_change::targets) | fixed_changes;
constexpr std::uint32_t program_changes =
    bit(state_change::shaders) | bit(state_change::input_layout) | fixed_changes | image_changes;
constexpr std::uint32_t vertex_changes = bit(state_change::shaders) |
                                         bit(state_change::input_layout) |
                                         bit(state_change::vertex_buffers) | fixed_changes;

auto index_size(aerogpu_index_format format) noexcept -> std::uint32_t {
  return format == AEROGPU_INDEX_FORMAT_UINT32 ? 4 : 2;
}

}  // namespace

draw_recorder::draw_recorder(const draw_sources& from) noexcept
    : from_(from),
      textures_(from.device, from.resources, from.samplers, from.dummies),
      constants_(from.device) {}

void draw_recorder::abandon() noexcept {
  is_known_ = false;
  recorded_ = {};
  textures_.forget_sets();
  found_key_ = pipeline_key{};
  pipeline_ = VK_NULL_HANDLE;
}

/// What must be looked at again. In a new command buffer nothing is bound.
auto draw_recorder::changes_of(const call_of& call) noexcept -> std::uint32_t {
  const std::uint64_t batch = from_.device->work.current().number;
  const bool is_new_batch = recorded_.batch != batch;
  if (is_new_batch) {
    recorded_ = {};
    recorded_.batch = batch;
  }
  const bool is_same = is_known_ && context_ == call.state.context && !is_new_batch;
  is_known_ = false;  // Until this draw is through.
  context_ = call.state.context;
  return is_same ? call.changes : all_changes;
}

auto draw_recorder::draw(const call_of& call) -> result<void> {
  const std::uint32_t changes = changes_of(call);
  if (auto resolved = resolve(call.state, changes); !resolved) return resolved.why();
  const auto indices = find_indices(call);
  if (!indices) return indices.why();
  if (auto entered = enter_pass(*indices); !entered) return entered.why();
  if (auto bound = bind(call.state, changes); !bound) return bound.why();
  issue(call, *indices);
  is_known_ = true;
  return {};
}

auto draw_recorder::resolve(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const gpu& device = *from_.device->gpu;
  if ((changes & target_changes) != 0) {
    auto made = make_pass_targets(
        from_.resources, state.targets,
        state.fixed->srgb_write ? target_encoding::srgb_write : target_encoding::own);
    if (!made) return made.why();
    targets_ = *made;
  }
  if ((changes & program_changes) != 0) {
    if (!is_d3d9(state)) {
      return make_error(error_code::unsupported, "draws with SM4 programs are not there yet");
    }
    const auto found = find_d3d9_variants(state, from_.shaders, device, from_.applies_fog);
    if (!found) return found.why();
    stages_ = *found;
    if (auto resolved = resolve_images(state); !resolved) return resolved.why();
    const auto layout = from_.layouts.find_d3d9(images_.used);
    if (!layout) return layout.why();
    layout_ = *layout;
    key_.layout = layout_->id;
  }
  if ((changes & vertex_changes) != 0) {
    auto bound =
        bind_vertices(state, *stages_[0], device, from_.resources.zero_buffer(), key_, vertices_);
    if (!bound) return bound.why();
  }
  if ((changes & (program_changes | target_changes | vertex_changes)) == 0) return {};
  describe_pipeline(state, stages_, targets_, device, key_);
  return find_pipeline();
}

auto draw_recorder::resolve_images(const draw_state_of& state) -> result<void> {
  images_ = {};
  for (const shader_stage stage : {shader_stage::vertex, shader_stage::pixel}) {
    const auto place =
        stage == shader_stage::vertex ? graphics_stage::vertex : graphics_stage::pixel;
    const shader_variant* shader = stages_[static_cast<std::size_t>(place)];
    if (shader == nullptr) continue;
    auto resolved = textures_.resolve(state, stage, shader->translated, images_);
    if (!resolved) return resolved.why();
  }
  return {};
}

auto draw_recorder::find_pipeline() -> result<void> {
  if (pipeline_ != VK_NULL_HANDLE && found_key_ == key_) return {};
  const auto found = from_.pipelines.find(key_, stages_, *layout_);
  if (!found) return found.why();
  pipeline_ = *found;
  found_key_ = key_;
  return {};
}

auto draw_recorder::find_indices(const call_of& call) -> result<index_source> {
  if (!call.is_indexed) return index_source{};
  const index_buffer_ref<vulkan_backend>& from = call.state.index_buffer;
  const std::uint32_t index_bytes = index_size(from.format);
  const std::uint64_t present = from.offset_bytes < from.buffer_size_bytes
                                    ? (from.buffer_size_bytes - from.offset_bytes) / index_bytes
                                    : 0;
  if (std::uint64_t{call.first} + call.count > present) {
    return pad_indices(call, index_bytes, present);
  }
  buffer_record* const record = from.buffer->record;
  return index_source{record, record->handle, from.offset_bytes, call.first, call.count};
}

/// A copy of the indices that are there, with zeros behind them (host.md 3.15).
auto draw_recorder::pad_indices(const call_of& call, std::uint32_t index_bytes,
                                std::uint64_t present) -> result<index_source> {
  device_parts& device = *from_.device;
  const index_buffer_ref<vulkan_backend>& from = call.state.index_buffer;
  const std::uint64_t there = present > call.first ? present - call.first : 0;
  const std::uint64_t missing = std::min(call.count - there, most_missing_indices);
  const auto padded = device.work.current().uploads.allocate((there + missing) * index_bytes, 16);
  if (!padded) return padded.why();
  std::memset(padded->bytes.data(), 0, padded->bytes.size());
  if (there != 0) {
    buffer_record& record = *from.buffer->record;
    if (auto ready = from_.resources.materialize(record); !ready) return ready.why();
    command_stream& main = device.main_outside_pass();
    device.mark_main(record);
    access_epochs copy;
    main.use(record, access_kind::read);
    main.use(copy, access_kind::write);
    const VkBufferCopy region{from.offset_bytes + VkDeviceSize{call.first} * index_bytes,
                              padded->offset_bytes, there * index_bytes};
    device.vk().vkCmdCopyBuffer(main.record(), record.handle, padded->buffer, 1, &region);
    main.use(copy, access_kind::read);
  }
  return index_source{nullptr, padded->buffer, padded->offset_bytes, 0,
                      static_cast<std::uint32_t>(there + missing)};
}

auto draw_recorder::materialize(const pass_targets& targets) -> result<void> {
  for (const attachment& target : targets.colors) {
    if (target.image == nullptr) continue;
    if (auto ready = from_.resources.materialize(*target.image); !ready) return ready.why();
    from_.device->mark_main(*target.image);
  }
  if (targets.depth_stencil.image == nullptr) return {};
  from_.device->mark_main(*targets.depth_stencil.image);
  return from_.resources.materialize(*targets.depth_stencil.image);
}

auto draw_recorder::materialize_inputs(const index_source& indices) -> result<void> {
  device_parts& device = *from_.device;
  const auto use_buffer = [&](buffer_record* buffer) -> result<void> {
    if (buffer == nullptr) return {};
    if (auto ready = from_.resources.materialize(*buffer); !ready) return ready.why();
    device.mark_main(*buffer);
    device.work.main().use(*buffer, access_kind::read);
    return {};
  };
  for (std::uint32_t i = 0; i < vertices_.count; ++i) {
    if (auto used = use_buffer(vertices_.records[i]); !used) return used.why();
  }
  if (auto used = use_buffer(indices.record); !used) return used.why();
  for (image_record* const image : images_.images) {
    if (image == nullptr) continue;
    if (auto ready = from_.resources.materialize(*image); !ready) return ready.why();
    device.mark_main(*image);
    device.work.main().use(*image, image_use::sampled);
  }
  return {};
}

/// An image that is read and drawn to at once, in different subresources, needs the one layout that
/// serves both.
void draw_recorder::resolve_feedback() noexcept {
  const auto is_target = [&](const image_record* image) {
    return image == targets_.depth_stencil.image ||
           std::ranges::any_of(targets_.colors,
                               [&](const attachment& target) { return target.image == image; });
  };
  for (image_record* const image : images_.images) {
    if (image == nullptr || image->is_general || !is_target(image)) continue;
    from_.device->pass.end(from_.device->work.main());
    image->is_general = true;
    textures_.forget_sets();
    recorded_.images = VK_NULL_HANDLE;
  }
}

auto draw_recorder::enter_pass(const index_source& indices) -> result<void> {
  device_parts& device = *from_.device;
  resolve_feedback();
  if (auto ready = materialize(targets_); !ready) return ready.why();
  if (auto ready = materialize_inputs(indices); !ready) return ready.why();
  command_stream& main = device.work.main();
  if (!device.pass.draws_to(targets_) || main.needs_barrier()) {
    device.pass.begin(main, targets_, nullptr);
  }
  return {};
}

auto draw_recorder::bind(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const VkCommandBuffer commands = from_.device->work.main().record();
  if (recorded_.pipeline != pipeline_) {
    from_.device->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    recorded_.pipeline = pipeline_;
  }
  if ((changes & target_changes) != 0) {
    bind_dynamic_state(state);
    bind_push_constants(state);
  }
  if ((changes & vertex_changes) != 0) bind_vertex_buffers();
  return bind_sets(state, changes);
}

auto draw_recorder::bind_sets(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const VkCommandBuffer commands = from_.device->work.main().commands();
  const VolkDeviceTable& vk = from_.device->vk();
  constexpr std::array stages{shader_stage::vertex, shader_stage::pixel};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::uint32_t parts = bit(state_change::stage_constants, stages[i]) | program_changes;
    if ((changes & parts) == 0 || stages_[i] == nullptr) continue;
    const auto& registers = state.stages[static_cast<std::size_t>(stages[i])].constants;
    auto written = constants_.write(i, registers, stages_[i]->translated);
    if (!written) return written.why();
  }
  const auto constants = constants_.find_set(layout_->sets[0]);
  if (!constants) return constants.why();
  if (recorded_.constants != constants->set || recorded_.constant_offsets != constants->offsets) {
    recorded_.constants = constants->set;
    recorded_.constant_offsets = constants->offsets;
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_->handle, 0, 1,
                               &constants->set, 2, constants->offsets.data());
  }
  if (images_.used == 0) return {};
  if ((changes & program_changes) == 0 && recorded_.images != VK_NULL_HANDLE) return {};
  const auto images = textures_.find_set(images_, layout_->sets[1]);
  if (!images) return images.why();
  if (recorded_.images == *images) return {};
  recorded_.images = *images;
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_->handle, 1, 1,
                             &recorded_.images, 0, nullptr);
  return {};
}

void draw_recorder::bind_dynamic_state(const draw_state_of& state) noexcept {
  const topology_choice topology = topology_of(state.fixed->topology);
  const auto& raw = state.d3d9->render_states;
  const bool runs_d3d9 = is_d3d9(state);
  const bool is_transformed =
      state.input_layout != nullptr && state.input_layout->record->has_transformed_position;
  const dynamic_inputs inputs{
      .extent = targets_.extent,
      .depth_format = targets_.depth_stencil.format,
      .topology = topology.topology,
      .restarts = topology.is_strip && !runs_d3d9,
      .has_d3d9_pixel_centers = runs_d3d9 && !is_transformed && raw[aerogpurs_pixel_centers] == 1,
      .d3d9_depth_bias = raw[d3drs_depthbias],
      .d3d9_slope_bias = raw[d3drs_slopescaledepthbias]};
  const dynamic_state now =
      make_dynamic_state(*state.fixed, inputs, from_.device->gpu->properties.limits);
  record_dynamic_state(from_.device->vk(), from_.device->work.main().commands(), now,
                       recorded_.has_dynamic ? &recorded_.dynamic : nullptr);
  recorded_.dynamic = now;
  recorded_.has_dynamic = true;
}

void draw_recorder::bind_push_constants(const draw_state_of& state) noexcept {
  const gpu& device = *from_.device->gpu;
  const float most_points =
      device.features.large_points ? device.properties.limits.pointSizeRange[1] : 1.0f;
  const auto now = make_push_constants(*state.d3d9, state.fixed->alpha_test, most_points);
  if (recorded_.has_push_constants &&
      std::memcmp(&recorded_.push_constants, &now, sizeof now) == 0) {
    return;
  }
  recorded_.has_push_constants = true;
  recorded_.push_constants = now;
  device.vk.vkCmdPushConstants(from_.device->work.main().commands(), layout_->handle,
                               VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                               sizeof now, &now);
}

void draw_recorder::bind_vertex_buffers() noexcept {
  if (vertices_.count == 0) return;
  from_.device->vk().vkCmdBindVertexBuffers2(
      from_.device->work.main().commands(), 0, vertices_.count, vertices_.buffers.data(),
      vertices_.offsets.data(), nullptr, vertices_.strides.data());
}

void draw_recorder::issue(const call_of& call, const index_source& indices) noexcept {
  const VkCommandBuffer commands = from_.device->work.main().commands();
  const VolkDeviceTable& vk = from_.device->vk();
  if (!call.is_indexed) {
    vk.vkCmdDraw(commands, call.count, call.instance_count, call.first, call.first_instance);
    return;
  }
  const VkIndexType type = call.state.index_buffer.format == AEROGPU_INDEX_FORMAT_UINT32
                               ? VK_INDEX_TYPE_UINT32
                               : VK_INDEX_TYPE_UINT16;
  if (recorded_.index_buffer != indices.buffer || recorded_.index_offset != indices.offset_bytes ||
      recorded_.index_type != type) {
    recorded_.index_buffer = indices.buffer;
    recorded_.index_offset = indices.offset_bytes;
    recorded_.index_type = type;
    vk.vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset_bytes, type);
  }
  vk.vkCmdDrawIndexed(commands, indices.count, call.instance_count, indices.first, call.base_vertex,
                      call.first_instance);
}

}  // namespace aerogpu::vulkan
