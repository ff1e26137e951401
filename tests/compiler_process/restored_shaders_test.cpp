// SPDX-License-Identifier: MIT
// Shaders of a snapshot: a load compiles none, whatever they would do to the compiler.
#include "tests/compiler_process/support.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"
#include "vulkan/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

using namespace aerogpu;
using namespace aerogpu::test;
using vulkan::vulkan_backend;

namespace {

/// A machine without guest memory.
struct machine {
  machine(const char* compiler, const vulkan::backend_limits& bounds) {
    require_vulkan_device();
    vulkan::backend_options options;
    options.shader_compiler_program = compiler;
    options.bounds = bounds;
    auto made = vulkan_backend::create(options);
    REQUIRE(made);
    backend = *std::move(made);
    processor.emplace(*backend);
  }
  auto run(const stream_builder& stream) -> error_code {
    fake_memory memory;
    const auto report =
        processor->execute({context_id{0}, fence_value{1}, stream.bytes(), nullptr}, memory);
    processor->wait_idle();
    null_completion_sink sink;
    processor->poll(sink);
    return report.why.code;
  }
  auto translations() -> std::uint64_t {
    return backend->inside().records().shaders.translations();
  }

  std::unique_ptr<vulkan_backend> backend;
  std::optional<command_processor<vulkan_backend>> processor;
};

}  // namespace

TEST_CASE("a snapshot with shaders that end the compiler loads whole") {
  vulkan::backend_limits at_once;
  at_once.shader_compiler_rest_ms = 1;
  machine from{FAKE_COMPILER, at_once};  // Aborts for every real job.
  REQUIRE(from.run(stream_builder{}
                       .create_shader(1, wire_vs, sm4::vs_passing())
                       .create_shader(2, wire_ps, sm4::ps_color())) == error_code::none);
  CHECK(from.processor->poisoned().count == 2);
  snapshot_writer out;
  REQUIRE(from.processor->save(out));

  vulkan::backend_limits one_end;
  one_end.shader_compiler_ends = 1;
  machine to{FAKE_COMPILER, one_end};
  snapshot_reader in{out.bytes()};
  REQUIRE(to.processor->load(in));
  CHECK(to.processor->counts() == from.processor->counts());
  snapshot_writer again;
  REQUIRE(to.processor->save(again));
  CHECK(std::ranges::equal(again.bytes(), out.bytes()));
}

TEST_CASE("a load translates no shader, and a draw those that it needs") {
  constexpr texture_spec target{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  machine from{BUILT_COMPILER, {}};
  REQUIRE(from.run(stream_builder{}
                       .create_texture(1, target)
                       .create_buffer(2, 64)
                       .create_shader(1, wire_vs, vs_2_0_position())
                       .create_shader(2, wire_ps, ps_2_0_white())
                       .create_shader(3, wire_vs, sm4::vs_passing())
                       .create_shader(4, wire_ps, sm4::ps_color())
                       .create_layout(1, declaration_blob({{}, declaration_end}))
                       .targets({1})
                       .viewport({0, 0, 4, 4, 0, 1})
                       .bind_shaders(1, 2)
                       .set_layout(1)
                       .vertex_buffer(0, 2)) == error_code::none);
  CHECK(from.translations() == 4);
  snapshot_writer out;
  REQUIRE(from.processor->save(out));

  machine to{BUILT_COMPILER, {}};
  snapshot_reader in{out.bytes()};
  REQUIRE(to.processor->load(in));
  CHECK(to.translations() == 0);
  CHECK(to.processor->poisoned().count == 0);
  CHECK(to.run(stream_builder{}.draw(3)) == error_code::none);
  CHECK(to.translations() >= 2);
}
