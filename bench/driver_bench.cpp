// SPDX-License-Identifier: MIT
// What a submission costs from the thunk to the DPC that reports it, beside the host's own cost.
#include "aerogpu/device/device.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "bench/driver_guest.hpp"
#include "bench/ratio.hpp"
#include "bench/share_of_time.hpp"
#include "tests/support/flat_machine.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <vector>

namespace {

using namespace aerogpu;

/// As many as a processor's time slice has room for.
auto batch_of(std::uint32_t list_entries) -> std::uint32_t {
  return list_entries < 64 ? 64 : 4;
}

constexpr std::uint64_t ring_at = 0x10000, fence_page_at = 0x20000, stream_at = 0x30000,
                        table_at = 0x40000;
constexpr std::uint32_t ring_slots = 256;

/// The same submission, ready in memory: ring, device, processor, fence, and nothing around them.
class bare_host {
 public:
  using device_type = device<test::flat_machine, null_backend>;

  explicit bare_host(std::uint32_t list_entries) {
    auto made = device_type::create(machine_, backend_);
    AEROGPU_CHECK(static_cast<bool>(made));
    gpu_ = *std::move(made);
    auto ring = test::start_ring(*gpu_, machine_, {ring_at, 0x8000, ring_slots, fence_page_at});
    AEROGPU_CHECK(static_cast<bool>(ring));
    ring_ = std::make_unique<ring_producer>(*std::move(ring));
    write_stream();
    write_table(list_entries);
  }

  void full_barrier() noexcept {}
  void write_doorbell() noexcept { gpu_->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

  void submit() {
    ring_submission work;
    work.commands = {gpa{stream_at}, stream_bytes_};
    work.alloc_table = {gpa{table_at}, table_bytes_};
    work.signal_fence = fence_value{++fence_};
    AEROGPU_CHECK(static_cast<bool>(ring_->push(work, *this)));
    ring_->notify(*this);
    gpu_->bar0_write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE, 4);
  }
  void check() {
    AEROGPU_CHECK(gpu_->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8) == fence_);
    AEROGPU_CHECK(gpu_->bar0_read(AEROGPU_MMIO_REG_ERROR_COUNT, 4) == 0);
  }

 private:
  void write_stream() {
    span_sink sink{mutable_bytes{machine_.ram}.subspan(stream_at, 4096)};
    stream_writer<span_sink> stream{sink};
    AEROGPU_CHECK(stream.begin() && stream.flush());
    stream_bytes_ = stream.finish();
  }
  void write_table(std::uint32_t entries) {
    const auto bytes = static_cast<std::size_t>(alloc_table_bytes(entries));
    std::vector<alloc_table_builder::slot> index(4096);
    alloc_table_builder table{mutable_bytes{machine_.ram}.subspan(table_at, bytes), index};
    for (std::uint32_t i = 0; i < entries; ++i) {
      AEROGPU_CHECK(
          static_cast<bool>(table.add({alloc_id{i + 1}, alloc_object{i + 1}, 4096,
                                       gpa{0x200000 + std::uint64_t{i} * 4096}, false, false})));
    }
    table_bytes_ = static_cast<std::uint32_t>(table.finish().size());
  }

  test::flat_machine machine_{16u << 20};
  null_backend backend_;
  std::unique_ptr<device_type> gpu_;
  std::unique_ptr<ring_producer> ring_;
  std::uint32_t stream_bytes_ = 0;
  std::uint32_t table_bytes_ = 0;
  std::uint64_t fence_ = 0;
};

/// One Render from the thunk to the completed DPC, beside the host alone. Items are list entries.
void render_to_dpc(benchmark::State& state) {
  const auto entries = static_cast<std::uint32_t>(state.range(0));
  const std::uint32_t submissions = batch_of(entries);
  bench::driver_guest guest{entries};
  bare_host host{entries};
  bench::run_ratio(
      state, submissions,
      [&] {
        for (std::uint32_t i = 0; i < submissions; ++i) host.submit();
      },
      [&] {
        for (std::uint32_t i = 0; i < submissions; ++i) guest.submit();
      });
  host.check();
  AEROGPU_CHECK(guest.is_complete());
  state.counters["entries_per_s"] = 1e9 / state.counters["ns"] * entries;
}
BENCHMARK(render_to_dpc)->Arg(1)->Arg(16)->Arg(1024)->UseManualTime();

/// The same Render, and whose code it spends its time in. Each change of owner reads the clock.
void render_shares(benchmark::State& state) {
  const auto entries = static_cast<std::uint32_t>(state.range(0));
  const std::uint32_t submissions = batch_of(entries);
  bench::driver_guest guest{entries};
  bench::timed_device device{guest.machine};
  guest.pc.bus.connect(&device);
  bench::time_entries(guest.windows.table);
  guest.submit();
  std::array<std::vector<double>, 3> times;
  for ([[maybe_unused]] auto turn : state) {
    bench::shares.restart();
    for (std::uint32_t i = 0; i < submissions; ++i) guest.submit();
    bench::shares.enter(bench::part::simulator);
    for (const auto of : {bench::part::simulator, bench::part::driver, bench::part::device})
      times[static_cast<std::size_t>(of)].push_back(bench::shares.ns(of) / submissions);
  }
  state.counters["simulator_ns"] = bench::median_of(times[0]);
  state.counters["driver_ns"] = bench::median_of(times[1]);
  state.counters["device_ns"] = bench::median_of(times[2]);
  guest.pc.bus.connect(&guest.machine);
}
BENCHMARK(render_shares)->Arg(1)->Arg(16)->Arg(1024);

}  // namespace
