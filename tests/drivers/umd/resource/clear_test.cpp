// SPDX-License-Identifier: MIT
/// Clears and fills, byte for byte on a host without a GPU.
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"

#include "drivers/win7/umd/d3d9/resource/texels/color_blocks.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

constexpr std::uint32_t red = 0xFFFF0000;

/// `inside` in the rectangles of an image of A8R8G8B8, `outside` elsewhere.
[[nodiscard]] auto image_of(std::uint32_t width, std::uint32_t height, std::vector<rectangle> areas,
                            std::uint32_t inside, std::uint32_t outside = 0) -> byte_vector {
  byte_vector bytes(std::size_t{width} * height * 4);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const bool is_in = std::any_of(areas.begin(), areas.end(), [&](const rectangle& area) {
        const auto u = static_cast<std::int32_t>(x), v = static_cast<std::int32_t>(y);
        return u >= area.left && u < area.right && v >= area.top && v < area.bottom;
      });
      store(bytes.data() + (std::size_t{y} * width + x) * 4, is_in ? inside : outside);
    }
  }
  return bytes;
}

[[nodiscard]] auto bind_target(device_rig& rig, std::uint32_t width = 16, std::uint32_t height = 8)
    -> resource& {
  resource_request request = target_of(width, height);
  request.flags.is_lockable = false;
  resource& target = make(rig, request);
  REQUIRE(set_render_target(rig.device, 0, {&target, 0}) == S_OK);
  return target;
}

/// The scissor and its switch as the host has them, after all packets so far.
struct host_scissor {
  bool is_on = false;
  std::int32_t x = 0, y = 0, width = 0, height = 0;
  auto operator==(const host_scissor&) const -> bool = default;
};
[[nodiscard]] auto scissor_now(device_rig& rig) -> host_scissor {
  host_scissor now;
  for (const auto& packet : sent<aerogpu_cmd_set_render_state>(rig)) {
    if (std::uint32_t{packet.fields.state} == D3DRS_SCISSORTESTENABLE) {
      now.is_on = std::uint32_t{packet.fields.value} != 0;
    }
  }
  for (const auto& packet : sent<aerogpu_cmd_set_scissor>(rig)) {
    now.x = packet.fields.x;
    now.y = packet.fields.y;
    now.width = packet.fields.width;
    now.height = packet.fields.height;
  }
  return now;
}

}  // namespace

TEST_CASE("a clear of everything is one packet", "[umd][T132]") {
  device_rig rig;
  resource& target = bind_target(rig);
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, {}) == S_OK);
  CHECK(sent<aerogpu_cmd_clear>(rig).size() == 1);
  CHECK(sent<aerogpu_cmd_set_scissor>(rig).empty());
  CHECK(host_bytes(rig, target) == image_of(16, 8, {{0, 0, 16, 8}}, red));
  CHECK(target.is_host_newer);
}

TEST_CASE("a rectangle that covers everything is that packet too", "[umd][T132]") {
  device_rig rig;
  static_cast<void>(bind_target(rig));
  const rectangle all{-5, -5, 99, 99};
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, std::span{&all, 1}) == S_OK);
  CHECK(sent<aerogpu_cmd_clear>(rig).size() == 1);
  CHECK(sent<aerogpu_cmd_set_scissor>(rig).empty());
}

TEST_CASE("rectangles are cleared one by one, and the scissor is as before", "[umd][T132]") {
  const bool has_scissor = GENERATE(false, true);
  device_rig rig;
  resource& target = bind_target(rig);
  if (has_scissor) {
    REQUIRE(set_scissor_rect(rig.device, {2, 1, 12, 7}) == S_OK);
    REQUIRE(set_render_state(rig.device, D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  }
  const host_scissor before = scissor_now(rig);
  const std::vector<rectangle> areas{{0, 0, 3, 3}, {5, 5, 20, 20}, {9, 1, 9, 4}, {30, 0, 31, 1}};
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, areas) == S_OK);
  CHECK(sent<aerogpu_cmd_clear>(rig).size() == 2);
  const host_scissor after = scissor_now(rig);
  CHECK(after.is_on == before.is_on);
  if (has_scissor) CHECK(after == before);
  const std::vector<rectangle> expected = has_scissor
                                              ? std::vector<rectangle>{{2, 1, 3, 3}, {5, 5, 12, 7}}
                                              : std::vector<rectangle>{{0, 0, 3, 3}, {5, 5, 16, 8}};
  CHECK(host_bytes(rig, target) == image_of(16, 8, expected, red));
}

TEST_CASE("a clear stays inside the viewport", "[umd][T132]") {
  device_rig rig;
  resource& target = bind_target(rig);
  REQUIRE(set_viewport(rig.device, {3, 2, 5, 4}) == S_OK);
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, {}) == S_OK);
  CHECK(host_bytes(rig, target) == image_of(16, 8, {{3, 2, 8, 6}}, red));
  CHECK_FALSE(scissor_now(rig).is_on);
}

TEST_CASE("flags, depth and stencil pass through", "[umd][T132]") {
  device_rig rig;
  static_cast<void>(bind_target(rig));
  resource& depth = make(rig, depth_of(16, 8));
  REQUIRE(set_depth_stencil(rig.device, {&depth, 0}) == S_OK);
  const auto flags = GENERATE(range(1u, 8u));
  REQUIRE(clear(rig.device, {flags | 8 | 0x100, 0x80402010, 0.25f, 0x1AB}, {}) == S_OK);
  const auto cleared = sent<aerogpu_cmd_clear>(rig);
  REQUIRE(cleared.size() == 1);
  CHECK(std::uint32_t{cleared[0].fields.flags} == flags);
  CHECK(as_float(cleared[0].fields.depth_f32) == 0.25f);
  CHECK(std::uint32_t{cleared[0].fields.stencil} == 0xAB);
  CHECK(as_float(cleared[0].fields.color_rgba_f32[0]) == 0x40 / 255.0f);
  CHECK(as_float(cleared[0].fields.color_rgba_f32[3]) == 0x80 / 255.0f);
  CHECK(depth.is_host_newer == ((flags & 6) != 0));
}

TEST_CASE("a clear of nothing sends nothing", "[umd][T132]") {
  device_rig rig;
  static_cast<void>(bind_target(rig));
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(clear(rig.device, {0, red}, {}) == S_OK);
  const rectangle outside{16, 0, 20, 8};
  CHECK(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, std::span{&outside, 1}) == S_OK);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("what a clear writes is listed as written", "[umd][T040][T132]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  REQUIRE(set_render_target(rig.device, 0, {&target, 0}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_COLOR, red}, {}) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto* const listed = rig.runtime.last().lists(target.backing.allocation);
  REQUIRE(listed != nullptr);
  CHECK(listed->is_written);
}

TEST_CASE("a depth surface that is alone is cleared by one packet", "[umd][T132]") {
  device_rig rig;
  resource& depth = make(rig, depth_of(8, 8));
  REQUIRE(set_depth_stencil(rig.device, {&depth, 0}) == S_OK);
  REQUIRE(clear(rig.device, {AEROGPU_CLEAR_DEPTH, 0, 0.5f}, {}) == S_OK);
  CHECK(sent<aerogpu_cmd_clear>(rig).size() == 1);
  CHECK(rig.runtime.host().counters().clears == 1);
}

TEST_CASE("ColorFill of a render target is a clear of that surface alone", "[umd][T129]") {
  device_rig rig;
  resource& bound = bind_target(rig);
  resource_request request = target_of(12, 6);
  request.flags.is_lockable = GENERATE(false, true);
  resource& filled = make(rig, request);
  REQUIRE(fill_color(rig.device, {&filled, 0}, {2, 1, 99, 4}, 0x11223344) == S_OK);
  CHECK(host_bytes(rig, filled) == image_of(12, 6, {{2, 1, 12, 4}}, 0x11223344));
  CHECK(host_bytes(rig, bound) == byte_vector(16 * 8 * 4));
  const auto targets = sent<aerogpu_cmd_set_render_targets>(rig);
  CHECK(std::uint32_t{targets.back().fields.colors[0]} == raw(bound.handle));
}

TEST_CASE("ColorFill of one level leaves the others", "[umd][T129]") {
  device_rig rig;
  resource_request request = texture_of(8, 8, D3DFMT_A8R8G8B8, 3);
  request.flags.is_render_target = true;
  resource& texture = make(rig, request);
  REQUIRE(fill_color(rig.device, {&texture, 1}, {0, 0, 4, 4}, red) == S_OK);
  CHECK(host_bytes(rig, texture, 0) == byte_vector(8 * 8 * 4));
  CHECK(host_bytes(rig, texture, 1) == image_of(4, 4, {{0, 0, 4, 4}}, red));
  CHECK(host_bytes(rig, texture, 2) == byte_vector(2 * 2 * 4));
}

TEST_CASE("ColorFill of another surface fills its bytes", "[umd][T129]") {
  device_rig rig;
  const auto [format, texel, bytes] =
      GENERATE(table<D3DFORMAT, std::uint32_t, std::size_t>({{D3DFMT_A8R8G8B8, 0x80FF0010, 4},
                                                             {D3DFMT_X8R8G8B8, 0xFFFF0010, 4},
                                                             {D3DFMT_A8B8G8R8, 0x801000FF, 4},
                                                             {D3DFMT_R5G6B5, 0xF802, 2},
                                                             {D3DFMT_A1R5G5B5, 0xFC02, 2},
                                                             {D3DFMT_X1R5G5B5, 0xFC02, 2}}));
  const bool is_system = GENERATE(false, true);
  resource_request request = texture_of(6, 3, format);
  request.kind = resource_kind::surface;
  if (is_system) request.pool = memory_pool::system;
  resource& surface = make(rig, request);
  REQUIRE(fill_color(rig.device, {&surface, 0}, {1, 1, 4, 2}, 0x80FF0010) == S_OK);
  byte_vector now = is_system ? byte_vector(surface.shadow.begin(), surface.shadow.end())
                              : host_bytes(rig, surface);
  byte_vector expected(now.size());
  for (std::size_t x = 1; x < 4; ++x) {
    std::memcpy(expected.data() + (6 + x) * bytes, &texel, bytes);
  }
  if (format == D3DFMT_X8R8G8B8) {
    // What the fourth byte of the others holds is nobody's business.
    for (std::size_t i = 3; i < now.size(); i += 4) now[i] = expected[i] = std::byte{};
  }
  CHECK(now == expected);
}

TEST_CASE("ColorFill of blocks fills them whole", "[umd][T129]") {
  device_rig rig;
  const auto [format, block_size] = GENERATE(
      table<D3DFORMAT, std::size_t>({{D3DFMT_DXT1, 8}, {D3DFMT_DXT3, 16}, {D3DFMT_DXT5, 16}}));
  resource_request request = texture_of(10, 8, format);
  request.kind = resource_kind::surface;
  resource& surface = make(rig, request);
  constexpr std::uint32_t color = 0xFFFF0000;
  CHECK(fill_color(rig.device, {&surface, 0}, {2, 0, 8, 4}, color) == D3DERR_INVALIDCALL);
  CHECK(fill_color(rig.device, {&surface, 0}, {4, 0, 8, 3}, color) == D3DERR_INVALIDCALL);
  // To the edge, which cuts the last block.
  REQUIRE(fill_color(rig.device, {&surface, 0}, {4, 4, 10, 8}, color) == S_OK);
  const byte_vector now = host_bytes(rig, surface);
  const auto blocks = block_format_of(static_cast<std::uint32_t>(format));
  for (std::size_t i = 0; i < 6; ++i) {
    const bool is_filled = i > 3;
    const auto texels = decode_block(blocks, now.data() + i * block_size);
    CAPTURE(i);
    if (is_filled) CHECK(texels[15] == color);
    if (!is_filled) CHECK(texels[15] != color);
  }
}

TEST_CASE("fills of nothing, and of the wrong kind", "[umd][T129]") {
  device_rig rig;
  resource& target = make(rig, target_of(8, 8));
  resource& depth = make(rig, depth_of(8, 8));
  REQUIRE(rig.device.commands.submit() == S_OK);
  CHECK(fill_color(rig.device, {&target, 0}, {3, 3, 3, 5}, 1) == S_OK);
  CHECK(fill_color(rig.device, {&target, 0}, {8, 0, 9, 8}, 1) == S_OK);
  CHECK(fill_color(rig.device, {&target, 1}, {0, 0, 8, 8}, 1) == E_INVALIDARG);
  CHECK(fill_color(rig.device, {nullptr, 0}, {0, 0, 8, 8}, 1) == E_INVALIDARG);
  CHECK(fill_color(rig.device, {&depth, 0}, {0, 0, 8, 8}, 1) == D3DERR_INVALIDCALL);
  CHECK(fill_depth(rig.device, {&target, 0}, {0, 0, 8, 8}, 1) == D3DERR_INVALIDCALL);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("DepthFill clears depth and keeps what was bound", "[umd][T129]") {
  device_rig rig;
  resource& bound = bind_target(rig);
  resource& depth = make(rig, depth_of(8, 8));
  REQUIRE(fill_depth(rig.device, {&depth, 0}, {0, 0, 8, 8}, 0.5f) == S_OK);
  const auto cleared = sent<aerogpu_cmd_clear>(rig);
  REQUIRE(cleared.size() == 1);
  CHECK(std::uint32_t{cleared[0].fields.flags} == AEROGPU_CLEAR_DEPTH);
  const auto targets = sent<aerogpu_cmd_set_render_targets>(rig);
  REQUIRE(targets.size() == 3);
  CHECK(std::uint32_t{targets[1].fields.depth_stencil} == raw(depth.handle));
  CHECK(std::uint32_t{targets[2].fields.colors[0]} == raw(bound.handle));
  CHECK_FALSE(scissor_now(rig).is_on);
}

}  // namespace aerogpu::umd::test
