// SPDX-License-Identifier: MIT
#include "vulkan/draw/draw_recorder.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "vulkan/pipeline/state_map.hpp"
#include "vulkan/programs/d3d9_render_states.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::vulkan {

namespace {

constexpr std::uint32_t vertex_changes =
    shader_changes | layout_changes | fixed_changes | change_bit(state_change::vertex_buffers);

/// What a piece that cannot be smaller may come to. The estimate is far above what most draws are,
/// so it is many times what a batch should be.
auto most_uncut_work(std::uint64_t of_batch) noexcept -> std::uint64_t {
  constexpr std::uint64_t batches = 1'024;
  constexpr std::uint64_t least = 1ull << 44;  // Of a limit that a test made small.
  return std::max(saturating_multiply(of_batch, batches), least);
}

/// What is behind the last number stays there, where nothing lies.
auto part_of(const draw_call<vulkan_backend>& call, const draw_piece& piece) noexcept
    -> draw_call<vulkan_backend> {
  const auto from = [](std::uint32_t base, std::uint32_t by) {
    return base > UINT32_MAX - by ? UINT32_MAX : base + by;
  };
  return {.state = call.state,
          .changes = call.changes,
          .is_indexed = call.is_indexed,
          .count = piece.count,
          .instance_count = piece.instance_count,
          .first = from(call.first, piece.first),
          .base_vertex = call.base_vertex,
          .first_instance = from(call.first_instance, piece.first_instance)};
}

auto check_topology(aerogpu_primitive_topology topology, const gpu_features& features)
    -> result<void> {
  const bool is_adjacent =
      topology >= AEROGPU_TOPOLOGY_LINELIST_ADJ && topology <= AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ;
  if (is_adjacent && !features.geometry) {
    return make_error(error_code::unsupported, "the device has no primitives with adjacency",
                      topology);
  }
  if (topology == AEROGPU_TOPOLOGY_TRIANGLEFAN && !features.triangle_fans) {
    return make_error(error_code::unsupported, "the device has no triangle fans");
  }
  return {};
}

auto index_size(aerogpu_index_format format) noexcept -> std::uint32_t {
  return format == AEROGPU_INDEX_FORMAT_UINT32 ? 4 : 2;
}

auto present_indices(const index_buffer_ref<vulkan_backend>& from) noexcept -> std::uint64_t {
  if (from.offset_bytes >= from.buffer_size_bytes) return 0;
  return (from.buffer_size_bytes - from.offset_bytes) / index_size(from.format);
}

/// Those of the call that are there.
auto present_indices(const draw_call<vulkan_backend>& call) noexcept -> std::uint64_t {
  const std::uint64_t present = present_indices(call.state.index_buffer);
  return std::min<std::uint64_t>(present > call.first ? present - call.first : 0, call.count);
}

}  // namespace

auto drawn_count(const draw_call<vulkan_backend>& call) noexcept -> std::uint32_t {
  constexpr std::uint64_t most_missing = 65'536;
  if (!call.is_indexed) return call.count;
  const std::uint64_t most = present_indices(call) + most_missing;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(call.count, most));
}

draw_recorder::draw_recorder(const program_sources& from) noexcept
    : from_(from), d3d9_(from), dxbc_(from), copier_(from) {}

/// What must be looked at again. In a new command buffer nothing is bound.
auto draw_recorder::changes_of(const call_of& call) noexcept -> std::uint32_t {
  const std::uint64_t batch = from_.device.work.current().number;
  const bool is_new_batch = recorded_.batch != batch;
  if (is_new_batch) {
    recorded_ = {};
    recorded_.batch = batch;
    pipeline_ = VK_NULL_HANDLE;  // What a cache gave holds for one batch.
    programs_->forget_bound();
  }
  const bool is_other_kind = choose_programs(call.state);
  const bool is_same =
      is_known_ && context_ == call.state.context && !is_new_batch && !is_other_kind;
  is_known_ = false;  // Until this draw is through.
  context_ = call.state.context;
  return is_same ? call.changes : all_changes;
}

/// Whether the programs are of another kind than those of the last draw: the layouts of both have
/// nothing in common, so that nothing stays bound.
auto draw_recorder::choose_programs(const draw_state_of& state) noexcept -> bool {
  program_binder* const chosen =
      is_d3d9(state) ? static_cast<program_binder*>(&d3d9_) : static_cast<program_binder*>(&dxbc_);
  if (programs_ == chosen) return false;
  programs_ = chosen;
  programs_->forget_bound();
  return true;
}

auto draw_recorder::draw(const call_of& call, draw_rest& left) -> result<void> {
  if (auto ok = check_topology(call.state.fixed->topology, from_.device.gpu->features); !ok) {
    return ok.why();
  }
  const std::uint32_t changes = changes_of(call);
  if (auto resolved = resolve(call.state, changes); !resolved) return resolved.why();
  batches& work = from_.device.work;
  const draw_cost cost = cost_of_draw(programs_->stages(), targets_.extent);
  const draw_cuts cuts = cuts_of(call);
  const draw_piece piece = left.next(cuts, cost, work.most_work(), work.most_made_bytes());
  const std::uint64_t bytes = bytes_of(piece, cuts, cost);
  if (bytes > work.most_made_bytes()) {
    return make_error(error_code::unsupported,
                      "a draw that cannot be cut makes more geometry than a driver may keep", bytes,
                      work.most_made_bytes());
  }
  const std::uint64_t size = work_of(piece, cuts, cost);
  if (const std::uint64_t most = most_uncut_work(work.most_work()); size > most) {
    return make_error(error_code::unsupported,
                      "a draw that cannot be cut is more work than a device should get", size,
                      most);
  }
  if (auto recorded = record(part_of(call, piece), changes); !recorded) return recorded.why();
  work.note_work(size);
  left.take(piece, cuts);
  is_known_ = true;
  return {};
}

auto draw_recorder::cuts_of(const call_of& call) const noexcept -> draw_cuts {
  const aerogpu_primitive_topology topology = call.state.fixed->topology;
  const bool restarts = call.is_indexed && topology_of(topology).is_strip && !is_d3d9(call.state);
  return cuts_of_draw(topology, restarts, programs_->stages(), key_, vertices_);
}

auto draw_recorder::record(const call_of& call, std::uint32_t changes) -> result<void> {
  const auto indices = resolve_indices(call);
  if (!indices) return indices.why();
  if (auto prepared = programs_->prepare(); !prepared) return prepared.why();
  if (auto placed = place_vertices(call); !placed) return placed.why();
  if (auto entered = enter_pass(*indices); !entered) return entered.why();
  if (auto bound = bind(call.state, changes); !bound) return bound.why();
  issue(call, *indices);
  return programs_->finish();
}

auto draw_recorder::resolve(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const gpu& device = *from_.device.gpu;
  if ((changes & target_changes) != 0) {
    auto made = make_pass_targets(
        from_.resources, state.targets,
        state.fixed->srgb_write ? target_encoding::srgb_write : target_encoding::own,
        device.properties.limits);
    if (!made) return made.why();
    targets_ = *made;
  }
  if (auto found = programs_->resolve(state, changes); !found) return found.why();
  if (is_described(changes)) {
    if ((changes & vertex_changes) == 0 || rebind_vertices(state, device, key_, vertices_))
      return {};
  } else {
    key_.layout = programs_->layout().id;
    describe_pipeline(state, programs_->stages(), targets_, device, key_);
  }
  auto bound = bind_vertices(state, *programs_->stages()[0], device, from_.resources.zero_buffer(),
                             key_, vertices_);
  if (!bound) return bound.why();
  return resolve_pipeline();
}

/// Whether `key_` holds but for vertex buffers, and `pipeline_` is what it names.
auto draw_recorder::is_described(std::uint32_t changes) const noexcept -> bool {
  constexpr std::uint32_t parts = shader_changes | layout_changes | target_changes;
  if ((changes & parts) != 0 || key_.layout != programs_->layout().id) return false;
  const stage_variants& stages = programs_->stages();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (key_.shaders[i] != (stages[i] != nullptr ? stages[i]->id : 0)) return false;
  }
  return true;
}

auto draw_recorder::resolve_pipeline() -> result<void> {
  if (pipeline_ != VK_NULL_HANDLE && found_key_ == key_) return {};
  const auto found = from_.pipelines.resolve(key_, programs_->stages(), programs_->layout());
  if (!found) return found.why();
  pipeline_ = *found;
  found_key_ = key_;
  return {};
}

auto draw_recorder::resolve_indices(const call_of& call) -> result<index_source> {
  if (!call.is_indexed) return index_source{};
  const index_buffer_ref<vulkan_backend>& from = call.state.index_buffer;
  if (present_indices(call) != call.count) return pad_indices(call);
  buffer_record* const record = from.buffer->record;
  return index_source{record, record->handle, from.offset_bytes, call.first, call.count};
}

/// A copy of the indices that are there, with zeros behind them (host.md 3.15).
auto draw_recorder::pad_indices(const call_of& call) -> result<index_source> {
  device_parts& device = from_.device;
  const index_buffer_ref<vulkan_backend>& from = call.state.index_buffer;
  const std::uint64_t index_bytes = index_size(from.format);
  const std::uint64_t there = present_indices(call);
  const auto padded =
      device.work.current().uploads.allocate(call.count * index_bytes, staging_alignment);
  if (!padded) return padded.why();
  std::memset(padded->bytes.data(), 0, padded->bytes.size());
  if (there != 0) {
    buffer_record& record = *from.buffer->record;
    command_stream& main = device.main_outside_pass();
    auto used = from_.resources.use_in_main(record, access_kind::read);
    if (!used) return used.why();
    main.use_scratch(padding_);
    const VkBufferCopy region{from.offset_bytes + VkDeviceSize{call.first} * index_bytes,
                              padded->offset_bytes, there * index_bytes};
    device.vk().vkCmdCopyBuffer(main.record(), record.handle, padded->buffer, 1, &region);
    main.use(padding_, access_kind::read);
  }
  return index_source{nullptr, padded->buffer, padded->offset_bytes, 0, call.count};
}

/// Streams begin where their slots do, unless the draw counts from before that, or Vulkan may not
/// read them there.
auto draw_recorder::place_vertices(const call_of& call) -> result<void> {
  const bool is_simple =
      (vertices_.misplaced | vertices_.pinned) == 0 && (!call.is_indexed || call.base_vertex >= 0);
  shift_ = is_simple ? vertex_shift{} : shift_of(vertices_, call);
  if (is_simple) return {};
  place_bindings(vertices_, shift_, from_.resources.zero_buffer(), placed_);
  if (vertices_.misplaced == 0) return {};
  return copier_.copy(vertices_, key_, shift_, call, placed_);
}

auto draw_recorder::materialize(const pass_targets& targets) -> result<void> {
  for (const attachment& target : std::span{targets.colors}.first(targets.color_count)) {
    if (target.image == nullptr) continue;
    if (auto ready = from_.resources.materialize(*target.image); !ready) return ready.why();
    from_.device.mark_main(*target.image);
  }
  if (targets.depth_stencil.image == nullptr) return {};
  from_.device.mark_main(*targets.depth_stencil.image);
  return from_.resources.materialize(*targets.depth_stencil.image);
}

auto draw_recorder::use_inputs(const index_source& indices) -> result<void> {
  const auto use_buffer = [&](buffer_record* buffer) -> result<void> {
    return buffer != nullptr ? from_.resources.use_in_main(*buffer, access_kind::read)
                             : result<void>{};
  };
  for (std::uint32_t i = 0; i < vertices_.count; ++i) {
    if (auto used = use_buffer(vertices_.records[i]); !used) return used.why();
  }
  if (vertices_.misplaced != 0) copier_.use();
  if (auto used = use_buffer(indices.record); !used) return used.why();
  return programs_->use_resources();
}

/// An image that is read and drawn to at once, in different subresources, needs the one layout that
/// serves both.
void draw_recorder::resolve_feedback() noexcept {
  const auto is_target = [&](const image_record* image) {
    return image == targets_.depth_stencil.image ||
           std::ranges::any_of(targets_.colors,
                               [&](const attachment& target) { return target.image == image; });
  };
  for (image_record* const image : programs_->images()) {
    if (image == nullptr || image->is_general || !is_target(image)) continue;
    from_.device.pass.end(from_.device.work.main());
    image->is_general = true;
    d3d9_.forget_image_layouts();
    dxbc_.forget_image_layouts();
  }
}

auto draw_recorder::enter_pass(const index_source& indices) -> result<void> {
  device_parts& device = from_.device;
  resolve_feedback();
  if (auto ready = materialize(targets_); !ready) return ready.why();
  if (auto ready = from_.resources.materialize(programs_->images()); !ready) return ready.why();
  if (auto ready = use_inputs(indices); !ready) return ready.why();
  command_stream& main = device.work.main();
  if (!device.pass.draws_to(targets_) || main.needs_barrier()) {
    device.pass.begin(main, targets_, nullptr);
  }
  return {};
}

auto draw_recorder::bind(const draw_state_of& state, std::uint32_t changes) -> result<void> {
  const VkCommandBuffer commands = from_.device.work.main().record();
  if (recorded_.pipeline != pipeline_) {
    from_.device.vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    recorded_.pipeline = pipeline_;
  }
  if ((changes & (target_changes | layout_changes)) != 0) bind_dynamic_state(state);
  const bool has_moved = recorded_.shift != shift_ || vertices_.misplaced != 0;
  if ((changes & vertex_changes) != 0 || has_moved) bind_vertex_buffers();
  return programs_->bind(state, changes);
}

void draw_recorder::bind_dynamic_state(const draw_state_of& state) noexcept {
  const topology_choice topology = topology_of(state.fixed->topology);
  const auto& raw = state.d3d9->render_states;
  const bool runs_d3d9 = is_d3d9(state);
  const dynamic_inputs inputs{.extent = targets_.extent,
                              .topology = topology.topology,
                              .restarts = topology.is_strip && !runs_d3d9,
                              .is_d3d9 = runs_d3d9,
                              .has_d3d9_pixel_centers = runs_d3d9 &&
                                                        !has_transformed_vertices(state) &&
                                                        raw[aerogpurs_pixel_centers] == 1,
                              .d3d9_depth_bias = raw[d3drs_depthbias],
                              .d3d9_slope_bias = raw[d3drs_slopescaledepthbias]};
  const dynamic_state now =
      make_dynamic_state(*state.fixed, inputs, from_.device.gpu->properties.limits);
  record_dynamic_state(from_.device.vk(), from_.device.work.main().commands(), now,
                       recorded_.has_dynamic ? &recorded_.dynamic : nullptr);
  recorded_.dynamic = now;
  recorded_.has_dynamic = true;
}

void draw_recorder::bind_vertex_buffers() noexcept {
  recorded_.shift = shift_;
  if (vertices_.count == 0) return;
  const bool is_placed = shift_ != vertex_shift{} || vertices_.misplaced != 0;
  from_.device.vk().vkCmdBindVertexBuffers2(
      from_.device.work.main().commands(), 0, vertices_.count,
      is_placed ? placed_.buffers.data() : vertices_.buffers.data(),
      is_placed ? placed_.offsets.data() : vertices_.offsets.data(), nullptr,
      is_placed ? placed_.strides.data() : vertices_.strides.data());
}

void draw_recorder::issue(const call_of& call, const index_source& indices) noexcept {
  const VkCommandBuffer commands = from_.device.work.main().commands();
  const VolkDeviceTable& vk = from_.device.vk();
  if (!call.is_indexed) {
    vk.vkCmdDraw(commands, call.count, call.instance_count,
                 static_cast<std::uint32_t>(call.first - shift_.vertices),
                 call.first_instance - shift_.instances);
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
  vk.vkCmdDrawIndexed(commands, indices.count, call.instance_count, indices.first,
                      static_cast<std::int32_t>(call.base_vertex - shift_.vertices),
                      call.first_instance - shift_.instances);
}

}  // namespace aerogpu::vulkan
