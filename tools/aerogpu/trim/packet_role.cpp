// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/packet_role.hpp"

#include "aerogpu/stream/packet_needs.hpp"
#include "aerogpu/stream/resolve.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

namespace aerogpu::tool {

namespace {

/// The field of the handle that a packet creates or destroys, or null.
constexpr auto own_handle_field(const packet_row& row) -> optional_field {
  for (const packet_field& f : row.fields) {
    if (f.rule.use == handle_use::creates || f.rule.use == handle_use::drops) return f;
  }
  return {};
}

/// Null for an opcode that nobody has given a role.
constexpr auto find_role(const packet_row& row) -> std::optional<packet_role> {
  if (const optional_field own = own_handle_field(row); own != nullptr) {
    return own->rule.use == handle_use::creates ? packet_role::creates : packet_role::destroys;
  }
  if (presents(row.opcode)) return packet_role::nothing;
  switch (row.opcode) {
    case AEROGPU_CMD_NOP:
    case AEROGPU_CMD_DEBUG_MARKER:
    case AEROGPU_CMD_FLUSH: return packet_role::nothing;
    case AEROGPU_CMD_CLEAR:
    case AEROGPU_CMD_DRAW:
    case AEROGPU_CMD_DRAW_INDEXED:
    case AEROGPU_CMD_DISPATCH:
    case AEROGPU_CMD_COPY_BUFFER:
    case AEROGPU_CMD_COPY_TEXTURE2D:
    case AEROGPU_CMD_UPLOAD_RESOURCE:
    case AEROGPU_CMD_RESOURCE_DIRTY_RANGE: return packet_role::produces;
    case AEROGPU_CMD_EXPORT_SHARED_SURFACE:
    case AEROGPU_CMD_RELEASE_SHARED_SURFACE:
    // Sets the counters of its buffers too.
    case AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS: return packet_role::always;
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_F:
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_I:
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_B:
    case AEROGPU_CMD_BIND_SHADERS:
    case AEROGPU_CMD_SET_INPUT_LAYOUT:
    case AEROGPU_CMD_SET_BLEND_STATE:
    case AEROGPU_CMD_SET_DEPTH_STENCIL_STATE:
    case AEROGPU_CMD_SET_RASTERIZER_STATE:
    case AEROGPU_CMD_SET_RENDER_TARGETS:
    case AEROGPU_CMD_SET_VIEWPORT:
    case AEROGPU_CMD_SET_SCISSOR:
    case AEROGPU_CMD_SET_VERTEX_BUFFERS:
    case AEROGPU_CMD_SET_INDEX_BUFFER:
    case AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY:
    case AEROGPU_CMD_SET_TEXTURE:
    case AEROGPU_CMD_SET_SAMPLER_STATE:
    case AEROGPU_CMD_SET_RENDER_STATE:
    case AEROGPU_CMD_SET_SAMPLERS:
    case AEROGPU_CMD_SET_CONSTANT_BUFFERS:
    case AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS: return packet_role::sets;
    default: return std::nullopt;
  }
}
static_assert(std::ranges::all_of(packet_table,
                                  [](const packet_row& row) { return find_role(row).has_value(); }),
              "each packet has a role");

/// The bytes of a setting's packet in front of what it sets: a later one that has the same there
/// undoes it. Settings that act on each other undo only their equals.
auto key_bytes_of(const raw_packet& packet) -> std::size_t {
  switch (packet.opcode()) {
    case AEROGPU_CMD_SET_RENDER_TARGETS:
    case AEROGPU_CMD_SET_VIEWPORT:
    case AEROGPU_CMD_SET_SCISSOR:
    case AEROGPU_CMD_SET_INDEX_BUFFER:
    case AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY:
    case AEROGPU_CMD_SET_INPUT_LAYOUT:
    case AEROGPU_CMD_BIND_SHADERS: return 4;
    case AEROGPU_CMD_SET_VERTEX_BUFFERS: return sizeof(aerogpu_cmd_set_vertex_buffers);
    case AEROGPU_CMD_SET_SAMPLERS: return sizeof(aerogpu_cmd_set_samplers);
    case AEROGPU_CMD_SET_CONSTANT_BUFFERS: return sizeof(aerogpu_cmd_set_constant_buffers);
    case AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS:
      return sizeof(aerogpu_cmd_set_shader_resource_buffers);
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_F: return sizeof(aerogpu_cmd_set_shader_constants_f);
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_I: return sizeof(aerogpu_cmd_set_shader_constants_i);
    case AEROGPU_CMD_SET_SHADER_CONSTANTS_B: return sizeof(aerogpu_cmd_set_shader_constants_b);
    default: return packet.size();
  }
}

}  // namespace

auto role_of(const packet_row& row) -> packet_role {
  return *find_role(row);
}

auto uses_state(std::uint32_t opcode) -> bool {
  return opcode == AEROGPU_CMD_DRAW || opcode == AEROGPU_CMD_DRAW_INDEXED ||
         opcode == AEROGPU_CMD_DISPATCH || opcode == AEROGPU_CMD_CLEAR || presents(opcode);
}

auto key_of(const raw_packet& packet) -> std::string {
  std::string key(reinterpret_cast<const char*>(packet.bytes().data()), key_bytes_of(packet));
  if (packet.opcode() == AEROGPU_CMD_SET_TEXTURE) {
    constexpr std::size_t at = offsetof(aerogpu_cmd_set_texture, texture);
    std::fill_n(key.begin() + at, sizeof(std::uint32_t), '\0');
  }
  if (packet.opcode() == AEROGPU_CMD_SET_SAMPLER_STATE) {
    key.resize(offsetof(aerogpu_cmd_set_sampler_state, value));
  }
  return key;
}

auto own_handle(const raw_packet& packet) -> handle_name {
  const optional_field own = own_handle_field(*packet.row());
  return {own->rule.space, load<std::uint32_t>(packet.bytes().data() + own->offset)};
}

auto handles_of(const raw_packet& packet) -> std::vector<handle_name> {
  const packet_row& row = *packet.row();
  std::vector<handle_name> found;
  const auto add = [&](handle_space space, std::uint32_t handle) {
    if (handle != 0) found.emplace_back(space, handle);
  };
  const auto add_fields = [&](std::span<const packet_field> fields, const_bytes from) {
    for (const packet_field& f : fields) {
      if (f.rule.role != field_role::handle || f.end() > from.size()) continue;
      for (std::size_t i = 0; i < f.length; ++i) {
        add(f.rule.space, load<std::uint32_t>(from.data() + f.offset + i * sizeof(std::uint32_t)));
      }
    }
  };
  if (packet.is<aerogpu_cmd_bind_shaders>()) {
    const shader_handles all = resolve_bind_shaders(packet.as<aerogpu_cmd_bind_shaders>());
    for (const shader_handle one : all) add(handle_space::shader, raw(one));
    return found;
  }
  add_fields(row.fields, packet.bytes());
  if (row.payload != payload_kind::elements) return found;
  const_bytes rest = packet.bytes().subspan(std::min<std::size_t>(row.fixed_size, packet.size()));
  for (; rest.size() >= row.element_size && row.element_size != 0;
       rest = rest.subspan(row.element_size)) {
    add_fields(row.element_fields, rest);
  }
  return found;
}

}  // namespace aerogpu::tool
