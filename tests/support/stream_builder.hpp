// SPDX-License-Identifier: MIT
/// \file Command streams for tests, right and wrong ones: every packet in one short call.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace aerogpu::test {

/// Where a resource lives in guest memory; id 0 = in the host.
struct backing {
  std::uint32_t alloc_id = 0;
  std::uint32_t offset_bytes = 0;
};

/// CREATE_TEXTURE2D without the handle. Members that a test does not name are good ones.
struct texture_spec {
  std::uint32_t format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  std::uint32_t width = 4;
  std::uint32_t height = 4;
  std::uint32_t mips = 1;
  std::uint32_t layers = 1;
  std::uint32_t pitch = 0;
  backing memory{};
  std::uint32_t usage = AEROGPU_RESOURCE_USAGE_TEXTURE;
};

/// CREATE_TEXTURE_VIEW without the handles.
struct view_spec {
  std::uint32_t format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  std::uint32_t base_mip = 0;
  std::uint32_t mips = 1;
  std::uint32_t base_layer = 0;
  std::uint32_t layers = 1;
};

/// One side of COPY_TEXTURE2D.
struct copy_side {
  std::uint32_t handle = 0;
  std::uint32_t mip = 0;
  std::uint32_t layer = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

/// A shader stage as a packet spells it.
struct wire_stage {
  std::uint32_t stage = AEROGPU_SHADER_STAGE_PIXEL;
  std::uint32_t stage_ex = 0;
};

inline constexpr wire_stage wire_vs{AEROGPU_SHADER_STAGE_VERTEX, 0};
inline constexpr wire_stage wire_ps{AEROGPU_SHADER_STAGE_PIXEL, 0};
inline constexpr wire_stage wire_cs{AEROGPU_SHADER_STAGE_COMPUTE, 0};
inline constexpr wire_stage wire_gs{AEROGPU_SHADER_STAGE_GEOMETRY, 0};

/// A constant buffer, SRV or UAV binding.
struct range_binding {
  std::uint32_t buffer = 0;
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t last_word = 0;
};

/// Builds one stream. Values are written as given, so that a test can be as wrong as it likes;
/// sizes and counts are right unless `patch` changes them.
class stream_builder {
 public:
  explicit stream_builder(std::uint32_t minor = AEROGPU_ABI_MINOR)
      : bytes_(sizeof(aerogpu_cmd_stream_header)) {
    store(bytes_.data(), aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC,
                                                   AEROGPU_ABI_MAJOR << 16 | minor, 0, 0, 0, 0});
    patch(size_at, size());
  }

  [[nodiscard]] auto bytes() const -> const byte_vector& { return bytes_; }
  [[nodiscard]] auto size() const -> std::uint32_t {
    return static_cast<std::uint32_t>(bytes_.size());
  }
  /// Offset of the packet added last.
  [[nodiscard]] auto last_packet() const -> std::uint32_t { return last_packet_; }

  // Raw material

  /// Overwrites a dword of the stream.
  auto patch(std::uint32_t offset, std::uint32_t value) -> stream_builder& {
    store(bytes_.data() + offset, value);
    return *this;
  }
  /// Appends bytes as they are, zero-padded to a multiple of 4.
  auto append(const_bytes bytes) -> stream_builder& {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize(static_cast<std::size_t>(align4(bytes_.size())));
    return patch(size_at, size());
  }
  auto append_words(std::initializer_list<std::uint32_t> words) -> stream_builder& {
    for (const std::uint32_t word : words) append(bytes_of(word));
    return *this;
  }
  /// A packet of any opcode.
  auto raw(std::uint32_t opcode, const_bytes body = {}) -> stream_builder& {
    last_packet_ = size();
    append(bytes_of(aerogpu_cmd_hdr{opcode, 0}));
    append(body);
    return patch(last_packet_ + 4, size() - last_packet_);
  }
  /// A packet of a known type; the header is filled in.
  template <wire_packet P>
  auto add(const P& packet, const_bytes payload = {}) -> stream_builder& {
    byte_vector body(sizeof(P) - sizeof(aerogpu_cmd_hdr));
    const const_bytes whole = bytes_of(packet);
    copy_bytes(body, whole.subspan(sizeof(aerogpu_cmd_hdr)));
    body.insert(body.end(), payload.begin(), payload.end());
    return raw(packet_traits<P>::opcode, body);
  }
  template <wire_packet P, class Element>
  auto add_elements(const P& packet, const std::vector<Element>& elements) -> stream_builder& {
    return add(packet, std::as_bytes(std::span{elements}));
  }

  // Housekeeping

  auto nop() -> stream_builder& { return raw(AEROGPU_CMD_NOP); }
  auto marker(const_bytes text) -> stream_builder& { return raw(AEROGPU_CMD_DEBUG_MARKER, text); }
  auto flush() -> stream_builder& { return add(aerogpu_cmd_flush{}); }

  // Resources

  auto create_buffer(std::uint32_t handle, std::uint64_t size, backing memory = {},
                     std::uint32_t usage = AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER)
      -> stream_builder& {
    return add(aerogpu_cmd_create_buffer{
        {}, handle, usage, size, memory.alloc_id, memory.offset_bytes, 0});
  }
  auto create_texture(std::uint32_t handle, const texture_spec& t) -> stream_builder& {
    return add(aerogpu_cmd_create_texture2d{{},
                                            handle,
                                            t.usage,
                                            t.format,
                                            t.width,
                                            t.height,
                                            t.mips,
                                            t.layers,
                                            t.pitch,
                                            t.memory.alloc_id,
                                            t.memory.offset_bytes,
                                            0});
  }
  auto create_view(std::uint32_t handle, std::uint32_t texture, const view_spec& v)
      -> stream_builder& {
    return add(aerogpu_cmd_create_texture_view{
        {}, handle, texture, v.format, v.base_mip, v.mips, v.base_layer, v.layers, 0});
  }
  auto destroy(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_destroy_resource{{}, handle, 0});
  }
  auto destroy_view(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_destroy_texture_view{{}, handle, 0});
  }
  auto dirty(std::uint32_t handle, std::uint64_t offset, std::uint64_t size) -> stream_builder& {
    return add(aerogpu_cmd_resource_dirty_range{{}, handle, 0, offset, size});
  }
  auto upload(std::uint32_t handle, std::uint64_t offset, const byte_vector& data)
      -> stream_builder& {
    return add(aerogpu_cmd_upload_resource{{}, handle, 0, offset, data.size()}, data);
  }
  auto copy_buffer(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
                   std::uint64_t from_offset, std::uint64_t size, std::uint32_t flags = 0)
      -> stream_builder& {
    return add(aerogpu_cmd_copy_buffer{{}, to, from, to_offset, from_offset, size, flags, 0});
  }
  auto copy_texture(const copy_side& to, const copy_side& from, std::uint32_t width,
                    std::uint32_t height, std::uint32_t flags = 0) -> stream_builder& {
    return add(aerogpu_cmd_copy_texture2d{{},
                                          to.handle,
                                          from.handle,
                                          to.mip,
                                          to.layer,
                                          from.mip,
                                          from.layer,
                                          to.x,
                                          to.y,
                                          from.x,
                                          from.y,
                                          width,
                                          height,
                                          flags,
                                          0});
  }

  // Shaders, constants and input layouts

  auto create_shader(std::uint32_t handle, wire_stage s, const byte_vector& code)
      -> stream_builder& {
    return add(aerogpu_cmd_create_shader_dxbc{{}, handle, s.stage, count(code), s.stage_ex}, code);
  }
  auto destroy_shader(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_destroy_shader{{}, handle, 0});
  }
  auto bind_shaders(std::uint32_t vs, std::uint32_t ps, std::uint32_t cs = 0,
                    std::uint32_t gs_or_reserved = 0) -> stream_builder& {
    return add(aerogpu_cmd_bind_shaders{{}, vs, ps, cs, gs_or_reserved});
  }
  /// The 36-byte form.
  auto bind_all_shaders(const std::array<std::uint32_t, 4>& vs_ps_cs_reserved,
                        const std::array<std::uint32_t, 3>& gs_hs_ds) -> stream_builder& {
    const auto& [vs, ps, cs, reserved] = vs_ps_cs_reserved;
    return add(aerogpu_cmd_bind_shaders{{}, vs, ps, cs, reserved}, bytes_of(gs_hs_ds));
  }
  auto constants_f(wire_stage s, std::uint32_t start,
                   const std::vector<std::array<float, 4>>& values) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_shader_constants_f{{}, s.stage, start, count(values), s.stage_ex}, values);
  }
  auto constants_i(wire_stage s, std::uint32_t start,
                   const std::vector<std::array<std::int32_t, 4>>& values) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_shader_constants_i{{}, s.stage, start, count(values), s.stage_ex}, values);
  }
  auto constants_b(wire_stage s, std::uint32_t start,
                   const std::vector<std::array<std::uint32_t, 4>>& values) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_shader_constants_b{{}, s.stage, start, count(values), s.stage_ex}, values);
  }
  /// The form with 4 bytes a register that some guests write.
  auto compact_constants_b(wire_stage s, std::uint32_t start,
                           const std::vector<std::uint32_t>& values) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_shader_constants_b{{}, s.stage, start, count(values), s.stage_ex}, values);
  }
  auto create_layout(std::uint32_t handle, const byte_vector& blob) -> stream_builder& {
    return add(aerogpu_cmd_create_input_layout{{}, handle, count(blob), 0}, blob);
  }
  auto destroy_layout(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_destroy_input_layout{{}, handle, 0});
  }
  auto set_layout(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_set_input_layout{{}, handle, 0});
  }

  // State

  auto blend(const aerogpu_blend_state& state) -> stream_builder& {
    return add(aerogpu_cmd_set_blend_state{{}, state});
  }
  auto depth_stencil(const aerogpu_depth_stencil_state& state) -> stream_builder& {
    return add(aerogpu_cmd_set_depth_stencil_state{{}, state});
  }
  auto rasterizer(const aerogpu_rasterizer_state& state) -> stream_builder& {
    return add(aerogpu_cmd_set_rasterizer_state{{}, state});
  }
  auto targets(std::initializer_list<std::uint32_t> colors, std::uint32_t depth_stencil = 0)
      -> stream_builder& {
    aerogpu_cmd_set_render_targets packet{};
    packet.color_count = static_cast<std::uint32_t>(colors.size());
    packet.depth_stencil = depth_stencil;
    std::uint32_t i = 0;
    for (const std::uint32_t color : colors) packet.colors[i++] = color;
    return add(packet);
  }
  auto viewport(const std::array<float, 6>& v) -> stream_builder& {
    return raw(AEROGPU_CMD_SET_VIEWPORT, std::as_bytes(std::span{v}));
  }
  auto scissor(std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t height)
      -> stream_builder& {
    return add(aerogpu_cmd_set_scissor{{}, x, y, width, height});
  }
  auto render_state(std::uint32_t state, std::uint32_t value) -> stream_builder& {
    return add(aerogpu_cmd_set_render_state{{}, state, value});
  }
  /// Driver-private state: the context ends with the submission (docs/extensions.md).
  auto end_context() -> stream_builder& { return render_state(aerogpurs_end_of_context, 1); }
  auto sampler_state(std::uint32_t stage, std::uint32_t slot, std::uint32_t state,
                     std::uint32_t value) -> stream_builder& {
    return add(aerogpu_cmd_set_sampler_state{{}, stage, slot, state, value});
  }

  // Bindings

  auto vertex_buffers(std::uint32_t start,
                      const std::vector<aerogpu_vertex_buffer_binding>& bindings)
      -> stream_builder& {
    return add_elements(aerogpu_cmd_set_vertex_buffers{{}, start, count(bindings)}, bindings);
  }
  auto vertex_buffer(std::uint32_t slot, std::uint32_t buffer, std::uint32_t stride = 16,
                     std::uint32_t offset = 0) -> stream_builder& {
    return vertex_buffers(slot, {{buffer, stride, offset, 0}});
  }
  auto index_buffer(std::uint32_t buffer, std::uint32_t format = AEROGPU_INDEX_FORMAT_UINT16,
                    std::uint32_t offset = 0) -> stream_builder& {
    return add(aerogpu_cmd_set_index_buffer{{}, buffer, format, offset, 0});
  }
  auto topology(std::uint32_t value) -> stream_builder& {
    return add(aerogpu_cmd_set_primitive_topology{{}, value, 0});
  }
  auto set_texture(wire_stage s, std::uint32_t slot, std::uint32_t texture) -> stream_builder& {
    return add(aerogpu_cmd_set_texture{{}, s.stage, slot, texture, s.stage_ex});
  }
  auto create_sampler(std::uint32_t handle, std::uint32_t filter = 0, std::uint32_t u = 0,
                      std::uint32_t v = 0, std::uint32_t w = 0) -> stream_builder& {
    return add(aerogpu_cmd_create_sampler{{}, handle, filter, u, v, w});
  }
  auto destroy_sampler(std::uint32_t handle) -> stream_builder& {
    return add(aerogpu_cmd_destroy_sampler{{}, handle, 0});
  }
  auto samplers(wire_stage s, std::uint32_t start, const std::vector<std::uint32_t>& handles)
      -> stream_builder& {
    return add_elements(aerogpu_cmd_set_samplers{{}, s.stage, start, count(handles), s.stage_ex},
                        handles);
  }
  auto constant_buffers(wire_stage s, std::uint32_t start,
                        const std::vector<range_binding>& bindings) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_constant_buffers{{}, s.stage, start, count(bindings), s.stage_ex},
        bindings);
  }
  auto resource_buffers(wire_stage s, std::uint32_t start,
                        const std::vector<range_binding>& bindings) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_shader_resource_buffers{{}, s.stage, start, count(bindings), s.stage_ex},
        bindings);
  }
  auto unordered_access(wire_stage s, std::uint32_t start,
                        const std::vector<range_binding>& bindings) -> stream_builder& {
    return add_elements(
        aerogpu_cmd_set_unordered_access_buffers{{}, s.stage, start, count(bindings), s.stage_ex},
        bindings);
  }

  // Drawing, presenting and sharing

  auto clear(std::uint32_t flags, const std::array<float, 4>& color = {}, float depth = 1,
             std::uint32_t stencil = 0) -> stream_builder& {
    aerogpu_cmd_clear packet{};
    packet.flags = flags;
    for (std::size_t i = 0; i < 4; ++i) packet.color_rgba_f32[i] = as_bits(color[i]);
    packet.depth_f32 = as_bits(depth);
    packet.stencil = stencil;
    return add(packet);
  }
  auto draw(std::uint32_t vertices, std::uint32_t instances = 1) -> stream_builder& {
    return add(aerogpu_cmd_draw{{}, vertices, instances, 0, 0});
  }
  auto draw_indexed(std::uint32_t indices, std::uint32_t instances = 1) -> stream_builder& {
    return add(aerogpu_cmd_draw_indexed{{}, indices, instances, 0, 0, 0});
  }
  auto dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t stage_ex = 0)
      -> stream_builder& {
    return add(aerogpu_cmd_dispatch{{}, x, y, z, stage_ex});
  }
  auto present(std::uint32_t scanout = 0, std::uint32_t flags = 0) -> stream_builder& {
    return add(aerogpu_cmd_present{{}, scanout, flags});
  }
  auto present_ex(std::uint32_t scanout, std::uint32_t flags, std::uint32_t d3d9_flags)
      -> stream_builder& {
    return add(aerogpu_cmd_present_ex{{}, scanout, flags, d3d9_flags, 0});
  }
  auto export_surface(std::uint32_t handle, std::uint64_t token) -> stream_builder& {
    return add(aerogpu_cmd_export_shared_surface{{}, handle, 0, token});
  }
  auto import_surface(std::uint32_t handle, std::uint64_t token) -> stream_builder& {
    return add(aerogpu_cmd_import_shared_surface{{}, handle, 0, token});
  }
  auto release_surface(std::uint64_t token) -> stream_builder& {
    return add(aerogpu_cmd_release_shared_surface{{}, token, 0});
  }

 private:
  static constexpr std::uint32_t size_at = 8;

  template <class Container>
  [[nodiscard]] static auto count(const Container& items) -> std::uint32_t {
    return static_cast<std::uint32_t>(items.size());
  }

  byte_vector bytes_;
  std::uint32_t last_packet_ = 0;
};

}  // namespace aerogpu::test
