// SPDX-License-Identifier: MIT
/// \file What tests of states and draws share: packets so far, textures, shaders, declarations.
#pragma once

#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "tests/drivers/umd/rigs/device_rig.hpp"

#include <array>
#include <span>
#include <vector>

namespace aerogpu::umd::test {

/// What one kind of packet said in everything that was submitted since the rig began.
template <class Packet>
[[nodiscard]] auto sent(device_rig& rig) -> std::vector<found_packet<Packet>> {
  CHECK(rig.device.commands.submit() == S_OK);
  std::vector<found_packet<Packet>> all;
  for (const seen_submission& each : rig.runtime.submissions()) {
    for (auto& packet : packets_of<Packet>(each.stream)) all.push_back(std::move(packet));
  }
  return all;
}

/// The values that were sent for a render state, in their order.
[[nodiscard]] inline auto sent_values(device_rig& rig, std::uint32_t state)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> values;
  for (const auto& packet : sent<aerogpu_cmd_set_render_state>(rig)) {
    if (packet.fields.state == state) values.push_back(packet.fields.value);
  }
  return values;
}

/// A texture of 64 by 32 texels that the host knows, and that nothing allocated.
inline void make_texture(device_rig& rig, resource& made, std::uint32_t mip_levels = 1) {
  made.kind = resource_kind::texture;
  made.flags.is_render_target = true;
  made.handle = rig.adapter.handles.next_resource();
  made.texels = *texture_layout::create({AEROGPU_FORMAT_B8G8R8A8_UNORM, 64, 32, mip_levels, 1, 0});
  REQUIRE(rig.device.commands.reserve(packet_bytes<aerogpu_cmd_create_texture2d>()) == S_OK);
  REQUIRE(rig.device.commands.packets().create_texture2d(
      {.texture = made.handle,
       .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
       .format = AEROGPU_FORMAT_B8G8R8A8_UNORM,
       .width = 64,
       .height = 32,
       .mip_levels = mip_levels}));
}

/// A buffer on the host whose bytes the CPU keeps.
inline void make_buffer(device_rig& rig, resource& made, const_bytes bytes) {
  made.kind = resource_kind::buffer;
  made.size_bytes = (bytes.size() + 3) / 4 * 4;
  made.handle = rig.adapter.handles.next_resource();
  REQUIRE(made.shadow.resize(static_cast<std::size_t>(made.size_bytes)));
  copy_bytes(made.shadow.view().first(bytes.size()), bytes);
  REQUIRE(rig.device.commands.reserve(packet_bytes<aerogpu_cmd_create_buffer>()) == S_OK);
  REQUIRE(rig.device.commands.packets().create_buffer(
      {.buffer = made.handle,
       .usage_flags = AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER,
       .size_bytes = made.size_bytes}));
}

/// A declaration that ends when the test does.
class test_declaration {
 public:
  test_declaration(device_rig& rig, std::span<const D3DVERTEXELEMENT9> elements) : rig_(rig) {
    REQUIRE(create_declaration(rig.device, elements, made_) == S_OK);
  }
  test_declaration(device_rig& rig, std::initializer_list<D3DVERTEXELEMENT9> elements)
      : test_declaration(rig, std::span{elements.begin(), elements.size()}) {}
  test_declaration(const test_declaration&) = delete;
  auto operator=(const test_declaration&) -> test_declaration& = delete;
  ~test_declaration() { CHECK(destroy_declaration(rig_.device, made_) == S_OK); }
  [[nodiscard]] auto get() const -> vertex_declaration* { return made_; }

 private:
  device_rig& rig_;
  vertex_declaration* made_ = nullptr;
};

/// vs_2_0 that moves v0 to oPos, ps_2_0 that is white.
inline constexpr std::array<std::uint32_t, 8> plain_vertex_shader{
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,  // dcl_position v0
    0x02000001, 0xC00F0000, 0x90E40000,              // mov oPos, v0
    0x0000FFFF};
inline constexpr std::array<std::uint32_t, 11> plain_pixel_shader{
    0xFFFF0200, 0x05000051, 0xA00F0000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000,  // def c0
    0x02000001, 0x800F0800, 0xA0E40000,                                                  // mov oC0
    0x0000FFFF};

/// A shader that ends when the test does.
class test_shader {
 public:
  test_shader(device_rig& rig, stage which, std::span<const std::uint32_t> code) : rig_(rig) {
    REQUIRE(create_shader(rig.device, which, std::as_bytes(code), made_) == S_OK);
  }
  test_shader(const test_shader&) = delete;
  auto operator=(const test_shader&) -> test_shader& = delete;
  ~test_shader() { CHECK(destroy_shader(rig_.device, made_) == S_OK); }
  [[nodiscard]] auto get() const -> shader* { return made_; }

 private:
  device_rig& rig_;
  shader* made_ = nullptr;
};

}  // namespace aerogpu::umd::test
