// SPDX-License-Identifier: MIT
// What the Vulkan backend costs, beside the same pictures by hand on Vulkan in the same run.
#include "bench/guest_session.hpp"
#include "bench/ratio.hpp"
#include "bench/raw_vulkan.hpp"
#include "vulkan/device/host_allocator.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

namespace {

using namespace aerogpu;
using bench::byte_vector;
using bench::guest_session;
using bench::raw_vulkan;
using bench::scene;

auto raw_gpu() -> bench::raw_device& {
  static bench::raw_device device;
  return device;
}

auto backend() -> vulkan::vulkan_backend& {
  static const auto made = [] {
    auto created = vulkan::vulkan_backend::create({});
    AEROGPU_CHECK(static_cast<bool>(created));
    return *std::move(created);
  }();
  return *made;
}

/// Ends the program when the two pictures differ by more than rounding.
void compare_pixels(const_bytes ours, std::span<const std::byte> theirs) {
  AEROGPU_CHECK(ours.size() == theirs.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const int off = std::to_integer<int>(ours[i]) - std::to_integer<int>(theirs[i]);
    if (off < -1 || off > 1) ++different;
  }
  if (different != 0) std::fprintf(stderr, "%zu bytes differ\n", different);
  AEROGPU_CHECK(different == 0);
}

/// A scene on both sides, with the same pixels.
struct both {
  explicit both(scene&& what) : picture(std::move(what)) {
    by_hand.draw_and_read();
    guest.heard().keeps = true;
    guest.run(guest.draw_and_read());
    guest.heard().keeps = false;
    compare_pixels(guest.heard().kept, by_hand.pixels());
  }

  scene picture;
  raw_vulkan by_hand{raw_gpu(), picture};
  guest_session guest{backend(), picture};
};

/// Time of the caller's thread to record and submit, without waiting for the device.
void cpu_per_draw(benchmark::State& state) {
  both on{bench::grid_scene(1000)};
  const byte_vector frame = on.guest.draw_frame();
  bench::run_ratio(
      state, on.picture.draws.size(), bench::thread_clock, [&] { on.by_hand.draw(); },
      [&] { on.guest.execute(frame); },
      [&] {
        on.by_hand.wait();
        on.guest.finish();
      });
}
BENCHMARK(cpu_per_draw)->UseManualTime();

void frame_to_pixels(benchmark::State& state, scene (*make)(std::uint32_t), std::uint32_t draws) {
  both on{make(draws)};
  const byte_vector frame = on.guest.draw_and_read();
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { on.by_hand.draw_and_read(); },
      [&] { on.guest.run(frame); }, [] {});
}
BENCHMARK_CAPTURE(frame_to_pixels, thousand_draws, bench::grid_scene, 1000)->UseManualTime();
BENCHMARK_CAPTURE(frame_to_pixels, twenty_windows, bench::window_scene, 20)->UseManualTime();

void read_back_1080p(benchmark::State& state) {
  both on{bench::large_scene()};
  const byte_vector copy = on.guest.read_back();
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { on.by_hand.read(); }, [&] { on.guest.run(copy); }, [] {});
}
BENCHMARK(read_back_1080p)->UseManualTime();

void upload_1080p(benchmark::State& state, bool from_memory) {
  both on{bench::large_scene()};
  const byte_vector texels(std::size_t{1920} * 1080 * 4, std::byte{0x40});
  const byte_vector stream = from_memory ? on.guest.upload_from_memory() : on.guest.upload(texels);
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { on.by_hand.upload(texels); },
      [&] { on.guest.run(stream); }, [] {});
}
BENCHMARK_CAPTURE(upload_1080p, from_stream, false)->UseManualTime();
BENCHMARK_CAPTURE(upload_1080p, from_guest_memory, true)->UseManualTime();

void submission(benchmark::State& state, bool draws) {
  both on{bench::small_scene()};
  const byte_vector stream = draws ? on.guest.draw_frame() : bench::stream_builder{}.nop().bytes();
  constexpr int repeats = 20;
  bench::run_ratio(
      state, repeats, bench::wall_clock,
      [&] {
        for (int i = 0; i < repeats; ++i) {
          if (!draws) {
            on.by_hand.submit_nothing();
            continue;
          }
          on.by_hand.draw();
          on.by_hand.wait();
        }
      },
      [&] {
        for (int i = 0; i < repeats; ++i) on.guest.run(stream);
      },
      [] {});
}
BENCHMARK_CAPTURE(submission, one_draw, true)->UseManualTime();
BENCHMARK_CAPTURE(submission, empty, false)->UseManualTime();

void new_pipeline(benchmark::State& state) {
  both on{bench::small_scene()};
  // Never the same again, also when this runs once more: the backend remembers shaders for a while.
  static auto bits = std::bit_cast<std::uint32_t>(raw_vulkan::shader_constant);
  const auto next = [&] { return std::bit_cast<float>(++bits); };
  bench::run_ratio(
      state, 1, bench::wall_clock, [&] { on.by_hand.draw_with_new_shader(next()); },
      [&] { on.guest.run(on.guest.draw_with_new_shader(next())); }, [] {});
}
BENCHMARK(new_pipeline)->UseManualTime();

}  // namespace

auto main(int argc, char** argv) -> int {
  vulkan::tune_host_allocator();
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);  // Or a second run finds its new pipelines known.
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
