// SPDX-License-Identifier: MIT
#include "aerogpu/device/device_state.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"
#include "tests/unit/device/state_rig.hpp"

#include <cstdint>

namespace aerogpu {
namespace {

using namespace test;

using test_state = device_state<fake_machine>;

/// What a guest writes with 32 bits.
void write(test_state& state, std::uint32_t offset, std::uint32_t value) {
  const auto* const row = find_register(offset);
  REQUIRE(row != nullptr);
  state.write_register(*row, value);
}

void set_command(test_state& state, std::uint32_t command) {
  state.write_config(0x04, command, 4);
  state.update_line();
}

constexpr std::uint32_t dma = pci_command_memory | pci_command_bus_master;
constexpr std::uint32_t intx_disable = 1u << 10;
const error some_error = make_error(error_code::internal, "an error");

auto submit(test_state& state, std::uint64_t fence, fence_kind kind = fence_kind::immediate)
    -> fence_ticket {
  return state.submit_fence(fence_value{fence}, kind, true);
}

}  // namespace

TEST_CASE("the line follows causes, their mask and COMMAND", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  state.record_error(some_error, fence_value{1});
  state.update_line();
  CHECK_FALSE(rig.machine.line);
  state.set_interrupt_enable(AEROGPU_IRQ_ERROR);
  CHECK(rig.machine.line);
  set_command(state, intx_disable);
  CHECK_FALSE(rig.machine.line);
  set_command(state, 0);
  CHECK(rig.machine.line);
  state.acknowledge(AEROGPU_IRQ_ERROR);
  CHECK_FALSE(rig.machine.line);
  CHECK(rig.machine.line_changes == 4);
}

TEST_CASE("an error is in the registers, the statistics and the host's ears", "[device][state]") {
  state_rig rig;
  rig.state->record_error(some_error, fence_value{5});
  CHECK(rig.state->registers().errors.code == AEROGPU_ERROR_INTERNAL);
  CHECK(rig.state->registers().errors.fence == fence_value{5});
  CHECK(rig.state->statistics().errors == 1);
  REQUIRE(rig.machine.errors.size() == 1);
  CHECK(rig.machine.errors[0].fence == fence_value{5});
}

TEST_CASE("a doorbell waits for DMA, and is lost with its ring", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  CHECK_FALSE(state.note_doorbell());
  CHECK_FALSE(state.is_doorbell_pending());
  write(state, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  CHECK(state.note_doorbell());
  CHECK_FALSE(state.begin_doorbell());
  CHECK(state.is_doorbell_pending());
  set_command(state, dma);
  CHECK(state.begin_doorbell());
  state.end_doorbell(false);
  CHECK(state.is_doorbell_pending());
  write(state, AEROGPU_MMIO_REG_RING_CONTROL, 0);
  CHECK_FALSE(state.begin_doorbell());
  CHECK_FALSE(state.is_doorbell_pending());
  CHECK(state.statistics().doorbells == 2);
}

TEST_CASE("a ring reset clears registers at once and reaches memory once", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  state.set_interrupt_enable(all_irqs);
  state.record_error(some_error, fence_value{1});
  state.reset_ring();
  CHECK(state.registers().errors.count == 0);
  CHECK(state.registers().interrupts.status() == 0);
  CHECK_FALSE(state.take_ring_reset());
  CHECK(state.is_ring_reset_pending());
  set_command(state, dma);
  CHECK(state.take_ring_reset());
  CHECK_FALSE(state.take_ring_reset());
}

TEST_CASE("a fence retires with DMA alone, and shows when it is published", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  state.set_interrupt_enable(AEROGPU_IRQ_FENCE);
  state.finish_fence(submit(state, 3));
  state.release_fences();
  CHECK(state.fences().completed() == fence_value{});
  set_command(state, dma);
  state.release_fences();
  CHECK(state.registers().completed_fence == fence_value{});
  state.publish();
  CHECK(state.registers().completed_fence == fence_value{3});
  CHECK(state.registers().interrupts.status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line);
}

TEST_CASE("without DMA the fence page is not written", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  rig.machine.ram.map(gpa{fence_page_gpa}, 56);
  write(state, AEROGPU_MMIO_REG_FENCE_GPA_LO, fence_page_gpa);
  state.publish(test_state::page_refresh::always);
  CHECK(rig.machine.ram.writes(gpa{fence_page_gpa}, 56) == 0);
  set_command(state, dma);
  state.publish(test_state::page_refresh::always);
  CHECK(rig.machine.ram.writes(gpa{fence_page_gpa}, 56) == 16);
}

TEST_CASE("a paced fence waits for an edge until the scanout goes", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  set_command(state, dma);
  state.set_interrupt_enable(AEROGPU_IRQ_SCANOUT_VBLANK);
  state.enable_scanout(state.now_ns());
  CHECK(state.paces_presents());
  state.finish_fence(submit(state, 1, fence_kind::vsync_paced));
  state.release_fences();
  CHECK(state.fences().completed() == fence_value{});
  state.run_vblank(state.now_ns() + period_ns);
  CHECK(state.fences().completed() == fence_value{1});
  CHECK(state.registers().vblank_sequence == 1);
  state.finish_fence(submit(state, 2, fence_kind::vsync_paced));
  state.disable_scanout();
  CHECK_FALSE(state.clock().is_running());
  CHECK(state.registers().interrupts.status() == 0);
  state.release_fences();
  CHECK(state.fences().completed() == fence_value{2});
}

TEST_CASE("forgotten work leaves no fence, no doorbell, and another generation",
          "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  set_command(state, dma);
  write(state, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  CHECK(state.note_doorbell());
  state.finish_fence(submit(state, 9));
  state.release_fences();
  state.forget_work();
  CHECK(state.fences().completed() == fence_value{});
  CHECK_FALSE(state.is_doorbell_pending());
  CHECK(state.generation() == 2);
  state.publish();
  CHECK(state.registers().completed_fence == fence_value{});
}

TEST_CASE("a change of executor finishes what nobody completes any more", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  set_command(state, dma);
  CHECK(submit(state, 4).value == fence_value{4});
  state.set_executor(executor_mode::hold);
  state.release_fences();
  CHECK(state.fences().completed() == fence_value{4});
  CHECK(state.config().executor == executor_mode::hold);
  CHECK(state.generation() == 2);
}

TEST_CASE("time never runs backwards", "[device][state]") {
  state_rig rig;
  auto& state = *rig.state;
  state.run_vblank(500);
  CHECK(state.now_ns() == 500);
  rig.machine.time_ns += 700;
  CHECK(state.now_ns() == 700);
  CHECK(state.host_time_of(700) == rig.machine.time_ns);
}

}  // namespace aerogpu
