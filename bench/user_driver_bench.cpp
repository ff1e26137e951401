// SPDX-License-Identifier: MIT
// What a draw costs in the user-mode driver, beside the least that its work can cost.
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "bench/ratio.hpp"
#include "bench/user_driver.hpp"
#include "bench/user_driver_stack.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <vector>

namespace {

using namespace aerogpu;
using bench::good;

constexpr std::uint32_t buffer_bytes = 1u << 20;
constexpr std::uint32_t draws = 1000;

using constants = std::array<float, 16>;  ///< Four registers.

/// Two of everything that a draw changes, to be bound by turns.
struct draw_objects {
  explicit draw_objects(bench::user_driver_guest& guest)
      : textures{guest.create_texture(), guest.create_texture()},
        buffers{guest.create_vertex_buffer(4096), guest.create_vertex_buffer(4096)} {
    values[0].fill(0.25f);
    values[1].fill(0.5f);
  }
  std::array<HANDLE, 2> textures;
  std::array<HANDLE, 2> buffers;
  std::array<constants, 2> values{};
};

void draw_changed(bench::user_driver_guest& guest, const draw_objects& with) {
  const D3DDDIARG_SETVERTEXSHADERCONST registers{0, 4};
  for (std::uint32_t i = 0; i < draws; ++i) {
    good(guest.call.pfnSetVertexShaderConst(guest.device, &registers, &with.values[i & 1]));
    good(guest.call.pfnSetTexture(guest.device, 0, with.textures[i & 1]));
    guest.bind_vertices(with.buffers[i & 1]);
    guest.draw();
  }
}

/// The same packets, by the library's writer alone.
[[nodiscard]] auto write_changed(mutable_bytes to, const draw_objects& with) -> std::uint32_t {
  span_sink sink{to};
  stream_writer<span_sink> stream{sink};
  bool is_written = static_cast<bool>(stream.begin());
  for (std::uint32_t i = 0; i < draws; ++i) {
    std::array<std::array<float, 4>, 4> registers;
    std::memcpy(&registers, &with.values[i & 1], sizeof registers);
    const aerogpu_vertex_buffer_binding binding{i & 1, bench::user_driver_guest::vertex_bytes, 0,
                                                0};
    is_written &= stream.set_shader_constants_f(shader_stage::vertex, 0, registers) &&
                  stream.set_texture(shader_stage::pixel, 0, resource_handle{i & 1}) &&
                  stream.set_vertex_buffers(0, std::span{&binding, 1}) && stream.draw(3, 1, 0);
  }
  AEROGPU_CHECK(is_written);
  return stream.finish();
}

/// A draw with four constants, a texture and a vertex buffer of its own, from the DDI to the bytes.
void draw_through_ddi(benchmark::State& state, bench::mutex_kind mutex) {
  bench::user_driver_guest guest{buffer_bytes, mutex};
  const draw_objects objects{guest};
  guest.bind_shaders();
  std::vector<std::byte> floor(buffer_bytes);
  draw_changed(guest, objects);
  guest.flush();
  bench::run_ratio(
      state, draws, bench::thread_clock,
      [&] { benchmark::DoNotOptimize(write_changed(floor, objects)); },
      [&] { draw_changed(guest, objects); }, [&] { guest.flush(); });
  AEROGPU_CHECK(guest.callbacks.last_bytes == write_changed(floor, objects));
}
BENCHMARK_CAPTURE(draw_through_ddi, biased, bench::mutex_kind::biased)->UseManualTime();
BENCHMARK_CAPTURE(draw_through_ddi, plain, bench::mutex_kind::plain)->UseManualTime();

/// A draw that names so many allocations, which the submission lists already, beside one without.
void draw_tracking(benchmark::State& state) {
  bench::user_driver_guest guest{buffer_bytes};
  umd::recorder& commands = guest.core().commands;
  std::vector<umd::allocation_use> uses(static_cast<std::size_t>(state.range(0)));
  std::uint32_t id = 1000;
  for (umd::allocation_use& use : uses) {
    use.memory = {umd::kernel_allocation{0x40 * ++id}, alloc_id{id}, {}, 4096};
  }
  const auto draw_with = [&](std::span<const umd::allocation_use> named) {
    for (std::uint32_t i = 0; i < draws; ++i) {
      good(commands.reserve(umd::packet_bytes<aerogpu_cmd_draw>(), named));
      AEROGPU_CHECK(static_cast<bool>(commands.packets().draw(3, 1, 0)));
    }
  };
  bench::run_ratio(
      state, draws, bench::thread_clock, [&] { draw_with({}); }, [&] { draw_with(uses); },
      [&] { guest.flush(); });
  state.counters["tracking_ns"] = state.counters["ns"] - state.counters["floor_ns"];
}
BENCHMARK(draw_tracking)->Arg(1)->Arg(4)->Arg(20)->UseManualTime();

/// A draw of the fixed-function pipeline whose shaders are those of the draw before, beside one
/// with the application's.
void fixed_unchanged(benchmark::State& state) {
  bench::user_driver_guest shaded{buffer_bytes};
  bench::user_driver_guest fixed{buffer_bytes};
  shaded.bind_shaders();
  for (auto* guest : {&shaded, &fixed}) {
    guest->bind_vertices(guest->create_vertex_buffer(4096));
    guest->draw();
  }
  const auto draw_on = [](bench::user_driver_guest& guest) {
    for (std::uint32_t i = 0; i < draws; ++i) guest.draw();
  };
  bench::run_ratio(
      state, draws, bench::thread_clock, [&] { draw_on(shaded); }, [&] { draw_on(fixed); },
      [&] {
        shaded.flush();
        fixed.flush();
      });
}
BENCHMARK(fixed_unchanged)->UseManualTime();

/// A stage's operation changes before each draw, and the cache has the shader; beside a change of
/// the application's pixel shader.
void fixed_cache_hit(benchmark::State& state) {
  bench::user_driver_guest shaded{buffer_bytes};
  bench::user_driver_guest fixed{buffer_bytes};
  shaded.bind_shaders();
  const std::array<HANDLE, 2> pixel_shaders{shaded.create_pixel_shader(),
                                            shaded.create_pixel_shader()};
  good(fixed.call.pfnSetTexture(fixed.device, 0, fixed.create_texture()));
  for (auto* guest : {&shaded, &fixed}) guest->bind_vertices(guest->create_vertex_buffer(4096));
  const auto draw_shaded = [&] {
    for (std::uint32_t i = 0; i < draws; ++i) {
      good(shaded.call.pfnSetPixelShader(shaded.device, pixel_shaders[i & 1]));
      shaded.draw();
    }
  };
  const auto draw_fixed = [&] {
    for (std::uint32_t i = 0; i < draws; ++i) {
      const UINT operation = (i & 1) != 0 ? D3DTOP_ADD : D3DTOP_MODULATE;
      const D3DDDIARG_TEXTURESTAGESTATE change{0, D3DDDITSS_COLOROP, operation};
      good(fixed.call.pfnSetTextureStageState(fixed.device, &change));
      fixed.draw();
    }
  };
  draw_fixed();
  bench::run_ratio(state, draws, bench::thread_clock, draw_shaded, draw_fixed, [&] {
    shaded.flush();
    fixed.flush();
  });
}
BENCHMARK(fixed_cache_hit)->UseManualTime();

/// Lock with DISCARD and Unlock of all of a dynamic buffer, beside a copy of its bytes to where the
/// driver puts them. The application's own writing is not in it.
void lock_buffer(benchmark::State& state) {
  constexpr UINT size = 64 * 1024;
  constexpr std::uint32_t locks = 15;  // As many as a command buffer holds.
  bench::user_driver_guest guest{buffer_bytes};
  const HANDLE buffer = guest.create_vertex_buffer(size, true);
  guest.flush();
  std::vector<std::byte> from(size), to(buffer_bytes);
  bench::run_ratio(
      state, locks, bench::thread_clock,
      [&] {
        for (std::uint32_t i = 0; i < locks; ++i) {
          std::memcpy(to.data() + i * size, from.data(), size);
          benchmark::ClobberMemory();
        }
      },
      [&] {
        for (std::uint32_t i = 0; i < locks; ++i) {
          D3DDDIARG_LOCK lock{};
          lock.hResource = buffer;
          lock.Flags.Discard = 1;
          lock.Flags.WriteOnly = 1;
          good(guest.call.pfnLock(guest.device, &lock));
          benchmark::DoNotOptimize(lock.pSurfData);
          const D3DDDIARG_UNLOCK unlock{buffer, 0, {}};
          good(guest.call.pfnUnlock(guest.device, &unlock));
        }
      },
      [&] { guest.flush(); });
}
BENCHMARK(lock_buffer)->UseManualTime();

/// A call that changes nothing: entry, tracer's switch, mutex and comparison; four of them are in
/// each draw of `draw_through_ddi`.
void redundant_call(benchmark::State& state, bench::mutex_kind mutex) {
  bench::user_driver_guest guest{buffer_bytes, mutex};
  const HANDLE texture = guest.create_texture();
  umd::os::mutex lock;
  bench::run_ratio(
      state, draws,
      [&] {
        for (std::uint32_t i = 0; i < draws; ++i) {
          lock.lock();
          lock.unlock();
        }
      },
      [&] {
        for (std::uint32_t i = 0; i < draws; ++i)
          good(guest.call.pfnSetTexture(guest.device, 0, texture));
      });
}
BENCHMARK_CAPTURE(redundant_call, biased, bench::mutex_kind::biased)->UseManualTime();
BENCHMARK_CAPTURE(redundant_call, plain, bench::mutex_kind::plain)->UseManualTime();

/// The same draws as `draw_through_ddi` through user-mode driver, runtime and kernel, kernel-mode
/// driver, device and null backend, and whose code the time is spent in.
void draw_shares(benchmark::State& state) {
  bench::user_driver_stack stack;
  stack.draw(draws);
  std::array<std::vector<double>, bench::part_count> times;
  for ([[maybe_unused]] auto turn : state) {
    bench::shares.restart();
    stack.draw(draws);
    bench::shares.enter(bench::part::simulator);
    for (std::size_t of = 0; of < bench::part_count; ++of)
      times[of].push_back(bench::shares.ns(static_cast<bench::part>(of)) / draws);
  }
  const auto ns = [&](bench::part of) {
    return bench::median_of(times[static_cast<std::size_t>(of)]);
  };
  state.counters["user_driver_ns"] = ns(bench::part::user_driver);
  state.counters["simulator_ns"] = ns(bench::part::simulator);
  state.counters["driver_ns"] = ns(bench::part::driver);
  state.counters["device_ns"] = ns(bench::part::device);
}
BENCHMARK(draw_shares);

}  // namespace
