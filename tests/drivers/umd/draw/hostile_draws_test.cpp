// SPDX-License-Identifier: MIT
/// Declarations, patches and indices as nobody means them (umd-d3d9.md T237), and draws that keep
/// to their own memory.
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <cmath>
#include <random>

namespace aerogpu::umd::test {

namespace {

constexpr std::size_t hostile_buffer_bytes = 1024;

/// A device with a target and a buffer of random bytes as vertices and indices.
struct hostile_rig : device_rig {
  explicit hostile_rig(std::uint32_t seed) : random(seed) {
    make_texture(*this, target);
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
    REQUIRE(set_render_state(device, D3DRS_LIGHTING, 0) == S_OK);
    buffer = &test::make(*this, buffer_of(hostile_buffer_bytes));
    byte_vector bytes(hostile_buffer_bytes);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    write_all(*this, *buffer, bytes);
  }
  ~hostile_rig() { unbind_resource(device, target); }

  [[nodiscard]] auto below(std::uint32_t limit) -> std::uint32_t {
    return static_cast<std::uint32_t>(random()) % limit;
  }
  [[nodiscard]] auto chance(std::uint32_t one_in) -> bool { return below(one_in) == 0; }
  /// Small mostly, now and then at the edge of 16, 31 or 32 bits.
  [[nodiscard]] auto number(std::uint32_t usual) -> std::uint32_t {
    constexpr std::uint32_t edges[]{0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFF0};
    return chance(8) ? edges[below(5)] : below(usual);
  }
  [[nodiscard]] auto element() -> D3DVERTEXELEMENT9 {
    const bool is_wild = chance(6);
    const auto word = [&](std::uint32_t usual) {
      return static_cast<std::uint16_t>(is_wild ? random() : below(usual));
    };
    const auto byte = [&](std::uint32_t usual) {
      return static_cast<std::uint8_t>(is_wild ? random() : below(usual));
    };
    return {word(3), static_cast<std::uint16_t>(word(8) * 4u), byte(18), byte(2), byte(14),
            byte(4)};
  }
  /// Fine, or the first failure that a caller may get.
  void expect(HRESULT result) {
    const bool is_known = result == S_OK || result == D3DERR_INVALIDCALL ||
                          result == E_INVALIDARG || result == E_OUTOFMEMORY;
    CHECK(is_known);
    successes += result == S_OK;
  }

  std::mt19937 random;
  resource target;
  resource* buffer = nullptr;
  int successes = 0;
};

}  // namespace

TEST_CASE("random declarations are created or refused, and draws of them too", "[umd][T237]") {
  hostile_rig rig{1};
  const test_shader vertex{rig, stage::vertex, plain_vertex_shader};
  const test_shader pixel{rig, stage::pixel, plain_pixel_shader};
  int created = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    std::vector<D3DVERTEXELEMENT9> elements;
    if (!rig.chance(3)) {
      elements.push_back(
          {0, 0, static_cast<BYTE>(rig.below(4)), 0,
           static_cast<BYTE>(rig.chance(3) ? D3DDECLUSAGE_POSITIONT : D3DDECLUSAGE_POSITION), 0});
    }
    const std::uint32_t count = rig.chance(20) ? 70 : rig.below(6);
    for (std::uint32_t i = 0; i < count; ++i) elements.push_back(rig.element());
    vertex_declaration* made = nullptr;
    const HRESULT result = create_declaration(rig.device, elements, made);
    CHECK((made != nullptr) == SUCCEEDED(result));
    rig.expect(result);
    if (made == nullptr) continue;
    ++created;
    const bool has_shaders = rig.chance(2);
    REQUIRE(set_shader(rig.device, stage::vertex, has_shaders ? vertex.get() : nullptr) == S_OK);
    REQUIRE(set_shader(rig.device, stage::pixel, has_shaders ? pixel.get() : nullptr) == S_OK);
    REQUIRE(set_declaration(rig.device, made) == S_OK);
    rig.expect(set_stream(rig.device, rig.below(3), {rig.buffer, rig.number(64), rig.number(64)}));
    rig.expect(draw(rig.device, {.primitive_count = rig.number(20), .first = rig.number(20)}));
    REQUIRE(set_declaration(rig.device, nullptr) == S_OK);
    CHECK(destroy_declaration(rig.device, made) == S_OK);
  }
  CHECK(created > 300);
  CHECK(rig.successes > 600);
}

TEST_CASE("random patches are drawn or refused", "[umd][T237]") {
  hostile_rig rig{2};
  const test_declaration layout{rig,
                                {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                 {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  REQUIRE(set_declaration(rig.device, layout.get()) == S_OK);
  int drawn = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    REQUIRE(set_stream(rig.device, 0, {rig.buffer, rig.number(64), 16}) == S_OK);
    std::array<float, 4> segments{};
    for (float& one : segments) {
      one = rig.chance(10) ? std::nanf("") : static_cast<float>(rig.number(6));
    }
    const auto degree = rig.chance(4) ? static_cast<D3DDEGREETYPE>(rig.number(7)) : D3DDEGREE_CUBIC;
    const auto basis = rig.chance(4) ? static_cast<D3DBASISTYPE>(rig.number(4)) : D3DBASIS_BEZIER;
    HRESULT result = S_OK;
    if (rig.chance(2)) {
      const D3DRECTPATCH_INFO info{rig.number(4),
                                   rig.number(4),
                                   rig.chance(3) ? rig.number(8) : 4,
                                   rig.chance(3) ? rig.number(8) : 4,
                                   rig.number(8),
                                   basis,
                                   degree};
      result = draw_rect_patch(rig.device, rig.below(4), segments.data(),
                               rig.chance(6) ? nullptr : &info);
    } else {
      const D3DTRIPATCH_INFO info{rig.number(6), rig.chance(3) ? rig.number(20) : 10, basis,
                                  degree};
      result = draw_tri_patch(rig.device, rig.below(4), segments.data(),
                              rig.chance(6) ? nullptr : &info);
    }
    rig.expect(result);
    drawn += result == S_OK;
    if (rig.chance(4)) rig.expect(delete_patch(rig.device, rig.number(6)));
  }
  CHECK(drawn > 100);
  CHECK(rig.device.commands.submit() == S_OK);
}

TEST_CASE("random indices draw what there is, or are refused", "[umd][T237]") {
  hostile_rig rig{3};
  const test_declaration screen{rig,
                                {{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
                                 {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  const test_declaration space{rig,
                               {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  resource& indices = make(rig, [] {
    resource_request request = buffer_of(hostile_buffer_bytes);
    request.flags.is_vertex_buffer = false;
    request.flags.is_index_buffer = true;
    return request;
  }());
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const bool is_wide = rig.chance(2);
    byte_vector bytes(hostile_buffer_bytes);
    for (std::size_t at = 0; at < bytes.size(); at += is_wide ? 4 : 2) {
      const std::uint32_t index = rig.chance(50) ? rig.number(40) : rig.below(40);
      std::memcpy(&bytes[at], &index, is_wide ? 4 : 2);
    }
    write_all(rig, indices, bytes);
    REQUIRE(set_declaration(rig.device, rig.chance(2) ? screen.get() : space.get()) == S_OK);
    rig.expect(set_stream(rig.device, 0,
                          {rig.buffer, rig.below(8) * 4, rig.chance(8) ? rig.number(64) : 20}));
    REQUIRE(set_indices(rig.device, {&indices, is_wide ? 4u : 2u}) == S_OK);
    draw_call call;
    call.type = static_cast<D3DPRIMITIVETYPE>(rig.chance(20) ? rig.number(9) : 1 + rig.below(6));
    call.primitive_count = rig.number(60);
    call.is_indexed = true;
    call.first = rig.number(60);
    call.base_vertex = static_cast<std::int32_t>(rig.chance(3) ? rig.number(30) : 0);
    call.min_index = rig.number(8);
    call.vertex_count = rig.number(60);
    rig.expect(draw(rig.device, call));
  }
  CHECK(rig.successes > 400);
  CHECK(rig.device.commands.submit() == S_OK);
}

TEST_CASE("a stream that begins behind its buffer is not drawn", "[umd][T191][T237]") {
  hostile_rig rig{6};
  const test_declaration space{rig, {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, space.get()) == S_OK);
  const auto result_at = [&](std::uint32_t offset) {
    REQUIRE(set_stream(rig.device, 0, {rig.buffer, offset, 12}) == S_OK);
    return draw(rig.device, {.primitive_count = 1});
  };
  CHECK(result_at(hostile_buffer_bytes - 1) == S_OK);
  CHECK(result_at(hostile_buffer_bytes) == S_OK);
  CHECK(result_at(hostile_buffer_bytes + 1) == D3DERR_INVALIDCALL);
  CHECK(result_at(0xFFFFFFFF) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 2);
  // What the declaration does not read may begin anywhere.
  REQUIRE(set_stream(rig.device, 1, {rig.buffer, 0xFFFFFFFF, 12}) == S_OK);
  CHECK(result_at(0) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 3);
}

TEST_CASE("vertices in space are drawn from where they lie", "[umd][T185]") {
  hostile_rig rig{4};
  const test_declaration space{rig,
                               {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                                {0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  REQUIRE(set_declaration(rig.device, space.get()) == S_OK);
  REQUIRE(set_stream(rig.device, 0, {rig.buffer, 0, 16}) == S_OK);
  const std::size_t buffers = sent<aerogpu_cmd_create_buffer>(rig).size();
  const std::size_t uploads = sent<aerogpu_cmd_upload_resource>(rig).size();
  CHECK(draw(rig.device, {.primitive_count = 2}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 3, .first = 4}) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 2);
  CHECK(sent<aerogpu_cmd_create_buffer>(rig).size() == buffers);
  CHECK(sent<aerogpu_cmd_upload_resource>(rig).size() == uploads);
  const auto streams = sent<aerogpu_cmd_set_vertex_buffers>(rig);
  const auto bound = load<aerogpu_vertex_buffer_binding>(streams.back().payload.data());
  CHECK(std::uint32_t{bound.buffer} == raw(rig.buffer->handle));
}

TEST_CASE("a fan reaches the host as a fan, with indices and without", "[umd][T194]") {
  hostile_rig rig{5};
  const test_declaration space{rig, {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, space.get()) == S_OK);
  REQUIRE(set_stream(rig.device, 0, {rig.buffer, 0, 12}) == S_OK);
  const std::array<std::uint16_t, 6> indices{0, 1, 2, 3, 4, 5};
  resource list;
  make_buffer(rig, list, std::as_bytes(std::span{indices}));
  REQUIRE(set_indices(rig.device, {&list, 2}) == S_OK);
  const bool is_indexed = GENERATE(false, true);
  CHECK(draw(rig.device,
             {.type = D3DPT_TRIANGLEFAN, .primitive_count = 4, .is_indexed = is_indexed}) == S_OK);
  const auto topologies = sent<aerogpu_cmd_set_primitive_topology>(rig);
  REQUIRE(topologies.size() == 1);
  CHECK(std::uint32_t{topologies[0].fields.topology} == AEROGPU_TOPOLOGY_TRIANGLEFAN);
  CHECK(std::uint32_t{AEROGPU_TOPOLOGY_TRIANGLEFAN} == 6);
  if (is_indexed) {
    const auto drawn = sent<aerogpu_cmd_draw_indexed>(rig);
    REQUIRE(drawn.size() == 1);
    CHECK(std::uint32_t{drawn[0].fields.index_count} == 6);
  } else {
    const auto drawn = sent<aerogpu_cmd_draw>(rig);
    REQUIRE(drawn.size() == 1);
    CHECK(std::uint32_t{drawn[0].fields.vertex_count} == 6);
  }
  unbind_resource(rig.device, list);
}

TEST_CASE("vertices of another stream need no stream 0 that nothing reads", "[umd][T191]") {
  hostile_rig rig{7};
  const test_declaration apart{rig, {{1, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, apart.get()) == S_OK);
  REQUIRE(set_stream(rig.device, 1, {rig.buffer, 0, 12}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
}

TEST_CASE("a stream whose stride the caps do not offer is not drawn", "[umd][T191]") {
  hostile_rig rig{8};
  const test_declaration space{rig, {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, space.get()) == S_OK);
  const auto result_of = [&](std::uint32_t stride) {
    REQUIRE(set_stream(rig.device, 0, {rig.buffer, 0, stride}) == S_OK);
    return draw(rig.device, {.primitive_count = 1});
  };
  CHECK(result_of(max_stream_stride_bytes) == S_OK);
  CHECK(result_of(max_stream_stride_bytes + 1) == D3DERR_INVALIDCALL);
  // In the application's memory, too.
  const byte_vector memory(3 * (max_stream_stride_bytes + 1));
  rig.device.scratch.user_vertices = {memory.data(), max_stream_stride_bytes + 1};
  CHECK(draw(rig.device, {.primitive_count = 1}) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
}

TEST_CASE("a stream that is missing has a vertex for each index, whatever the draw says of them",
          "[umd][T197]") {
  hostile_rig rig{9};
  const test_declaration two{rig,
                             {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                              {1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0}}};
  REQUIRE(set_declaration(rig.device, two.get()) == S_OK);
  REQUIRE(set_stream(rig.device, 0, {rig.buffer, 0, 12}) == S_OK);
  const std::array<std::uint16_t, 4> indices{0, 30, 20, 10};
  resource list;
  make_buffer(rig, list, std::as_bytes(std::span{indices}));
  REQUIRE(set_indices(rig.device, {&list, 2}) == S_OK);
  const draw_call call{.primitive_count = 1, .is_indexed = true, .first = 1, .base_vertex = 2};
  CHECK(draw(rig.device, call) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE_FALSE(uploads.empty());
  CHECK(uploads.back().payload.size() == 33 * 4);
  // Fewer indices than are drawn.
  draw_call beyond = call;
  beyond.first = 2;
  CHECK(draw(rig.device, beyond) == D3DERR_INVALIDCALL);
  CHECK(sent<aerogpu_cmd_draw_indexed>(rig).size() == 1);
  unbind_resource(rig.device, list);
}

}  // namespace aerogpu::umd::test
