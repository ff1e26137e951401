// SPDX-License-Identifier: MIT
#include "aerogpu/device/device.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/flat_machine.hpp"
#include "tests/support/heap_counter.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint64_t ring_at = 0x1000;
constexpr std::uint64_t fence_page_at = 0x4000;
constexpr std::uint64_t table_at = 0x5000;
constexpr std::uint64_t stream_at = 0x6000;
constexpr std::uint64_t content_at = 0x10000;
constexpr std::uint32_t table_entries = 16;

using device_type = device<flat_machine, null_backend>;

/// A driver that submits one stream after the other over the same memory.
struct flat_guest {
  flat_guest() {
    auto made = device_type::create(machine, backend);
    REQUIRE(made);
    gpu = *std::move(made);
    auto producer = start_ring(*gpu, machine, {ring_at, 0x1000, 8, fence_page_at});
    REQUIRE(producer);
    ring = std::make_unique<ring_producer>(*std::move(producer));
    place_table();
  }
  void full_barrier() noexcept {}
  void write_doorbell() noexcept { gpu->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

  void place_table() {
    byte_vector bytes(alloc_table_bytes(table_entries));
    std::vector<alloc_table_builder::slot> index(64);
    alloc_table_builder table{bytes, index};
    for (std::uint32_t i = 0; i < table_entries; ++i) {
      REQUIRE(table.add({alloc_id{i + 1}, alloc_object{i + 1}, 4096,
                         gpa{content_at + std::uint64_t{i} * 4096}, true, false}));
    }
    REQUIRE(table.finish().size() == bytes.size());
    std::memcpy(machine.ram.data() + table_at, bytes.data(), bytes.size());
  }
  void place_stream(const byte_vector& bytes) {
    std::memcpy(machine.ram.data() + stream_at, bytes.data(), bytes.size());
    stream_bytes = static_cast<std::uint32_t>(bytes.size());
  }

  /// Submits what was placed. False when the device refused it or did not complete its fence.
  auto submit() noexcept -> bool {
    ring_submission work;
    work.commands = {gpa{stream_at}, stream_bytes};
    work.alloc_table = {gpa{table_at}, alloc_table_bytes(table_entries)};
    work.signal_fence = fence_value{++fence};
    if (!ring->push(work, *this)) return false;
    ring->notify(*this);
    gpu->bar0_write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE, 4);
    return gpu->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8) == fence &&
           gpu->bar0_read(AEROGPU_MMIO_REG_ERROR_COUNT, 4) == 0;
  }

  flat_machine machine{1u << 20};
  null_backend backend;
  std::unique_ptr<device_type> gpu;
  std::unique_ptr<ring_producer> ring;
  std::uint32_t stream_bytes = 0;
  std::uint64_t fence = 0;
};

auto scene() -> byte_vector {
  return stream_builder{}
      .create_buffer(1, 4096, {1, 0})
      .create_buffer(2, 4096, {2, 0})
      .create_texture(3, {})
      .create_texture(4, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_texture(5, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_shader(1, wire_vs, vs_2_0_position())
      .create_shader(2, wire_ps, ps_2_0_textured())
      .create_layout(1, declaration_blob({{}, declaration_end}))
      .set_layout(1)
      .bind_shaders(1, 2)
      .vertex_buffer(0, 1, 32)
      .index_buffer(2)
      .bytes();
}

/// Content that the guest wrote, a changed target, textures that change between draws, a present.
auto frame() -> byte_vector {
  return stream_builder{}
      .dirty(1, 0, 256)
      .dirty(1, 1024, 256)
      .dirty(2, 0, 64)
      .targets({5})
      .targets({4})
      .clear(AEROGPU_CLEAR_COLOR)
      .constants_f(wire_vs, 0, {{1, 2, 3, 4}})
      .set_texture(wire_ps, 0, 3)
      .draw_indexed(3)
      .set_texture(wire_ps, 0, 5)
      .draw(3)
      .set_texture(wire_ps, 0, 0)
      .draw(3)
      .present()
      .bytes();
}

}  // namespace

TEST_CASE("after the first frames a device allocates nothing", "[device]") {
  flat_guest guest;
  guest.place_stream(scene());
  REQUIRE(guest.submit());
  guest.place_stream(frame());
  for (int i = 0; i < 2; ++i) REQUIRE(guest.submit());

  constexpr int frames = 100;  // More than any ring or log of the device has places.
  const std::uint64_t draws = guest.backend.counters().draws;
  const std::uint64_t before = heap_calls;
  bool is_fine = true;
  for (int i = 0; i < frames; ++i) is_fine &= guest.submit();
  const std::uint64_t calls = heap_calls - before;
  CHECK(is_fine);
  CHECK(calls == 0);
  CHECK(guest.backend.counters().draws - draws == 3 * frames);
  CHECK(guest.backend.counters().presents == 2 + frames);
  CHECK(heap_calls != 0);
}
