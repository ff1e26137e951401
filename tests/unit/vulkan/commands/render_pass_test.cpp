// SPDX-License-Identifier: MIT
// How many passes a guest's clears and draws take.
#include "vulkan/commands/render_pass.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <cstdint>
#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t target = 1, vertices = 2, other = 3, depth = 4, vs = 1, ps = 2, layout = 1;

auto open() -> std::unique_ptr<vulkan::vulkan_backend> {
  vulkan::backend_options options;
  options.validate = true;
  auto made = vulkan::vulkan_backend::create(options);
  REQUIRE(made);
  return *std::move(made);
}

struct pass_rig {
  pass_rig() {
    const auto color = texture_spec{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                    .width = 16,
                                    .height = 16,
                                    .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
    auto deep = color;
    deep.format = AEROGPU_FORMAT_D32_FLOAT;
    deep.usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL;
    run(stream_builder{}
            .create_texture(target, color)
            .create_texture(other, color)
            .create_texture(depth, deep)
            .create_buffer(vertices, 64)
            .create_shader(vs, wire_vs, vs_2_0_position())
            .create_shader(ps, wire_ps, ps_2_0_white())
            .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, declaration_end}))
            .targets({target})
            .viewport({0, 0, 16, 16, 0, 1})
            .bind_shaders(vs, ps)
            .set_layout(layout)
            .vertex_buffer(0, vertices, 16)
            .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
            .clear(AEROGPU_CLEAR_COLOR));
  }
  /// Passes that the stream takes.
  auto run(const stream_builder& stream) -> std::uint64_t {
    const std::uint64_t before = backend->counters().render_passes;
    const auto report =
        processor.execute({context_id{1}, fence_value{1}, stream.bytes(), nullptr}, memory);
    CHECK(report.why.code == error_code::none);
    processor.wait_idle();
    return backend->counters().render_passes - before;
  }

  fake_memory memory;
  std::unique_ptr<vulkan::vulkan_backend> backend = open();
  command_processor<vulkan::vulkan_backend> processor{*backend, limits{}};
};

}  // namespace

TEST_CASE("a clear of whole targets and the draws behind it are one pass", "[vulkan][pass]") {
  pass_rig rig;
  CHECK(rig.run(stream_builder{}.clear(AEROGPU_CLEAR_COLOR).draw(3).draw(3)) == 1);
  CHECK(rig.run(stream_builder{}
                    .targets({target}, depth)
                    .clear(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH)
                    .draw(3)) == 1);
  CHECK(rig.backend->validation_errors() == 0);
}

TEST_CASE("a clear of a part, or of some of the targets, is a pass of its own", "[vulkan][pass]") {
  pass_rig rig;
  const auto part = stream_builder{}.render_state(d3drs_scissortestenable, 1).scissor(0, 0, 8, 16);
  CHECK(rig.run(stream_builder{part}.clear(AEROGPU_CLEAR_COLOR).draw(3)) == 2);
  CHECK(rig.run(stream_builder{}
                    .render_state(d3drs_scissortestenable, 0)
                    .targets({target}, depth)
                    .clear(AEROGPU_CLEAR_COLOR)
                    .draw(3)) == 2);
  CHECK(
      rig.run(
          stream_builder{}.targets({other}).clear(AEROGPU_CLEAR_COLOR).targets({target}).draw(3)) ==
      2);
  CHECK(rig.backend->validation_errors() == 0);
}
