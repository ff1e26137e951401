// SPDX-License-Identifier: MIT
#include "tests/vulkan_faults/faulty_guest.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/support/layout_blobs.hpp"
#include "vulkan/device/gpu.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace aerogpu::test {

namespace {

// Handles.
constexpr std::uint32_t target = 1, depth = 2, texture = 3, blocks = 4, vertices = 5, indices = 6,
                        packed = 7, shown_copy = 8, bytes_copy = 9, scratch = 10;
constexpr std::uint32_t shader_vs = 1, shader_ps = 2, declaration = 1;

/// Allocations: what the texture, the indices and both write-backs lie on.
constexpr std::uint32_t texture_alloc = 1, index_alloc = 2, picture_alloc = 3, bytes_alloc = 4;
constexpr std::uint64_t allocation_bytes = 0x1000;
constexpr std::uint32_t size = 16;  ///< Of the target, in pixels.
constexpr std::uint32_t drawn_usage =
    AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;

constexpr auto address_of(std::uint32_t alloc) -> gpa {
  return gpa{0x10'0000 + alloc * allocation_bytes};
}

auto shader(std::string_view assembly) -> byte_vector {
  const auto words = d3d9::assemble(assembly);
  REQUIRE(words);
  const const_bytes bytes = std::as_bytes(std::span{*words});
  return {bytes.begin(), bytes.end()};
}

/// A quad over the whole target, by corners: x, y, z, u, v.
auto quad() -> byte_vector {
  constexpr std::array<float, 20> corners{-1, 1,  0.5f, 0, 0, 1, 1,  0.5f, 1, 0,
                                          -1, -1, 0.5f, 0, 1, 1, -1, 0.5f, 1, 1};
  const const_bytes bytes = std::as_bytes(std::span{corners});
  return {bytes.begin(), bytes.end()};
}

auto draw_quad(stream_builder& stream, std::uint32_t from) -> stream_builder& {
  return stream.set_texture(wire_ps, 0, from).draw_indexed(6);
}

auto table() -> conformance::table_entries {
  std::vector<aerogpu_alloc_entry> entries;
  for (const std::uint32_t id : {texture_alloc, index_alloc, picture_alloc, bytes_alloc}) {
    entries.push_back({id, AEROGPU_ALLOC_FLAG_NONE, raw(address_of(id)), allocation_bytes, 0});
  }
  return entries;
}

}  // namespace

auto fault_options() -> vulkan::backend_options {
  return {};
}

auto open_faulty_backend(const vulkan::backend_options& options)
    -> std::unique_ptr<vulkan::vulkan_backend> {
  auto made = vulkan::vulkan_backend::create(options);
  if (made) {
    return *std::move(made);
  }
  std::fprintf(stderr, "these tests need a Vulkan device: %s\n", made.why().what);
  std::exit(1);
}

void load_vulkan() {
  static_cast<void>(vulkan::list_devices());
}

faulty_guest::faulty_guest(vulkan::vulkan_backend& on)
    : backend_(on), path_(on, memory_, limits{}) {
  const auto entries = table();
  for (const aerogpu_alloc_entry& entry : *entries) memory_.map(gpa{entry.gpa}, entry.size_bytes);
  constexpr std::array<std::uint16_t, 6> corners{0, 1, 2, 2, 1, 3};
  memory_.poke(address_of(index_alloc), std::as_bytes(std::span{corners}));
  memory_.poke(address_of(texture_alloc), counting(64, 3, 5));
}

auto faulty_guest::submit(const stream_builder& stream) -> error {
  return path_.submit(stream.bytes(), 0, table());
}

auto faulty_guest::run(const stream_builder& stream) -> error {
  const error why = submit(stream);
  finish();
  return why;
}

void faulty_guest::reset() {
  path_.reset();
  backend_.wait_idle();
}

auto faulty_guest::written() -> byte_vector {
  byte_vector all = memory_.peek(address_of(picture_alloc), size * size * 4);
  const byte_vector bytes = memory_.peek(address_of(bytes_alloc), 64);
  all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

void faulty_guest::forget_written() {
  memory_.poke(address_of(picture_alloc), filled(size * size * 4, 0));
  memory_.poke(address_of(bytes_alloc), filled(64, 0));
}

auto faulty_guest::packets_of(const stream_builder& stream) -> byte_vector {
  const const_bytes bytes = const_bytes{stream.bytes()}.subspan(sizeof(aerogpu_cmd_stream_header));
  return {bytes.begin(), bytes.end()};
}

auto faulty_guest::objects() -> stream_builder {
  return stream_builder{}
      .create_texture(target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                               .width = size,
                               .height = size,
                               .usage = drawn_usage})
      .create_texture(depth, {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT,
                              .width = size,
                              .height = size,
                              .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL})
      .create_texture(
          texture,
          {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .pitch = 16, .memory = {texture_alloc, 0}})
      .create_texture(blocks,
                      {.format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 8, .height = 8, .mips = 2})
      .create_texture(packed, {.format = AEROGPU_FORMAT_B5G6R5_UNORM})
      .create_texture(shown_copy, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                   .width = size,
                                   .height = size,
                                   .pitch = size * 4,
                                   .memory = {picture_alloc, 0}})
      .create_buffer(vertices, 80)
      .create_buffer(indices, 12, {index_alloc, 0}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .create_buffer(bytes_copy, 64, {bytes_alloc, 0})
      .create_buffer(scratch, 64)
      .create_shader(shader_vs, wire_vs,
                     shader("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1"))
      .create_shader(shader_ps, wire_ps,
                     shader("ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, c0\n"
                            "mov oC0, r0"))
      .create_layout(declaration,
                     declaration_blob({{0, 0, 2, 0, 0, 0}, {0, 12, 1, 0, 5, 0}, declaration_end}))
      .append(packets_of(upload_again()));
}

auto faulty_guest::upload_again() -> stream_builder {
  return stream_builder{}
      .upload(vertices, 0, quad())
      .upload(blocks, 0, counting(32 + 8, 17, 3))
      .upload(packed, 0, counting(32, 99, 7))
      .upload(scratch, 0, counting(32, 1));
}

auto faulty_guest::picture() -> stream_builder {
  stream_builder stream;
  stream.targets({target}, depth)
      .viewport({0, 0, size, size, 0, 1})
      .clear(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL,
             {0.25f, 0.5f, 0.75f, 1}, 1, 7)
      .bind_shaders(shader_vs, shader_ps)
      .constants_f(wire_ps, 0, {{0, 0, 0, 0}})
      .set_layout(declaration)
      .vertex_buffer(0, vertices, 20)
      .index_buffer(indices)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .scissor(0, 0, size, size);
  draw_quad(stream.viewport({0, 0, 8, 8, 0, 1}), texture);
  draw_quad(stream.viewport({8, 0, 8, 8, 0, 1}), blocks);
  draw_quad(stream.viewport({0, 8, 8, 8, 0, 1}), packed);
  return stream.present().flush();
}

auto faulty_guest::read_picture() -> stream_builder {
  return stream_builder{}
      .copy_buffer(scratch, 32, scratch, 0, 32)
      .copy_buffer(bytes_copy, 0, scratch, 0, 64, write_back)
      .copy_texture({shown_copy}, {target}, size, size, write_back);
}

auto faulty_guest::numbered_shader(std::uint32_t number) -> byte_vector {
  return shader("ps_2_0\ndef c0, " + std::to_string(number) + ", 0, 0, 1\nmov oC0, c0");
}

auto faulty_guest::without_memory() -> stream_builder {
  return stream_builder{}
      .create_buffer(scratch, 64)
      .upload(scratch, 0, counting(64, 1))
      .create_texture(target, {.width = size, .height = size, .usage = drawn_usage});
}

auto faulty_guest::without_memory_again() -> stream_builder {
  return stream_builder{}
      .upload(scratch, 0, counting(64, 2))
      .create_buffer(indices, 64)
      .targets({target})
      .clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1})
      .present();
}

auto faulty_guest::drawing_without_memory() -> stream_builder {
  return stream_builder{}
      .create_shader(shader_vs, wire_vs, shader("vs_2_0\ndcl_position v0\nmov oPos, v0"))
      .create_shader(shader_ps, wire_ps, numbered_shader(1))
      .create_layout(declaration, declaration_blob({{0, 0, 2, 0, 0, 0}, declaration_end}))
      .create_buffer(vertices, 80)
      .upload(vertices, 0, quad())
      .targets({target})
      .viewport({0, 0, size, size, 0, 1})
      .bind_shaders(shader_vs, shader_ps)
      .set_layout(declaration)
      .vertex_buffer(0, vertices, 20)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(3);
}

auto faulty_guest::run_scene() -> bool {
  stream_builder second;
  second.constants_f(wire_ps, 0, {{0.125f, 0, 0, 0}});
  draw_quad(second.viewport({8, 8, 8, 8, 0, 1}), texture);
  second.append(packets_of(read_picture()));
  stream_builder last;
  for (std::uint32_t handle = target; handle <= scratch; ++handle) last.destroy(handle);
  last.destroy_shader(shader_vs).destroy_shader(shader_ps).destroy_layout(declaration);
  stream_builder first = objects();
  first.append(packets_of(picture()));
  bool is_good = true;
  for (const stream_builder& each : {first, second, last}) {
    is_good &= run(each).code == error_code::none;
  }
  return is_good;
}

}  // namespace aerogpu::test
