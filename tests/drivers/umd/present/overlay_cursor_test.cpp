// SPDX-License-Identifier: MIT
/// The cursor of a full-screen device: escapes where the kernel driver has one, else a draw.
#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/rigs/present_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace aerogpu::umd::test {

namespace {

using escape_in = aerogpu_escape_set_cursor_shape_in;

/// A bitmap in memory of the runtime, with these BGRA (or RGBA) texels.
[[nodiscard]] auto bitmap_of(device_rig& rig, std::uint32_t width, std::uint32_t height,
                             D3DFORMAT format, const byte_vector& texels) -> resource& {
  resource_request request = texture_of(width, height, format);
  request.kind = resource_kind::surface;
  request.pool = memory_pool::system;
  resource& made = make(rig, request);
  REQUIRE(made.size_bytes == texels.size());
  write_all(rig, made, texels);
  return made;
}

[[nodiscard]] auto operation_of(const byte_vector& escape) -> std::uint32_t {
  return load<aerogpu_escape_header>(escape.data()).op;
}

/// The values that a stream leaves render states with.
[[nodiscard]] auto last_states(const_bytes stream) -> std::map<std::uint32_t, std::uint32_t> {
  std::map<std::uint32_t, std::uint32_t> values;
  for (const auto& packet : packets_of<aerogpu_cmd_set_render_state>(stream)) {
    values[packet.fields.state] = packet.fields.value;
  }
  return values;
}
/// The values in effect at the first DRAW.
[[nodiscard]] auto states_at_draw(const_bytes stream) -> std::map<std::uint32_t, std::uint32_t> {
  std::map<std::uint32_t, std::uint32_t> values;
  const auto parsed = parse_stream_header(stream);
  REQUIRE(parsed);
  for (packet_cursor at{*parsed}; at.next();) {
    if (at.packet().opcode() == packet_traits<aerogpu_cmd_draw>::opcode) return values;
    if (at.packet().opcode() != packet_traits<aerogpu_cmd_set_render_state>::opcode) continue;
    const auto fields = load<aerogpu_cmd_set_render_state>(at.packet().bytes().data());
    values[fields.state] = fields.value;
  }
  FAIL("no draw");
  return values;
}

/// A visible cursor of 4 by 2 at (10, 5), its hot spot at (1, 1).
void show_overlay(device_rig& rig, resource& bitmap) {
  REQUIRE(rig.device.cursor.set_shape(rig.device, &bitmap, 1, 1) == S_OK);
  rig.device.cursor.move(rig.device, 10, 5);
  CHECK_FALSE(rig.device.cursor.show(rig.device, true));
  CHECK_FALSE(rig.device.cursor.is_in_hardware());
}

}  // namespace

TEST_CASE("without a cursor of the adapter a blended quad lies over what is presented",
          "[umd][present][T226]") {
  device_rig rig;
  rig.device.resources.rule = GENERATE(backing_rule::budget, backing_rule::everything);
  swap_chain& chain = make_chain(rig, chain_of());
  resource& bitmap = bitmap_of(rig, 4, 2, D3DFMT_A8R8G8B8, counted_bytes(32));
  show_overlay(rig, bitmap);
  REQUIRE(set_render_state(rig.device, D3DRS_SRCBLEND, D3DBLEND_ONE) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_CULLMODE, D3DCULL_CW) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  REQUIRE(present(rig.device, {}) == S_OK);

  const auto& stream = rig.runtime.last().stream;
  CHECK(rig.runtime.last().kind == submission_kind::present);
  const auto order = opcodes_of(stream);
  const auto draw = std::find(order.begin(), order.end(), opcodes<aerogpu_cmd_draw>()[0]);
  const auto shown = std::find(order.begin(), order.end(), opcodes<aerogpu_cmd_present_ex>()[0]);
  REQUIRE(draw != order.end());
  CHECK(draw < shown);
  CHECK(packets_of<aerogpu_cmd_draw>(stream).size() == 1);

  auto states = states_at_draw(stream);
  CHECK(states[D3DRS_ALPHABLENDENABLE] == 1);
  CHECK(states[D3DRS_SRCBLEND] == D3DBLEND_SRCALPHA);
  CHECK(states[D3DRS_DESTBLEND] == D3DBLEND_INVSRCALPHA);
  // The hot spot is where the cursor is.
  const auto scissors = packets_of<aerogpu_cmd_set_scissor>(stream);
  REQUIRE(scissors.size() == 2);
  CHECK(std::int32_t{scissors[0].fields.x} == 9);
  CHECK(std::int32_t{scissors[0].fields.y} == 4);
  CHECK(std::int32_t{scissors[0].fields.width} == 4);
  CHECK(std::int32_t{scissors[0].fields.height} == 2);

  for (const auto& [state, value] : last_states(stream)) {
    CAPTURE(state);
    CHECK(value == rig.device.state.render_states[state]);
  }
  CHECK(first_targets(stream).back() == raw(chain.buffers[0]->handle));
  const auto textures = packets_of<aerogpu_cmd_set_texture>(stream);
  REQUIRE(textures.size() == 2);
  CHECK(std::uint32_t{textures.back().fields.texture} == 0);
}

TEST_CASE("an overlay is drawn on the surface that is presented, and targets are restored",
          "[umd][present][T226]") {
  device_rig rig;
  swap_chain& chain = make_chain(rig, chain_of());
  resource& other = make(rig, target_of(8, 8));
  show_overlay(rig, bitmap_of(rig, 4, 2, D3DFMT_A8R8G8B8, counted_bytes(32)));
  REQUIRE(set_render_target(rig.device, 0, {&other, 0}) == S_OK);
  REQUIRE(present(rig.device, {}) == S_OK);
  const std::uint32_t buffer = raw(chain.buffers[0]->handle), app = raw(other.handle);
  CHECK(first_targets(rig.runtime.last().stream) ==
        std::vector<std::uint32_t>{buffer, app, buffer, app});
}

TEST_CASE("the overlay's texels are the bitmap's as BGRA, opaque without alpha",
          "[umd][present][T226]") {
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8);
  device_rig rig;
  rig.device.resources.rule = GENERATE(backing_rule::budget, backing_rule::everything);
  const byte_vector texels = counted_bytes(8);
  byte_vector expected = texels;
  for (std::size_t at = 0; at < expected.size(); at += 4) {
    if (format == D3DFMT_A8B8G8R8) std::swap(expected[at], expected[at + 2]);
    if (format == D3DFMT_X8R8G8B8) expected[at + 3] = std::byte{0xFF};
  }
  resource& bitmap = bitmap_of(rig, 2, 1, format, texels);
  REQUIRE(rig.device.cursor.set_shape(rig.device, &bitmap, 0, 0) == S_OK);
  const auto image = [&] {
    resource* found = rig.device.resources.first();
    while (found != nullptr && !found->flags.is_dynamic) found = rig.device.resources.after(*found);
    REQUIRE(found != nullptr);
    return found;
  };
  CHECK(host_bytes(rig, *image()) == expected);
  // Another shape of the same size goes into the same texture.
  write_all(rig, bitmap, byte_vector(8, std::byte{0xFF}));
  REQUIRE(rig.device.cursor.set_shape(rig.device, &bitmap, 1, 0) == S_OK);
  CHECK(host_bytes(rig, *image()) == byte_vector(8, std::byte{0xFF}));
  CHECK(rig.device.resources.size() == 2);
}

TEST_CASE("a hidden cursor, one without a shape and one beside the surface draw nothing",
          "[umd][present][T226]") {
  device_rig rig;
  make_chain(rig, chain_of());
  device_cursor& cursor = rig.device.cursor;
  show_overlay(rig, bitmap_of(rig, 4, 2, D3DFMT_A8R8G8B8, counted_bytes(32)));
  const auto draws = [&] {
    REQUIRE(present(rig.device, {}) == S_OK);
    return packets_of<aerogpu_cmd_draw>(rig.runtime.last().stream).size();
  };
  CHECK(draws() == 1);
  CHECK(cursor.show(rig.device, false));
  CHECK(draws() == 0);
  CHECK_FALSE(cursor.show(rig.device, true));
  REQUIRE(cursor.set_shape(rig.device, nullptr, 0, 0) == S_OK);
  CHECK(draws() == 0);
  resource& bitmap = bitmap_of(rig, 4, 2, D3DFMT_A8R8G8B8, counted_bytes(32));
  REQUIRE(cursor.set_shape(rig.device, &bitmap, 1, 1) == S_OK);
  CHECK(draws() == 1);
  for (const std::int32_t far : {33, -4, 0x7FFFFFFF, -0x7FFFFFFF - 1}) {
    cursor.move(rig.device, far, 5);
    CHECK(draws() == 0);
  }
  cursor.move(rig.device, -2, 5);  // One column is left: -2 - 1 + 4.
  CHECK(draws() == 1);
}

TEST_CASE("an adapter with a cursor gets escapes, and nothing is drawn", "[umd][present][T226]") {
  device_rig rig;
  rig.system.takes_escapes = true;
  make_chain(rig, chain_of());
  device_cursor& cursor = rig.device.cursor;
  const byte_vector texels = counted_bytes(32);
  cursor.move(rig.device, -7, 9);
  CHECK(rig.system.escapes.empty());
  resource& bitmap = bitmap_of(rig, 4, 2, D3DFMT_X8R8G8B8, texels);
  REQUIRE(cursor.set_shape(rig.device, &bitmap, 3, 1) == S_OK);
  CHECK(cursor.is_in_hardware());
  REQUIRE(rig.system.escapes.size() == 3);

  const byte_vector& shape = rig.system.escapes[0];
  REQUIRE(shape.size() == 48 + 32);
  const auto fields = load<escape_in>(shape.data());
  CHECK(std::uint32_t{fields.hdr.version} == 1);
  CHECK(std::uint32_t{fields.hdr.op} == 15);
  CHECK(std::uint32_t{fields.hdr.size} == shape.size());
  CHECK(std::uint32_t{fields.width} == 4);
  CHECK(std::uint32_t{fields.height} == 2);
  CHECK(std::uint32_t{fields.hot_x} == 3);
  CHECK(std::uint32_t{fields.hot_y} == 1);
  CHECK(std::uint32_t{fields.pitch_bytes} == 16);
  CHECK(std::uint32_t{fields.format} == AEROGPU_FORMAT_B8G8R8X8_UNORM);
  CHECK(shape[48] == texels[0]);
  CHECK(shape[48 + 30] == texels[30]);

  CHECK(operation_of(rig.system.escapes[1]) == 16);
  const auto at = load<aerogpu_escape_set_cursor_position_in>(rig.system.escapes[1].data());
  CHECK(static_cast<std::int32_t>(at.x) == -7 - 3);
  CHECK(std::uint32_t{at.y} == 9 - 1);
  CHECK(operation_of(rig.system.escapes[2]) == 17);
  const auto visibility = [&] {
    return std::uint32_t{
        load<aerogpu_escape_set_cursor_visibility_in>(rig.system.escapes.back().data()).visible};
  };
  CHECK(visibility() == 0);
  cursor.show(rig.device, true);
  CHECK(visibility() == 1);
  REQUIRE(cursor.set_shape(rig.device, nullptr, 0, 0) == S_OK);
  CHECK(visibility() == 0);
  REQUIRE(cursor.set_shape(rig.device, &bitmap, 0, 0) == S_OK);
  CHECK(visibility() == 1);
  REQUIRE(present(rig.device, {}) == S_OK);
  CHECK(packets_of<aerogpu_cmd_draw>(rig.runtime.last().stream).empty());
}

TEST_CASE("a cursor of another format, too large, or with its hot spot outside is refused",
          "[umd][present][T226]") {
  device_rig rig;
  const auto set = [&](std::uint32_t width, std::uint32_t height, D3DFORMAT format,
                       std::uint32_t hot_x = 0, std::uint32_t hot_y = 0) {
    resource_request request = texture_of(width, height, format);
    request.pool = memory_pool::system;
    return rig.device.cursor.set_shape(rig.device, &make(rig, request), hot_x, hot_y);
  };
  CHECK(set(511, 1, D3DFMT_A8R8G8B8) == S_OK);
  CHECK(set(512, 512, D3DFMT_A8R8G8B8, 511, 511) == S_OK);
  CHECK(set(513, 1, D3DFMT_A8R8G8B8) == D3DERR_INVALIDCALL);
  CHECK(set(1, 513, D3DFMT_A8R8G8B8) == D3DERR_INVALIDCALL);
  CHECK(set(8, 8, D3DFMT_A8R8G8B8, 8, 0) == D3DERR_INVALIDCALL);
  CHECK(set(8, 8, D3DFMT_A8R8G8B8, 0, 8) == D3DERR_INVALIDCALL);
  CHECK(set(8, 8, D3DFMT_R5G6B5) == D3DERR_INVALIDCALL);
  CHECK(rig.device.cursor.set_shape(rig.device, &make(rig, buffer_of(64)), 0, 0) ==
        D3DERR_INVALIDCALL);
}

TEST_CASE("a bitmap that lives on the host is read back for a cursor", "[umd][present][T226]") {
  device_rig rig;
  resource& bitmap = make(rig, texture_of(4, 2));
  const byte_vector texels = counted_bytes(32);
  paint(rig, bitmap, texels);
  rig.system.takes_escapes = true;
  REQUIRE(rig.device.cursor.set_shape(rig.device, &bitmap, 0, 0) == S_OK);
  const byte_vector& shape = rig.system.escapes[0];
  CHECK(byte_vector(shape.begin() + 48, shape.end()) == texels);
}

}  // namespace aerogpu::umd::test
