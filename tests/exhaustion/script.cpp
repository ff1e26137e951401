// SPDX-License-Identifier: MIT
#include "tests/exhaustion/script.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <array>
#include <span>
#include <string_view>

namespace aerogpu::test {

namespace {

// Handles.
constexpr std::uint32_t target = 1, depth = 2, texture = 3, blocks = 4, vertices = 5, indices = 6,
                        packed = 7, shown_copy = 8, bytes_copy = 9, scratch = 10, view = 11,
                        volume_of_small = 12, wide_vertices = 13, constants = 14, words_in = 15,
                        words_out = 16, alias = 17, first_small = 100;
constexpr std::uint32_t small_buffers = 80;  ///< More than any table has room for at first.
constexpr std::uint32_t plain_vs = 1, plain_ps = 2, long_vs = 3, long_ps = 4, old_ps = 5,
                        sm4_vs = 6, sm4_ps = 7, sm4_textured = 8, sm5_cs = 9, sm4_constant = 10;
constexpr std::uint32_t declaration = 1, elements = 2, sampler = 1;
constexpr std::uint32_t size = 16;  ///< Of the target, in pixels.
constexpr std::uint64_t shared_token = 0x5A5A;
constexpr std::uint32_t drawn_usage =
    AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;

auto shader(std::string_view assembly) -> byte_vector {
  const auto words = d3d9::assemble(assembly);
  CAPTURE(assembly, words.why().what, words.why().offset);
  REQUIRE(words);
  const const_bytes bytes = std::as_bytes(std::span{*words});
  return {bytes.begin(), bytes.end()};
}

template <std::size_t N>
auto floats(const std::array<float, N>& values) -> byte_vector {
  const const_bytes bytes = std::as_bytes(std::span{values});
  return {bytes.begin(), bytes.end()};
}

/// A quad over the whole target, by corners: x, y, z, u, v.
auto quad() -> byte_vector {
  return floats(std::array<float, 20>{-1, 1,  0.5f, 0, 0, 1, 1,  0.5f, 1, 0,
                                      -1, -1, 0.5f, 0, 1, 1, -1, 0.5f, 1, 1});
}

/// The same for `sm4::vs_passing`: position, texture coordinates, colour; two triangles.
auto wide_quad() -> byte_vector {
  byte_vector all;
  constexpr std::array<std::array<float, 2>, 6> corners{
      {{-1, 1}, {1, 1}, {-1, -1}, {-1, -1}, {1, 1}, {1, -1}}};
  for (const auto& [x, y] : corners) {
    const byte_vector one = floats(
        std::array<float, 10>{x, y, 0.5f, 1, (x + 1) / 2, (1 - y) / 2, 0.25f, 0.5f, 0.75f, 1});
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

auto packets_of(const stream_builder& stream) -> byte_vector {
  const const_bytes bytes = const_bytes{stream.bytes()}.subspan(sizeof(aerogpu_cmd_stream_header));
  return {bytes.begin(), bytes.end()};
}

auto textures() -> stream_builder {
  return stream_builder{}
      .create_texture(target, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                               .width = size,
                               .height = size,
                               .usage = drawn_usage})
      .create_texture(depth, {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT,
                              .width = size,
                              .height = size,
                              .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL})
      .create_texture(texture,
                      {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .pitch = 16, .memory = {1, 0}})
      .create_texture(blocks,
                      {.format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 8, .height = 8, .mips = 2})
      .create_texture(packed, {.format = AEROGPU_FORMAT_B5G6R5_UNORM})
      .create_texture(shown_copy, {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                   .width = size,
                                   .height = size,
                                   .pitch = size * 4,
                                   .memory = {script_picture_alloc, 0}})
      .create_texture(volume_of_small, {.width = 8, .height = 8, .mips = 4, .layers = 6})
      .create_view(view, volume_of_small, {.base_mip = 1, .base_layer = 2})
      .upload(blocks, 0, counting(32 + 8, 17, 3))
      .upload(packed, 0, counting(32, 99, 7));
}

auto buffers() -> stream_builder {
  stream_builder all;
  all.create_buffer(vertices, 80)
      .create_buffer(indices, 12, {2, 0}, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER)
      .create_buffer(bytes_copy, 64, {script_bytes_alloc, 0})
      .create_buffer(scratch, 64)
      .upload(vertices, 0, quad())
      .upload(scratch, 0, counting(32, 1));
  for (std::uint32_t i = 0; i < small_buffers; ++i) all.create_buffer(first_small + i, 16);
  return all;
}

/// With calls, loops, branches and constants of all kinds.
constexpr std::string_view long_vertex_shader =
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\n"
    "dcl_texcoord5 o2\ndef c7, 0.5, 0.25, 1, 0\ndefi i0, 2, 0, 1, 0\ndefb b0, true\n"
    "mov r0, v1\nif b0\n  add r0, r0, c7\nelse\n  mul r0, r0, c7\nendif\n"
    "loop aL, i0\n  add r0, r0, c[aL]\nendloop\ncall l1\nmov o0, v0\nmov o1, v1\nmov o2, r0\nret\n"
    "label l1\nnrm r1, r0\nrep i0\n  mad r0, r1, c7.x, r0\n  break_gt r0.x, c7.z\nendrep\nret";
constexpr std::string_view long_pixel_shader =
    "ps_3_0\ndcl_texcoord v0.xy\ndcl_texcoord5 v1\ndcl_2d s0\ndef c1, 0.125, 0.5, 2, 1\n"
    "texld r0, v0, s0\npow r1, r0_abs.x, c1.z\nlrp r2, c1.y, r0, v1\nrcp r3.x, c1.z\n"
    "dp3 r3.y, r0, v1\nif_gt r3.y, c1.x\n  mul r2, r2, r3.x\nendif\nadd oC0, r2, c0";
constexpr std::string_view old_pixel_shader = "ps_1_1\ntex t0\nmul r0, t0, c0\nadd r0, r0, c1";

auto d3d9_shaders() -> stream_builder {
  return stream_builder{}
      .create_shader(plain_vs, wire_vs,
                     shader("vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1"))
      .create_shader(plain_ps, wire_ps,
                     shader("ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, c0\n"
                            "mov oC0, r0"))
      .create_shader(long_vs, wire_vs, shader(long_vertex_shader))
      .create_shader(long_ps, wire_ps, shader(long_pixel_shader))
      .create_shader(old_ps, wire_ps, shader(old_pixel_shader))
      .create_layout(declaration,
                     declaration_blob({{0, 0, 2, 0, 0, 0}, {0, 12, 1, 0, 5, 0}, declaration_end}));
}

auto draw_quad(stream_builder& stream, std::uint32_t from) -> stream_builder& {
  return stream.set_texture(wire_ps, 0, from).draw_indexed(6);
}

auto d3d9_picture() -> stream_builder {
  stream_builder stream;
  stream.targets({target}, depth)
      .viewport({0, 0, size, size, 0, 1})
      .scissor(0, 0, size, size)
      .clear(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL,
             {0.25f, 0.5f, 0.75f, 1}, 1, 7)
      .bind_shaders(plain_vs, plain_ps)
      .constants_f(wire_ps, 0, {{0, 0, 0, 0}})
      .set_layout(declaration)
      .vertex_buffer(0, vertices, 20)
      .index_buffer(indices)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
  draw_quad(stream.viewport({0, 0, 8, 8, 0, 1}), texture);
  draw_quad(stream.viewport({8, 0, 8, 8, 0, 1}), blocks);
  stream.bind_shaders(long_vs, long_ps).constants_i(wire_vs, 1, {{1, 2, 3, 4}});
  draw_quad(stream.viewport({0, 8, 8, 8, 0, 1}), packed);
  stream.bind_shaders(plain_vs, old_ps);
  draw_quad(stream.viewport({8, 8, 8, 8, 0, 1}), texture);
  return stream.topology(AEROGPU_TOPOLOGY_TRIANGLEFAN).draw(4).present().flush();
}

auto sm4_objects() -> stream_builder {
  return stream_builder{}
      .create_shader(sm4_vs, wire_vs, sm4::vs_passing())
      .create_shader(sm4_ps, wire_ps, sm4::ps_color())
      .create_shader(sm4_textured, wire_ps, sm4::ps_textured())
      .create_shader(sm4_constant, wire_ps, sm4::ps_constant())
      .create_shader(sm5_cs, wire_cs, sm4::cs_raw())
      .create_layout(elements, ilay_blob({{.name = "POSITION", .format = 2},
                                          {.name = "TEXCOORD", .format = 16},
                                          {.name = "COLOR", .format = 2}}))
      .create_sampler(sampler, AEROGPU_SAMPLER_FILTER_LINEAR)
      .create_buffer(wide_vertices, 240)
      .create_buffer(constants, 256, {}, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER)
      .create_buffer(words_in, 64, {}, AEROGPU_RESOURCE_USAGE_STORAGE)
      .create_buffer(words_out, 64, {}, AEROGPU_RESOURCE_USAGE_STORAGE)
      .upload(wide_vertices, 0, wide_quad())
      .upload(constants, 0, floats(std::array<float, 4>{1, 0.5f, 0, 1}))
      .upload(words_in, 0, counting(64, 3));
}

auto sm4_picture() -> stream_builder {
  return stream_builder{}
      .targets({target})
      .viewport({0, 0, size, size, 0, 1})
      .set_layout(elements)
      .vertex_buffer(0, wide_vertices, 40)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .samplers(wire_ps, 0, {sampler})
      .set_texture(wire_ps, 0, view)
      .constant_buffers(wire_ps, 0, {{constants, 0, 256, 0}})
      .bind_shaders(sm4_vs, sm4_textured)
      .draw(6)
      .viewport({0, 0, 4, 4, 0, 1})
      .bind_shaders(sm4_vs, sm4_ps)
      .draw(6)
      .viewport({4, 4, 4, 4, 0, 1})
      .bind_shaders(sm4_vs, sm4_constant)
      .draw(6)
      .bind_shaders(0, 0, sm5_cs)
      .resource_buffers(wire_cs, 0, {{words_in, 0, 64, 0}})
      .unordered_access(wire_cs, 0, {{words_out, 0, 64, 0}})
      .dispatch(4, 1, 1)
      .copy_buffer(bytes_copy, 32, words_out, 0, 16, write_back);
}

auto copies() -> stream_builder {
  return stream_builder{}
      .dirty(indices, 0, 12)
      .copy_buffer(scratch, 32, scratch, 0, 32)
      .copy_buffer(bytes_copy, 0, scratch, 0, 32, write_back)
      .copy_texture({volume_of_small, 1, 2}, {volume_of_small, 0, 0}, 4, 4)
      .copy_texture({shown_copy}, {target}, size, size, write_back);
}

auto destruction(script_shaders shaders) -> stream_builder {
  stream_builder all;
  all.destroy_view(view);
  for (std::uint32_t handle = target; handle <= scratch; ++handle) all.destroy(handle);
  all.destroy(volume_of_small);
  for (std::uint32_t i = 0; i < small_buffers; ++i) all.destroy(first_small + i);
  for (std::uint32_t i = plain_vs; i <= old_ps; ++i) all.destroy_shader(i);
  all.destroy_layout(declaration);
  if (shaders == script_shaders::d3d9) return all;
  for (std::uint32_t i = sm4_vs; i <= sm4_constant; ++i) all.destroy_shader(i);
  for (std::uint32_t i = wide_vertices; i <= words_out; ++i) all.destroy(i);
  return all.destroy_layout(elements).destroy_sampler(sampler);
}

}  // namespace

auto make_exhaustion_script(script_shaders shaders) -> exhaustion_script {
  const bool has_sm4 = shaders == script_shaders::all;
  exhaustion_script made;
  made.work = {{"textures", textures().bytes()},
               {"buffers", buffers().bytes()},
               {"Direct3D 9 shaders", d3d9_shaders().bytes()},
               {"Direct3D 9 picture", d3d9_picture().bytes()}};
  if (has_sm4) {
    made.work.push_back({"Direct3D 10 and 11 objects", sm4_objects().bytes()});
    made.work.push_back({"Direct3D 10 and 11 picture", sm4_picture().bytes()});
  }
  made.work.push_back({"copies", copies().bytes()});
  made.work.push_back({"export", stream_builder{}.export_surface(target, shared_token).bytes()});
  made.work.push_back({"import",
                       stream_builder{}
                           .import_surface(alias, shared_token)
                           .targets({alias})
                           .clear(AEROGPU_CLEAR_COLOR, {0, 0, 1, 1})
                           .present()
                           .destroy(alias)
                           .bytes(),
                       7});
  made.work.push_back({"release", stream_builder{}.release_surface(shared_token).bytes()});
  stream_builder again = d3d9_picture();
  again.append(packets_of(copies()));
  made.afterwards = {{"picture after the snapshot", again.bytes()}};
  if (has_sm4) made.afterwards.push_back({"shaders after the snapshot", sm4_picture().bytes()});
  made.captured = {"captured submission", stream_builder{}.flush().bytes()};
  made.last = {{"destruction", destruction(shaders).bytes()}};
  return made;
}

}  // namespace aerogpu::test
