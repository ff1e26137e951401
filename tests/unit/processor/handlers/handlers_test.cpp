// SPDX-License-Identifier: MIT
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/unit/processor/pipeline_rig.hpp"

#include <limits>

namespace aerogpu {
namespace {

using rig = pipeline_rig;
constexpr std::uint32_t color = AEROGPU_CLEAR_COLOR, depth = AEROGPU_CLEAR_DEPTH,
                        stencil = AEROGPU_CLEAR_STENCIL;
constexpr auto success = error_code::none;

/// A table with one allocation of a page at 0x1000.
struct one_page {
  std::array<alloc_table::slot, 4> slots{};
  alloc_table table{slots};

  one_page() { REQUIRE(table.parse(make_table({{1, 0, 0x1000, 0x1000, 0}}))); }
};

}  // namespace

TEST_CASE("a clear touches the parts that have a target", "[processor]") {
  pipeline_rig r;
  CHECK(r.clears(stream_builder{}.clear(color | depth | stencil)) == 0);
  const auto flags = [&](std::uint32_t wanted, const stream_builder& targets) {
    std::uint32_t seen = 0;
    r.clears(stream_builder{targets}.clear(wanted), [&](const auto& call) { seen = call.flags; });
    return seen;
  };
  const auto both = stream_builder{}.targets({0, made::target}, made::depth);
  CHECK(flags(0xFFFFFFFF, both) == (color | depth | stencil));
  CHECK(flags(depth, both) == depth);
  CHECK(flags(0xF8, both) == 0);
  CHECK(flags(color | depth, stream_builder{}.targets({made::target})) == color);
  CHECK(flags(color | stencil, stream_builder{}.targets({}, made::depth)) == stencil);
  const auto d32 =
      stream_builder{}.create_texture(20, {.format = AEROGPU_FORMAT_D32_FLOAT}).targets({}, 20);
  CHECK(flags(depth | stencil, d32) == depth);
}

TEST_CASE("a clear checks its targets as a draw does", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(stream_builder{}.targets({77}).clear(0)) == success);
  CHECK(r.run(stream_builder{}.targets({77}).clear(color)) == error_code::unknown_handle);
  CHECK(r.run(stream_builder{}.targets({made::depth}).clear(color)) ==
        error_code::invalid_parameter);
  CHECK(r.run(stream_builder{}.targets({made::target}).destroy(made::target).clear(color)) ==
        success);
}

TEST_CASE("a clear obeys the scissor of render state 174 only", "[processor]") {
  pipeline_rig r;
  aerogpu_rasterizer_state raster{};
  raster.scissor_enable = 1;
  const auto has_scissor = [&](const stream_builder& stream) {
    bool seen = false;
    CHECK(r.clears(stream_builder{stream}.clear(color),
                   [&](const auto& call) { seen = call.has_scissor; }) == 1);
    return seen;
  };
  CHECK_FALSE(has_scissor(stream_builder{}.targets({made::target}).scissor(1, 1, 2, 2)));
  CHECK(has_scissor(stream_builder{}.render_state(174, 1)));
  CHECK_FALSE(has_scissor(stream_builder{}.rasterizer(raster)));
  CHECK(has_scissor(stream_builder{}.render_state(174, 1)));
  CHECK_FALSE(has_scissor(stream_builder{}.scissor(0, 0, 0, 0)));
  CHECK(r.clears(stream_builder{}.scissor(100, 100, 5, 5).clear(color)) == 0);
}

TEST_CASE("a clear hands on a bounded depth and 8 bits of stencil", "[processor]") {
  pipeline_rig r;
  const auto [given, stored] =
      GENERATE(table<float, float>({{-1.0f, 0.0f},
                                    {0.25f, 0.25f},
                                    {2.0f, 1.0f},
                                    {std::numeric_limits<float>::quiet_NaN(), 0.0f}}));
  CHECK(r.clears(stream_builder{}.targets({}, made::depth).clear(depth | stencil, {}, given, 0x1FF),
                 [expected = stored](const auto& call) {
                   CHECK(call.depth == expected);
                   CHECK(call.stencil == 0xFF);
                 }) == 1);
}

TEST_CASE("a whole clear needs no guest memory, a partial one does", "[processor]") {
  pipeline_rig r;
  one_page page;
  r.memory.map(gpa{0x1000}, 0x1000);
  const texture_spec backed{.width = 8, .height = 8, .pitch = 32, .memory = {1, 0}};
  REQUIRE(r.run(stream_builder{}.create_texture(20, backed).targets({20}), 0, &page.table) ==
          success);
  CHECK(r.run(stream_builder{}.scissor(0, 0, 4, 4).render_state(174, 1).clear(color)) ==
        error_code::missing_alloc_table);
  CHECK(r.run(stream_builder{}.scissor(0, 0, 8, 8).clear(color)) == success);
  CHECK(r.run(stream_builder{}.scissor(0, 0, 4, 4).clear(color)) == success);  // now clean
}

TEST_CASE("clearing depth alone keeps the stencil that guest memory has", "[processor]") {
  pipeline_rig r;
  one_page page;
  r.memory.map(gpa{0x1000}, 0x1000);
  texture_spec backed = depth_spec;
  backed.pitch = 32;
  backed.memory = {1, 0};
  REQUIRE(r.run(stream_builder{}.create_texture(20, backed).targets({}, 20), 0, &page.table) ==
          success);
  CHECK(r.run(stream_builder{}.clear(depth | stencil)) == success);
}

TEST_CASE("a draw reads what is dirty of all it uses, and fails whole without the table",
          "[processor]") {
  pipeline_rig r;
  one_page page;
  r.memory.map(gpa{0x1000}, 0x1000);
  const backing memory{1, 0};
  REQUIRE(r.run(stream_builder{}
                    .create_buffer(20, 256, memory)
                    .create_buffer(21, 64, memory)
                    .create_buffer(22, 64, memory)
                    .create_texture(23, {.pitch = 16, .memory = memory})
                    .create_texture(24, {.width = 8, .height = 8, .pitch = 32, .memory = memory}),
                0, &page.table) == success);
  const std::vector<stream_builder> uses{
      stream_builder{}.vertex_buffer(0, 20), stream_builder{}.index_buffer(21),
      stream_builder{}.constant_buffers(wire_vs, 3, {{22}}),
      stream_builder{}.set_texture(wire_ps, 9, 23), stream_builder{}.targets({24})};
  REQUIRE(r.run(rig::bound_sm4().draw_indexed(3)) == success);
  for (const stream_builder& use : uses) {
    CHECK(r.run(stream_builder{use}.draw_indexed(3)) == error_code::missing_alloc_table);
    CHECK(r.run(stream_builder{}.draw_indexed(3)) == error_code::missing_alloc_table);
    CHECK(r.run(stream_builder{}.draw_indexed(3), 0, &page.table) == success);
    CHECK(r.run(stream_builder{}.draw_indexed(3)) == success);
  }
}

TEST_CASE("a failed draw leaves dirty what it had read", "[processor]") {
  pipeline_rig r;
  one_page page;
  r.memory.map(gpa{0x1000}, 0x1000);
  REQUIRE(r.run(rig::bound().create_buffer(20, 256, {1, 0}).vertex_buffer(0, 20), 0, &page.table) ==
          success);
  r.backend.plan({.at_call = 4});  // begin, stage, upload, draw
  REQUIRE(r.run(stream_builder{}.draw(3), 0, &page.table) == error_code::out_of_memory);
  r.backend.plan({});
  CHECK(r.run(stream_builder{}.draw(3)) == error_code::missing_alloc_table);
}

TEST_CASE("what a stage without a shader has bound may stay dirty", "[processor]") {
  pipeline_rig r;
  one_page page;
  r.memory.map(gpa{0x1000}, 0x1000);
  REQUIRE(r.run(rig::bound_sm4()
                    .create_buffer(20, 256, {1, 0})
                    .constant_buffers(wire_gs, 0, {{20}})
                    .vertex_buffer(7, 20),
                0, &page.table) == success);
  CHECK(r.run(stream_builder{}.draw(3)) == success);
  CHECK(r.run(stream_builder{}.bind_shaders(made::vs4, made::ps4, 0, made::gs4).draw(3)) ==
        error_code::missing_alloc_table);
}

TEST_CASE("presents are reported with what they show", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(stream_builder{}
                  .present(0, 1)
                  .targets({0, made::target})
                  .present_ex(0, 0, 0xFFFFFFFF)
                  .targets({77})
                  .present(3, 0)) == success);
  const present_log& log = r.processor.presents();
  REQUIRE(log.size() == 3);
  CHECK(log[0].count == 1);
  CHECK(log[0].flags == 1);
  CHECK(log[0].handle == resource_handle{0});
  CHECK(log[1].handle == resource_handle{made::target});
  CHECK(log[1].width == 8);
  CHECK(log[1].format == AEROGPU_FORMAT_B8G8R8A8_UNORM);
  CHECK(log[2].scanout_id == 3);
  CHECK(log[2].handle == resource_handle{0});
  REQUIRE(r.processor.presented() != nullptr);
  CHECK(r.processor.presented()->name == resource_handle{made::target});
  CHECK(r.run(stream_builder{}.nop()) == success);
  CHECK(r.processor.presents().size() == 0);
  CHECK(r.processor.presents().count() == 3);
}

TEST_CASE("a present without a live target shows the guest frame buffer", "[processor]") {
  pipeline_rig r;
  CHECK(r.run(stream_builder{}.targets({made::target, made::other_target}).present()) == success);
  CHECK(r.processor.presented()->name == resource_handle{made::target});
  CHECK(r.run(stream_builder{}.destroy(made::target).present()) == success);
  CHECK(r.processor.presented()->name == resource_handle{made::other_target});
  CHECK(r.run(stream_builder{}.targets({77, made::other_target}).present()) == success);
  CHECK(r.processor.presented() == nullptr);
  CHECK(r.run(stream_builder{}.targets({made::depth}).present()) == success);
  CHECK(r.processor.presented() == nullptr);
}

TEST_CASE("a packet with a reserved handle binds nothing", "[processor]") {
  pipeline_rig r;
  REQUIRE(r.run(rig::bound()
                    .export_surface(made::texture, 5)
                    .import_surface(30, 5)
                    .destroy(made::texture)) == success);
  constexpr auto gone = error_code::unknown_handle;
  const std::uint32_t dead = made::texture;
  CHECK(r.run(stream_builder{}.targets({0, dead})) == gone);
  CHECK(r.run(stream_builder{}.targets({}, dead)) == gone);
  CHECK(r.run(stream_builder{}.vertex_buffers(0, {{0, 0, 0, 0}, {dead, 4, 0, 0}})) == gone);
  CHECK(r.run(stream_builder{}.index_buffer(dead)) == gone);
  CHECK(r.run(stream_builder{}.set_texture(wire_ps, 0, dead)) == gone);
  CHECK(r.run(stream_builder{}.constant_buffers(wire_ps, 0, {{0}, {dead}})) == gone);
  CHECK(r.run(stream_builder{}.resource_buffers(wire_ps, 0, {{dead}})) == gone);
  CHECK(r.run(stream_builder{}.unordered_access(wire_cs, 0, {{dead}})) == gone);
  CHECK(r.draws(stream_builder{}.draw(3)) == 1);
}

TEST_CASE("byte code and layouts are counted against one quota", "[processor]") {
  null_backend backend;
  limits most;
  most.shader_bytes = vs_4_0_position().size() + ilay_blob({{}}).size();
  command_processor<null_backend> processor{backend, most};
  fake_memory memory;
  const auto run = [&](const stream_builder& stream) {
    return processor.execute({{}, {}, stream.bytes(), nullptr}, memory).why.code;
  };
  CHECK(run(stream_builder{}
                .create_shader(1, wire_vs, vs_4_0_position())
                .create_layout(1, ilay_blob({{}}))) == success);
  CHECK(run(stream_builder{}.create_layout(2, ilay_blob({{}}))) == error_code::out_of_memory);
  CHECK(run(stream_builder{}.destroy_layout(1).create_layout(2, ilay_blob({{}}))) == success);
  CHECK(run(stream_builder{}.destroy_shader(1).create_shader(2, wire_vs, vs_4_0_position())) ==
        success);
}

TEST_CASE("shaders, layouts and samplers are limited in number, each by a limit of its own",
          "[processor]") {
  null_backend backend;
  limits most;
  most.shaders = 1;
  most.input_layouts = 2;
  most.samplers = 3;
  command_processor<null_backend> processor{backend, most};
  fake_memory memory;
  const auto run = [&](const stream_builder& stream) {
    return processor.execute({{}, {}, stream.bytes(), nullptr}, memory).why.code;
  };
  CHECK(run(stream_builder{}
                .create_shader(1, wire_vs, vs_4_0_position())
                .create_layout(1, ilay_blob({{}}))
                .create_layout(2, ilay_blob({{}}))
                .create_sampler(1)
                .create_sampler(2)
                .create_sampler(3)
                .create_sampler(3, 1)) == success);
  constexpr auto full = error_code::out_of_memory;
  CHECK(run(stream_builder{}.create_shader(4, wire_vs, vs_4_0_position())) == full);
  CHECK(run(stream_builder{}.create_layout(4, ilay_blob({{}}))) == full);
  CHECK(run(stream_builder{}.create_sampler(4)) == full);
}

TEST_CASE("a reset gives the whole quota of byte code back", "[processor]") {
  null_backend backend;
  limits most;
  most.shader_bytes = vs_4_0_position().size();
  command_processor<null_backend> processor{backend, most};
  fake_memory memory;
  const auto run = [&](std::uint32_t handle) {
    const auto stream = stream_builder{}.create_shader(handle, wire_vs, vs_4_0_position());
    return processor.execute({{}, {}, stream.bytes(), nullptr}, memory).why.code;
  };
  CHECK(run(1) == success);
  CHECK(run(2) == error_code::out_of_memory);
  processor.reset();
  CHECK(run(1) == success);  // Its name is free again, too.
  CHECK(run(2) == error_code::out_of_memory);
}

TEST_CASE("destroying a name of nothing, or one that is only kept for its aliases, does nothing",
          "[processor]") {
  pipeline_rig r;
  const object_counts before = r.processor.counts();
  CHECK(r.run(stream_builder{}.destroy(99).destroy_view(99).destroy_view(made::texture)) ==
        success);
  CHECK(r.processor.counts() == before);
  REQUIRE(r.run(stream_builder{}
                    .create_texture(60, {})
                    .export_surface(60, 5)
                    .import_surface(61, 5)
                    .destroy(60)) == success);
  const object_counts kept = r.processor.counts();
  CHECK(r.run(stream_builder{}.destroy(60)) == success);
  CHECK(r.processor.counts() == kept);
  CHECK(r.run(stream_builder{}.destroy(61).create_texture(60, {}).destroy(60)) == success);
  CHECK(r.processor.counts().textures == before.textures);
}

TEST_CASE("a backend that fails at any call fails the load of a processor, and nothing changes",
          "[processor][snapshot]") {
  pipeline_rig from;
  REQUIRE(from.run(stream_builder{}.create_sampler(5)) == success);
  snapshot_writer out;
  REQUIRE(from.processor.save(out));
  std::uint64_t at_call = 1;
  for (;; ++at_call) {
    pipeline_rig to;
    const object_counts before = to.processor.counts();
    to.backend.plan({.at_call = at_call});
    snapshot_reader in{out.bytes()};
    const auto loaded = to.processor.load(in);
    if (to.backend.calls() < at_call) {
      CHECK(loaded);
      break;
    }
    INFO(at_call);
    CHECK(loaded.why().code == error_code::out_of_memory);
    CHECK(to.processor.counts() == before);
  }
  CHECK(at_call > 15);
}

TEST_CASE("a failing creation leaves no object and no bytes behind", "[processor]") {
  pipeline_rig r;
  const object_counts before = r.processor.counts();
  for (std::uint64_t call = 2; call < 3; ++call) {
    for (const stream_builder& stream :
         {stream_builder{}.create_shader(50, wire_vs, vs_4_0_position()),
          stream_builder{}.create_layout(50, ilay_blob({{}})),
          stream_builder{}.create_sampler(50)}) {
      r.backend.plan({.at_call = call});
      CHECK(r.run(stream) == error_code::out_of_memory);
      CHECK(r.processor.counts() == before);
    }
  }
}

}  // namespace aerogpu
