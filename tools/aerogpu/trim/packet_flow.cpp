// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/packet_flow.hpp"

#include "aerogpu/memory/format.hpp"
#include "aerogpu/stream/checked_packet.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/packet_needs.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::tool {

namespace {

/// Whether slots hold a handle of that space, and not the object that it names.
constexpr auto keeps_handle(handle_space space) -> bool {
  return space == handle_space::shader || space == handle_space::input_layout;
}

/// A transfer of nothing, for which not even the objects that it names need to be there.
auto transfers_nothing(const raw_packet& packet) -> bool {
  switch (packet.opcode()) {
    case AEROGPU_CMD_UPLOAD_RESOURCE: return is_no_op(packet.as<aerogpu_cmd_upload_resource>());
    case AEROGPU_CMD_COPY_BUFFER: return is_no_op(packet.as<aerogpu_cmd_copy_buffer>());
    case AEROGPU_CMD_COPY_TEXTURE2D: return is_no_op(packet.as<aerogpu_cmd_copy_texture2d>());
    default: return false;
  }
}

}  // namespace

auto flow_tracer::trace(const recorded_work& work, std::uint64_t end) -> std::vector<packet_flow> {
  std::vector<packet_flow> packets;
  const auto stream = parse_stream_header(work.what.stream);
  if (!stream) return packets;
  const brought_memory brought{work};
  memory_.compare(brought, told_in(work, end));
  for (packet_cursor at{*stream}; at.next() && at.packet().offset() < end;) {
    if (at.row() == nullptr) continue;
    packet_flow flow = flow_of(work, at.packet());
    trace_packet(at.packet(), flow, brought);
    const bool is_idle =
        flow.role == packet_role::nothing && flow.names.empty() && !flow.uses_state;
    if (!is_idle) packets.push_back(std::move(flow));
  }
  if (end == UINT64_MAX) end_if_asked(raw(work.what.context));
  return packets;
}

/// The end of a context destroys what it made (docs/extensions.md).
void flow_tracer::end_if_asked(std::uint32_t context) {
  const auto ended = contexts_.find(context);
  if (ended == contexts_.end() || !ended->second.is_ending) return;
  std::erase_if(live_, [&](const auto& one) { return objects_[one.second].maker == context; });
  contexts_.erase(ended);
}

auto flow_tracer::trace_failed(const recorded_work& work, std::uint64_t end)
    -> std::optional<packet_flow> {
  const auto stream = parse_stream_header(work.what.stream);
  if (!stream) return std::nullopt;
  for (packet_cursor at{*stream}; at.next() && at.packet().offset() <= end;) {
    if (at.packet().offset() != end || at.row() == nullptr) continue;
    packet_flow flow = flow_of(work, at.packet());
    flow.role = packet_role::nothing;
    flow.names = live_of(handles_of(at.packet()));
    for (const object_number which : flow.names) flow.reads.push_back(content_of(which));
    if (flow.uses_state) use_all_bound(flow);
    return flow;
  }
  return std::nullopt;
}

auto flow_tracer::flow_of(const recorded_work& work, const raw_packet& packet) -> packet_flow {
  packet_flow flow;
  flow.work = work.index;
  flow.bytes = packet.bytes();
  flow.context = raw(work.what.context);
  flow.role = role_of(*packet.row());
  flow.uses_state = uses_state(packet.opcode());
  return flow;
}

auto flow_tracer::remembered() const -> std::size_t {
  std::size_t slots = 0;
  for (const auto& [context, bound] : contexts_) slots += bound.slots.size();
  return objects_.size() + live_.size() + shared_.size() + slots + memory_.remembered();
}

/// What a submission tells the host to read again.
auto flow_tracer::told_in(const recorded_work& work, std::uint64_t end) const -> told_ranges {
  told_ranges told;
  const auto stream = parse_stream_header(work.what.stream);
  bool has_worked = false;
  for (packet_cursor at{*stream}; at.next() && at.packet().offset() < end;) {
    has_worked = has_worked || uses_state(at.packet().opcode());
    if (!at.packet().is<aerogpu_cmd_resource_dirty_range>()) continue;
    const auto fields = at.packet().as<aerogpu_cmd_resource_dirty_range>().fields();
    const auto which = find(handle_space::resource, fields.resource_handle);
    if (!which) continue;
    told[content_of(*which)].push_back({fields.offset_bytes, fields.size_bytes, has_worked});
  }
  return told;
}

void flow_tracer::trace_packet(const raw_packet& packet, packet_flow& flow,
                               const brought_memory& brought) {
  if (transfers_nothing(packet)) {
    flow.role = packet_role::nothing;
    return;
  }
  flow.names = live_of(handles_of(packet));
  if (presents(packet.opcode())) return use_all_bound(flow);
  switch (packet.opcode()) {
    case AEROGPU_CMD_DRAW:
    case AEROGPU_CMD_DRAW_INDEXED:
    case AEROGPU_CMD_DISPATCH: return trace_draw(flow);
    case AEROGPU_CMD_CLEAR: return trace_clear(packet, flow);
    case AEROGPU_CMD_EXPORT_SHARED_SURFACE: {
      if (flow.names.empty()) return;
      flow.reads = {content_of(flow.names[0])};
      shared_[packet.as<aerogpu_cmd_export_shared_surface>().fields().share_token] = flow.reads[0];
      return;
    }
    default: break;
  }
  switch (flow.role) {
    case packet_role::creates: return trace_create(packet, flow, brought);
    case packet_role::destroys:
      if (!flow.names.empty()) {
        flow.object = flow.names[0];
        live_.erase(own_handle(packet));
      } else {
        flow.role = packet_role::nothing;
      }
      return;
    case packet_role::produces: return trace_transfer(packet, flow, brought);
    default: return trace_binding(packet, flow);
  }
}

void flow_tracer::trace_create(const raw_packet& packet, packet_flow& flow,
                               const brought_memory& brought) {
  const auto name = own_handle(packet);
  const auto known = live_.find(name);
  if (known == live_.end()) {
    flow.object = static_cast<object_number>(objects_.size());
    objects_.push_back({.content = flow.object, .maker = flow.context});
    live_[name] = flow.object;
  } else {
    flow.object = known->second;  // Replaces what it holds, or moves its memory.
  }
  object& made = objects_[flow.object];
  if (packet.is<aerogpu_cmd_create_buffer>()) {
    const auto fields = packet.as<aerogpu_cmd_create_buffer>().fields();
    made.size_bytes = fields.size_bytes;
    memory_.place(flow.object, fields.backing_alloc_id, fields.backing_offset_bytes);
  } else if (packet.is<aerogpu_cmd_create_texture2d>()) {
    const auto fields = packet.as<aerogpu_cmd_create_texture2d>().fields();
    made.is_plain_texture = fields.mip_levels == 1 && fields.array_layers == 1;
    made.width = fields.width;
    made.height = fields.height;
    made.format = fields.format;
    made.has_stencil = has_stencil(fields.format);
    const format_info* const format = find_format(fields.format);
    made.is_depth = format != nullptr && format->is_depth();
    memory_.place(flow.object, fields.backing_alloc_id, fields.backing_offset_bytes);
  } else if (packet.is<aerogpu_cmd_create_texture_view>()) {
    const auto of = packet.as<aerogpu_cmd_create_texture_view>().fields().texture_handle;
    if (const auto viewed = find(handle_space::resource, of); viewed) {
      made.content = content_of(*viewed);
    }
  } else if (packet.is<aerogpu_cmd_import_shared_surface>()) {
    const auto token = packet.as<aerogpu_cmd_import_shared_surface>().fields().share_token;
    if (const auto of = shared_.find(token); of != shared_.end()) made.content = of->second;
  }
  std::erase(flow.names, flow.object);
  if (made.content != flow.object) flow.names.push_back(made.content);
  memory_.remember(brought, flow.object);
}

void flow_tracer::trace_binding(const raw_packet& packet, packet_flow& flow) {
  bound_state& bound = contexts_[flow.context];
  flow.key = key_of(packet);
  const packet_row& row = *packet.row();
  if (packet.is<aerogpu_cmd_set_render_state>()) {
    const auto fields = packet.as<aerogpu_cmd_set_render_state>().fields();
    if (fields.state == d3drs_scissortestenable) bound.may_scissor_clears = fields.value != 0;
    if (fields.state == aerogpurs_end_of_context) {
      flow.role = packet_role::always;  // An equal one later does not undo what the end destroys.
      bound.is_ending = fields.value == 1;
    }
  }
  if (flow.role == packet_role::always && packet.opcode() == AEROGPU_CMD_RELEASE_SHARED_SURFACE) {
    return;
  }
  const auto word = [&](const optional_field& f) {
    return f != nullptr ? std::uint64_t{load<std::uint32_t>(packet.bytes().data() + f->offset)} : 0;
  };
  const std::uint64_t stage = word(row.stage) << 48 | word(row.stage_ex) << 40;
  const auto bind_all = [&] {
    std::vector<bound_name> held;
    for (const handle_name& name : handles_of(packet)) held.push_back(bind(name));
    return held;
  };
  if (packet.is<aerogpu_cmd_set_texture>()) {
    const std::uint64_t slot = packet.as<aerogpu_cmd_set_texture>().fields().slot;
    bound.slots[{AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS, stage | slot}] = bind_all();
    return;
  }
  const bool is_run = row.payload == payload_kind::elements && !row.element_fields.empty() &&
                      row.element_fields[0].rule.role == field_role::handle;
  if (!is_run) {
    auto held = bind_all();
    if (!held.empty() || bound.slots.contains({packet.opcode(), 0})) {
      bound.slots[{packet.opcode(), 0}] = std::move(held);
    }
    return;
  }
  const packet_field& element = row.element_fields[0];
  std::uint64_t slot = word(detail::find_role(row.fields, field_role::first));
  const std::uint64_t count = word(row.count);
  for (std::uint64_t i = 0; i < count; ++i, ++slot) {
    const std::size_t at = row.fixed_size + static_cast<std::size_t>(i) * row.element_size;
    const auto handle = load<std::uint32_t>(packet.bytes().data() + at + element.offset);
    auto& held = bound.slots[{packet.opcode(), stage | slot}];
    held.clear();
    if (handle != 0) held.push_back(bind({element.rule.space, handle}));
  }
}

auto flow_tracer::bind(const handle_name& name) const -> bound_name {
  return {name, keeps_handle(name.first) ? std::nullopt : find(name.first, name.second)};
}

/// The slot keeps what the host finds at its first use: without that use it would find another
/// object later.
void flow_tracer::stay_if_late(const bound_name& bound, packet_flow& flow) {
  if (!bound.object && !keeps_handle(bound.name.first)) flow.role = packet_role::always;
}

void flow_tracer::use_all_bound(packet_flow& flow) {
  for (const auto& [slot, held] : contexts_[flow.context].slots) {
    for (const bound_name& bound : held) {
      const auto which = find(bound);
      if (!which) continue;
      flow.names.push_back(*which);
      flow.reads.push_back(content_of(*which));
    }
  }
}

void flow_tracer::trace_draw(packet_flow& flow) {
  use_all_bound(flow);
  for (const auto& [slot, held] : contexts_[flow.context].slots) {
    const bool is_output = slot.first == AEROGPU_CMD_SET_RENDER_TARGETS ||
                           slot.first == AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS;
    for (const bound_name& bound : held) {
      const auto which = find(bound);
      if (!which) continue;
      const object_number content = content_of(*which);
      if (is_output || memory_.is_unsteady(content)) flow.writes.push_back(content);
      stay_if_late(bound, flow);
    }
  }
}

/// A target that was bound before it was made may be another one than the host's, which keeps what
/// it found first: its content counts as kept.
void flow_tracer::trace_clear(const raw_packet& packet, packet_flow& flow) {
  const bound_state& bound = contexts_[flow.context];
  const auto targets = bound.slots.find({AEROGPU_CMD_SET_RENDER_TARGETS, 0});
  if (targets == bound.slots.end()) return;
  const std::uint32_t flags = packet.as<aerogpu_cmd_clear>().fields().flags;
  for (const bound_name& one : targets->second) {
    const auto which = find(one);
    if (!which) continue;
    const object_number content = content_of(*which);
    const object& target = objects_[content];
    std::uint32_t parts = target.is_depth ? AEROGPU_CLEAR_DEPTH : AEROGPU_CLEAR_COLOR;
    if (target.has_stencil) parts |= AEROGPU_CLEAR_STENCIL;
    flow.names.push_back(*which);
    flow.writes.push_back(content);
    stay_if_late(one, flow);
    const bool is_whole = one.object && (flags & parts) == parts && target.is_plain_texture &&
                          content == *which && !bound.may_scissor_clears;
    (is_whole ? flow.replaces : flow.reads).push_back(content);
  }
}

void flow_tracer::trace_transfer(const raw_packet& packet, packet_flow& flow,
                                 const brought_memory& brought) {
  for (const object_number which : flow.names) flow.reads.push_back(content_of(which));
  for (const object_number content : flow.reads) {
    if (memory_.is_unsteady(content)) flow.writes.push_back(content);
  }
  const auto write = [&](std::uint32_t handle) {
    const auto which = find(handle_space::resource, handle);
    if (which) flow.writes.push_back(content_of(*which));
    return which;
  };
  if (packet.is<aerogpu_cmd_copy_buffer>()) {
    const auto fields = packet.as<aerogpu_cmd_copy_buffer>().fields();
    (void)write(fields.dst_buffer);
    if ((fields.flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0) flow.role = packet_role::always;
  } else if (packet.is<aerogpu_cmd_copy_texture2d>()) {
    trace_texture_copy(packet, flow);
  } else if (packet.is<aerogpu_cmd_upload_resource>()) {
    const auto fields = packet.as<aerogpu_cmd_upload_resource>().fields();
    const auto which = write(fields.resource_handle);
    const bool is_whole =
        which && fields.offset_bytes == 0 && fields.size_bytes == objects_[*which].size_bytes;
    if (!is_whole) return;
    flow.replaces = {*which};
    flow.reads.clear();
  } else if (packet.is<aerogpu_cmd_resource_dirty_range>()) {
    const auto which =
        write(packet.as<aerogpu_cmd_resource_dirty_range>().fields().resource_handle);
    if (which) memory_.remember(brought, content_of(*which));
  }
}

/// A copy that covers all of a texture leaves nothing of what it held; one that a host refuses
/// does.
void flow_tracer::trace_texture_copy(const raw_packet& packet, packet_flow& flow) {
  const auto fields = packet.as<aerogpu_cmd_copy_texture2d>().fields();
  const auto to = find(handle_space::resource, fields.dst_texture);
  if (!to) return;
  const object& target = objects_[*to];
  flow.writes.push_back(target.content);
  if ((fields.flags & AEROGPU_COPY_FLAG_WRITEBACK_DST) != 0) flow.role = packet_role::always;
  const auto from = find(handle_space::resource, fields.src_texture);
  if (!from || content_of(*from) == *to || !target.is_plain_texture || target.content != *to)
    return;
  const object& source = objects_[content_of(*from)];
  const std::array zeros{fields.dst_x,         fields.dst_y,          fields.src_x,
                         fields.src_y,         fields.dst_mip_level,  fields.dst_array_layer,
                         fields.src_mip_level, fields.src_array_layer};
  const bool is_whole = std::ranges::all_of(zeros, [](std::uint32_t n) { return n == 0; }) &&
                        fields.width == target.width && fields.height == target.height &&
                        source.width >= target.width && source.height >= target.height &&
                        source.format == target.format;
  if (!is_whole) return;
  flow.replaces = {*to};
  std::erase(flow.reads, *to);
}

auto flow_tracer::find(handle_space space, std::uint32_t handle) const
    -> std::optional<object_number> {
  const auto found = live_.find({space, handle});
  if (handle == 0 || found == live_.end()) return std::nullopt;
  return found->second;
}

auto flow_tracer::live_of(const std::vector<handle_name>& names) const
    -> std::vector<object_number> {
  std::vector<object_number> found;
  for (const auto& [space, handle] : names) {
    if (const auto which = find(space, handle); which) found.push_back(*which);
  }
  return found;
}

}  // namespace aerogpu::tool
