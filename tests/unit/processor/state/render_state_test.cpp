// SPDX-License-Identifier: MIT
#include "aerogpu/processor/state/render_state.hpp"

#include "aerogpu/processor/state/state_packets.hpp"
#include "aerogpu/stream/text/d3d9_state_names.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <functional>
#include <memory>

namespace aerogpu {
namespace {

/// A context's state, with the D3D9 defaults cached.
struct states {
  fixed_function_state fixed;
  std::unique_ptr<render_state_values> raw = std::make_unique<render_state_values>();

  states() { reset_render_states(*raw); }
  auto set(std::uint32_t id, std::uint32_t value) -> states& {
    set_render_state(fixed, *raw, id, value);
    return *this;
  }
};

constexpr aerogpu_blend_state packet_blend{.enable = 1,
                                           .src_factor = AEROGPU_BLEND_DEST_ALPHA,
                                           .dst_factor = AEROGPU_BLEND_INV_DEST_ALPHA,
                                           .blend_op = AEROGPU_BLEND_OP_MIN,
                                           .color_write_mask = 5,
                                           .reserved0 = {},
                                           .src_factor_alpha = AEROGPU_BLEND_CONSTANT,
                                           .dst_factor_alpha = AEROGPU_BLEND_INV_CONSTANT,
                                           .blend_op_alpha = AEROGPU_BLEND_OP_MAX,
                                           .blend_constant_rgba_f32 = {},
                                           .sample_mask = 1};

}  // namespace

TEST_CASE("render state rows rise by id, so that each id has one row", "[processor]") {
  CHECK(std::ranges::is_sorted(render_state_table, std::less_equal{}, &render_state_row::id));
  for (const render_state_row& row : render_state_table) {
    CHECK(find_d3d9_state(d3d9_render_states, row.id) != nullptr);
    CHECK(find_render_state(row.id) == &row);
  }
}

TEST_CASE("every flag state follows whether its value is zero", "[processor]") {
  using read = std::function<bool(const fixed_function_state&)>;
  const std::vector<std::pair<std::uint32_t, read>> rows{
      {7, [](const auto& f) { return f.depth_stencil.depth_enable; }},
      {14, [](const auto& f) { return f.depth_stencil.depth_write; }},
      {15, [](const auto& f) { return f.alpha_test.enable; }},
      {18, [](const auto& f) { return f.rasterizer.front_counter_clockwise; }},
      {27, [](const auto& f) { return f.blend.enable; }},
      {52, [](const auto& f) { return f.depth_stencil.stencil_enable; }},
      {174, [](const auto& f) { return f.rasterizer.scissor_enable; }},
      {174, [](const auto& f) { return f.rasterizer.scissor_by_render_state; }},
      {185, [](const auto& f) { return f.depth_stencil.two_sided; }},
      {194, [](const auto& f) { return f.srgb_write; }},
  };
  for (const auto& [id, is_set] : rows) {
    CAPTURE(id);
    states s;
    CHECK(is_set(s.set(id, 1).fixed));
    CHECK_FALSE(is_set(s.set(id, 0).fixed));
    CHECK(is_set(s.set(id, 0x80000000).fixed));
  }
}

TEST_CASE("every byte state keeps the low 8 bits", "[processor]") {
  states s;
  s.set(24, 0x1FE).set(57, 0x102).set(58, 0xFFFFFF0F).set(59, 0x1F0);
  CHECK(s.fixed.alpha_test.reference == 0xFE);
  CHECK(s.fixed.depth_stencil.stencil_reference == 2);
  CHECK(s.fixed.depth_stencil.stencil_read_mask == 0x0F);
  CHECK(s.fixed.depth_stencil.stencil_write_mask == 0xF0);
}

TEST_CASE("every compare state maps 1 to 8 in order", "[processor]") {
  using read = std::function<aerogpu_compare_func(const fixed_function_state&)>;
  const std::vector<std::pair<std::uint32_t, read>> rows{
      {23, [](const auto& f) { return f.depth_stencil.depth_func; }},
      {25, [](const auto& f) { return f.alpha_test.func; }},
      {56, [](const auto& f) { return f.depth_stencil.clockwise.func; }},
      {189, [](const auto& f) { return f.depth_stencil.counter_clockwise.func; }},
  };
  for (const auto& [id, func] : rows) {
    CAPTURE(id);
    states s;
    for (std::uint32_t value = 1; value <= 8; ++value) {
      CHECK(func(s.set(id, value).fixed) == value - 1);
    }
    s.set(id, 2);
    CHECK(func(s.set(id, 9).fixed) == AEROGPU_COMPARE_LESS);
    const bool zero_is_ignored = id == 23;
    CHECK(func(s.set(id, 0).fixed) ==
          (zero_is_ignored ? AEROGPU_COMPARE_LESS : AEROGPU_COMPARE_ALWAYS));
  }
}

TEST_CASE("every stencil operation maps 1 to 8 in order, and 0 keeps", "[processor]") {
  using read = std::function<stencil_op(const depth_stencil_state&)>;
  const std::vector<std::pair<std::uint32_t, read>> rows{
      {53, [](const auto& d) { return d.clockwise.fail; }},
      {54, [](const auto& d) { return d.clockwise.depth_fail; }},
      {55, [](const auto& d) { return d.clockwise.pass; }},
      {186, [](const auto& d) { return d.counter_clockwise.fail; }},
      {187, [](const auto& d) { return d.counter_clockwise.depth_fail; }},
      {188, [](const auto& d) { return d.counter_clockwise.pass; }},
  };
  constexpr std::array ops{stencil_op::keep,
                           stencil_op::zero,
                           stencil_op::replace,
                           stencil_op::increment_clamp,
                           stencil_op::decrement_clamp,
                           stencil_op::invert,
                           stencil_op::increment_wrap,
                           stencil_op::decrement_wrap};
  for (const auto& [id, op] : rows) {
    CAPTURE(id);
    states s;
    for (std::uint32_t value = 1; value <= 8; ++value) {
      CHECK(op(s.set(id, value).fixed.depth_stencil) == ops[value - 1]);
    }
    CHECK(op(s.set(id, 9).fixed.depth_stencil) == stencil_op::decrement_wrap);
    CHECK(op(s.set(id, 0).fixed.depth_stencil) == stencil_op::keep);
  }
}

TEST_CASE("each D3DBLEND factor maps, also those that no packet has", "[processor]") {
  using enum blend_factor;
  const auto [value, factor] = GENERATE(table<std::uint32_t, blend_factor>({{1, zero},
                                                                            {2, one},
                                                                            {3, src_color},
                                                                            {4, inv_src_color},
                                                                            {5, src_alpha},
                                                                            {6, inv_src_alpha},
                                                                            {7, dest_alpha},
                                                                            {8, inv_dest_alpha},
                                                                            {9, dest_color},
                                                                            {10, inv_dest_color},
                                                                            {11, src_alpha_sat},
                                                                            {14, constant},
                                                                            {15, inv_constant}}));
  CAPTURE(value);
  states s;
  s.set(19, value).set(20, value);
  CHECK(s.fixed.blend.color.source == factor);
  CHECK(s.fixed.blend.color.destination == factor);
  CHECK(s.fixed.blend.alpha.source == factor);
  s.set(206, 1).set(19, 2).set(207, value).set(208, value);
  CHECK(s.fixed.blend.color.source == one);
  CHECK(s.fixed.blend.alpha.source == factor);
  CHECK(s.fixed.blend.alpha.destination == factor);
}

TEST_CASE("an unknown factor or op keeps the previous one", "[processor]") {
  const std::uint32_t value = GENERATE(0u, 16u, 17u, 0xFFFFFFFFu);
  states s;
  s.set(19, 5).set(20, 6).set(171, 2);
  s.set(19, value).set(20, value).set(171, value == 0 ? 0 : value);
  CHECK(s.fixed.blend.color.source == blend_factor::src_alpha);
  CHECK(s.fixed.blend.color.destination == blend_factor::inv_src_alpha);
  CHECK(s.fixed.blend.color.op == AEROGPU_BLEND_OP_SUBTRACT);
}

TEST_CASE("each D3DBLENDOP maps", "[processor]") {
  states s;
  for (std::uint32_t value = 1; value <= 5; ++value) {
    CHECK(s.set(171, value).fixed.blend.color.op == value - 1);
    CHECK(s.fixed.blend.alpha.op == value - 1);
  }
}

TEST_CASE("BOTHSRCALPHA names both factors until another source ends it", "[processor]") {
  using enum blend_factor;
  states s;
  s.set(20, 2).set(19, 12);
  CHECK(s.fixed.blend.color.source == src_alpha);
  CHECK(s.fixed.blend.color.destination == inv_src_alpha);
  s.set(20, 7);
  CHECK(s.fixed.blend.color.destination == inv_src_alpha);
  s.set(19, 13);
  CHECK(s.fixed.blend.color.source == inv_src_alpha);
  CHECK(s.fixed.blend.color.destination == src_alpha);
  CHECK(s.fixed.blend.alpha.destination == src_alpha);
  s.set(19, 2);
  CHECK(s.fixed.blend.color.source == one);
  CHECK(s.fixed.blend.color.destination == dest_alpha);
}

TEST_CASE("BOTHSRCALPHA is no destination", "[processor]") {
  states s;
  s.set(20, 5).set(20, 12).set(20, 13);
  CHECK(s.fixed.blend.color.destination == blend_factor::src_alpha);
}

TEST_CASE("separate alpha applies while state 206 is on, and 0 means the defaults", "[processor]") {
  using enum blend_factor;
  states s;
  s.set(19, 5).set(20, 6).set(171, 4).set(207, 7).set(208, 8).set(209, 2);
  CHECK(s.fixed.blend.alpha.source == src_alpha);
  CHECK(s.fixed.blend.alpha.destination == inv_src_alpha);
  CHECK(s.fixed.blend.alpha.op == AEROGPU_BLEND_OP_MIN);
  s.set(206, 1);
  CHECK(s.fixed.blend.alpha.source == dest_alpha);
  CHECK(s.fixed.blend.alpha.destination == inv_dest_alpha);
  CHECK(s.fixed.blend.alpha.op == AEROGPU_BLEND_OP_SUBTRACT);
  s.set(207, 0).set(208, 0).set(209, 0);
  CHECK(s.fixed.blend.alpha.source == one);
  CHECK(s.fixed.blend.alpha.destination == zero);
  CHECK(s.fixed.blend.alpha.op == AEROGPU_BLEND_OP_ADD);
  s.set(206, 0);
  CHECK(s.fixed.blend.alpha.source == src_alpha);
}

TEST_CASE("each write mask state masks its own target", "[processor]") {
  const auto [id, target] =
      GENERATE(table<std::uint32_t, std::size_t>({{168, 0}, {190, 1}, {191, 2}, {192, 3}}));
  states s;
  s.set(id, 0xF5);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(s.fixed.blend.write_masks[i] == (i == target ? 5 : 0xF));
  }
}

TEST_CASE("BLENDFACTOR is the blend constant as A R G B", "[processor]") {
  states s;
  s.set(193, 0xFF336600);
  CHECK(s.fixed.blend.constant == vec4f{51 / 255.0f, 102 / 255.0f, 0, 1});
}

TEST_CASE("CULLMODE culls a winding, whichever face is front", "[processor]") {
  const auto [front_ccw, mode, cull] =
      GENERATE(table<std::uint32_t, std::uint32_t, aerogpu_cull_mode>({
          {0, 0, AEROGPU_CULL_NONE},
          {0, 1, AEROGPU_CULL_NONE},
          {0, 2, AEROGPU_CULL_FRONT},
          {0, 3, AEROGPU_CULL_BACK},
          {1, 1, AEROGPU_CULL_NONE},
          {1, 2, AEROGPU_CULL_BACK},
          {1, 3, AEROGPU_CULL_FRONT},
      }));
  CAPTURE(front_ccw, mode);
  states before;
  CHECK(before.set(18, front_ccw).set(22, mode).fixed.rasterizer.cull == cull);
  states after;
  CHECK(after.set(22, mode).set(18, front_ccw).fixed.rasterizer.cull == cull);
}

TEST_CASE("a cull mode that a packet named keeps its face under a new front", "[processor]") {
  states s;
  set_rasterizer_state(s.fixed.rasterizer, {.fill_mode = 0,
                                            .cull_mode = AEROGPU_CULL_BACK,
                                            .front_ccw = 0,
                                            .scissor_enable = 0,
                                            .depth_bias = 0,
                                            .flags = 0});
  CHECK(s.set(18, 1).fixed.rasterizer.cull == AEROGPU_CULL_BACK);
}

TEST_CASE("an unknown cull mode is ignored", "[processor]") {
  states s;
  CHECK(s.set(22, 2).set(22, 4).fixed.rasterizer.cull == AEROGPU_CULL_FRONT);
}

TEST_CASE("an unknown cull mode leaves the face to the packet that named it", "[processor]") {
  states s;
  aerogpu_rasterizer_state packet{};
  packet.cull_mode = AEROGPU_CULL_FRONT;
  set_rasterizer_state(s.fixed.rasterizer, packet);
  s.set(22, 4);
  CHECK_FALSE(s.fixed.rasterizer.cull_by_winding);
  CHECK(s.fixed.rasterizer.cull == AEROGPU_CULL_FRONT);
  s.set(22, 3);
  CHECK(s.fixed.rasterizer.cull_by_winding);
  CHECK(s.fixed.rasterizer.cull == AEROGPU_CULL_BACK);
  s.set(22, 0);
  CHECK(s.fixed.rasterizer.cull == AEROGPU_CULL_NONE);
}

TEST_CASE("the last writer wins between a packet and a render state", "[processor]") {
  states s;
  s.set(19, 5).set(168, 3);
  set_blend_state(s.fixed.blend, packet_blend);
  CHECK(s.fixed.blend.color.source == blend_factor::dest_alpha);
  CHECK(s.fixed.blend.write_masks[0] == 5);
  CHECK(s.fixed.blend.alpha.source == blend_factor::constant);
  SECTION("a state after the packet") {
    s.set(20, 2).set(190, 1);
    CHECK(s.fixed.blend.color.destination == blend_factor::one);
    CHECK(s.fixed.blend.write_masks[0] == 5);
    CHECK(s.fixed.blend.write_masks[1] == 1);
  }
  SECTION("a state with the value that was cached before the packet") {
    s.set(19, 5);
    CHECK(s.fixed.blend.color.source == blend_factor::src_alpha);
  }
  SECTION("a packet ends BOTHSRCALPHA") {
    s.set(19, 12);
    set_blend_state(s.fixed.blend, packet_blend);
    s.set(20, 2);
    CHECK(s.fixed.blend.color.destination == blend_factor::one);
  }
}

TEST_CASE("a depth-stencil packet resets what only render states can set", "[processor]") {
  states s;
  s.set(53, 3).set(56, 1).set(186, 4).set(189, 2).set(185, 1).set(57, 9);
  set_depth_stencil_state(s.fixed.depth_stencil, {.depth_enable = 1,
                                                  .depth_write_enable = 0,
                                                  .depth_func = AEROGPU_COMPARE_GREATER,
                                                  .stencil_enable = 1,
                                                  .stencil_read_mask = 1,
                                                  .stencil_write_mask = 2,
                                                  .reserved0 = {}});
  const depth_stencil_state& d = s.fixed.depth_stencil;
  CHECK(d.clockwise.fail == stencil_op::keep);
  CHECK(d.clockwise.func == AEROGPU_COMPARE_ALWAYS);
  CHECK(d.counter_clockwise.fail == stencil_op::keep);
  CHECK(d.counter_clockwise.func == AEROGPU_COMPARE_ALWAYS);
  CHECK_FALSE(d.two_sided);
  CHECK(d.stencil_reference == 9);
  CHECK(d.depth_func == AEROGPU_COMPARE_GREATER);
  CHECK_FALSE(d.depth_write);
  CHECK(d.stencil_read_mask == 1);
  CHECK(d.stencil_write_mask == 2);
}

TEST_CASE("a rasterizer packet takes the scissor test from state 174", "[processor]") {
  states s;
  s.set(174, 1);
  set_rasterizer_state(s.fixed.rasterizer, {.fill_mode = 1,
                                            .cull_mode = 77,
                                            .front_ccw = 1,
                                            .scissor_enable = 1,
                                            .depth_bias = -3,
                                            .flags = 3});
  CHECK(s.fixed.rasterizer.scissor_enable);
  CHECK_FALSE(s.fixed.rasterizer.scissor_by_render_state);
  CHECK(s.fixed.rasterizer.cull == AEROGPU_CULL_BACK);
  CHECK(s.fixed.rasterizer.fill == AEROGPU_FILL_WIREFRAME);
  CHECK_FALSE(s.fixed.rasterizer.depth_clip);
  CHECK(s.fixed.rasterizer.depth_bias == -3);
  s.set(174, 1);
  CHECK(s.fixed.rasterizer.scissor_by_render_state);
}

TEST_CASE("ids without an effect are cached, and ids past 4096 are not", "[processor]") {
  states s;
  const fixed_function_state before = s.fixed;
  CHECK_FALSE(set_render_state(s.fixed, *s.raw, 4096, 7));
  CHECK((*s.raw)[4096] == 7);
  CHECK_FALSE(set_render_state(s.fixed, *s.raw, 4097, 7));
  CHECK_FALSE(set_render_state(s.fixed, *s.raw, 0xFFFFFFFF, 7));
  CHECK_FALSE(set_render_state(s.fixed, *s.raw, 8, 2));
  CHECK(s.fixed.rasterizer.fill == before.rasterizer.fill);
}

TEST_CASE("the cached defaults of states with an effect are the effective defaults",
          "[processor]") {
  states s;
  const fixed_function_state expected{};
  for (const auto& [id, value] : render_state_defaults) s.set(id, value);
  CHECK(s.fixed.depth_stencil.depth_func == expected.depth_stencil.depth_func);
  CHECK(s.fixed.depth_stencil.depth_enable == expected.depth_stencil.depth_enable);
  CHECK(s.fixed.rasterizer.cull == expected.rasterizer.cull);
  CHECK(s.fixed.blend.color.source == expected.blend.color.source);
  CHECK(s.fixed.blend.color.destination == expected.blend.color.destination);
  CHECK(s.fixed.blend.constant == expected.blend.constant);
  CHECK(s.fixed.blend.write_masks == expected.blend.write_masks);
  CHECK(s.fixed.depth_stencil.stencil_read_mask == expected.depth_stencil.stencil_read_mask);
  CHECK(s.fixed.depth_stencil.clockwise.func == expected.depth_stencil.clockwise.func);
  CHECK(s.fixed.alpha_test.func == expected.alpha_test.func);
}

TEST_CASE("a render state says whether it has an effect", "[processor]") {
  fixed_function_state fixed;
  render_state_values raw{};
  for (const render_state_row& row : render_state_table) {
    CAPTURE(row.id);
    CHECK(set_render_state(fixed, raw, row.id, 1));
    CHECK(raw[row.id] == 1);
  }
  CHECK_FALSE(set_render_state(fixed, raw, 8, 1));
  CHECK(raw[8] == 1);
  CHECK_FALSE(set_render_state(fixed, raw, render_state_count - 1, 1));
  CHECK(raw.back() == 1);
  CHECK_FALSE(set_render_state(fixed, raw, render_state_count, 1));
}

}  // namespace aerogpu
