// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

#include <cstring>

namespace aerogpu::golden {

auto words_program() -> sm4::program {
  using namespace sm4;
  program code{program_type::compute, 5};
  code.op(dcl_resource_raw, {plain(resource, {0})})
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(4)})
      .op(dcl_thread_group, {word(1), word(1), word(1)})
      .op(ishl, {to(temp, {1}, "x"), from(thread_id, {}, "x"), bits(4)})
      .op(ld_raw, {to(temp, {0}), from(temp, {1}, "x"), from(resource, {0})});
  return code;
}

auto words_shader(sm4::program code) -> byte_vector {
  using namespace sm4;
  code.op(store_raw, {to(uav, {0}), from(temp, {1}, "x"), from(temp, {0})}).op(ret);
  return container({{}, {}}, code);
}

dxbc_scene::dxbc_scene(int width, int height, host_variant variant)
    : g(variant), width_(width), height_(height) {
  target = g.make_target(width, height);
  g.bind_targets({target});
  g.clear(black);
}

auto dxbc_scene::shader(test::wire_stage stage, const byte_vector& container) -> std::uint32_t {
  const std::uint32_t handle = g.new_handle();
  g.stream().create_shader(handle, stage, container);
  return handle;
}

auto dxbc_scene::layout(const std::vector<ilay_element>& elements) -> std::uint32_t {
  const std::uint32_t handle = g.new_handle();
  g.stream().create_layout(handle, test::ilay_blob(elements));
  return handle;
}

auto dxbc_scene::vertex_layout() -> std::uint32_t {
  if (layout_ == 0) {
    layout_ = layout({{.name = "POSITION", .format = dxgi_float4_format},
                      {.name = "TEXCOORD", .format = dxgi_float2_format},
                      {.name = "COLOR", .format = dxgi_float4_format}});
  }
  return layout_;
}

auto dxbc_scene::passing_vs() -> std::uint32_t {
  if (passing_vs_ == 0) passing_vs_ = shader(wire_vs, sm4::vs_passing());
  return passing_vs_;
}

auto dxbc_scene::color_ps() -> std::uint32_t {
  if (color_ps_ == 0) color_ps_ = shader(wire_ps, sm4::ps_color());
  return color_ps_;
}

auto dxbc_scene::at(float x, float y, const color4& color) const -> dxbc_vertex {
  dxbc_vertex made;
  made.x = 2 * x / static_cast<float>(width_) - 1;
  made.y = 1 - 2 * y / static_cast<float>(height_);
  made.color = color;
  return made;
}

auto dxbc_scene::quad(const area& where, const color4& color) const -> std::vector<dxbc_vertex> {
  const auto left = static_cast<float>(where.x), top = static_cast<float>(where.y);
  const auto right = left + static_cast<float>(where.width);
  const auto bottom = top + static_cast<float>(where.height);
  std::array<dxbc_vertex, 4> corners{at(left, top, color), at(right, top, color),
                                     at(left, bottom, color), at(right, bottom, color)};
  corners[1].u = corners[3].u = corners[2].v = corners[3].v = 1;
  return {corners[0], corners[1], corners[2], corners[2], corners[1], corners[3]};
}

void dxbc_scene::set_vertices(const std::vector<dxbc_vertex>& vertices, std::uint32_t topology) {
  const std::uint32_t layout = vertex_layout();
  const std::uint32_t buffer = g.make_buffer(vertices);
  g.stream().set_layout(layout).vertex_buffer(0, buffer, sizeof(dxbc_vertex)).topology(topology);
}

void dxbc_scene::draw(const std::vector<dxbc_vertex>& vertices, std::uint32_t topology) {
  set_vertices(vertices, topology);
  g.stream().draw(static_cast<std::uint32_t>(vertices.size()));
}

void dxbc_scene::draw_whole(std::uint32_t pixel_shader) {
  const std::uint32_t vertex_shader = passing_vs();
  g.stream().bind_shaders(vertex_shader, pixel_shader);
  draw(quad(whole()));
}

auto dxbc_scene::read_words(std::uint32_t buffer, std::uint64_t offset_bytes, std::size_t count)
    -> std::vector<std::uint32_t> {
  const std::size_t size = count * sizeof(std::uint32_t);
  const std::uint32_t memory = g.allocate(size), copy = g.new_handle();
  g.stream()
      .create_buffer(copy, size, {memory, 0})
      .copy_buffer(copy, 0, buffer, offset_bytes, size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
      .destroy(copy);
  g.submit();
  const byte_vector bytes = g.peek(memory, 0, size);
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), bytes.data(), size);
  return words;
}

auto dxbc_scene::run_words(const byte_vector& container, const std::vector<std::uint32_t>& values)
    -> std::vector<std::uint32_t> {
  const std::size_t count = values.size();
  const auto source = g.make_buffer(values);
  const auto made = g.make_buffer(std::vector<std::uint32_t>(count, 7));
  const auto cs = shader(wire_cs, container);
  g.stream()
      .bind_shaders(0, 0, cs)
      .resource_buffers(wire_cs, 0, {{source}})
      .unordered_access(wire_cs, 0, {{made}})
      .dispatch(static_cast<std::uint32_t>(count / 4), 1, 1);
  return read_words(made, 0, count);
}

void dxbc_scene::expect_words(std::uint32_t buffer, std::uint64_t offset_bytes,
                              const std::vector<std::uint32_t>& expected) {
  const auto actual = read_words(buffer, offset_bytes, expected.size());
  if (g.renders()) CHECK(actual == expected);
}

}  // namespace aerogpu::golden
