// SPDX-License-Identifier: MIT
/// Blits that draw: what they send, and that nothing of it is left.
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"

#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>
#include <map>

namespace aerogpu::umd::test {

namespace {

/// What the host has set, after all packets so far, by the kind of state and its place.
class host_state {
 public:
  explicit host_state(device_rig& rig) {
    CHECK(rig.device.commands.submit() == S_OK);
    for (const seen_submission& each : rig.runtime.submissions()) read(each.stream);
  }
  [[nodiscard]] auto entries() const -> const std::map<std::string, byte_vector>& {
    return entries_;
  }
  [[nodiscard]] auto zero_shaders_bound() const -> bool { return binds_nothing_; }

 private:
  /// Everything of a packet behind its first `key_bytes`, under those.
  void keep(const char* kind, const_bytes packet, std::size_t key_bytes) {
    std::string key = kind;
    for (const std::byte b : packet.subspan(8, key_bytes)) {
      key += ' ' + std::to_string(static_cast<int>(b));
    }
    const const_bytes value = packet.subspan(8 + key_bytes);
    entries_[key] = {value.begin(), value.end()};
  }
  void read(const_bytes stream) {
    const auto parsed = parse_stream_header(stream);
    REQUIRE(parsed);
    for (packet_cursor at{*parsed}; at.next();) {
      const const_bytes packet = at.packet().bytes();
      switch (at.packet().opcode()) {
        case AEROGPU_CMD_SET_RENDER_STATE: keep("render", packet, 4); break;
        case AEROGPU_CMD_SET_SAMPLER_STATE: keep("sampler", packet, 12); break;
        case AEROGPU_CMD_SET_TEXTURE: keep("texture", packet, 8); break;
        case AEROGPU_CMD_SET_RENDER_TARGETS: keep("targets", packet, 0); break;
        case AEROGPU_CMD_SET_VIEWPORT: keep("viewport", packet, 0); break;
        case AEROGPU_CMD_SET_SCISSOR: keep("scissor", packet, 0); break;
        case AEROGPU_CMD_SET_VERTEX_BUFFERS: keep("stream", packet, 8); break;
        case AEROGPU_CMD_SET_INDEX_BUFFER: keep("indices", packet, 0); break;
        case AEROGPU_CMD_SET_INPUT_LAYOUT: keep("layout", packet, 0); break;
        case AEROGPU_CMD_SET_SHADER_CONSTANTS_F: keep("constants", packet, 12); break;
        case AEROGPU_CMD_BIND_SHADERS: {
          const auto fields = load<aerogpu_cmd_bind_shaders>(packet.data());
          binds_nothing_ = binds_nothing_ || (fields.vs == 0 && fields.ps == 0);
          break;
        }
        default: break;
      }
    }
  }

  std::map<std::string, byte_vector> entries_;
  bool binds_nothing_ = false;
};

/// A state that differs from every default and from everything that a blit sets.
void set_odd_state(device_rig& rig, resource& target, resource& depth, resource& texture,
                   resource& buffer, vertex_declaration* declaration) {
  device& on = rig.device;
  REQUIRE(set_render_target(on, 0, {&target, 0}) == S_OK);
  REQUIRE(set_depth_stencil(on, {&depth, 0}) == S_OK);
  REQUIRE(set_viewport(on, {1, 2, 11, 12}) == S_OK);
  REQUIRE(set_depth_range(on, {0.25f, 0.75f}) == S_OK);
  REQUIRE(set_scissor_rect(on, {3, 4, 9, 10}) == S_OK);
  for (const auto& [state, value] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{D3DRS_ZENABLE, 1},
                                                            {D3DRS_ZWRITEENABLE, 1},
                                                            {D3DRS_ALPHATESTENABLE, 1},
                                                            {D3DRS_ALPHABLENDENABLE, 1},
                                                            {D3DRS_SRCBLEND, 3},
                                                            {D3DRS_DESTBLEND, 4},
                                                            {D3DRS_BLENDOP, 2},
                                                            {D3DRS_CULLMODE, 2},
                                                            {D3DRS_STENCILENABLE, 1},
                                                            {D3DRS_COLORWRITEENABLE, 5},
                                                            {D3DRS_SRGBWRITEENABLE, 1},
                                                            {D3DRS_SCISSORTESTENABLE, 1},
                                                            {D3DRS_SEPARATEALPHABLENDENABLE, 1},
                                                            {D3DRS_FOGENABLE, 1},
                                                            {D3DRS_CLIPPLANEENABLE, 3}}) {
    REQUIRE(set_render_state(on, state, value) == S_OK);
  }
  for (std::uint32_t state = 1; state < 14; ++state) {
    REQUIRE(set_sampler_state(on, 0, state, 2) == S_OK);
  }
  REQUIRE(set_texture(on, 0, &texture) == S_OK);
  REQUIRE(set_stream(on, 0, {&buffer, 4, 12}) == S_OK);
  REQUIRE(set_indices(on, {&buffer, 2, 8}) == S_OK);
  REQUIRE(set_declaration(on, declaration) == S_OK);
  const float_register c0{1, 2, 3, 4};
  REQUIRE(set_constants_f(on, stage::pixel, 0, std::span{&c0, 1}) == S_OK);
  REQUIRE(set_constants_f(on, stage::vertex, 0, std::span{&c0, 1}) == S_OK);
}

[[nodiscard]] auto stretch(resource& to, resource& from) -> blit_request {
  return {.to = {&to, 0},
          .from = {&from, 0},
          .to_area = {2, 3, 12, 13},
          .from_area = {0, 0, 8, 8},
          .is_linear = true};
}

/// The corners of the last quad: x, y, z, w, u, v of each.
[[nodiscard]] auto last_quad(device_rig& rig) -> std::array<float, 24> {
  const auto uploads = sent<aerogpu_cmd_upload_resource>(rig);
  REQUIRE_FALSE(uploads.empty());
  std::array<float, 24> corners{};
  REQUIRE(uploads.back().payload.size() == sizeof corners);
  std::memcpy(corners.data(), uploads.back().payload.data(), sizeof corners);
  return corners;
}

[[nodiscard]] auto sampler_values(device_rig& rig, std::uint32_t state)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> values;
  for (const auto& packet : sent<aerogpu_cmd_set_sampler_state>(rig)) {
    if (std::uint32_t{packet.fields.state} == state) values.push_back(packet.fields.value);
  }
  return values;
}

}  // namespace

TEST_CASE("a stretched blit draws a quad with the filter asked for", "[umd][T126]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16));
  resource& from = make(rig, texture_of(8, 8));
  blit_request request = stretch(to, from);
  request.is_linear = GENERATE(false, true);
  REQUIRE(blit(rig.device, request) == S_OK);
  CHECK(sent<aerogpu_cmd_copy_texture2d>(rig).empty());
  const auto draws = sent<aerogpu_cmd_draw>(rig);
  REQUIRE(draws.size() == 1);
  CHECK(std::uint32_t{draws[0].fields.vertex_count} == 4);
  const std::uint32_t filter = request.is_linear ? D3DTEXF_LINEAR : D3DTEXF_POINT;
  CHECK(sampler_values(rig, D3DSAMP_MAGFILTER).front() == filter);
  CHECK(sampler_values(rig, D3DSAMP_MINFILTER).front() == filter);
  CHECK(sampler_values(rig, D3DSAMP_MIPFILTER).front() == D3DTEXF_NONE);
  CHECK(sampler_values(rig, D3DSAMP_ADDRESSU).front() == D3DTADDRESS_CLAMP);
  CHECK(to.is_host_newer);
  CHECK(rig.runtime.host().counters().draws == 1);
}

TEST_CASE("a quad covers its pixels edge to edge, mirrored where asked", "[umd][T126]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 8));
  resource& from = make(rig, texture_of(8, 4));
  blit_request request{
      .to = {&to, 0}, .from = {&from, 0}, .to_area = {4, 2, 12, 6}, .from_area = {2, 1, 4, 3}};
  const auto [mirrors_x, mirrors_y] =
      GENERATE(table<bool, bool>({{false, false}, {true, false}, {false, true}, {true, true}}));
  request.mirrors_x = mirrors_x;
  request.mirrors_y = mirrors_y;
  REQUIRE(blit(rig.device, request) == S_OK);
  float u0 = 0.25f, u1 = 0.5f, v0 = 0.25f, v1 = 0.75f;
  if (mirrors_x) std::swap(u0, u1);
  if (mirrors_y) std::swap(v0, v1);
  const std::array<float, 24> expected{-0.5f, 0.5f,  0, 1, u0, v0, 0.5f, 0.5f,  0, 1, u1, v0,
                                       -0.5f, -0.5f, 0, 1, u0, v1, 0.5f, -0.5f, 0, 1, u1, v1};
  CHECK(last_quad(rig) == expected);
}

TEST_CASE("rectangles of a stretch are cut, and empty ones send nothing", "[umd][T126]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16));
  resource& from = make(rig, texture_of(8, 8));
  REQUIRE(rig.device.commands.submit() == S_OK);
  blit_request request = stretch(to, from);
  request.to_area = {16, 0, 20, 16};
  CHECK(blit(rig.device, request) == S_OK);
  request.to_area = {0, 0, 16, 16};
  request.from_area = {3, 3, 3, 8};
  CHECK(blit(rig.device, request) == S_OK);
  CHECK(rig.device.commands.is_empty());
  request.from_area = {-4, 0, 8, 99};
  request.to_area = {0, -16, 99, 16};
  REQUIRE(blit(rig.device, request) == S_OK);
  const auto corners = last_quad(rig);
  CHECK(corners[0] == -1);
  CHECK(corners[1] == 1);
  CHECK(corners[4] == 0);
  CHECK(corners[23] == 1);
}

TEST_CASE("blits and fills leave every state as it was", "[umd][T127]") {
  device_rig rig;
  const auto depth_format = GENERATE(D3DFMT_D24S8, D3DFMT_D16, D3DFMT_D24X8);
  resource& target = make(rig, target_of(32, 32));
  resource& depth = make(rig, depth_of(32, 32, depth_format));
  resource& texture = make(rig, texture_of(8, 8));
  resource& buffer = make(rig, buffer_of(256));
  resource& to = make(rig, target_of(16, 16));
  const test_declaration declaration{rig, {{0, 0, D3DDECLTYPE_FLOAT3, 0, 0, 0}}};
  set_odd_state(rig, target, depth, texture, buffer, declaration.get());
  const auto before = host_state{rig}.entries();
  const auto what = GENERATE(0, 1, 2);
  if (what == 2) {
    REQUIRE(fill_color(rig.device, {&to, 0}, {1, 1, 5, 5}, 0x12345678) == S_OK);
  } else {
    blit_request request = stretch(to, texture);
    request.blends = what == 1;
    REQUIRE(blit(rig.device, request) == S_OK);
  }
  const auto after = host_state{rig}.entries();
  for (const auto& [key, value] : before) {
    CAPTURE(key);
    REQUIRE(after.count(key) == 1);
    CHECK(after.at(key) == value);
  }
}

TEST_CASE("blits without shaders of the application bind none afterwards", "[umd][T128]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16));
  REQUIRE(blit(rig.device, stretch(to, make(rig, texture_of(8, 8)))) == S_OK);
  REQUIRE(fill_color(rig.device, {&to, 0}, {1, 1, 5, 5}, 0x12345678) == S_OK);
  const host_state seen{rig};
  CHECK_FALSE(seen.zero_shaders_bound());
  CHECK(sent<aerogpu_cmd_bind_shaders>(rig).size() == 1);
}

TEST_CASE("a second blit makes no second program", "[umd][T128]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16));
  resource& from = make(rig, texture_of(8, 8));
  REQUIRE(blit(rig.device, stretch(to, from)) == S_OK);
  REQUIRE(blit(rig.device, stretch(to, from)) == S_OK);
  CHECK(sent<aerogpu_cmd_create_shader_dxbc>(rig).size() == 2);
  CHECK(sent<aerogpu_cmd_create_input_layout>(rig).size() == 1);
}

TEST_CASE("a blend goes by the source's alpha", "[umd][T130]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16));
  blit_request request = stretch(to, make(rig, texture_of(8, 8)));
  request.blends = true;
  REQUIRE(blit(rig.device, request) == S_OK);
  std::map<std::uint32_t, std::vector<std::uint32_t>> values;
  for (const auto& packet : sent<aerogpu_cmd_set_render_state>(rig)) {
    values[packet.fields.state].push_back(packet.fields.value);
  }
  CHECK(values[D3DRS_SRCBLEND] == std::vector<std::uint32_t>{D3DBLEND_SRCALPHA, D3DBLEND_ONE});
  CHECK(values[D3DRS_DESTBLEND] == std::vector<std::uint32_t>{D3DBLEND_INVSRCALPHA, D3DBLEND_ZERO});
  CHECK(values[D3DRS_ALPHABLENDENABLE] == std::vector<std::uint32_t>{0, 1, 0, 0});
}

TEST_CASE("a blit leaves the alpha of a target without one, which is 1", "[umd][T127]") {
  const auto format = GENERATE(D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5);
  device_rig rig;
  resource& to = make(rig, target_of(16, 16, format));
  REQUIRE(blit(rig.device, stretch(to, make(rig, texture_of(8, 8)))) == S_OK);
  const std::uint32_t written = format == D3DFMT_X1R5G5B5 ? 7 : 0xF;
  CHECK(sent_values(rig, D3DRS_COLORWRITEENABLE) == std::vector<std::uint32_t>{written, 0xF});
}

TEST_CASE("a blit is neither clipped by planes nor fogged", "[umd][T127]") {
  device_rig rig;
  REQUIRE(set_render_state(rig.device, D3DRS_CLIPPLANEENABLE, 3) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_FOGENABLE, 1) == S_OK);
  resource& to = make(rig, target_of(16, 16));
  REQUIRE(blit(rig.device, stretch(to, make(rig, texture_of(8, 8)))) == S_OK);
  std::map<std::uint32_t, std::vector<std::uint32_t>> values;
  for (const auto& packet : sent<aerogpu_cmd_set_render_state>(rig)) {
    values[packet.fields.state].push_back(packet.fields.value);
  }
  CHECK(values[D3DRS_CLIPPLANEENABLE] == std::vector<std::uint32_t>{3, 0, 3});
  CHECK(values[D3DRS_FOGENABLE] == std::vector<std::uint32_t>{1, 0, 1});
}

TEST_CASE("a surface that blits into itself goes through another", "[umd][T131]") {
  device_rig rig;
  resource& surface = make(rig, target_of(16, 8));
  byte_vector texels = counted_bytes(16 * 8 * 4);
  paint(rig, surface, texels);
  const auto [dx, dy] = GENERATE(table<int, int>({{1, 0}, {0, 1}, {-1, -2}, {3, 2}}));
  const rectangle from{4, 3, 9, 6};
  REQUIRE(blit(rig.device,
               {.to = {&surface, 0},
                .from = {&surface, 0},
                .to_area = {from.left + dx, from.top + dy, from.right + dx, from.bottom + dy},
                .from_area = from}) == S_OK);
  const byte_vector before = texels;
  for (int y = from.top; y < from.bottom; ++y) {
    std::memcpy(texels.data() + (y + dy) * 64 + (from.left + dx) * 4,
                before.data() + y * 64 + from.left * 4, 5 * 4);
  }
  CHECK(host_bytes(rig, surface) == texels);
  CHECK(sent<aerogpu_cmd_draw>(rig).empty());
  CHECK(rig.device.resources.size() == 1);  // The other is gone.
}

TEST_CASE("a surface of system memory moves within itself", "[umd][T131]") {
  device_rig rig;
  runtime_surface surface{rig, texture_of(8, 8)};
  surface.set(0, counted_bytes(256));
  byte_vector expected = surface.bytes();
  for (std::size_t y = 0; y < 6; ++y) {
    std::memcpy(expected.data() + (y + 2) * 32 + 4, surface.bytes().data() + y * 32, 28);
  }
  REQUIRE(blit(rig.device, {.to = {&surface.get(), 0},
                            .from = {&surface.get(), 0},
                            .to_area = {1, 2, 8, 8},
                            .from_area = {0, 0, 7, 6}}) == S_OK);
  CHECK(surface.bytes() == expected);
}

TEST_CASE("texels of system memory are stretched and converted through a texture", "[umd][T124]") {
  device_rig rig;
  resource& to = make(rig, target_of(16, 16, D3DFMT_X8R8G8B8));
  runtime_surface from{rig, texture_of(8, 8)};
  REQUIRE(blit(rig.device, stretch(to, from.get())) == S_OK);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
  CHECK(rig.device.resources.size() == 2);
}

TEST_CASE("the CPU converts between system-memory surfaces", "[umd][T124]") {
  device_rig rig;
  runtime_surface from{rig, texture_of(2, 1)};
  runtime_surface to{rig, texture_of(2, 1, D3DFMT_A8B8G8R8)};
  store(from.bytes().data(), std::uint32_t{0x11223344});
  store(from.bytes().data() + 4, std::uint32_t{0x55667788});
  REQUIRE(blit(rig.device, {.to = {&to.get(), 0},
                            .from = {&from.get(), 0},
                            .to_area = {0, 0, 2, 1},
                            .from_area = {0, 0, 2, 1}}) == S_OK);
  CHECK(load<std::uint32_t>(to.bytes().data()) == 0x11443322);
  CHECK(load<std::uint32_t>(to.bytes().data() + 4) == 0x55887766);
}

TEST_CASE("what cannot be drawn is refused", "[umd][T126]") {
  device_rig rig;
  resource& blocks = make(rig, texture_of(16, 16, D3DFMT_DXT1));
  resource& depth = make(rig, depth_of(16, 16));
  resource& target = make(rig, target_of(16, 16));
  resource& texture = make(rig, texture_of(8, 8));
  CHECK(blit(rig.device, stretch(blocks, texture)) == D3DERR_INVALIDCALL);
  CHECK(blit(rig.device, stretch(depth, texture)) == D3DERR_INVALIDCALL);
  CHECK(blit(rig.device, stretch(target, depth)) == D3DERR_INVALIDCALL);
  static_cast<void>(lock(rig, target));
  CHECK(blit(rig.device, stretch(target, texture)) == D3DERR_INVALIDCALL);
  unlock(rig, target);
}

TEST_CASE("blits between levels and faces name views", "[umd][T126]") {
  device_rig rig;
  resource_request request = cube_of(8, 2);
  request.flags.is_render_target = true;
  resource& cube = make(rig, request);
  REQUIRE(blit(rig.device, {.to = {&cube, 3},
                            .from = {&cube, 0},
                            .to_area = {0, 0, 4, 4},
                            .from_area = {0, 0, 8, 8},
                            .is_linear = true}) == S_OK);
  CHECK(sent<aerogpu_cmd_create_texture_view>(rig).size() == 2);
  CHECK(sent<aerogpu_cmd_draw>(rig).size() == 1);
}

}  // namespace aerogpu::umd::test
