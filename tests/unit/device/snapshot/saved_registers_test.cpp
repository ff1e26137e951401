// SPDX-License-Identifier: MIT
#include "aerogpu/device/snapshot/saved_registers.hpp"

#include "tests/catch.hpp"
#include "tests/support/aggregate_leaves.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/unit/device/state_rig.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace aerogpu {
namespace {

using namespace test;

/// Registers whose members can each be changed alone and stay what a device can have.
auto valid_registers() -> saved_registers {
  saved_registers r;
  r.command = pci_command_io | pci_command_memory | pci_command_bus_master;
  r.interrupt_line = 11;
  r.bar0 = bar0_base;
  r.bar1 = bar1_base;
  r.is_ring_enabled = true;
  r.ring_size_bytes = 0x1000;
  r.ring_gpa = 0x1'0000'2000;
  r.fence_gpa = 0x2'0000'3000;
  r.irq_status = r.irq_enable = all_irqs;
  r.error_code = 4;
  r.error_count = 5;
  r.error_fence = 6;
  r.scanout = {true, 7, 8, 9, 32, 0x3'0000'4000};
  r.cursor = {true, 10, 11, 12, 64, 0x4'0000'5000};
  r.cursor_x = 13;
  r.cursor_y = 14;
  r.cursor_hot_x = 15;
  r.cursor_hot_y = 16;
  r.vblank = {{17, 3000}, 6000, 4000};
  r.now_ns = 5000;
  r.owner = display_owner::wddm;
  r.is_doorbell_pending = r.is_ring_reset_pending = true;
  r.generation = 18;
  r.is_vbe_active = true;
  r.vbe_bank = 19;
  return r;
}

/// What a device makes of them: bases are aligned, the clock of a scanout is told the time, and
/// without a scanout there is no vblank.
auto as_applied(saved_registers r) -> saved_registers {
  r.bar0 &= ~(AEROGPU_PCI_BAR0_SIZE_BYTES - 1);
  r.bar1 &= ~(state_rig::bar1_bytes - 1);
  if (r.scanout.is_enabled) {
    r.vblank.now_ns = r.now_ns;
  } else {
    r.irq_status &= ~AEROGPU_IRQ_SCANOUT_VBLANK;
    r.vblank.next_edge_ns = 0;
  }
  return r;
}

template <class Saved>
auto bytes_of_fields(const Saved& saved) -> byte_vector {
  snapshot_writer out;
  save_fields(saved, out);
  return {out.bytes().begin(), out.bytes().end()};
}

}  // namespace

TEST_CASE("each saved register is in the bytes and comes back from them", "[device][snapshot]") {
  const saved_registers base = valid_registers();
  const byte_vector base_bytes = bytes_of_fields(base);
  with_each_leaf_changed(base, [&](const saved_registers& changed, std::size_t member) {
    CAPTURE(member);
    const byte_vector bytes = bytes_of_fields(changed);
    CHECK(bytes != base_bytes);
    snapshot_reader in{bytes};
    CHECK(leaves_of(load_registers(in)) == leaves_of(changed));
    CHECK(in.is_good());
    CHECK(in.left() == 0);
  });
}

TEST_CASE("each half of a waiting address is in the bytes and comes back", "[device][snapshot]") {
  const saved_latches base{{true, 5}, {true, 6}};
  const byte_vector base_bytes = bytes_of_fields(base);
  with_each_leaf_changed(base, [&](const saved_latches& changed, std::size_t member) {
    CAPTURE(member);
    const byte_vector bytes = bytes_of_fields(changed);
    CHECK(bytes != base_bytes);
    snapshot_reader in{bytes};
    CHECK(leaves_of(load_fields<saved_latches>(in)) == leaves_of(changed));
  });
}

TEST_CASE("each saved register reaches the device, and is collected from it again",
          "[device][snapshot]") {
  with_each_leaf_changed(valid_registers(), [](const saved_registers& r, std::size_t member) {
    CAPTURE(member);
    state_rig rig;
    rig.state->apply_registers(r, {});
    CHECK(leaves_of(rig.state->collect_registers()) == leaves_of(as_applied(r)));
    CHECK(rig.state->registers().vblank_sequence == r.vblank.last.sequence);
    CHECK(rig.state->registers().vblank_time_ns == r.vblank.last.time_ns);
  });
}

TEST_CASE("waiting halves reach the latches, and are collected from them again",
          "[device][snapshot]") {
  with_each_leaf_changed(saved_latches{{true, 5}, {true, 6}}, [](saved_latches l, std::size_t at) {
    CAPTURE(at);
    state_rig rig;
    rig.state->apply_registers(valid_registers(), l);
    if (!l.scanout.is_pending) l.scanout.low = 0;
    if (!l.cursor.is_pending) l.cursor.low = 0;
    CHECK(leaves_of(collect_latches(rig.state->registers())) == leaves_of(l));
  });
}

TEST_CASE("applied registers keep what is configuration or a fence's", "[device][snapshot]") {
  state_rig rig;
  const auto features = rig.state->registers().features;
  const auto period = rig.state->registers().vblank_period_ns;
  const std::array pending{pending_fence{fence_value{8}, 0, 1, fence_kind::immediate, false}};
  fence_store store;
  REQUIRE(store.reserve(rig.state->bounds()));
  fence_timeline fences = store.make_timeline();
  REQUIRE(fences.restore(fence_value{7}, pending, {}));
  rig.state->adopt_fences(std::move(store), fences);
  rig.state->apply_registers(valid_registers(), {});
  CHECK(rig.state->registers().features == features);
  CHECK(rig.state->registers().vblank_period_ns == period);
  CHECK(rig.state->registers().completed_fence == fence_value{7});
}

TEST_CASE("DMA finds video memory where a snapshot's BAR lies", "[device][snapshot]") {
  state_rig rig;
  saved_registers r = valid_registers();
  rig.state->apply_registers(r, {});
  REQUIRE(rig.state->memory().write(gpa{bar1_base}, bytes_of(0x12345678u)));
  std::uint32_t word = 0;
  REQUIRE(rig.state->vram().read(0, mutable_bytes_of(word)));
  CHECK(word == 0x12345678);
  r.command = pci_command_bus_master;
  rig.state->apply_registers(r, {});
  CHECK_FALSE(rig.state->memory().write(gpa{bar1_base}, bytes_of(1u)));
}

TEST_CASE("device time at the end of its range is good, and one beyond it corrupt",
          "[device][snapshot]") {
  const auto load = [](std::uint64_t now, std::uint64_t clock_now) {
    saved_registers r = valid_registers();
    r.now_ns = now;
    r.vblank.now_ns = clock_now;
    const byte_vector bytes = bytes_of_fields(r);
    snapshot_reader in{bytes};
    static_cast<void>(load_registers(in));
    return in.why().code;
  };
  CHECK(load(INT64_MAX, 0) == error_code::none);
  CHECK(load(std::uint64_t{INT64_MAX} + 1, 0) == error_code::corrupt);
  CHECK(load(5000, 5000) == error_code::none);
  CHECK(load(5000, 5001) == error_code::corrupt);
}

}  // namespace aerogpu
