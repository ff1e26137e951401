// SPDX-License-Identifier: MIT
#include "tests/unit/processor/pipeline_rig.hpp"

namespace aerogpu {
namespace {

using rig = pipeline_rig;

constexpr auto none = error_code::none, missing = error_code::missing_binding,
               unknown = error_code::unknown_handle, wrong = error_code::wrong_kind,
               bad = error_code::invalid_parameter;

}  // namespace

TEST_CASE("a draw without vertices or instances does nothing, whatever is bound", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(stream_builder{}.draw(0).draw(3, 0).draw_indexed(0).draw_indexed(3, 0)) == 0);
}

TEST_CASE("a draw checks its bindings in the order of the specification", "[processor]") {
  pipeline_rig r;
  stream_builder stream;
  const auto what = [&] {
    CHECK(r.run(stream_builder{stream}.draw_indexed(3)) == missing);
    return std::string_view{r.last.why.what};
  };
  CHECK(what() == "no index buffer is bound");
  stream.index_buffer(made::indices);
  CHECK(what() == "no vertex shader is bound");
  stream.targets({made::target}).bind_shaders(made::vs2, 0);
  CHECK(what() == "no pixel shader is bound");
  stream.bind_shaders(made::vs2, made::ps2).targets({});
  CHECK(what() == "no render target is bound");
  stream.targets({made::target});
  CHECK(what() == "no input layout is bound");
  stream.set_layout(made::declaration);
  CHECK(what() == "a vertex stream has no buffer or no stride");
  stream.vertex_buffer(0, made::vertices).topology(AEROGPU_TOPOLOGY_PATCHLIST_1);
  CHECK(what() == "a patch list is drawn without hull and domain shaders");
  stream.topology(AEROGPU_TOPOLOGY_TRIANGLELIST);
  CHECK(r.draws(stream_builder{stream}.draw_indexed(3)) == 1);
}

TEST_CASE("a missing pixel shader comes before a bad target", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, 0).targets({made::target, 77}).draw(3)) ==
        missing);
  CHECK(r.run(rig::bound().targets({made::target, 77}).draw(3)) == unknown);
}

TEST_CASE("shaders of a draw are live, of their stage and able to run", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(rig::bound().bind_shaders(99, made::ps2).draw(3)) == unknown);
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, 99).draw(3)) == unknown);
  CHECK(r.run(rig::bound().bind_shaders(made::ps2, made::ps2).draw(3)) == wrong);
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, made::vs2).draw(3)) == wrong);
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, made::ps2, 0, made::vs4).draw(3)) == wrong);
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, made::ps2, 99).draw(3)) == none);
}

TEST_CASE("a poisoned shader lives, and draws that use it are unsupported", "[processor]") {
  pipeline_rig r;
  const byte_vector bare = token_bytes({0x00000040, 3, 0x0100003E});
  CHECK(r.run(rig::bound().create_shader(50, wire_ps, bare)) == none);
  CHECK(r.processor.poisoned().count == 1);
  CHECK(r.processor.poisoned().last.code == error_code::unsupported);
  CHECK(r.run(rig::bound().bind_shaders(made::vs4, 50).set_layout(made::ilay).draw(3)) ==
        error_code::unsupported);
  CHECK(r.run(stream_builder{}.create_shader(50, wire_ps, bare)) == error_code::handle_in_use);
  CHECK(r.run(stream_builder{}.destroy_shader(50).create_shader(50, wire_ps, ps_4_0_white())) ==
        none);
  CHECK(r.draws(stream_builder{}.draw(3)) == 1);
}

TEST_CASE("a shader that the backend does not support is poisoned", "[processor]") {
  pipeline_rig r;
  r.backend.plan({.at_call = 2, .code = error_code::unsupported});
  CHECK(r.run(stream_builder{}.create_shader(50, wire_ps, ps_4_0_white())) == none);
  CHECK(r.run(rig::bound_sm4().bind_shaders(made::vs4, 50).draw(3)) == error_code::unsupported);
}

TEST_CASE("a pixel shader is needed by SM1-3 vertex shaders that write colour", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().bind_shaders(made::vs2, 0).targets({}, made::depth).draw(3)) == 1);
  CHECK(r.draws(rig::bound().bind_shaders(made::vs2, 0).targets({0, 0}, made::depth).draw(3)) == 1);
  CHECK(r.draws(rig::bound_sm4().bind_shaders(made::vs4, 0).draw(3)) == 1);
  CHECK(r.run(rig::bound().bind_shaders(made::vs2, 0).draw(3)) == missing);
}

TEST_CASE("targets are live textures of a fitting format", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(stream_builder{}
                    .create_texture(20, {.format = AEROGPU_FORMAT_BC1_RGBA_UNORM})
                    .create_texture(21, {.width = 8, .height = 8, .mips = 4, .layers = 2})
                    .create_view(22, 21, {.base_mip = 1, .base_layer = 1})
                    .create_view(23, 21, {.mips = 2})
                    .create_view(24, 21, {.layers = 2})) == none);
  const auto draw_to = [&](std::uint32_t color, std::uint32_t depth = 0) {
    return r.run(rig::bound().targets({color}, depth).draw(3));
  };
  CHECK(draw_to(77) == unknown);
  CHECK(draw_to(made::vertices) == wrong);
  CHECK(draw_to(made::depth) == bad);
  CHECK(draw_to(20) == bad);
  CHECK(draw_to(0, made::target) == bad);
  CHECK(draw_to(23) == bad);
  CHECK(draw_to(24) == bad);
  CHECK(draw_to(made::target, made::depth) == none);
  CHECK(r.draws(rig::bound().targets({0, 22}).draw(3), [](const auto& call) {
    const auto& t = call.state.targets;
    CHECK(t.color_count == 2);
    CHECK(t.colors[0].texture == nullptr);
    CHECK(t.colors[1].view != nullptr);
    CHECK(t.colors[1].width == 4);
    CHECK(t.colors[1].where.array_layer == 1);
  }) == 1);
}

TEST_CASE("trailing gaps of the target list are cut", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().targets({made::target, 0, 0}).draw(3),
                [](const auto& call) { CHECK(call.state.targets.color_count == 1); }) == 1);
}

TEST_CASE("SM1-3 inputs need a layout, SM4 inputs do not", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(rig::bound().set_layout(0).draw(3)) == missing);
  CHECK(r.run(rig::bound().set_layout(99).draw(3)) == unknown);
  CHECK(r.draws(rig::bound_sm4().set_layout(0).draw(3), [](const auto& call) {
    CHECK(call.state.input_layout == nullptr);
    CHECK(call.state.fetch->attributes.empty());
  }) == 1);
  CHECK(r.run(rig::bound_sm4().set_layout(99).draw(3)) == unknown);
  CHECK(
      r.draws(rig::bound_sm4().bind_shaders(made::vs4_origin, made::ps4).set_layout(99).draw(3)) ==
      1);
}

TEST_CASE("a destroyed layout fails the draws that need it", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().draw(3)) == 1);
  CHECK(r.run(stream_builder{}.destroy_layout(made::declaration).draw(3)) == unknown);
}

TEST_CASE("streams of a declaration need a buffer and a stride", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(rig::bound().vertex_buffer(0, 0).draw(3)) == missing);
  CHECK(r.run(rig::bound().vertex_buffer(0, made::vertices, 0).draw(3)) == missing);
  CHECK(r.run(rig::bound().vertex_buffer(0, 77).draw(3)) == unknown);
  CHECK(r.run(rig::bound().vertex_buffer(0, made::texture).draw(3)) == wrong);
  CHECK(r.run(rig::bound().vertex_buffer(0, made::vertices, 16, 257).draw(3)) == bad);
  CHECK(r.run(rig::bound().vertex_buffer(0, made::vertices, 16, 256).draw(3)) == none);
  CHECK(r.run(rig::bound().destroy(made::vertices).draw(3)) == missing);
}

TEST_CASE("slots of an ILAY layout may be unbound or without stride", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound_sm4().vertex_buffer(0, 0).draw(3), [](const auto& call) {
    CHECK(call.state.fetch->slots == 1);
    CHECK(call.state.vertex_buffers[0].buffer == nullptr);
  }) == 1);
  CHECK(r.draws(rig::bound_sm4().vertex_buffer(0, made::vertices, 0).draw(3)) == 1);
  CHECK(r.run(rig::bound_sm4().vertex_buffer(0, made::vertices, 12).draw(3)) == bad);
  CHECK(r.run(rig::bound_sm4().vertex_buffer(0, 77).draw(3)) == unknown);
}

TEST_CASE("slots that the layout does not read are not looked at", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().vertex_buffer(5, 77).vertex_buffer(6, made::texture).draw(3),
                [](const auto& call) {
                  CHECK(call.state.vertex_buffers[0].buffer != nullptr);
                  CHECK(call.state.vertex_buffers[5].buffer == nullptr);
                }) == 1);
}

TEST_CASE("the index buffer is a buffer, at a multiple of the index size", "[processor]") {
  pipeline_rig r;
  const auto draw = [&](std::uint32_t handle, std::uint32_t format, std::uint32_t offset) {
    return r.run(rig::bound().index_buffer(handle, format, offset).draw_indexed(3));
  };
  CHECK(draw(made::indices, 0, 2) == none);
  CHECK(draw(made::indices, 0, 1) == bad);
  CHECK(draw(made::indices, 1, 4) == none);
  CHECK(draw(made::indices, 1, 2) == bad);
  CHECK(draw(77, 0, 0) == unknown);
  CHECK(draw(made::texture, 0, 0) == wrong);
  CHECK(r.run(rig::bound().destroy(made::indices).draw_indexed(3)) == missing);
  CHECK(r.run(rig::bound().index_buffer(77).draw(3)) == none);
}

TEST_CASE("patches need hull and domain shaders of their control points", "[processor]") {
  pipeline_rig r;
  const auto shader = [](std::uint32_t type, std::uint32_t declaration) {
    return make_sm4("SHEX", make_signature({}), make_signature({}),
                    {type << 16 | 0x50, 4, declaration, 0x0100003E});
  };
  REQUIRE(r.run(stream_builder{}
                    .create_shader(60, {2, 3}, shader(3, 0x01000093 | 3u << 11))
                    .create_shader(61, {2, 4}, shader(4, 0x01000095))) == none);
  const auto with = [&](std::uint32_t hull, std::uint32_t domain, std::uint32_t topology) {
    return r.run(rig::bound_sm4()
                     .bind_all_shaders({made::vs4, made::ps4, 0, 0}, {0, hull, domain})
                     .topology(topology)
                     .draw(3));
  };
  CHECK(with(60, 61, AEROGPU_TOPOLOGY_PATCHLIST_3) == none);
  CHECK(with(60, 61, AEROGPU_TOPOLOGY_PATCHLIST_4) == bad);
  CHECK(with(60, 0, AEROGPU_TOPOLOGY_PATCHLIST_3) == missing);
  CHECK(with(0, 61, AEROGPU_TOPOLOGY_PATCHLIST_3) == missing);
  CHECK(with(99, 61, AEROGPU_TOPOLOGY_PATCHLIST_3) == unknown);
  CHECK(with(99, 98, AEROGPU_TOPOLOGY_TRIANGLELIST) == none);
}

TEST_CASE("draws that can write nothing are checked and not handed on", "[processor]") {
  pipeline_rig r;
  aerogpu_blend_state masked{};
  masked.sample_mask = 2;
  CHECK(r.draws(rig::bound().blend(masked).draw(3)) == 0);
  CHECK(r.run(stream_builder{}.vertex_buffer(0, 0).draw(3)) == missing);
  masked.sample_mask = 1;
  CHECK(r.draws(rig::bound().blend(masked).draw(3)) == 1);
  CHECK(r.draws(stream_builder{}.viewport({8, 8, 4, 4, 0, 1}).draw(3)) == 0);
  CHECK(r.draws(stream_builder{}.viewport({0, 0, 0, 0, 0, 1}).draw(3)) == 1);
  CHECK(r.draws(stream_builder{}.scissor(9, 9, 1, 1).draw(3)) == 1);
  CHECK(r.draws(stream_builder{}.render_state(174, 1).draw(3)) == 0);
  CHECK(r.draws(stream_builder{}.scissor(7, 7, 1, 1).draw(3)) == 1);
}

TEST_CASE("the viewport applies to the smallest target", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(stream_builder{}.create_texture(20, {.width = 64, .height = 64})) == none);
  const auto at = [](float x) { return std::array<float, 6>{x, 0, 8, 8, 0, 1}; };
  CHECK(r.draws(rig::bound().targets({20}).viewport(at(32)).draw(3)) == 1);
  CHECK(r.draws(stream_builder{}.targets({20}, made::depth).draw(3)) == 0);
}

TEST_CASE("a dispatch checks stage, counts and shader in that order", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(stream_builder{}.dispatch(0, 1, 1, 1)) == bad);
  CHECK(r.run(stream_builder{}.dispatch(0, 1, 1)) == none);
  CHECK(r.run(stream_builder{}.dispatch(70'000, 1, 1)) == missing);
  CHECK(r.run(stream_builder{}.bind_shaders(0, 0, 99).dispatch(70'000, 1, 1)) == unknown);
  CHECK(r.run(stream_builder{}.bind_shaders(0, 0, made::vs4).dispatch(70'000, 1, 1)) == wrong);
  CHECK(r.run(stream_builder{}.bind_shaders(0, 0, made::cs5).dispatch(1, 65'536, 1)) == bad);
  CHECK(r.run(stream_builder{}.dispatch(65'535, 1, 65'535)) == none);
  CHECK(r.run(stream_builder{}.bind_shaders(0, 0, 0, made::gs4).dispatch(1, 1, 1, 2)) == none);
}

}  // namespace aerogpu
