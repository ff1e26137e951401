// SPDX-License-Identifier: MIT
// What executing costs: tables, the command processor and a whole device, on the null backend.
#include "aerogpu/device/device.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "bench/d3d9_mix.hpp"
#include "bench/header_walk.hpp"
#include "bench/ratio.hpp"
#include "null/null_backend.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/flat_machine.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/stream_builder.hpp"

#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <vector>

namespace {

using namespace aerogpu;
using bench::byte_vector;

/// Everything that the frame of d3d9_mix.hpp names, and a state in which its draws are complete.
auto scene() -> byte_vector {
  test::stream_builder s;
  for (std::uint32_t texture = 1; texture <= 7; ++texture) s.create_texture(texture, {});
  s.create_buffer(9, 1u << 16).create_buffer(10, 1u << 16);
  s.create_texture(20, {.width = 64, .height = 64, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET});
  s.create_shader(1, test::wire_vs, test::vs_2_0_position());
  s.create_shader(2, test::wire_ps, test::ps_2_0_textured());
  s.create_layout(1, test::declaration_blob({{}, test::declaration_end})).set_layout(1);
  s.bind_shaders(1, 2).targets({20});
  const auto bytes = s.bytes();
  return {bytes.begin(), bytes.end()};
}

/// Decode, validation and state tracking of a frame, beside the bare header walk of its stream.
void execute_frame(benchmark::State& state) {
  constexpr int repeats = 20;
  null_backend backend;
  command_processor<null_backend> processor{backend};
  test::flat_machine machine{16u << 20};
  null_completion_sink sink;
  const byte_vector setup = scene();
  const byte_vector frame_bytes = bench::d3d9_frame(1000);
  const auto run = [&](const byte_vector& stream) {
    const auto report =
        processor.execute({context_id{0}, fence_value{1}, stream, nullptr}, machine);
    AEROGPU_CHECK(report.why.code == error_code::none);
    processor.poll(sink);
    return report.packet_count;
  };
  run(setup);
  const std::size_t packets = run(frame_bytes);
  bench::run_ratio(
      state, packets * repeats,
      [&] {
        for (int i = 0; i < repeats; ++i) benchmark::DoNotOptimize(bench::walk(frame_bytes));
      },
      [&] {
        for (int i = 0; i < repeats; ++i) run(frame_bytes);
      });
}
BENCHMARK(execute_frame)->UseManualTime();

/// The bytes of a table with `count` entries.
auto table_of(std::uint32_t count) -> byte_vector {
  byte_vector bytes(alloc_table_bytes(count));
  std::vector<alloc_table_builder::slot> index(1024);
  alloc_table_builder table{bytes, index};
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool is_added = !!table.add({alloc_id{i * 7 + 1}, alloc_object{i + 1}, 4096,
                                       gpa{0x200000 + std::uint64_t{i} * 4096}, true, false});
    AEROGPU_CHECK(is_added);
  }
  AEROGPU_CHECK(table.finish().size() == bytes.size());
  return bytes;
}

/// Parsing a 16-entry table, beside copying it.
void parse_table(benchmark::State& state) {
  constexpr int repeats = 1000;
  const byte_vector bytes = table_of(16);
  byte_vector copy(bytes.size());
  std::vector<alloc_table::slot> slots(64);
  alloc_table table{slots};
  bench::run_ratio(
      state, repeats,
      [&] {
        for (int i = 0; i < repeats; ++i) {
          std::memcpy(copy.data(), bytes.data(), bytes.size());
          benchmark::DoNotOptimize(copy.data());
        }
      },
      [&] {
        for (int i = 0; i < repeats; ++i) AEROGPU_CHECK(static_cast<bool>(table.parse(bytes)));
      });
}
BENCHMARK(parse_table)->UseManualTime();

/// Looking an allocation up, beside indexing an array.
void find_allocation(benchmark::State& state) {
  constexpr std::uint32_t entries = 512;
  const byte_vector bytes = table_of(entries);
  std::vector<alloc_table::slot> slots(2048);
  alloc_table table{slots};
  AEROGPU_CHECK(static_cast<bool>(table.parse(bytes)));
  std::vector<std::uint64_t> plain(entries, 1);
  bench::run_ratio(
      state, entries,
      [&] {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < entries; ++i) sum += plain[(i * 211) % entries];
        benchmark::DoNotOptimize(sum);
      },
      [&] {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < entries; ++i) {
          sum += table.find(alloc_id{(i * 211) % entries * 7 + 1})->size_bytes;
        }
        benchmark::DoNotOptimize(sum);
      });
}
BENCHMARK(find_allocation)->UseManualTime();

constexpr std::uint64_t ring_at = 0x10000;
constexpr std::uint64_t fence_page_at = 0x20000;
constexpr std::uint64_t stream_at = 0x30000;
constexpr std::uint64_t table_at = 0x40000;
constexpr std::uint32_t ring_slots = 64;

using bench_device = device<test::flat_machine, null_backend>;

/// A guest's driver, over the same RAM.
struct bench_guest {
  explicit bench_guest(test::flat_machine& machine, bench_device& on) : gpu(on) {
    auto made = test::start_ring(gpu, machine, {ring_at, 8192, ring_slots, fence_page_at});
    AEROGPU_CHECK(static_cast<bool>(made));
    ring = std::make_unique<ring_producer>(*std::move(made));
  }
  void full_barrier() noexcept {}
  void write_doorbell() noexcept { gpu.bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

  void push(std::uint32_t stream_bytes, std::uint32_t table_bytes) {
    ring_submission work;
    work.commands = {gpa{stream_at}, stream_bytes};
    if (table_bytes != 0) work.alloc_table = {gpa{table_at}, table_bytes};
    work.signal_fence = fence_value{++fence};
    AEROGPU_CHECK(static_cast<bool>(ring->push(work, *this)));
  }

  bench_device& gpu;
  std::unique_ptr<ring_producer> ring;
  std::uint64_t fence = 0;
};

/// Submissions through ring, device, processor and fence page, beside copying their bytes.
void submit(benchmark::State& state, const byte_vector& stream, std::uint32_t table_entries) {
  test::flat_machine machine{16u << 20};
  null_backend backend;
  auto made = bench_device::create(machine, backend);
  AEROGPU_CHECK(static_cast<bool>(made));
  bench_guest guest{machine, **made};
  const auto place = [&](std::uint64_t at, const byte_vector& bytes) {
    std::memcpy(machine.ram.data() + at, bytes.data(), bytes.size());
    return static_cast<std::uint32_t>(bytes.size());
  };
  const auto drain = [&](int count, std::uint32_t stream_bytes, std::uint32_t table_bytes) {
    for (int i = 0; i < count; ++i) guest.push(stream_bytes, table_bytes);
    guest.ring->notify(guest);
    AEROGPU_CHECK((*made)->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8) == guest.fence);
    AEROGPU_CHECK((*made)->bar0_read(AEROGPU_MMIO_REG_ERROR_COUNT, 4) == 0);
  };
  drain(1, place(stream_at, scene()), 0);
  const std::uint32_t stream_bytes = place(stream_at, stream);
  const std::uint32_t table_bytes =
      table_entries != 0 ? place(table_at, table_of(table_entries)) : 0;
  byte_vector copy(64 + stream_bytes + table_bytes);
  constexpr int rings = 32;  // Reading the clock takes as long as several submissions.
  bench::run_ratio(
      state, ring_slots * rings,
      [&] {
        for (std::uint32_t i = 0; i < ring_slots * rings; ++i) {
          std::memcpy(copy.data(), machine.ram.data() + stream_at, copy.size());
          benchmark::DoNotOptimize(copy.data());
        }
      },
      [&] {
        for (int i = 0; i < rings; ++i) drain(ring_slots, stream_bytes, table_bytes);
      });
}

void submit_empty(benchmark::State& state) {
  submit(state, test::stream_builder{}.bytes(), 0);
}
BENCHMARK(submit_empty)->UseManualTime();

void submit_small(benchmark::State& state) {
  submit(state,
         test::stream_builder{}
             .set_texture(test::wire_ps, 0, 1)
             .constants_f(test::wire_vs, 0, {{1, 2, 3, 4}})
             .vertex_buffer(0, 9, 32)
             .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
             .draw(3)
             .present()
             .bytes(),
         16);
}
BENCHMARK(submit_small)->UseManualTime();

}  // namespace
