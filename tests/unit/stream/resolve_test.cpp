#include "aerogpu/stream/resolve.hpp"

#include "tests/unit/stream/streams.hpp"

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

}  // namespace

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
