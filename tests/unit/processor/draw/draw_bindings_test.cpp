// SPDX-License-Identifier: MIT
#include "tests/unit/processor/pipeline_rig.hpp"

namespace aerogpu {
namespace {

using rig = pipeline_rig;

/// The change bit of a stage.
constexpr auto bit(state_change change, shader_stage stage = shader_stage::vertex)
    -> std::uint32_t {
  return static_cast<std::uint32_t>(change) << static_cast<std::uint32_t>(stage);
}

/// Bits that the last draw of a stream came with.
auto changes_of(pipeline_rig& r, const stream_builder& stream) -> std::uint32_t {
  std::uint32_t changes = 0;
  REQUIRE(r.draws(stream, [&](const auto& call) { changes = call.changes; }) >= 1);
  return changes;
}

}  // namespace

TEST_CASE("a texture that is a target reads as unbound, and comes back with another target",
          "[processor][hazard]") {
  pipeline_rig r;
  int draw = 0;
  r.draws(rig::bound()
              .set_texture(wire_ps, 0, made::target)
              .set_texture(wire_ps, 1, made::texture)
              .draw(3)
              .targets({made::other_target})
              .draw(3)
              .targets({0, made::target})
              .draw(3)
              .targets({made::other_target})
              .draw(3),
          [&](const auto& call) {
            const bool is_hidden = draw++ % 2 == 0;
            CHECK(texture_in(call, 0) == (is_hidden ? 0 : made::target));
            CHECK(texture_in(call, 1) == made::texture);
          });
  CHECK(draw == 4);
}

TEST_CASE("a hazard is seen through an alias, and for the depth buffer", "[processor][hazard]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound()
                    .export_surface(made::target, 9)
                    .import_surface(30, 9)
                    .set_texture(wire_vs, 3, 30)
                    .set_texture(wire_ps, 2, made::depth)
                    .targets({made::target}, made::depth)
                    .draw(3),
                [](const auto& call) {
                  CHECK(texture_in(call, 3, shader_stage::vertex) == 0);
                  CHECK(texture_in(call, 2) == 0);
                }) == 1);
}

TEST_CASE("a view of other subresources than the target is no hazard", "[processor][hazard]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound()
                    .create_texture(40, {.width = 8, .height = 8, .mips = 4})
                    .create_view(41, 40, {.base_mip = 1})
                    .create_view(42, 40, {.base_mip = 0})
                    .create_view(43, 40, {.base_mip = 0, .mips = 2})
                    .targets({41})
                    .set_texture(wire_ps, 0, 42)
                    .set_texture(wire_ps, 1, 43)
                    .set_texture(wire_ps, 2, 40)
                    .draw(3),
                [](const auto& call) {
                  CHECK(texture_in(call, 0) == 40);
                  CHECK(texture_in(call, 1) == 0);
                  CHECK(texture_in(call, 2) == 0);
                }) == 1);
}

TEST_CASE("a dispatch reads a bound target", "[processor][hazard]") {
  pipeline_rig r;
  CHECK(
      r.dispatches(rig::bound_sm4().set_texture(wire_cs, 0, made::target).draw(3).dispatch(1, 1, 1),
                   [](const auto& call) {
                     CHECK(texture_in(call, 0, shader_stage::compute) == made::target);
                   }) == 1);
  // A dispatch of another stage leaves the hazard of its draws in force.
  const auto gs = rig::bound_sm4()
                      .bind_shaders(made::vs4, made::ps4, 0, made::gs4)
                      .set_texture(wire_gs, 0, made::target);
  CHECK(r.dispatches(stream_builder{gs}.draw(3).dispatch(1, 1, 1, 2), [](const auto& call) {
    CHECK(texture_in(call, 0, shader_stage::geometry) == made::target);
  }) == 1);
  CHECK(r.draws(stream_builder{}.draw(3), [](const auto& call) {
    CHECK(texture_in(call, 0, shader_stage::geometry) == 0);
  }) == 1);
}

TEST_CASE("a buffer that a running stage writes reads as unbound", "[processor][hazard]") {
  pipeline_rig r;
  const auto srv = [](const auto& call, shader_stage stage) {
    return stage_of_call(call, stage).resources[0].buffer.buffer != nullptr;
  };
  const auto bindings = stream_builder{}
                            .resource_buffers(wire_cs, 0, {{made::buffer}})
                            .unordered_access(wire_cs, 2, {{made::buffer}});
  CHECK(r.dispatches(rig::bound_sm4()
                         .append(const_bytes{bindings.bytes()}.subspan(24))
                         .dispatch(1, 1, 1)
                         .unordered_access(wire_cs, 2, {{0}})
                         .dispatch(2, 1, 1),
                     [&](const auto& call) {
                       CHECK(srv(call, shader_stage::compute) == (call.x == 2));
                     }) == 2);
  // In a draw the writer may be another stage, if it has a shader.
  int draw = 0;
  r.draws(rig::bound_sm4()
              .set_texture(wire_ps, 0, made::buffer)
              .unordered_access(wire_gs, 0, {{made::buffer}})
              .draw(3)
              .bind_shaders(made::vs4, made::ps4, 0, made::gs4)
              .draw(3)
              .bind_shaders(made::vs4, made::ps4)
              .draw(3),
          [&](const auto& call) { CHECK(srv(call, shader_stage::pixel) == (draw++ != 1)); });
  CHECK(draw == 3);
}

TEST_CASE("buffer ranges are clipped to their buffer", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(stream_builder{}.create_buffer(20, 128 << 10)) == error_code::none);
  CHECK(r.draws(rig::bound_sm4()
                    .constant_buffers(wire_vs, 0,
                                      {{made::buffer, 16, 32},
                                       {made::buffer, 240, 64},
                                       {made::buffer, 16, 0},
                                       {made::buffer, 256, 4},
                                       {20, 0, 0},
                                       {77, 0, 0},
                                       {made::texture, 0, 0}})
                    .draw(3),
                [](const auto& call) {
                  const auto& cb = stage_of_call(call, shader_stage::vertex).constant_buffers;
                  CHECK((cb[0].offset_bytes == 16 && cb[0].size_bytes == 32));
                  CHECK((cb[1].offset_bytes == 240 && cb[1].size_bytes == 16));
                  CHECK((cb[2].offset_bytes == 16 && cb[2].size_bytes == 240));
                  CHECK(cb[3].buffer == nullptr);
                  CHECK(cb[4].size_bytes == 65'536);
                  CHECK(cb[5].buffer == nullptr);
                  CHECK(cb[6].buffer == nullptr);
                }) == 1);
}

TEST_CASE("a t slot holds a texture or a buffer, by the last packet", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound_sm4()
                    .set_texture(wire_ps, 0, made::texture)
                    .resource_buffers(wire_ps, 0, {{made::buffer, 4, 8}})
                    .resource_buffers(wire_ps, 1, {{made::buffer}})
                    .set_texture(wire_ps, 1, made::texture)
                    .set_texture(wire_ps, 127, made::buffer)
                    .resource_buffers(wire_ps, 3, {{made::texture}})
                    .draw(3),
                [](const auto& call) {
                  const auto& t = stage_of_call(call, shader_stage::pixel).resources;
                  CHECK(t[0].texture.texture == nullptr);
                  CHECK(t[0].buffer.size_bytes == 8);
                  CHECK(texture_in(call, 1) == made::texture);
                  CHECK(t[1].buffer.buffer == nullptr);
                  CHECK(t[127].buffer.size_bytes == 256);
                  CHECK(texture_in(call, 3) == 0);
                  CHECK(stage_of_call(call, shader_stage::pixel).resource_limit == 128);
                }) == 1);
}

TEST_CASE("SM1-3 programs see 16 textures and no tables", "[processor]") {
  pipeline_rig r;
  int draw = 0;
  r.draws(rig::bound()
              .create_sampler(1)
              .set_texture(wire_ps, 15, made::texture)
              .set_texture(wire_ps, 16, made::texture)
              .constant_buffers(wire_ps, 0, {{made::buffer}})
              .samplers(wire_ps, 0, {1})
              .draw(3)
              .bind_shaders(made::vs4, made::ps4)
              .set_layout(made::ilay)
              .draw(3)
              .bind_shaders(made::vs2, made::ps2)
              .set_layout(made::declaration)
              .draw(3),
          [&](const auto& call) {
            const bool is_sm4 = draw++ == 1;
            const auto& ps = stage_of_call(call, shader_stage::pixel);
            CHECK(texture_in(call, 15) == made::texture);
            CHECK(texture_in(call, 16) == (is_sm4 ? made::texture : 0));
            CHECK((ps.constant_buffers[0].buffer != nullptr) == is_sm4);
            CHECK((ps.samplers[0] != nullptr) == is_sm4);
            CHECK(ps.resource_limit == (is_sm4 ? 17 : 16));
          });
  CHECK(draw == 3);
}

TEST_CASE("a destroyed resource leaves its slots, also when its number lives again",
          "[processor]") {
  pipeline_rig r;
  const auto bind = rig::bound()
                        .set_texture(wire_ps, 0, made::texture)
                        .targets({made::target, made::other_target});
  CHECK(r.draws(stream_builder{bind}.draw(3)) == 1);
  CHECK(r.draws(stream_builder{bind}.draw(3), {}, 5) == 1);
  REQUIRE(r.run(stream_builder{}
                    .destroy(made::texture)
                    .create_texture(made::texture, {})
                    .destroy(made::other_target)
                    .create_texture(made::other_target, color_spec)) == error_code::none);
  for (const std::uint32_t context : {0u, 5u}) {
    CHECK(r.draws(
              stream_builder{}.draw(3),
              [](const auto& call) {
                CHECK(texture_in(call, 0) == 0);
                CHECK(call.state.targets.color_count == 1);
              },
              context) == 1);
  }
}

TEST_CASE("destroying an alias leaves slots of the original alone", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound()
                    .export_surface(made::texture, 5)
                    .import_surface(30, 5)
                    .set_texture(wire_ps, 0, made::texture)
                    .set_texture(wire_ps, 1, 30)
                    .destroy(30)
                    .draw(3),
                [](const auto& call) {
                  CHECK(texture_in(call, 0) == made::texture);
                  CHECK(texture_in(call, 1) == 0);
                }) == 1);
}

TEST_CASE("a slot that was bound early takes its object once that exists", "[processor]") {
  pipeline_rig r;
  int draw = 0;
  r.draws(rig::bound().set_texture(wire_ps, 0, 70).draw(3).create_texture(70, {}).draw(3),
          [&](const auto& call) { CHECK(texture_in(call, 0) == (draw++ == 0 ? 0 : 70)); });
  CHECK(draw == 2);
  CHECK(r.draws(stream_builder{}.destroy(70).create_texture(70, {}).draw(3),
                [](const auto& call) { CHECK(texture_in(call, 0) == 0); }) == 1);
}

TEST_CASE("samplers are replaced in place and unbound by destruction", "[processor]") {
  pipeline_rig r;
  const auto filter = [](const auto& call, std::size_t slot) -> std::uint32_t {
    const auto* sampler = stage_of_call(call, shader_stage::pixel).samplers[slot];
    return sampler == nullptr ? 99 : sampler->desc.filter;
  };
  std::vector<std::uint32_t> seen;
  std::vector<bool> changed;
  r.draws(rig::bound_sm4()
              .create_sampler(1, 0)
              .samplers(wire_ps, 14, {1, 44})
              .draw(3)
              .create_sampler(1, 1)
              .draw(3)
              .create_sampler(1, 0)
              .create_sampler(1, 1)
              .draw(3)
              .destroy_sampler(1)
              .draw(3)
              .create_sampler(1, 0)
              .draw(3)
              .samplers(wire_ps, 14, {1})
              .draw(3),
          [&](const auto& call) {
            seen.push_back(filter(call, 14));
            CHECK(filter(call, 15) == 99);
            changed.push_back(
                (call.changes & bit(state_change::stage_bindings, shader_stage::pixel)) != 0);
          });
  CHECK(seen == std::vector<std::uint32_t>{0, 1, 1, 99, 99, 0});
  CHECK(changed == std::vector<bool>{true, true, true, true, false, true});
}

TEST_CASE("a sampler slot that was bound early keeps to the first sampler of its number",
          "[processor]") {
  pipeline_rig r;
  std::vector<bool> seen;
  r.draws(rig::bound_sm4()
              .samplers(wire_ps, 3, {44})
              .draw(3)
              .create_sampler(44)
              .draw(3)
              .destroy_sampler(44)
              .create_sampler(44)
              .draw(3),
          [&](const auto& call) {
            seen.push_back(stage_of_call(call, shader_stage::pixel).samplers[3] != nullptr);
          });
  CHECK(seen == std::vector<bool>{false, true, false});
}

TEST_CASE("the tables of a stage end behind their last bound slot", "[processor]") {
  pipeline_rig r;
  CHECK(r.dispatches(rig::bound_sm4()
                         .unordered_access(wire_cs, 2, {{made::buffer}})
                         .constant_buffers(wire_cs, 4, {{made::buffer}})
                         .resource_buffers(wire_cs, 6, {{made::texture}})
                         .dispatch(1, 1, 1)
                         .unordered_access(wire_cs, 2, {{0}})
                         .constant_buffers(wire_cs, 4, {{0}})
                         .resource_buffers(wire_cs, 6, {{0}})
                         .dispatch(2, 1, 1),
                     [](const auto& call) {
                       const auto& cs = stage_of_call(call, shader_stage::compute);
                       const bool is_bound = call.x == 1;
                       CHECK(cs.unordered_access_limit == (is_bound ? 3 : 0));
                       CHECK(cs.constant_buffer_limit == (is_bound ? 5 : 0));
                       CHECK(cs.resource_limit == (is_bound ? 7 : 0));
                     }) == 2);
}

TEST_CASE("every state of a context is its own, and lasts", "[processor]") {
  pipeline_rig r;
  const auto scene = rig::bound()
                         .render_state(27, 1)
                         .sampler_state(1, 0, 5, 2)
                         .constants_f(wire_vs, 1, {{1, 2, 3, 4}})
                         .topology(AEROGPU_TOPOLOGY_LINELIST)
                         .viewport({0, 0, 4, 4, 0, 1})
                         .scissor(0, 0, 2, 2)
                         .draw(3);
  CHECK(r.draws(scene, {}, 1) == 1);
  CHECK(r.run(stream_builder{}.draw(3), 2) == error_code::missing_binding);
  CHECK(r.draws(
            rig::bound().draw(3),
            [](const auto& call) {
              CHECK(call.state.context == context_id{2});
              CHECK_FALSE(call.state.fixed->blend.enable);
              CHECK(call.state.d3d9->sampler_states[1][0][5] == 1);
              CHECK(call.state.fixed->topology == AEROGPU_TOPOLOGY_TRIANGLELIST);
              CHECK_FALSE(call.state.fixed->viewport.is_set);
              CHECK_FALSE(call.state.fixed->scissor.is_set);
              CHECK(stage_of_call(call, shader_stage::vertex).constants.floats.empty());
            },
            2) == 1);
  CHECK(r.draws(
            stream_builder{}.draw(3),
            [](const auto& call) {
              CHECK(call.state.context == context_id{1});
              CHECK(call.state.fixed->blend.enable);
              CHECK(call.state.fixed->topology == AEROGPU_TOPOLOGY_LINELIST);
              CHECK(call.state.fixed->viewport.width == 4);
              CHECK(stage_of_call(call, shader_stage::vertex).constants.floats[1] ==
                    vec4f{1, 2, 3, 4});
            },
            1) == 1);
}

TEST_CASE("contexts are limited", "[processor]") {
  null_backend backend;
  limits most;
  most.contexts = 2;
  command_processor<null_backend> processor{backend, most};
  fake_memory memory;
  const auto run = [&](std::uint32_t context) {
    const byte_vector stream = stream_builder{}.nop().bytes();
    return processor.execute({context_id{context}, {}, stream, nullptr}, memory).why.code;
  };
  CHECK(run(0) == error_code::none);
  CHECK(run(0xFFFFFFFF) == error_code::none);
  CHECK(run(7) == error_code::out_of_memory);
  CHECK(run(0) == error_code::none);
}

TEST_CASE("a draw tells what changed since the one before", "[processor]") {
  pipeline_rig r;
  CHECK(changes_of(r, rig::bound().draw(3)) == 0xFFFFFFFF);
  constexpr std::uint32_t compute = bit(state_change::stage_bindings, shader_stage::compute) |
                                    bit(state_change::stage_constants, shader_stage::compute);
  const auto after = [&](const stream_builder& stream) {
    return changes_of(r, stream_builder{stream}.draw(3)) & ~compute;
  };
  CHECK(after(stream_builder{}) == 0);
  CHECK(after(stream_builder{}.render_state(27, 1)) == bit(state_change::fixed_function));
  CHECK(after(stream_builder{}.constants_f(wire_ps, 0, {{}})) ==
        bit(state_change::stage_constants, shader_stage::pixel));
  CHECK(after(stream_builder{}.set_texture(wire_ps, 0, made::texture)) ==
        bit(state_change::stage_bindings, shader_stage::pixel));
  CHECK(after(stream_builder{}.vertex_buffer(0, made::vertices, 32)) ==
        bit(state_change::vertex_buffers));
  CHECK(after(stream_builder{}.index_buffer(made::indices, AEROGPU_INDEX_FORMAT_UINT32)) ==
        bit(state_change::index_buffer));
  CHECK(after(stream_builder{}.targets({made::other_target})) == bit(state_change::targets));
  CHECK(after(stream_builder{}.bind_shaders(made::vs2, made::ps2)) == 0);
  // Names that do not matter to the draw change nothing for the backend.
  CHECK(after(stream_builder{}.create_buffer(99, 16).destroy(99)) == 0);
  CHECK((after(stream_builder{}.destroy(made::texture)) &
         bit(state_change::stage_bindings, shader_stage::pixel)) != 0);
}

TEST_CASE("binding once more what is bound is no change", "[processor]") {
  pipeline_rig r;
  const auto bindings = [] {
    return rig::bound_sm4()
        .create_sampler(1)
        .topology(AEROGPU_TOPOLOGY_LINELIST)
        .vertex_buffers(0, {{made::vertices, 16, 4, 0}, {made::buffer, 16, 0, 0}})
        .index_buffer(made::indices, AEROGPU_INDEX_FORMAT_UINT32, 4)
        .set_texture(wire_ps, 0, made::texture)
        .set_texture(wire_ps, 2, 0)
        .resource_buffers(wire_ps, 1, {{made::buffer, 4, 8}})
        .constant_buffers(wire_vs, 0, {{made::buffer, 16, 32}});
  };
  CHECK(r.draws(bindings().samplers(wire_ps, 0, {1}).draw(3)) == 1);
  constexpr std::uint32_t compute = bit(state_change::stage_bindings, shader_stage::compute) |
                                    bit(state_change::stage_constants, shader_stage::compute);
  const auto again = stream_builder{}
                         .topology(AEROGPU_TOPOLOGY_LINELIST)
                         .vertex_buffers(0, {{made::vertices, 16, 4, 0}, {made::buffer, 16, 0, 0}})
                         .index_buffer(made::indices, AEROGPU_INDEX_FORMAT_UINT32, 4)
                         .set_texture(wire_ps, 0, made::texture)
                         .set_texture(wire_ps, 2, 0)
                         .resource_buffers(wire_ps, 1, {{made::buffer, 4, 8}})
                         .constant_buffers(wire_vs, 0, {{made::buffer, 16, 32}})
                         .samplers(wire_ps, 0, {1})
                         .draw(3);
  CHECK((changes_of(r, again) & ~compute) == 0);
}

TEST_CASE("what is bound between two draws is as if it had been bound before both",
          "[processor][hazard]") {
  const bool is_sm4 = GENERATE(false, true);
  const std::uint32_t slot = GENERATE(0u, 15u, 16u, 127u);
  const std::uint32_t before = GENERATE(0u, +made::texture, +made::buffer, 51u);
  const std::uint32_t name =
      GENERATE(0u, +made::texture, +made::target, +made::buffer, 50u, 51u, 52u, 77u);
  struct seen {
    std::uint32_t texture = 0, limit = 0;
    bool has_view = false, has_buffer = false;
    auto operator==(const seen&) const -> bool = default;
  };
  const auto last_seen = [&](const stream_builder& stream) {
    pipeline_rig r;
    const auto names = stream_builder{}
                           .export_surface(made::target, 9)
                           .import_surface(50, 9)
                           .create_view(51, made::other_target, {})
                           .create_view(52, made::target, {});
    REQUIRE(r.run(names) == error_code::none);
    seen last;
    r.draws(stream, [&](const auto& call) {
      const auto& ps = stage_of_call(call, shader_stage::pixel);
      last = {texture_in(call, slot), ps.resource_limit, ps.resources[slot].texture.view != nullptr,
              ps.resources[slot].buffer.buffer != nullptr};
    });
    return last;
  };
  const auto bound = is_sm4 ? rig::bound_sm4() : rig::bound();
  const auto at_first = stream_builder{bound}.set_texture(wire_ps, slot, before);
  CHECK(last_seen(stream_builder{at_first}.draw(3).set_texture(wire_ps, slot, name).draw(3)) ==
        last_seen(stream_builder{at_first}.set_texture(wire_ps, slot, name).draw(3)));
}

TEST_CASE("after a failed draw everything counts as changed", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().draw(3)) == 1);
  r.backend.plan({.at_call = 2});
  CHECK(r.run(stream_builder{}.draw(3)) == error_code::out_of_memory);
  r.backend.plan({});
  CHECK(changes_of(r, stream_builder{}.draw(3)) == 0xFFFFFFFF);
}

TEST_CASE("a shader's number may live again with other code", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound_sm4().draw(3)) == 1);
  CHECK(r.run(stream_builder{}.destroy_shader(made::vs4).draw(3)) == error_code::unknown_handle);
  REQUIRE(r.run(stream_builder{}.create_shader(made::vs4, wire_vs, vs_4_0_origin())) ==
          error_code::none);
  CHECK(r.draws(stream_builder{}.draw(3), [](const auto& call) {
    CHECK(call.state.fetch->attributes.empty());
    CHECK((call.changes & bit(state_change::shaders)) != 0);
  }) == 1);
}

TEST_CASE("each pair of layout and shader is matched anew, however many there were before",
          "[processor]") {
  pipeline_rig r;
  constexpr std::uint32_t count = 80;
  const auto create_layouts = [] {
    stream_builder stream;
    for (std::uint32_t i = 0; i < count; ++i) {
      stream.create_layout(100 + i, ilay_blob({{.slot = i % 16, .offset = 4 * i}}));
    }
    return stream;
  };
  REQUIRE(r.run(create_layouts()) == error_code::none);
  REQUIRE(r.run(rig::bound_sm4()) == error_code::none);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < count; ++i) {
      INFO(i);
      CHECK(r.draws(stream_builder{}
                        .set_layout(100 + i)
                        .vertex_buffer(i % 16, made::vertices, 1024)
                        .draw(3),
                    [&](const auto& call) {
                      REQUIRE(call.state.fetch->attributes.size() == 1);
                      CHECK(call.state.fetch->attributes[0].slot == i % 16);
                      CHECK(call.state.fetch->attributes[0].offset_bytes == 4 * i);
                    }) == 1);
    }
  }
}

TEST_CASE("vertex buffers that a layout does not read are not there for the backend",
          "[processor]") {
  pipeline_rig r;
  const auto slots_of = [&](const stream_builder& stream) {
    std::uint32_t slots = 0;
    CHECK(r.draws(stream, [&](const auto& call) {
      for (std::uint32_t i = 0; i < 16; ++i) {
        if (call.state.vertex_buffers[i].buffer != nullptr) slots |= 1u << i;
      }
    }) == 1);
    return slots;
  };
  REQUIRE(r.run(stream_builder{}
                    .create_layout(100, ilay_blob({{.slot = 1}}))
                    .create_layout(101, ilay_blob({{.slot = 3}}))) == error_code::none);
  const auto buffers = rig::bound_sm4().vertex_buffers(0, {{made::vertices, 16, 0, 0},
                                                           {made::vertices, 16, 0, 0},
                                                           {made::vertices, 16, 0, 0},
                                                           {made::vertices, 16, 0, 0}});
  CHECK(slots_of(stream_builder{buffers}.set_layout(100).draw(3)) == 2);
  CHECK(slots_of(stream_builder{}.set_layout(101).draw(3)) == 8);
  CHECK(slots_of(stream_builder{}.set_layout(made::ilay).draw(3)) == 1);
}

TEST_CASE("a vertex or index buffer is told with its size, offset, stride and format",
          "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound_sm4()
                    .vertex_buffers(0, {{made::vertices, 20, 12, 0}})
                    .index_buffer(made::indices, AEROGPU_INDEX_FORMAT_UINT32, 8)
                    .draw_indexed(3),
                [](const auto& call) {
                  const auto& vertices = call.state.vertex_buffers[0];
                  CHECK(vertices.offset_bytes == 12);
                  CHECK(vertices.stride_bytes == 20);
                  CHECK(vertices.buffer_size_bytes == 256);
                  CHECK(call.state.index_buffer.format == AEROGPU_INDEX_FORMAT_UINT32);
                  CHECK(call.state.index_buffer.offset_bytes == 8);
                  CHECK(call.state.index_buffer.buffer_size_bytes == 64);
                }) == 1);
}

TEST_CASE("what a packet destroys comes back to the backend at once", "[processor]") {
  pipeline_rig r;
  const auto before = r.backend.live_objects();
  const auto create = stream_builder{}
                          .create_shader(50, wire_ps, ps_2_0_white())
                          .create_layout(50, ilay_blob({{}}))
                          .create_sampler(50)
                          .create_buffer(50, 16)
                          .create_texture(51, {})
                          .create_view(52, 51, {});
  REQUIRE(r.run(create) == error_code::none);
  CHECK(r.backend.live_objects() == before + 6);
  CHECK(r.run(stream_builder{}.destroy_shader(50)) == error_code::none);
  CHECK(r.backend.live_objects() == before + 5);
  CHECK(r.run(stream_builder{}.destroy_layout(50)) == error_code::none);
  CHECK(r.backend.live_objects() == before + 4);
  CHECK(r.run(stream_builder{}.destroy_sampler(50)) == error_code::none);
  CHECK(r.backend.live_objects() == before + 3);
  CHECK(r.run(stream_builder{}.destroy_view(52).destroy(50).destroy(51)) == error_code::none);
  CHECK(r.backend.live_objects() == before);
}

TEST_CASE("objects come back to the backend on reset", "[processor]") {
  pipeline_rig r;
  CHECK(r.draws(rig::bound().create_sampler(1).draw(3)) == 1);
  CHECK(r.backend.live_objects() > 0);
  r.processor.reset();
  CHECK(r.backend.live_objects() == 0);
  CHECK(r.processor.counts() == object_counts{});
  CHECK(r.run(stream_builder{}.draw(3)) == error_code::missing_binding);
}

}  // namespace aerogpu
