// SPDX-License-Identifier: MIT
#include "aerogpu/stream/writer.hpp"

#include "tests/data/golden_vectors.hpp"
#include "tests/unit/stream/streams.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

using vector_sink = growing_sink<byte_vector>;
using vector_writer = stream_writer<vector_sink>;

/// The stream that `calls` writes.
template <class Calls>
auto written(Calls&& calls, std::uint32_t minor = AEROGPU_ABI_MINOR) -> byte_vector {
  byte_vector bytes;
  vector_sink sink{bytes};
  vector_writer writer{sink};
  REQUIRE(writer.begin(minor));
  calls(writer);
  CHECK(writer.finish() == bytes.size());
  return bytes;
}

/// Whether a call writes exactly the bytes of a golden vector.
template <class Call>
void check_golden(std::string_view name, Call&& call) {
  INFO(name);
  const byte_vector bytes = written([&](vector_writer& w) { CHECK(call(w)); });
  CHECK(bytes == stream_of(bytes_from_hex(golden(name).hex)));
}

/// Why a call is refused; also checks that it left the stream alone.
template <class Call>
auto refusal(Call&& call, std::uint32_t minor = AEROGPU_ABI_MINOR) -> error {
  error why;
  const byte_vector bytes = written(
      [&](vector_writer& w) {
        REQUIRE(w.flush());
        why = call(w).why();
        CHECK(w.size_bytes() == 24 + sizeof(aerogpu_cmd_flush));
      },
      minor);
  CHECK(bytes == stream_of(packet_of(aerogpu_cmd_flush{}), minor));
  CHECK(why.offset == 24 + sizeof(aerogpu_cmd_flush));
  return why;
}

constexpr auto r(std::uint32_t n) -> resource_handle {
  return static_cast<resource_handle>(n);
}
constexpr auto s(std::uint32_t n) -> shader_handle {
  return static_cast<shader_handle>(n);
}
constexpr auto sampler(std::uint32_t n) -> sampler_handle {
  return static_cast<sampler_handle>(n);
}
constexpr auto layout(std::uint32_t n) -> input_layout_handle {
  return static_cast<input_layout_handle>(n);
}
constexpr auto token(std::uint64_t n) -> share_token {
  return static_cast<share_token>(n);
}
constexpr auto id(std::uint32_t n) -> alloc_id {
  return static_cast<alloc_id>(n);
}

constexpr std::uint64_t golden_token = 0x1122334455667788;

}  // namespace

TEST_CASE("an empty stream is the golden one", "[stream][writer]") {
  const byte_vector bytes = written([](vector_writer&) {});
  CHECK(bytes == bytes_from_hex(golden("empty_stream").hex));
}

TEST_CASE("calls for resources write the golden packets", "[stream][writer]") {
  check_golden("create_buffer_host_owned", [](auto& w) {
    return w.create_buffer({r(16), AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 72, {}});
  });
  check_golden("create_buffer_guest_backed", [](auto& w) {
    return w.create_buffer({r(17), 0x84, 0x100000100, {id(4660), 4096}});
  });
  check_golden("create_texture2d_bc7_mips", [](auto& w) {
    return w.create_texture2d({.texture = r(34),
                               .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
                               .format = AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB,
                               .width = 30,
                               .height = 18,
                               .mip_levels = 3,
                               .array_layers = 2,
                               .row_pitch_bytes = 128,
                               .backing = {id(4662), 64}});
  });
  check_golden("create_texture_view_srgb", [](auto& w) {
    return w.create_texture_view(
        {.view = r(33), .texture = r(32), .format = AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB});
  });
  check_golden("destroy_resource", [](auto& w) { return w.destroy_resource(r(16)); });
  check_golden("destroy_texture_view", [](auto& w) { return w.destroy_texture_view(r(33)); });
  check_golden("resource_dirty_range",
               [](auto& w) { return w.resource_dirty_range(r(17), 64, 128); });
  check_golden("upload_resource_buffer_8", [](auto& w) {
    return w.upload_resource(r(16), 16, bytes_from_hex("0102030405060708"));
  });
  check_golden("upload_resource_texture_5_padded",
               [](auto& w) { return w.upload_resource(r(37), 0, bytes_from_hex("aabbccddee")); });
  check_golden("copy_buffer_writeback", [](auto& w) {
    return w.copy_buffer({r(17), r(16), 32, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST});
  });
  check_golden("copy_texture2d", [](auto& w) {
    return w.copy_texture2d({{r(32), 0, 0, 8, 4}, {r(35), 2, 1, 1, 2}, 16, 12, 0});
  });
}

TEST_CASE("calls for housekeeping write the golden packets", "[stream][writer]") {
  check_golden("nop", [](auto& w) { return w.nop(); });
  check_golden("debug_marker_frame_1", [](auto& w) { return w.debug_marker("frame 1"); });
  check_golden("flush", [](auto& w) { return w.flush(); });
}

TEST_CASE("calls for shaders and layouts write the golden packets", "[stream][writer]") {
  check_golden("create_shader_dxbc_vertex", [](auto& w) {
    return w.create_shader_dxbc(s(48), shader_stage::vertex, bytes_from_hex("445842430102"));
  });
  check_golden("create_shader_dxbc_hull_stage_ex", [](auto& w) {
    return w.create_shader_dxbc(s(51), shader_stage::hull, bytes_from_hex("44584243"));
  });
  check_golden("destroy_shader", [](auto& w) { return w.destroy_shader(s(48)); });
  check_golden("bind_shaders_base", [](auto& w) { return w.bind_shaders({s(48), s(49)}); });
  check_golden("bind_shaders_base_gs_in_reserved0", [](auto& w) {
    return w.bind_shaders({s(48), s(49), s(0), s(50)});
  });
  check_golden("set_shader_constants_f", [](auto& w) {
    const std::array<std::array<float, 4>, 2> registers{{{1, 0, 0, 0}, {0.5f, -2, 0.25f, 1}}};
    return w.set_shader_constants_f(shader_stage::vertex, 4, registers);
  });
  check_golden("set_shader_constants_i", [](auto& w) {
    const std::array<std::array<std::int32_t, 4>, 1> registers{{{3, 0, -1, 0}}};
    return w.set_shader_constants_i(shader_stage::pixel, 0, registers);
  });
  check_golden("set_shader_constants_b", [](auto& w) {
    const std::array registers{bool_register(true), bool_register(false)};
    return w.set_shader_constants_b(shader_stage::pixel, 2, registers);
  });
  check_golden("create_input_layout_ilay", [](auto& w) {
    return w.create_input_layout(layout(64),
                                 bytes_from_hex(golden("create_input_layout_ilay").payload_hex));
  });
  check_golden("destroy_input_layout", [](auto& w) { return w.destroy_input_layout(layout(65)); });
  check_golden("set_input_layout", [](auto& w) { return w.set_input_layout(layout(64)); });
}

TEST_CASE("calls for state write the golden packets", "[stream][writer]") {
  check_golden("set_blend_state_alpha", [](auto& w) {
    return w.set_blend_state({1,
                              AEROGPU_BLEND_SRC_ALPHA,
                              AEROGPU_BLEND_INV_SRC_ALPHA,
                              AEROGPU_BLEND_OP_ADD,
                              15,
                              {},
                              AEROGPU_BLEND_ONE,
                              AEROGPU_BLEND_ZERO,
                              AEROGPU_BLEND_OP_ADD,
                              {0x3E800000, 0x3F000000, 0x3F400000, 0x3F800000},
                              0xFFFFFFFF});
  });
  check_golden("set_depth_stencil_state", [](auto& w) {
    return w.set_depth_stencil_state({1, 1, AEROGPU_COMPARE_LESS_EQUAL, 0, 255, 15, {}});
  });
  check_golden("set_rasterizer_state", [](auto& w) {
    return w.set_rasterizer_state({AEROGPU_FILL_SOLID, AEROGPU_CULL_BACK, 1, 1, -5,
                                   AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE});
  });
  check_golden("set_render_targets", [](auto& w) {
    return w.set_render_targets(std::array{r(32), r(35)}, r(36));
  });
  check_golden("set_viewport", [](auto& w) { return w.set_viewport({0, 0, 640, 480, 0, 1}); });
  check_golden("set_scissor", [](auto& w) { return w.set_scissor(-4, 8, 100, 50); });
  check_golden("set_vertex_buffers_two", [](auto& w) {
    const std::array<aerogpu_vertex_buffer_binding, 2> buffers{{{16, 28, 0, 0}, {18, 16, 32, 0}}};
    return w.set_vertex_buffers(0, buffers);
  });
  check_golden("set_index_buffer",
               [](auto& w) { return w.set_index_buffer(r(19), AEROGPU_INDEX_FORMAT_UINT32, 12); });
  check_golden("set_primitive_topology_patchlist_3",
               [](auto& w) { return w.set_primitive_topology(AEROGPU_TOPOLOGY_PATCHLIST_3); });
}

TEST_CASE("calls for bindings write the golden packets", "[stream][writer]") {
  check_golden("set_texture_pixel",
               [](auto& w) { return w.set_texture(shader_stage::pixel, 1, r(32)); });
  check_golden("set_texture_domain_stage_ex",
               [](auto& w) { return w.set_texture(shader_stage::domain, 0, r(32)); });
  check_golden("set_sampler_state",
               [](auto& w) { return w.set_sampler_state(shader_stage::pixel, 0, 6, 2); });
  check_golden("set_render_state", [](auto& w) { return w.set_render_state(22, 1); });
  check_golden("create_sampler", [](auto& w) {
    return w.create_sampler({sampler(80), AEROGPU_SAMPLER_FILTER_LINEAR,
                             AEROGPU_SAMPLER_ADDRESS_REPEAT, AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT,
                             AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE});
  });
  check_golden("destroy_sampler", [](auto& w) { return w.destroy_sampler(sampler(80)); });
  check_golden("set_samplers_three", [](auto& w) {
    return w.set_samplers(shader_stage::pixel, 2, std::array{sampler(80), sampler(0), sampler(81)});
  });
  check_golden("set_constant_buffers_geometry_legacy", [](auto& w) {
    const std::array<aerogpu_constant_buffer_binding, 1> buffers{{{17, 256, 64, 0}}};
    return w.set_constant_buffers(shader_stage::geometry, 1, buffers);
  });
  check_golden("set_shader_resource_buffers_compute", [](auto& w) {
    const std::array<aerogpu_shader_resource_buffer_binding, 1> buffers{{{20, 16, 0, 0}}};
    return w.set_shader_resource_buffers(shader_stage::compute, 0, buffers);
  });
  check_golden("set_unordered_access_buffers_compute", [](auto& w) {
    const std::array<aerogpu_unordered_access_buffer_binding, 2> buffers{
        {{21, 0, 4096, 0xFFFFFFFF}, {0, 0, 0, 0}}};
    return w.set_unordered_access_buffers(shader_stage::compute, 0, buffers);
  });
}

TEST_CASE("calls that draw, present and share write the golden packets", "[stream][writer]") {
  check_golden("clear_all", [](auto& w) {
    return w.clear({.flags = 7, .color = {0.125f, 0.25f, 0.5f, 1}, .depth = 1, .stencil = 127});
  });
  check_golden("draw", [](auto& w) { return w.draw(3); });
  check_golden("draw_indexed", [](auto& w) { return w.draw_indexed({36, 2, 6, -8, 1}); });
  check_golden("dispatch", [](auto& w) { return w.dispatch(8, 4, 1); });
  check_golden("present_vsync", [](auto& w) { return w.present(0, AEROGPU_PRESENT_FLAG_VSYNC); });
  check_golden("present_ex", [](auto& w) { return w.present_ex(0, 0, 1); });
  check_golden("export_shared_surface",
               [](auto& w) { return w.export_shared_surface(r(32), token(golden_token)); });
  check_golden("import_shared_surface",
               [](auto& w) { return w.import_shared_surface(r(96), token(golden_token)); });
  check_golden("release_shared_surface",
               [](auto& w) { return w.release_shared_surface(token(golden_token)); });
}

TEST_CASE("BIND_SHADERS grows only for hull and domain, and old readers find the geometry shader",
          "[stream][writer]") {
  const shader_handles all{s(1), s(2), s(3), s(4), s(5), s(6)};
  const byte_vector bytes = written([&](auto& w) { CHECK(w.bind_shaders(all)); });
  const auto packet = only_packet<aerogpu_cmd_bind_shaders>(bytes);
  CHECK(packet.size() == 36);
  CHECK(resolve_bind_shaders(packet) == all);
  CHECK(packet.fields().reserved0 == 4);
}

TEST_CASE("a NOP has the size asked for, zero behind its header", "[stream][writer]") {
  const byte_vector bytes = written([](auto& w) { CHECK(w.nop(20)); });
  CHECK(bytes == stream_of(blank_packet(AEROGPU_CMD_NOP, 20)));
  CHECK(refusal([](auto& w) { return w.nop(4); }).code == error_code::invalid_parameter);
  CHECK(refusal([](auto& w) { return w.nop(10); }).code == error_code::invalid_parameter);
}

TEST_CASE("opcode, size and count that the caller left are filled in", "[stream][writer]") {
  const std::array<std::byte, 3> data{std::byte{9}, std::byte{8}, std::byte{7}};
  const byte_vector bytes = written([&](auto& w) {
    CHECK(w.write(aerogpu_cmd_upload_resource{{99, 99}, 5, 0, 0, 1234567}, data));
  });
  const auto packet = only_packet<aerogpu_cmd_upload_resource>(bytes);
  CHECK(packet.fields().size_bytes == 3);
  CHECK(packet.size() == 36);
  CHECK(bytes.back() == std::byte{0});
}

TEST_CASE("a packet that breaks a rule is refused with its name and place", "[stream][writer]") {
  const error why = refusal(
      [](auto& w) { return w.create_texture2d({.texture = r(1), .width = 4, .height = 4}); });
  CHECK(why.code == error_code::unsupported_format);
  CHECK(why.opcode == AEROGPU_CMD_CREATE_TEXTURE2D);
  CHECK(why.what == std::string_view{"format is not a value of aerogpu_format"});

  CHECK(refusal([](auto& w) { return w.create_buffer({r(1), 0, 6, {}}); }).detail == 6);
  CHECK(refusal([](auto& w) { return w.create_sampler({}); }).code == error_code::invalid_handle);
  CHECK(refusal([](auto& w) {
          return w.set_render_targets(std::array<resource_handle, 9>{}, {});
        }).limit == 8);
  CHECK(refusal([](auto& w) { return w.set_sampler_state(shader_stage::hull, 0, 1, 1); }).code ==
        error_code::invalid_parameter);
  CHECK(refusal([](auto& w) { return w.dispatch(1, 1, 1, shader_stage::pixel); }).code ==
        error_code::invalid_parameter);
  CHECK(refusal([](auto& w) { return w.create_input_layout(layout(1), {}); }).code ==
        error_code::invalid_parameter);
}

TEST_CASE("what only a reader would forgive is refused as well", "[stream][writer]") {
  CHECK(refusal([](auto& w) {
          return w.write(aerogpu_cmd_flush{{}, 1, 0});
        }).what == std::string_view{"reserved0 is reserved and not 0"});
  CHECK(refusal([](auto& w) { return w.present(0, 2); }).code == error_code::invalid_parameter);
  CHECK(refusal([](auto& w) {
          return w.write(aerogpu_cmd_set_texture{{}, 2, 0, 0, AEROGPU_SHADER_STAGE_EX_COMPUTE});
        }).code == error_code::invalid_parameter);
}

TEST_CASE("a payload of part of an element, or where none belongs, is refused",
          "[stream][writer]") {
  const std::array<std::byte, 8> bytes{};
  CHECK(refusal([&](auto& w) { return w.write(aerogpu_cmd_draw{}, bytes); }).what ==
        std::string_view{"the payload is not made of whole elements"});
  CHECK(refusal([&](auto& w) { return w.write(aerogpu_cmd_set_vertex_buffers{}, bytes); }).limit ==
        16);
}

TEST_CASE("a stream of an old minor holds nothing that its readers lack", "[stream][writer]") {
  CHECK(refusal(
            [](auto& w) {
              return w.copy_buffer({r(1), r(2), 0, 0, 4, 0});
            },
            0)
            .code == error_code::unsupported);
  CHECK(refusal([](auto& w) { return w.destroy_texture_view(r(1)); }, 3).code ==
        error_code::unsupported);
  const error hull = refusal([](auto& w) { return w.set_texture(shader_stage::hull, 0, r(1)); }, 2);
  CHECK(hull.what == std::string_view{"stage_ex is ignored in a stream of this minor and not 0"});
  CHECK(hull.limit == 3);
  CHECK(refusal(
            [](auto& w) {
              return w.create_texture2d({.texture = r(1),
                                         .format = AEROGPU_FORMAT_BC1_RGBA_UNORM,
                                         .width = 4,
                                         .height = 4});
            },
            1)
            .limit == 2);
  const byte_vector bytes =
      written([](auto& w) { CHECK(w.set_texture(shader_stage::geometry, 0, r(1))); }, 2);
  CHECK(view_of(bytes).abi_minor() == 2);
}

TEST_CASE("a sink that is full refuses packets and the stream stays whole, at every size",
          "[stream][writer]") {
  const auto frame_calls = [](auto& w, std::vector<std::size_t>& ends) {
    const std::array<std::array<float, 4>, 2> registers{};
    const auto note = [&](const result<void>& done) {
      if (done) return ends.push_back(w.size_bytes());
      CHECK(done.why().code == error_code::no_space);
      CHECK(done.why().offset == w.size_bytes());
    };
    note(w.set_shader_constants_f(shader_stage::vertex, 0, registers));
    note(w.upload_resource(r(1), 0, bytes_from_hex("0102030405")));
    note(w.bind_shaders({s(1), s(2), s(3), s(4), s(5), s(6)}));
    note(w.draw(3));
    note(w.nop(12));
  };
  for (std::size_t room = 0; room <= 240; ++room) {
    byte_vector storage(room + 8, std::byte{0xEE});
    span_sink sink{std::span{storage}.first(room)};
    stream_writer writer{sink};
    const auto begun = writer.begin();
    CHECK(static_cast<bool>(begun) == (room >= 24));
    if (!begun) {
      CHECK(begun.why().code == error_code::no_space);
      CHECK(storage == byte_vector(room + 8, std::byte{0xEE}));
      continue;
    }
    std::vector<std::size_t> ends{24};
    frame_calls(writer, ends);
    const std::uint32_t size = writer.finish();
    CHECK(size == ends.back());
    CHECK(framing_error(const_bytes{storage}.first(size)).code == error_code::none);
    for (std::size_t i = size; i < storage.size(); ++i) CHECK(storage[i] == std::byte{0xEE});
  }
}

TEST_CASE("counting tells what a stream takes", "[stream][writer]") {
  counting_sink counter;
  stream_writer counting{counter};
  REQUIRE(counting.begin());
  CHECK(counting.debug_marker("hello"));
  CHECK(counting.draw(3));
  const byte_vector bytes = written([](auto& w) {
    CHECK(w.debug_marker("hello"));
    CHECK(w.draw(3));
  });
  CHECK(counting.finish() == bytes.size());
}

TEST_CASE("no stream grows to 4 GiB", "[stream][writer]") {
  counting_sink counter;
  stream_writer writer{counter};
  REQUIRE(writer.begin());
  while (writer.size_bytes() < 0xFFFFFFF0) {
    const std::uint32_t left = 0xFFFFFFF0 - writer.size_bytes();
    REQUIRE(writer.nop(left < 0x80000000 ? left : 0x80000000));
  }
  CHECK(writer.draw(3).why().code == error_code::size_overflow);
  CHECK(writer.nop(12));
  CHECK(writer.nop(8).why().code == error_code::size_overflow);
  CHECK(writer.finish() == 0xFFFFFFFC);
}

TEST_CASE("streams follow each other in one sink", "[stream][writer]") {
  byte_vector bytes;
  vector_sink sink{bytes};
  vector_writer writer{sink};
  REQUIRE(writer.begin());
  REQUIRE(writer.draw(1));
  const std::uint32_t first = writer.finish();
  REQUIRE(writer.begin(2));
  REQUIRE(writer.draw(2));
  REQUIRE(writer.draw(3));
  const std::uint32_t second = writer.finish();
  REQUIRE(bytes.size() == first + second);
  const const_bytes rest = const_bytes{bytes}.subspan(first);
  CHECK(frame(view_of(rest)).packet_count == 2);
  CHECK(view_of(rest).abi_minor() == 2);
  CHECK(frame(view_of(bytes)).packet_count == 1);
}

TEST_CASE("no packet lets bytes of a dirty buffer through", "[stream][writer]") {
  std::array<std::byte, 128> storage;
  storage.fill(std::byte{0xEE});
  span_sink sink{storage};
  stream_writer<span_sink> writer{sink};
  REQUIRE(writer.begin());
  REQUIRE(writer.nop(24));
  REQUIRE(writer.debug_marker("abc"));
  const std::size_t size = writer.finish();
  const const_bytes stream = const_bytes{storage}.first(size);
  CHECK(std::ranges::find(stream, std::byte{0xEE}) == stream.end());
  CHECK(std::ranges::find(const_bytes{storage}.subspan(size), std::byte{0}) ==
        const_bytes{storage}.end());
}
