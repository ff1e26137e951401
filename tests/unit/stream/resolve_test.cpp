// SPDX-License-Identifier: MIT
#include "aerogpu/stream/resolve.hpp"

#include "tests/unit/stream/streams.hpp"

#include <span>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// BIND_SHADERS of `size` bytes with vs 1, ps 2, cs 3, reserved0 4, gs 5, hs 6, ds 7.
auto bind_of(std::uint32_t size) -> shader_handles {
  byte_vector packet = blank_packet(AEROGPU_CMD_BIND_SHADERS, size);
  for (std::uint32_t i = 8; i + 4 <= size; i += 4) store(packet.data() + i, i / 4 - 1);
  const byte_vector bytes = stream_of(packet);
  return resolve_bind_shaders(only_packet<aerogpu_cmd_bind_shaders>(bytes));
}

auto handles_of(std::uint32_t gs, std::uint32_t hs, std::uint32_t ds) -> shader_handles {
  const auto h = [](std::uint32_t n) { return static_cast<shader_handle>(n); };
  return {h(1), h(2), h(3), h(gs), h(hs), h(ds)};
}

/// SET_BLEND_STATE cut to `size` bytes; every byte of the whole one is set.
auto blend_of(std::uint32_t size) -> aerogpu_blend_state {
  aerogpu_cmd_set_blend_state whole{};
  whole.state = {1, 2, 3, 4, 5, {}, 6, 7, 2, {0x11111111, 0x22222222, 0x33333333, 0x44444444}, 9};
  byte_vector packet = packet_of(whole);
  packet.resize(size);
  store(packet.data() + 4, size);
  const byte_vector bytes = stream_of(packet);
  return resolve_blend_state(only_packet<aerogpu_cmd_set_blend_state>(bytes));
}

/// What SET_SHADER_CONSTANTS_B of `count` registers and these words sets.
auto bools_of(std::uint32_t count, const std::vector<std::uint32_t>& words) -> std::vector<bool> {
  const byte_vector bytes = stream_of(packet_of(
      aerogpu_cmd_set_shader_constants_b{{}, 0, 0, count, 0}, std::as_bytes(std::span{words})));
  const auto packet = only_packet<aerogpu_cmd_set_shader_constants_b>(bytes);
  const bool_registers registers{packet};
  std::vector<bool> values;
  for (std::size_t i = 0; i < registers.size(); ++i) values.push_back(registers[i]);
  return values;
}

/// Whether such a packet is framed.
auto takes_bools(std::uint32_t count, std::size_t words) -> bool {
  const std::vector<std::uint32_t> payload(words, 1);
  const byte_vector bytes = stream_of(packet_of(
      aerogpu_cmd_set_shader_constants_b{{}, 0, 0, count, 0}, std::as_bytes(std::span{payload})));
  return static_cast<bool>(frame(view_of(bytes)));
}

}  // namespace

TEST_CASE("SET_SHADER_CONSTANTS_B has 16 bytes a register, or 4 when its size says exactly so",
          "[stream][resolve]") {
  using values = std::vector<bool>;
  CHECK(bools_of(2, {0, 0, 7, 0, 0, 0, 0, 0}) == values{true, false});
  CHECK(bools_of(1, {0, 0, 0, 1, 9, 9, 9, 9}) == values{true});  // Then a tail nobody knows.
  CHECK(bools_of(1, {5}) == values{true});
  CHECK(bools_of(4, {0, 1, 0x80000000, 0}) == values{false, true, true, false});
  CHECK(bools_of(0, {}) == values{});
  CHECK(bools_of(0, {1, 1}) == values{});
}

TEST_CASE("SET_SHADER_CONSTANTS_B of a size between its two forms is not framed",
          "[stream][resolve]") {
  for (std::uint32_t count = 1; count <= 9; ++count) {
    for (std::size_t words = 0; words <= 4 * 9 + 2; ++words) {
      INFO("count " << count << ", words " << words);
      CHECK(takes_bools(count, words) == (words == count || words >= 4 * count));
    }
  }
  CHECK_FALSE(takes_bools(0xFFFFFFFF, 3));
  CHECK_FALSE(takes_bools(0x40000001, 1));  // 4 times that is 4 in 32 bits.
}

TEST_CASE("no other packet with elements has a second form", "[stream][resolve]") {
  for (const packet_row& row : packet_table) {
    INFO(row.wire_name);
    CHECK((row.compact_element_size != 0) == (row.opcode == AEROGPU_CMD_SET_SHADER_CONSTANTS_B));
  }
}

TEST_CASE("BIND_SHADERS means what its size says", "[stream][resolve]") {
  CHECK(bind_of(24) == handles_of(4, 0, 0));
  CHECK(bind_of(28) == handles_of(0, 0, 0));
  CHECK(bind_of(32) == handles_of(0, 0, 0));
  CHECK(bind_of(36) == handles_of(5, 6, 7));
  CHECK(bind_of(40) == handles_of(5, 6, 7));
}

TEST_CASE("a short SET_BLEND_STATE takes the fields that are wholly there", "[stream][resolve]") {
  constexpr std::uint32_t one = 0x3F800000;
  for (std::uint32_t size = 28; size <= 64; size += 4) {
    INFO("size " << size);
    const aerogpu_blend_state s = blend_of(size);
    CHECK(s.enable == 1);
    CHECK(s.src_factor == 2);
    CHECK(s.dst_factor == 3);
    CHECK(s.blend_op == 4);
    CHECK(s.color_write_mask == 5);
    CHECK(s.src_factor_alpha == (size >= 32 ? 6u : 2u));
    CHECK(s.dst_factor_alpha == (size >= 36 ? 7u : 3u));
    CHECK(s.blend_op_alpha == (size >= 40 ? 2u : 4u));
    for (std::uint32_t i = 0; i < 4; ++i) {
      CHECK(s.blend_constant_rgba_f32[i] == (size >= 44 + 4 * i ? 0x11111111u * (i + 1) : one));
    }
    CHECK(s.sample_mask == (size >= 60 ? 9u : 0xFFFFFFFFu));
  }
}
