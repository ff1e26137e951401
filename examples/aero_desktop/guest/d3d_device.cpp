// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/guest/d3d_device.hpp"

#include "aerogpu/abi/ring.h"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"

#include <algorithm>

namespace desktop {

using namespace aerogpu;

namespace {

// Direct3D 9 numbers that the host's tables do not name.
constexpr std::uint32_t d3dcull_none = 1, d3dblend_one = 2, d3dblend_invsrcalpha = 6;
constexpr std::uint32_t d3dtaddress_clamp = 3, d3dtexf_linear = 2;
constexpr std::uint8_t d3ddecltype_float2 = 1, d3ddeclusage_position = 0;

constexpr std::array<std::array<float, 2>, 4> corner_positions{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};

constexpr std::array<std::array<std::uint32_t, 2>, 5> first_states{{
    {d3drs_cullmode, d3dcull_none},
    {d3drs_zenable, 0},
    {d3drs_alphablendenable, 1},
    {d3drs_srcblend, d3dblend_one},
    {d3drs_destblend, d3dblend_invsrcalpha},
}};
constexpr std::array<std::array<std::uint32_t, 2>, 4> first_sampler_states{{
    {d3dsamp_addressu, d3dtaddress_clamp},
    {d3dsamp_addressv, d3dtaddress_clamp},
    {d3dsamp_magfilter, d3dtexf_linear},
    {d3dsamp_minfilter, d3dtexf_linear},
}};

}  // namespace

d3d_device::d3d_device(guest_kernel& kernel, context_id context, const shader_library& code)
    : kernel_(kernel), context_(context), code_(code) {
  begin();
}

void d3d_device::begin() {
  bytes_.clear();
  put(out_.begin());
}

auto d3d_device::submit(std::uint32_t flags) -> fence_value {
  static_cast<void>(out_.finish());
  const bool is_good = is_good_;
  const fence_value fence =
      is_good ? kernel_.submit(context_, bytes_, memory_, flags) : fence_value{};
  is_good_ = true;
  begin();
  return fence;
}

auto d3d_device::create_target(std::uint32_t width, std::uint32_t height, aerogpu_format format)
    -> surface {
  const surface made{resource_handle{kernel_.new_handle()}, width, height};
  const std::uint32_t usage =
      format == AEROGPU_FORMAT_D24_UNORM_S8_UINT
          ? AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL
          : AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE;
  put(out_.create_texture2d({made.handle, usage, format, width, height}));
  resources_.push_back(made.handle);
  return made;
}

auto d3d_device::create_picture(std::uint32_t width, std::uint32_t height, const_bytes pixels)
    -> surface {
  const memory_block block = kernel_.allocate(width * height * 4);
  kernel_.write(block, pixels);
  memory_.push_back(block);
  const surface made{resource_handle{kernel_.new_handle()}, width, height};
  put(out_.create_texture2d({made.handle,
                             AEROGPU_RESOURCE_USAGE_TEXTURE,
                             AEROGPU_FORMAT_B8G8R8A8_UNORM,
                             width,
                             height,
                             1,
                             1,
                             width * 4,
                             {block.id, 0}}));
  put(out_.resource_dirty_range(made.handle, 0, block.size_bytes));
  resources_.push_back(made.handle);
  return made;
}

auto d3d_device::create_buffer(std::uint32_t usage, const_bytes content) -> resource_handle {
  const resource_handle made{kernel_.new_handle()};
  put(out_.create_buffer({made, usage, content.size()}));
  put(out_.upload_resource(made, 0, content));
  resources_.push_back(made);
  return made;
}

auto d3d_device::create_layout(std::span<const d3d9_vertex_element> elements)
    -> input_layout_handle {
  const input_layout_handle made{kernel_.new_handle()};
  std::array<std::byte, d3d9_declaration_size(8)> bytes{};
  const auto blob = write_d3d9_declaration(elements, bytes);
  is_good_ = is_good_ && blob;
  if (blob) put(out_.create_input_layout(made, *blob));
  layouts_.push_back(made);
  return made;
}

void d3d_device::destroy(resource_handle resource) {
  put(out_.destroy_resource(resource));
  std::erase(resources_, resource);
}

void d3d_device::destroy_all() {
  put(out_.set_render_targets({}, {}));
  for (const resource_handle resource : resources_) put(out_.destroy_resource(resource));
  for (const input_layout_handle layout : layouts_) put(out_.destroy_input_layout(layout));
  for (const shader_handle which : shaders_) {
    if (which != shader_handle{}) put(out_.destroy_shader(which));
  }
  resources_.clear();
  layouts_.clear();
  shaders_ = {};
  has_defaults_ = false;
}

void d3d_device::export_surface(const surface& what, share_token token) {
  put(out_.export_shared_surface(what.handle, token));
}

auto d3d_device::import_surface(const surface& like, share_token token) -> surface {
  const surface alias{resource_handle{kernel_.new_handle()}, like.width, like.height};
  put(out_.import_shared_surface(alias.handle, token));
  resources_.push_back(alias.handle);
  return alias;
}

/// State that every draw of this guest relies on, and the corners of a box.
void d3d_device::bind_defaults() {
  if (has_defaults_) return;
  has_defaults_ = true;
  for (const auto& [state, value] : first_states) set_state(state, value);
  for (const auto& [state, value] : first_sampler_states) {
    put(out_.set_sampler_state(shader_stage::pixel, 0, state, value));
  }
  constexpr std::array elements{
      d3d9_vertex_element{0, 0, d3ddecltype_float2, 0, d3ddeclusage_position, 0}};
  corner_layout_ = create_layout(elements);
  corners_ = create_buffer(AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER,
                           std::as_bytes(std::span{corner_positions}));
}

void d3d_device::set_target(const surface& color, const surface& depth) {
  bind_defaults();
  const auto width = static_cast<float>(color.width);
  const auto height = static_cast<float>(color.height);
  put(out_.set_render_targets(std::array{color.handle}, depth.handle));
  put(out_.set_viewport({0, 0, width, height}));
  set_vertex_constants(0, {{2 / width, -2 / height, -1, 1}});
  set_vertex_constants(3, {{1 / width, 1 / height, 0, 0}});
}

void d3d_device::set_state(std::uint32_t state, std::uint32_t value) {
  put(out_.set_render_state(state, value));
}

auto d3d_device::handle_of(shader which) -> shader_handle {
  const auto index = static_cast<std::size_t>(which);
  if (shaders_[index] == shader_handle{}) {
    shaders_[index] = shader_handle{kernel_.new_handle()};
    put(out_.create_shader_dxbc(shaders_[index], source_of(which).stage,
                                std::as_bytes(std::span{code_[index]})));
  }
  return shaders_[index];
}

void d3d_device::set_shaders(shader vertex, shader pixel) {
  put(out_.bind_shaders({handle_of(vertex), handle_of(pixel)}));
}

void d3d_device::set_texture(const surface& what) {
  put(out_.set_texture(shader_stage::pixel, 0, what.handle));
}

void d3d_device::set_vertex_constants(std::uint32_t first, std::initializer_list<float4> values) {
  put(out_.set_shader_constants_f(shader_stage::vertex, first,
                                  std::span{values.begin(), values.size()}));
}

void d3d_device::set_pixel_constants(std::uint32_t first, std::initializer_list<float4> values) {
  put(out_.set_shader_constants_f(shader_stage::pixel, first,
                                  std::span{values.begin(), values.size()}));
}

void d3d_device::set_vertices(input_layout_handle layout, resource_handle buffer,
                              std::uint32_t stride_bytes) {
  const std::array bindings{aerogpu_vertex_buffer_binding{raw(buffer), stride_bytes, 0, 0}};
  put(out_.set_input_layout(layout));
  put(out_.set_vertex_buffers(0, bindings));
}

void d3d_device::clear_depth() {
  put(out_.clear({AEROGPU_CLEAR_DEPTH, {}, 1, 0}));
}

void d3d_device::draw_box(shader pixel, const box& where, const box& texels) {
  const bool is_sm2 = pixel <= shader::cube;  // SM3 pixel shaders take SM3 vertex shaders alone.
  set_shaders(is_sm2 ? shader::flat_quad_vertex : shader::quad_vertex, pixel);
  set_vertex_constants(1, {{where.x, where.y, where.width, where.height},
                           {texels.x, texels.y, texels.width, texels.height}});
  set_vertices(corner_layout_, corners_, sizeof corner_positions[0]);
  put(out_.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLESTRIP));
  put(out_.draw(corner_positions.size()));
}

void d3d_device::draw_triangles(std::uint32_t vertex_count) {
  put(out_.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLELIST));
  put(out_.draw(vertex_count));
}

void d3d_device::draw_quads(resource_handle indices, std::uint32_t first_quad,
                            std::uint32_t quad_count) {
  put(out_.set_primitive_topology(AEROGPU_TOPOLOGY_TRIANGLELIST));
  put(out_.set_index_buffer(indices, AEROGPU_INDEX_FORMAT_UINT16, 0));
  put(out_.draw_indexed({.index_count = 6 * quad_count, .first_index = 6 * first_quad}));
}

void d3d_device::upload(resource_handle to, std::uint64_t offset_bytes, const_bytes bytes) {
  put(out_.upload_resource(to, offset_bytes, bytes));
}

void d3d_device::copy(const surface& to, const surface& from) {
  put(out_.copy_texture2d({{to.handle}, {from.handle}, to.width, to.height}));
}

void d3d_device::present() {
  put(out_.present_ex(0, AEROGPU_PRESENT_FLAG_VSYNC, 0));
}

void d3d_device::mark(std::string_view text) {
  put(out_.debug_marker(text));
}

}  // namespace desktop
