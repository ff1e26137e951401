// SPDX-License-Identifier: MIT
#include "aerogpu/backend/sampler_state.hpp"

#include "tests/catch.hpp"

#include <memory>

namespace aerogpu {

TEST_CASE("D3D9 sampler defaults decode to WRAP, POINT and no mips", "[sampler_state]") {
  const d3d9_sampler s = decode_sampler(sampler_state_defaults);
  CHECK(s.address ==
        std::array{texture_address::wrap, texture_address::wrap, texture_address::wrap});
  CHECK(s.mag == texture_filter::point);
  CHECK(s.min == texture_filter::point);
  CHECK(s.mip == mip_filter::none);
  CHECK(s.max_anisotropy == 1);
  CHECK(s.max_mip_level == 0);
  CHECK(s.border == vec4f{});
  CHECK_FALSE(s.srgb);
}

TEST_CASE("sampler states are stored for 16 slots of VS and PS", "[sampler_state]") {
  auto d3d9 = std::make_unique<d3d9_state>();
  reset_sampler_states(*d3d9);
  CHECK(set_sampler_state(*d3d9, 0, 15, 5, 2));
  CHECK(set_sampler_state(*d3d9, 1, 0, 5, 3));
  CHECK(d3d9->sampler_states[0][15][5] == 2);
  CHECK(d3d9->sampler_states[1][0][5] == 3);
  CHECK(d3d9->sampler_states[1][15][5] == 1);
}

TEST_CASE("other slots, stages and ids are ignored", "[sampler_state]") {
  auto d3d9 = std::make_unique<d3d9_state>();
  const auto [stage, slot, id] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>(
      {{0, 16, 5}, {2, 0, 5}, {3, 0, 5}, {0, 0, 0}, {0, 0, 14}, {0xFFFFFFFF, 0xFFFFFFFF, 5}}));
  CHECK_FALSE(set_sampler_state(*d3d9, stage, slot, id, 2));
}

TEST_CASE("every address mode decodes, and unknown ones wrap", "[sampler_state]") {
  using enum texture_address;
  const auto [value, mode] = GENERATE(table<std::uint32_t, texture_address>(
      {{0, wrap}, {1, wrap}, {2, mirror}, {3, clamp}, {4, border}, {5, mirror_once}, {6, wrap}}));
  for (const std::uint32_t axis : {0u, 1u, 2u}) {
    sampler_state_values raw = sampler_state_defaults;
    raw[d3dsamp_addressu + axis] = value;
    CHECK(decode_sampler(raw).address[axis] == mode);
  }
}

TEST_CASE("every filter decodes, and unknown ones are points", "[sampler_state]") {
  using enum texture_filter;
  const auto [value, filter] = GENERATE(table<std::uint32_t, texture_filter>(
      {{0, point}, {1, point}, {2, linear}, {3, anisotropic}, {4, point}}));
  sampler_state_values raw = sampler_state_defaults;
  raw[d3dsamp_magfilter] = value;
  CHECK(decode_sampler(raw).mag == filter);
  raw[d3dsamp_minfilter] = value;
  CHECK(decode_sampler(raw).min == filter);
}

TEST_CASE("mip filters decode", "[sampler_state]") {
  using enum mip_filter;
  const auto [value, filter] =
      GENERATE(table<std::uint32_t, mip_filter>({{0, none}, {1, point}, {2, linear}, {3, none}}));
  sampler_state_values raw = sampler_state_defaults;
  raw[d3dsamp_mipfilter] = value;
  CHECK(decode_sampler(raw).mip == filter);
}

TEST_CASE("mip level, anisotropy and border stay in range", "[sampler_state]") {
  sampler_state_values raw = sampler_state_defaults;
  raw[d3dsamp_maxmiplevel] = 33;
  raw[d3dsamp_maxanisotropy] = 0;
  raw[d3dsamp_bordercolor] = 0x80FF0033;
  raw[d3dsamp_srgbtexture] = 2;
  const d3d9_sampler s = decode_sampler(raw);
  CHECK(s.max_mip_level == 32);
  CHECK(s.max_anisotropy == 1);
  CHECK(s.border == vec4f{1, 0, 51 / 255.0f, 128 / 255.0f});
  CHECK(s.srgb);
  raw[d3dsamp_maxanisotropy] = 17;
  CHECK(decode_sampler(raw).max_anisotropy == 16);
}

}  // namespace aerogpu
