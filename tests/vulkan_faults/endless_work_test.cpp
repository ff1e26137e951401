// SPDX-License-Identifier: MIT
// Draws and dispatches that would take years: they are cut, and stopped in between, on a device
// that goes on.
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "tests/vulkan_faults/many_objects.hpp"
#include "tests/vulkan_faults/small_scene.hpp"
#include "vulkan/engine.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t counter = 52, cs = 52;

/// Batches of some thousand primitives.
auto small_batches() -> vulkan::backend_options {
  vulkan::backend_options options = fault_options();
  options.bounds.work_per_batch = 1ull << 28;
  return options;
}

/// Those, and little time.
auto impatient_options() -> vulkan::backend_options {
  vulkan::backend_options options = small_batches();
  options.watchdog_ms = 1'000;
  return options;
}

/// More powers than any program may have (spirv/shader_limits.hpp); no two numbers give the same.
auto costly_shader(std::uint32_t number) -> byte_vector {
  std::string text = "ps_3_0\ndef c0, " + std::to_string(number) + ", 0, 0, 1\nmov r0, c0\n";
  for (int i = 0; i < 2000; ++i) text += "pow r0.x, r0.x, c0.x\n";
  return many::program(text + "mov oC0, r0");
}

constexpr std::uint32_t moved_from = 60, moved_to = 61, moved_side = 1024;
constexpr std::uint64_t moved_bytes = std::uint64_t{moved_side} * moved_side * 4;

auto large_textures() -> stream_builder {
  const texture_spec shape{
      .width = moved_side, .height = moved_side, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
  return stream_builder{}.create_texture(moved_from, shape).create_texture(moved_to, shape);
}
auto large_buffers() -> stream_builder {
  return stream_builder{}
      .create_buffer(moved_from, moved_bytes)
      .create_buffer(moved_to, moved_bytes);
}

auto counting_program() -> stream_builder {
  return stream_builder{}
      .create_buffer(counter, 64)
      .create_shader(cs, wire_cs, sm4::cs_atomic())
      .unordered_access(wire_cs, 0, {{counter}})
      .bind_shaders(0, 0, cs);
}

/// A guest whose host's clock goes on by a second whenever it is read, and that may take three.
struct slow_rig {
  std::unique_ptr<vulkan::vulkan_backend> backend = open();
  faulty_guest guest{*backend};
  vulkan::engine::clock::time_point time{};

  slow_rig() {
    REQUIRE(guest.run(small_scene::objects()).code == error_code::none);
    backend->inside().set_clock([this] { return time += std::chrono::seconds{1}; });
  }
  static auto open() -> std::unique_ptr<vulkan::vulkan_backend> {
    vulkan::backend_options options = small_batches();
    options.watchdog_ms = 3'600'000;
    options.bounds.submission_ms = 3'000;
    return open_faulty_backend(options);
  }
  /// The submission ends there, and the device goes on with the next one.
  void is_ended(const stream_builder& stream) {
    const error why = guest.run(stream);
    CHECK(why.code == error_code::out_of_memory);
    CHECK(std::string_view{why.what} == "a submission takes longer than the host allows");
    CHECK(guest.run(stream_builder{}.draw(3)).code == error_code::none);
    CHECK(backend->counters().device_losses == 0);
  }
};

struct endless_rig {
  std::unique_ptr<vulkan::vulkan_backend> backend = open_faulty_backend(impatient_options());
  faulty_guest guest{*backend};

  endless_rig() { REQUIRE(guest.run(small_scene::objects()).code == error_code::none); }
  /// It is stopped, and told so; the same device draws on.
  void is_stopped(const stream_builder& stream) {
    const error why = guest.run(stream);
    CHECK(why.code == error_code::unsupported);
    CHECK(std::string_view{why.what} == "a draw or dispatch takes longer than the watchdog allows");
    CHECK(guest.run(stream_builder{}.bind_shaders(small_scene::vs, small_scene::ps).draw(3)).code ==
          error_code::none);
    CHECK(backend->counters().device_losses == 0);
  }
};

}  // namespace

TEST_CASE("a draw that would take years is stopped, and its device goes on", "[faults][endless]") {
  endless_rig rig;
  rig.is_stopped(stream_builder{}.draw(0xFFFF'FFF0u, 0xFFFF'FFFFu));
}

TEST_CASE("a dispatch that would take years is stopped, and its device goes on",
          "[faults][endless]") {
  endless_rig rig;
  rig.is_stopped(counting_program().dispatch(65'535, 65'535, 65'535));
}

TEST_CASE("a draw of much work is many batches, of which few are in flight", "[faults][endless]") {
  endless_rig rig;
  stream_builder stream;
  SECTION("primitives") {
    stream.draw(60'000);
  }
  SECTION("instances of no primitive") {
    stream.draw(1, 60'000);
  }
  SECTION("groups") {
    REQUIRE(rig.guest.run(counting_program()).code == error_code::none);
    stream.dispatch(60'000, 1, 1);
  }
  const std::uint64_t before = rig.backend->counters().batches;
  CHECK(rig.guest.submit(stream).code == error_code::none);
  CHECK(rig.backend->counters().batches - before >= 10);
  CHECK(rig.backend->inside().device()->work.in_flight() <= 4);
  rig.guest.finish();
}

TEST_CASE("copies, clears and zeros of much memory are many batches, of which few are in flight",
          "[faults][endless]") {
  constexpr std::uint32_t count = 20;
  endless_rig rig;
  stream_builder stream;
  SECTION("copies of textures") {
    REQUIRE(rig.guest.run(large_textures()).code == error_code::none);
    for (std::uint32_t i = 0; i < count; ++i)
      stream.copy_texture({moved_to}, {moved_from}, moved_side, moved_side);
  }
  SECTION("copies of buffers") {
    REQUIRE(rig.guest.run(large_buffers()).code == error_code::none);
    for (std::uint32_t i = 0; i < count; ++i)
      stream.copy_buffer(moved_to, 0, moved_from, 0, moved_bytes);
  }
  SECTION("clears") {
    REQUIRE(rig.guest.run(large_textures()).code == error_code::none);
    stream.targets({moved_from});
    for (std::uint32_t i = 0; i < count; ++i) stream.clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1});
    stream.targets({});
  }
  SECTION("zeros of textures") {
    for (std::uint32_t i = 0; i < count; ++i) {
      stream.append(faulty_guest::packets_of(large_textures()))
          .copy_texture({moved_to}, {moved_from}, 1, 1)
          .destroy(moved_from)
          .destroy(moved_to);
    }
  }
  SECTION("zeros of buffers") {
    for (std::uint32_t i = 0; i < count; ++i) {
      stream.append(faulty_guest::packets_of(large_buffers()))
          .copy_buffer(moved_to, 0, moved_from, 0, 4)
          .destroy(moved_from)
          .destroy(moved_to);
    }
  }
  const std::uint64_t before = rig.backend->counters().batches;
  CHECK(rig.guest.submit(stream).code == error_code::none);
  CHECK(rig.backend->counters().batches - before >= 10);
  CHECK(rig.backend->inside().device()->work.in_flight() <= 4);
  rig.guest.finish();
}

TEST_CASE("a submission of many batches ends when it has taken the host's time",
          "[faults][endless]") {
  slow_rig rig;
  stream_builder stream;
  for (int i = 0; i < 20; ++i) stream.draw(30'000);
  rig.is_ended(stream);
}

TEST_CASE("a submission of many compilations ends when it has taken the host's time",
          "[faults][endless]") {
  slow_rig rig;
  stream_builder stream;
  for (std::uint32_t i = 0; i < 20; ++i) {
    stream.create_shader(100 + i, wire_ps, faulty_guest::numbered_shader(i))
        .bind_shaders(small_scene::vs, 100 + i)
        .draw(3);
  }
  stream.bind_shaders(small_scene::vs, small_scene::ps);
  const std::uint64_t before = rig.backend->counters().pipelines;
  rig.is_ended(stream);
  CHECK(rig.backend->counters().pipelines - before < 5);
}

TEST_CASE("a submission of many shaders that are refused ends when it has taken the host's time",
          "[faults][endless]") {
  slow_rig rig;
  auto& shaders = rig.backend->inside().records().shaders;
  const std::uint64_t before = shaders.translations();
  stream_builder stream;
  for (std::uint32_t i = 0; i < 20; ++i) {
    stream.create_shader(100 + i, wire_ps, costly_shader(i));
  }
  rig.is_ended(stream);
  CHECK(shaders.translations() - before < 10);  // Those of the draw behind it included.
}

TEST_CASE("of indices that are not there a draw has few, however it is cut", "[faults][endless]") {
  constexpr std::uint32_t indices = 53;
  endless_rig rig;
  CHECK(rig.guest
            .run(stream_builder{}
                     .create_buffer(indices, 16)
                     .index_buffer(indices)
                     .draw_indexed(0xFFFF'FFFFu))
            .code == error_code::none);
}

TEST_CASE("a fan of far too much work is refused, and one of some work is drawn",
          "[faults][endless]") {
  endless_rig rig;
  const error why =
      rig.guest.run(stream_builder{}.topology(AEROGPU_TOPOLOGY_TRIANGLEFAN).draw(0xFFFF'FFF0u));
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what} ==
        "a draw that cannot be cut is more work than a device should get");
  CHECK(rig.guest.run(stream_builder{}.draw(10'000)).code == error_code::none);
  CHECK(rig.backend->counters().device_losses == 0);
}
