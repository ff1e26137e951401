// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw.hpp"

#include "drivers/win7/umd/d3d9/state/emission.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"
#include "tests/drivers/umd/rigs/state_rig.hpp"

#include <bit>

namespace aerogpu::umd::test {

namespace {

constexpr D3DVERTEXELEMENT9 position{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};
constexpr D3DVERTEXELEMENT9 screen_position{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0};
constexpr D3DVERTEXELEMENT9 color{0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};

struct screen_vertex {
  float x, y, z, rhw;
  std::uint32_t color;
};

/// A device with a target, and shaders and a declaration of the application.
struct draw_rig : device_rig {
  draw_rig() {
    make_texture(*this, target);
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
  }
  ~draw_rig() { unbind_resource(device, target); }
  /// The application's own shaders.
  void use_shaders() {
    REQUIRE(set_shader(device, stage::vertex, vertex.get()) == S_OK);
    REQUIRE(set_shader(device, stage::pixel, pixel.get()) == S_OK);
    REQUIRE(set_declaration(device, layout.get()) == S_OK);
  }

  resource target;
  test_shader vertex{*this, stage::vertex, plain_vertex_shader};
  test_shader pixel{*this, stage::pixel, plain_pixel_shader};
  test_declaration layout{*this, {position}};
};

[[nodiscard]] auto draws(device_rig& rig) -> std::vector<aerogpu_cmd_draw> {
  std::vector<aerogpu_cmd_draw> all;
  for (const auto& packet : sent<aerogpu_cmd_draw>(rig)) all.push_back(packet.fields);
  return all;
}

}  // namespace

TEST_CASE("primitives of each topology take their vertices", "[umd][T190]") {
  struct row {
    D3DPRIMITIVETYPE type;
    std::uint64_t none, three;
  };
  constexpr row rows[] = {{D3DPT_POINTLIST, 0, 3},     {D3DPT_LINELIST, 0, 6},
                          {D3DPT_LINESTRIP, 1, 4},     {D3DPT_TRIANGLELIST, 0, 9},
                          {D3DPT_TRIANGLESTRIP, 2, 5}, {D3DPT_TRIANGLEFAN, 2, 5}};
  for (const row& r : rows) {
    CAPTURE(static_cast<int>(r.type));
    CHECK(elements_of(r.type, 0) == r.none);
    CHECK(elements_of(r.type, 3) == r.three);
  }
  CHECK(elements_of(static_cast<D3DPRIMITIVETYPE>(7), 3) == 0);
  CHECK(elements_of(D3DPT_TRIANGLELIST, 0xFFFFFFFF) == 3ull * 0xFFFFFFFF);
}

TEST_CASE("a draw of nothing says nothing, one of too much is refused", "[umd][T190]") {
  draw_rig rig;
  rig.use_shaders();
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 0}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 0x30000000}) == E_INVALIDARG);
  CHECK(draw(rig.device, {.type = static_cast<D3DPRIMITIVETYPE>(9), .primitive_count = 1}) ==
        D3DERR_INVALIDCALL);
  CHECK(draws(rig).empty());
  unbind_resource(rig.device, buffer);
}

TEST_CASE("a draw without vertices, indices or declaration is refused", "[umd][T191]") {
  draw_rig rig;
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  CHECK(draw(rig.device, {.primitive_count = 1}) == D3DERR_INVALIDCALL);
  rig.use_shaders();
  CHECK(draw(rig.device, {.primitive_count = 1}) == D3DERR_INVALIDCALL);
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1, .is_indexed = true}) == D3DERR_INVALIDCALL);
  CHECK(draws(rig).empty());
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(draws(rig).size() == 1);
  unbind_resource(rig.device, buffer);
}

TEST_CASE("a stream whose frequency counted once is drawn as it is again", "[umd]") {
  draw_rig rig;
  rig.use_shaders();
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  REQUIRE(set_indices(rig.device, {&buffer, 2, 0}) == S_OK);
  const draw_call call{.primitive_count = 1, .is_indexed = true};
  REQUIRE(set_stream_frequency(rig.device, 0, 0) == S_OK);
  CHECK(draw(rig.device, call) == D3DERR_INVALIDCALL);
  REQUIRE(set_stream_frequency(rig.device, 0, 1) == S_OK);
  CHECK(draw(rig.device, call) == S_OK);
  CHECK(sent<aerogpu_cmd_set_vertex_buffers>(rig).size() == 1);
  CHECK(sent<aerogpu_cmd_draw_indexed>(rig).size() == 1);
  unbind_resource(rig.device, buffer);
}

TEST_CASE("shaders that something else bound are bound again by a draw that changes nothing",
          "[umd]") {
  draw_rig rig;
  const bool is_fixed = GENERATE(false, true);
  if (!is_fixed) rig.use_shaders();
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  const host_bindings before = rig.device.state.host;
  REQUIRE(bind_shaders(rig.device, {}, {}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(rig.device.state.host.vertex_shader == before.vertex_shader);
  CHECK(rig.device.state.host.pixel_shader == before.pixel_shader);
  CHECK(draws(rig).size() == 2);
  unbind_resource(rig.device, buffer);
}

TEST_CASE("a draw looks at its shaders again once the target changed or went", "[umd]") {
  draw_rig rig;
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  const auto is_settled = [&] {
    return rig.device.shaders.is_settled(rig.device.state, rig.device.host_floats);
  };
  CHECK_FALSE(is_settled());
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(is_settled());
  const bool goes = GENERATE(false, true);
  if (goes) unbind_resource(rig.device, rig.target);
  if (!goes) REQUIRE(set_render_target(rig.device, 0, {}) == S_OK);
  CHECK_FALSE(is_settled());
  unbind_resource(rig.device, buffer);
}

TEST_CASE("sprites have a shader of their own where a stage projects", "[umd]") {
  draw_rig rig;
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  std::array<float, 9> vertices{};
  resource buffer, texture;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  make_texture(rig, texture);
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  REQUIRE(set_texture(rig.device, 0, &texture) == S_OK);
  REQUIRE(set_stage_state(rig.device, 0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_PROJECTED) == S_OK);
  const auto shader_of = [&](D3DPRIMITIVETYPE type) {
    REQUIRE(draw(rig.device, {.type = type, .primitive_count = 1}) == S_OK);
    return rig.device.state.host.pixel_shader;
  };
  const auto is_settled = [&] {
    return rig.device.shaders.is_settled(rig.device.state, rig.device.host_floats);
  };
  const shader_handle plain = shader_of(D3DPT_TRIANGLELIST);
  CHECK(shader_of(D3DPT_POINTLIST) == plain);
  CHECK(is_settled());
  REQUIRE(set_render_state(rig.device, D3DRS_POINTSPRITEENABLE, 1) == S_OK);
  CHECK(shader_of(D3DPT_TRIANGLELIST) == plain);
  const shader_handle of_sprites = shader_of(D3DPT_POINTLIST);
  CHECK(of_sprites != plain);
  CHECK(shader_of(D3DPT_LINELIST) == plain);
  CHECK(shader_of(D3DPT_POINTLIST) == of_sprites);
  unbind_resource(rig.device, texture);
  unbind_resource(rig.device, buffer);
}

TEST_CASE("topology and shaders are sent when they change", "[umd]") {
  draw_rig rig;
  rig.use_shaders();
  std::array<float, 36> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  for (int i = 0; i < 3; ++i) CHECK(draw(rig.device, {.primitive_count = 2}) == S_OK);
  CHECK(draw(rig.device, {.type = D3DPT_TRIANGLEFAN, .primitive_count = 2}) == S_OK);
  const auto topologies = sent<aerogpu_cmd_set_primitive_topology>(rig);
  REQUIRE(topologies.size() == 2);
  CHECK(std::uint32_t{topologies[1].fields.topology} == AEROGPU_TOPOLOGY_TRIANGLEFAN);
  CHECK(sent<aerogpu_cmd_bind_shaders>(rig).size() == 1);
  CHECK(draws(rig).size() == 4);
  CHECK(rig.target.is_host_newer);
  CHECK(rig.target.last_use != fence_value{});
  unbind_resource(rig.device, buffer);
}

namespace {

/// Triangles from a texture with guest memory.
struct listing_rig : draw_rig {
  listing_rig() {
    use_shaders();
    make_buffer(*this, vertices, std::as_bytes(std::span{values}));
    REQUIRE(set_stream(device, 0, {&vertices, 0, 12}) == S_OK);
    make_texture(*this, texture);
    texture.backing = allocate_backing(*this, 64 * 32 * 4);
    REQUIRE(set_texture(device, 0, &texture) == S_OK);
  }
  ~listing_rig() {
    unbind_resource(device, texture);
    unbind_resource(device, vertices);
    static_cast<void>(device.commands.submit());
    runtime.deallocate(texture.backing.allocation, nullptr);
  }
  void draw_one() { REQUIRE(draw(device, {.primitive_count = 1}) == S_OK); }
  /// How the last submission lists the texture, and that it does so once.
  [[nodiscard]] auto listed() -> const listed_allocation* {
    REQUIRE(device.commands.submit() == S_OK);
    std::size_t times = 0;
    for (const listed_allocation& each : runtime.last().allocations)
      times += each.allocation == texture.backing.allocation ? 1 : 0;
    CHECK(times <= 1);
    return runtime.last().lists(texture.backing.allocation);
  }

  std::array<float, 9> values{};
  resource vertices;
  resource texture;
};

}  // namespace

TEST_CASE("each submission lists once what its draws refer to", "[umd][T030]") {
  listing_rig rig;
  for (const int draws_in_it : {3, 1, 2}) {
    for (int i = 0; i < draws_in_it; ++i) rig.draw_one();
    const listed_allocation* const listed = rig.listed();
    REQUIRE(listed != nullptr);
    CHECK_FALSE(listed->is_written);
  }
}

TEST_CASE("a draw that begins a submission lists what the one before had listed", "[umd][T037]") {
  listing_rig rig;
  rig.draw_one();
  while (rig.device.commands.fits(packet_bytes<aerogpu_cmd_draw>())) {
    REQUIRE(rig.device.commands.reserve(packet_bytes<aerogpu_cmd_set_viewport>()) == S_OK);
    REQUIRE(rig.device.commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  }
  const std::size_t before = rig.runtime.submissions().size();
  rig.draw_one();
  REQUIRE(rig.runtime.submissions().size() == before + 1);
  CHECK(rig.listed() != nullptr);
}

TEST_CASE("memory that was read and is then drawn to is listed as written", "[umd][T030]") {
  listing_rig rig;
  rig.draw_one();
  REQUIRE(set_texture(rig.device, 0, nullptr) == S_OK);
  REQUIRE(set_render_target(rig.device, 0, {&rig.texture, 0}) == S_OK);
  rig.draw_one();
  const listed_allocation* const listed = rig.listed();
  REQUIRE(listed != nullptr);
  CHECK(listed->is_written);
  rig.draw_one();
  CHECK(rig.listed() != nullptr);
}

TEST_CASE("memory that another one replaced is listed beside it", "[umd]") {
  listing_rig rig;
  rig.draw_one();
  const guest_backing before = rig.texture.backing;
  rig.texture.backing = allocate_backing(rig, 64 * 32 * 4);
  rig.draw_one();
  REQUIRE(rig.listed() != nullptr);
  CHECK(rig.runtime.last().lists(before.allocation) != nullptr);
  rig.runtime.deallocate(before.allocation, nullptr);
}

TEST_CASE("vertices in the application's memory are uploaded and drawn", "[umd][T192]") {
  draw_rig rig;
  rig.use_shaders();
  std::array<float, 12> vertices{9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  resource bound;
  make_buffer(rig, bound, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&bound, 4, 12}) == S_OK);
  rig.device.scratch.user_vertices = {std::as_bytes(std::span{vertices}).data(), 12};
  CHECK(draw(rig.device, {.primitive_count = 1, .first = 1}) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  REQUIRE(uploads[0].payload.size() == 36);
  CHECK(load<float>(uploads[0].payload.data()) == 1);
  CHECK(std::uint32_t{draws(rig).back().first_vertex} == 0);
  const auto streams = sent<aerogpu_cmd_set_vertex_buffers>(rig);
  const auto restored = load<aerogpu_vertex_buffer_binding>(streams.back().payload.data());
  CHECK(std::uint32_t{restored.buffer} == raw(bound.handle));
  CHECK(std::uint32_t{restored.offset_bytes} == 4);
  unbind_resource(rig.device, bound);
}

TEST_CASE("indexed vertices in the application's memory begin at the least index", "[umd][T192]") {
  draw_rig rig;
  rig.use_shaders();
  std::array<float, 18> vertices{};
  for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = static_cast<float>(i);
  const std::array<std::uint16_t, 4> indices{99, 3, 4, 5};
  rig.device.scratch.user_vertices = {std::as_bytes(std::span{vertices}).data(), 12};
  rig.device.scratch.user_indices = {std::as_bytes(std::span{indices}).data(), 2};
  CHECK(draw(rig.device, {.primitive_count = 1,
                          .is_indexed = true,
                          .first = 1,
                          .min_index = 3,
                          .vertex_count = 3}) == S_OK);
  const auto drawn = sent<aerogpu_cmd_draw_indexed>(rig);
  REQUIRE(drawn.size() == 1);
  CHECK(std::int32_t{drawn[0].fields.base_vertex} == -3);
  CHECK(std::uint32_t{drawn[0].fields.first_index} == 0);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  std::vector<std::uint64_t> sizes;
  for (const auto& upload : uploads) sizes.push_back(upload.fields.size_bytes);
  CHECK(sizes == std::vector<std::uint64_t>{4, 4, 36});  // Six bytes of indices, then vertices.
}

TEST_CASE("scratch memory doubles, and a smaller draw uses it again", "[umd][T193]") {
  draw_rig rig;
  rig.use_shaders();
  const std::vector<float> vertices(3 * 3 * 1000);
  const auto draw_triangles = [&](std::uint32_t count) {
    rig.device.scratch.user_vertices = {std::as_bytes(std::span{vertices}).data(), 12};
    CHECK(draw(rig.device, {.primitive_count = count}) == S_OK);
  };
  draw_triangles(100);
  draw_triangles(1000);
  draw_triangles(10);
  std::vector<std::uint64_t> sizes;
  for (const auto& made : sent<aerogpu_cmd_create_buffer>(rig)) {
    sizes.push_back(made.fields.size_bytes);
  }
  CHECK(sizes == std::vector<std::uint64_t>{4096, 65536});
  CHECK(sent<aerogpu_cmd_destroy_resource>(rig).size() == 1);
}

TEST_CASE("screen vertices are converted, drawn and left as they are", "[umd][T184]") {
  draw_rig rig;
  test_declaration screen{rig, {screen_position, color}};
  REQUIRE(set_declaration(rig.device, screen.get()) == S_OK);
  const std::array<screen_vertex, 3> vertices{
      {{0, 0, 0.5f, 1, 0xFF0000FF}, {64, 0, 0.5f, 1, 0xFF00FF00}, {0, 32, 0.5f, 1, 0xFFFF0000}}};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, sizeof(screen_vertex)}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  const auto first = load<screen_vertex>(uploads[0].payload.data());
  CHECK(first.x == Approx(-1 + 1.0 / 64));
  CHECK(first.y == Approx(1 - 1.0 / 32));
  CHECK(first.color == 0xFF0000FF);
  CHECK(load<screen_vertex>(buffer.shadow.data()).x == 0);
  CHECK(draws(rig).size() == 1);
  unbind_resource(rig.device, buffer);
}

TEST_CASE("vertices in screen space run no vertex shader", "[umd][T184]") {
  draw_rig rig;
  rig.use_shaders();
  const test_declaration screen{rig, {screen_position, color}};
  REQUIRE(set_declaration(rig.device, screen.get()) == S_OK);
  const std::array<screen_vertex, 3> vertices{};
  rig.device.scratch.user_vertices = {std::as_bytes(std::span{vertices}).data(),
                                      sizeof vertices[0]};
  REQUIRE(draw(rig.device, {.type = D3DPT_TRIANGLELIST, .primitive_count = 1}) == S_OK);
  const auto bound = sent<aerogpu_cmd_bind_shaders>(rig);
  REQUIRE_FALSE(bound.empty());
  CHECK(bound.back().fields.vs != static_cast<std::uint32_t>(rig.vertex.get()->handle));
  CHECK(bound.back().fields.ps == static_cast<std::uint32_t>(rig.pixel.get()->handle));
}

TEST_CASE("the viewport's depth range counts for transformed vertices alone", "[umd][T184]") {
  draw_rig rig;
  const test_declaration screen{rig, {screen_position, color}};
  REQUIRE(set_depth_range(rig.device, {0.25f, 0.5f}) == S_OK);
  const auto draw_one = [&](const test_declaration& declaration, std::span<const std::byte> data,
                            std::uint32_t stride) {
    REQUIRE(set_declaration(rig.device, declaration.get()) == S_OK);
    rig.device.scratch.user_vertices = {data.data(), stride};
    REQUIRE(draw(rig.device, {.type = D3DPT_TRIANGLELIST, .primitive_count = 1}) == S_OK);
  };
  const std::array<screen_vertex, 3> on_screen{};
  const std::array<std::array<float, 3>, 3> in_world{};
  for (int i = 0; i < 2; ++i)
    draw_one(screen, std::as_bytes(std::span{on_screen}), sizeof on_screen[0]);
  for (int i = 0; i < 2; ++i)
    draw_one(rig.layout, std::as_bytes(std::span{in_world}), sizeof in_world[0]);
  const auto viewports = sent<aerogpu_cmd_set_viewport>(rig);
  REQUIRE(viewports.size() == 3);
  const auto range = [&](std::size_t i) {
    return std::pair{viewports[i].fields.min_depth_f32, viewports[i].fields.max_depth_f32};
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  CHECK(range(0) == std::pair{bits(0.25f), bits(0.5f)});
  CHECK(range(1) == std::pair{bits(0), bits(1)});
  CHECK(range(2) == std::pair{bits(0.25f), bits(0.5f)});
}

TEST_CASE("an application's shaders read what Direct3D 9 has where nothing is bound or written",
          "[umd]") {
  constexpr std::uint32_t unbound_textures = 2001, unwritten_varyings = 2002;
  draw_rig rig;
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  REQUIRE(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(sent_values(rig, unbound_textures).empty());
  CHECK(sent_values(rig, unwritten_varyings).empty());
  rig.use_shaders();
  REQUIRE(draw(rig.device, {.primitive_count = 1}) == S_OK);
  REQUIRE(draw(rig.device, {.primitive_count = 1}) == S_OK);
  CHECK(sent_values(rig, unbound_textures) == std::vector<std::uint32_t>{1});
  CHECK(sent_values(rig, unwritten_varyings) == std::vector<std::uint32_t>{1});
  unbind_resource(rig.device, buffer);
}

TEST_CASE("the host makes the fog behind an application's shaders below 3.0", "[umd][T173]") {
  constexpr std::uint32_t host_fog = 2003;
  draw_rig rig;
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  const auto draw_fogged = [&](std::uint32_t is_on) {
    REQUIRE(set_render_state(rig.device, D3DRS_FOGENABLE, is_on) == S_OK);
    REQUIRE(draw(rig.device, {.primitive_count = 1}) == S_OK);
    return sent_values(rig, host_fog);
  };
  CHECK(draw_fogged(1).empty());  // The driver's own shaders do it.
  rig.use_shaders();
  CHECK(draw_fogged(1) == std::vector<std::uint32_t>{1});
  REQUIRE(set_render_state(rig.device, D3DRS_FOGTABLEMODE, D3DFOG_LINEAR) == S_OK);
  CHECK(draw_fogged(1) == std::vector<std::uint32_t>{1, 4});  // PROJECTION is as it started.
  CHECK(draw_fogged(0) == std::vector<std::uint32_t>{1, 4, 0});
  unbind_resource(rig.device, buffer);
}

TEST_CASE("indexed screen vertices are drawn one after another", "[umd][T184]") {
  draw_rig rig;
  test_declaration screen{rig, {screen_position, color}};
  REQUIRE(set_declaration(rig.device, screen.get()) == S_OK);
  std::array<screen_vertex, 4> vertices{};
  for (std::uint32_t i = 0; i < 4; ++i) vertices[i].color = i;
  const std::array<std::uint32_t, 4> indices{77, 2, 0, 1};
  resource buffer, index_buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  make_buffer(rig, index_buffer, std::as_bytes(std::span{indices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, sizeof(screen_vertex)}) == S_OK);
  REQUIRE(set_indices(rig.device, {&index_buffer, 4, 0}) == S_OK);
  const draw_call call{.primitive_count = 1, .is_indexed = true, .first = 1, .base_vertex = 1};
  CHECK(draw(rig.device, call) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 1);
  std::array<std::uint32_t, 3> colors{};
  for (std::size_t i = 0; i < 3; ++i) {
    colors[i] = load<screen_vertex>(uploads[0].payload.data() + i * sizeof(screen_vertex)).color;
  }
  CHECK(colors == std::array<std::uint32_t, 3>{3, 1, 2});
  CHECK(sent<aerogpu_cmd_draw_indexed>(rig).empty());
  CHECK(draw(rig.device, {.primitive_count = 1, .is_indexed = true, .first = 0}) ==
        D3DERR_INVALIDCALL);  // Index 77 names no vertex.
  unbind_resource(rig.device, buffer);
  unbind_resource(rig.device, index_buffer);
}

TEST_CASE("a stream beside screen vertices follows them, by offset or index by index",
          "[umd][T184]") {
  draw_rig rig;
  constexpr D3DVERTEXELEMENT9 apart{1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};
  const test_declaration declaration{rig, {screen_position, apart}};
  REQUIRE(set_declaration(rig.device, declaration.get()) == S_OK);
  std::array<std::array<float, 4>, 4> positions{};
  for (auto& each : positions) each[3] = 1;
  const std::array<std::uint32_t, 4> colors{0x10, 0x11, 0x12, 0x13};
  const std::array<std::uint16_t, 4> indices{9, 2, 0, 1};
  resource position_buffer, color_buffer, index_buffer;
  make_buffer(rig, position_buffer, std::as_bytes(std::span{positions}));
  make_buffer(rig, color_buffer, std::as_bytes(std::span{colors}));
  make_buffer(rig, index_buffer, std::as_bytes(std::span{indices}));
  REQUIRE(set_stream(rig.device, 0, {&position_buffer, 0, 16}) == S_OK);
  REQUIRE(set_stream(rig.device, 1, {&color_buffer, 0, 4}) == S_OK);
  REQUIRE(set_indices(rig.device, {&index_buffer, 2, 0}) == S_OK);

  REQUIRE(draw(rig.device, {.primitive_count = 1, .first = 1}) == S_OK);
  const auto bound = sent<aerogpu_cmd_set_vertex_buffers>(rig);
  REQUIRE(bound.size() >= 4);
  // The override, and the application's again.
  const auto skipped = load<aerogpu_vertex_buffer_binding>(bound[bound.size() - 3].payload.data());
  CHECK(skipped.buffer == raw(color_buffer.handle));
  CHECK(skipped.offset_bytes == 4);

  REQUIRE(draw(rig.device,
               {.primitive_count = 1, .is_indexed = true, .first = 1, .vertex_count = 3}) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE_FALSE(uploads.empty());
  const auto gathered = load<std::array<std::uint32_t, 3>>(uploads.back().payload.data());
  CHECK(gathered == std::array<std::uint32_t, 3>{0x12, 0x10, 0x11});
  // An index without a vertex.
  CHECK(draw(rig.device, {.primitive_count = 1, .is_indexed = true, .first = 0}) ==
        D3DERR_INVALIDCALL);
  for (auto* gone : {&position_buffer, &color_buffer, &index_buffer})
    unbind_resource(rig.device, *gone);
}

TEST_CASE("a stream beside screen vertices that is not there reads zeros, one of stride 0 repeats",
          "[umd][T184][T197]") {
  draw_rig rig;
  constexpr D3DVERTEXELEMENT9 apart{1, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};
  const test_declaration declaration{rig, {screen_position, apart}};
  REQUIRE(set_declaration(rig.device, declaration.get()) == S_OK);
  const std::array<std::array<float, 4>, 4> positions{};
  const std::array<std::uint32_t, 1> colors{0x10};
  const std::array<std::uint16_t, 3> indices{2, 0, 1};
  resource position_buffer, color_buffer, index_buffer;
  make_buffer(rig, position_buffer, std::as_bytes(std::span{positions}));
  make_buffer(rig, color_buffer, std::as_bytes(std::span{colors}));
  make_buffer(rig, index_buffer, std::as_bytes(std::span{indices}));
  REQUIRE(set_stream(rig.device, 0, {&position_buffer, 0, 16}) == S_OK);
  REQUIRE(set_indices(rig.device, {&index_buffer, 2, 0}) == S_OK);
  const bool is_indexed = GENERATE(false, true);
  const bool is_there = GENERATE(false, true);
  if (is_there) REQUIRE(set_stream(rig.device, 1, {&color_buffer, 0, 0}) == S_OK);

  REQUIRE(draw(rig.device, {.primitive_count = 1, .is_indexed = is_indexed}) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 2);
  const std::uint32_t expected = is_there ? 0x10 : 0;
  CHECK(load<std::array<std::uint32_t, 3>>(uploads[1].payload.data()) ==
        std::array<std::uint32_t, 3>{expected, expected, expected});
  CHECK(draws(rig).size() == 1);
  for (auto* gone : {&position_buffer, &color_buffer, &index_buffer})
    unbind_resource(rig.device, *gone);
}

TEST_CASE("a stream that is not there reads zeros, one of stride 0 repeats", "[umd][T197]") {
  draw_rig rig;
  rig.use_shaders();
  test_declaration two{rig, {position, {1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0}}};
  REQUIRE(set_declaration(rig.device, two.get()) == S_OK);
  std::array<float, 9> vertices{};
  resource buffer, constant;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  const std::array<float, 4> repeated{1, 2, 3, 4};
  make_buffer(rig, constant, std::as_bytes(std::span{repeated}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  REQUIRE(set_stream(rig.device, 1, {&constant, 0, 0}) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE(uploads.size() == 2);
  CHECK(load<std::array<float, 4>>(uploads[0].payload.data()) == std::array<float, 4>{});
  CHECK(load<std::array<float, 4>>(uploads[1].payload.data() + 32) == repeated);
  CHECK(draws(rig).size() == 2);
  unbind_resource(rig.device, buffer);
  unbind_resource(rig.device, constant);
}

TEST_CASE("what generated shaders overwrote is sent again for the application's", "[umd][T170]") {
  draw_rig rig;
  const std::array<float_register, 1> mine{{{1, 2, 3, 4}}};
  REQUIRE(set_constants_f(rig.device, stage::vertex, 240, mine) == S_OK);
  std::array<float, 9> vertices{};
  resource buffer;
  make_buffer(rig, buffer, std::as_bytes(std::span{vertices}));
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 12}) == S_OK);
  REQUIRE(set_declaration(rig.device, rig.layout.get()) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_LIGHTING, 0) == S_OK);
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);  // The fixed-function pipeline.
  rig.use_shaders();
  CHECK(draw(rig.device, {.primitive_count = 1}) == S_OK);
  const auto packets = sent<aerogpu_cmd_set_shader_constants_f>(rig);
  REQUIRE(packets.size() >= 3);
  const auto& last = packets.back();
  CHECK(std::uint32_t{last.fields.start_register} == 240);
  CHECK(load<float_register>(last.payload.data()) == mine[0]);
  unbind_resource(rig.device, buffer);
}

}  // namespace aerogpu::umd::test
