// SPDX-License-Identifier: MIT
// Fuzzes the order in which a scheduler, a host and a busy processor act on the kernel driver. The
// simulator judges each report; at the end nothing that was submitted may be left.
#include "tests/drivers/support/alloc_blobs.hpp"
#include "tests/drivers/support/kernel_client.hpp"
#include "tests/drivers/support/streams.hpp"
#include "tests/fuzz/kernel_machine.hpp"

#include <array>
#include <cstdint>
#include <utility>

using namespace aerogpu;
using fuzz::claim;

namespace {

constexpr int most_steps = 200;
constexpr std::uint32_t buffer_bytes = 4096;
/// Much shorter than Windows': waiting for it is work for the simulator.
constexpr std::uint64_t timeout_ns = 20'000'000;

class schedule_run {
 public:
  explicit schedule_run(fuzz::input& in) : in_(in), upper_(kernel_.windows, choose(in)) {
    claim(system_.open() == STATUS_SUCCESS, "the system's device and context are made");
    open_session();
  }
  ~schedule_run() {
    drain();
    app_.close();
    system_.close();
  }
  schedule_run(const schedule_run&) = delete;
  auto operator=(const schedule_run&) -> schedule_run& = delete;

  void step() {
    act();
    if (upper_.scheduler.resets() != resets_) recover();
  }

 private:
  struct buffer {
    test::opening opening;
    std::uint32_t id = 0;
  };

  [[nodiscard]] static auto choose(fuzz::input& in) -> sim::windows_options {
    constexpr std::array first_fences{1u, 2u, 0x7FFFFFF0u, 0xFFFFFFF0u};
    const auto bits = in.u8();
    sim::windows_options options;
    if ((bits & 1) != 0) options.hints = sim::address_hints::none;
    options.scheduler.patch = static_cast<sim::patch_policy>(bits >> 1 & 3);
    options.scheduler.first_fence = first_fences[bits >> 3 & 3];
    options.scheduler.buffers_in_flight = (bits & 0x20) != 0 ? 64 : 8;
    options.scheduler.timeout_ns = timeout_ns;
    // A host that hangs for ever is no fault of the driver's.
    options.scheduler.resets_in_a_minute = SIZE_MAX;
    return options;
  }

  void act() {
    auto& interrupts = kernel_.pc.interrupts;
    auto& host = kernel_.pc.bus.host;
    auto& scheduler = upper_.scheduler;
    switch (in_.u8() % 32) {
      case 0: return interrupts.hold_interrupts(true);
      case 1: return interrupts.hold_interrupts(false);
      case 2: return interrupts.hold_dpcs(true);
      case 3: return interrupts.hold_dpcs(false);
      case 4: return interrupts.settle();
      case 5: return share_line();
      case 6: return lose_interrupt();
      case 7: host.doorbells = sim::doorbell_mode::synchronous; return;
      case 8: host.doorbells = sim::doorbell_mode::held; return;
      case 9:
        host.doorbells = sim::doorbell_mode::delayed;
        host.delay_ns = 1000 * std::uint64_t{in_.u16()};
        return;
      case 10: return kernel_.pc.bus.release_doorbell();
      case 11:
      case 12: return kernel_.pc.bus.release_doorbell(1 + in_.u8() % 4u);
      case 13: return scheduler.advance(1000 * std::uint64_t{in_.u16()});
      case 14: return scheduler.preempt();
      case 15: static_cast<void>(scheduler.query_fence()); return;
      case 16: return scheduler.reset_from_timeout();
      case 17: return sleep_and_wake();
      case 18: static_cast<void>(upper_.memory.evict_all()); return;
      case 19: return evict_one();
      case 20: return touch();
      case 21: return replace_allocation();
      case 22: return skip_fences();
      case 23: static_cast<void>(upper_.flips.set_interrupt((in_.u8() & 1) != 0)); return;
      case 24: return scheduler.wait_idle();
      case 25: scheduler.config.patch = static_cast<sim::patch_policy>(in_.u8() & 3); return;
      case 26: return fill();
      default: return copy();
    }
  }

  /// As after much work of others: less than 2^31 between two submissions.
  void skip_fences() {
    auto& scheduler = upper_.scheduler;
    const std::uint32_t jump = in_.u32() / 4;
    if (scheduler.in_flight() != 0 || scheduler.last_fence() == skipped_to_) return;
    skipped_to_ = scheduler.last_fence() + jump;
    scheduler.skip_to(skipped_to_ + 1);
  }

  void open_session() {
    claim(app_.open() == STATUS_SUCCESS, "a device and a context are made");
    for (auto& one : buffers_) one = create();
  }

  [[nodiscard]] auto create() -> buffer {
    const auto id = next_id_++;
    auto opening = app_.create(test::buffer_blob(id, buffer_bytes, test::cpu_visible_flag,
                                                 AEROGPU_WDDM_ALLOC_PRIV_VERSION_2));
    claim(opening != nullptr, "an allocation is made");
    return {std::move(opening), id};
  }
  [[nodiscard]] auto any() -> buffer& { return buffers_[in_.u8() % buffers_.size()]; }

  /// Windows removes the device's contexts; the process starts again.
  void recover() {
    resets_ = upper_.scheduler.resets();
    if (app_.device->is_lost.load()) {
      buffers_ = {};
      app_.close();
      open_session();
    }
    resets_ = upper_.scheduler.resets();
  }

  /// One context's work: the source is copied to the target, or nothing is done at all.
  void copy() {
    const auto shape = in_.u8();
    const auto& source = buffers_[shape % buffers_.size()];
    const auto& target = buffers_[(shape >> 2) % buffers_.size()];
    const bool has_copy = (shape & 0xC0) != 0 && &source != &target;
    auto& client = !has_copy && (shape & 0x20) != 0 ? system_ : app_;
    client.context->is_null_rendering = (shape & 0x10) != 0;
    if (has_copy) {
      static_cast<void>(client.render(test::host_copy(source.id, target.id, buffer_bytes).bytes(),
                                      {{}, {source.opening, false}, {target.opening, true}}));
      return;
    }
    test::stream_builder stream;
    static_cast<void>(client.render(stream.nop().bytes(), {}));
  }

  /// A present that the driver draws itself.
  void fill() {
    sim::blt_request request;
    request.destination = buffers_[0].opening;
    request.flags.ColorFill = 1;
    request.destination_area = {0, 0, 1, 1};
    request.sub_rectangles = {request.destination_area};
    static_cast<void>(app_.blt(request));
  }

  /// Another device on the same line has something to say.
  void share_line() {
    auto& interrupts = kernel_.pc.interrupts;
    interrupts.force_line(true);
    interrupts.settle();
    interrupts.force_line(false);
  }
  /// The line falls before anybody sees it.
  void lose_interrupt() { kernel_.pc.interrupts.set_line(false); }

  void evict_one() { static_cast<void>(upper_.memory.evict(*any().opening->memory)); }
  void touch() {
    const auto& one = any();
    static_cast<void>(app_.fill(one.opening, buffer_bytes, in_.u8()));
  }
  void replace_allocation() {
    auto& one = any();
    app_.destroy(std::exchange(one.opening, nullptr));
    if (app_.device->is_lost.load())
      recover();
    else
      one = create();
  }

  /// Level 3: dxgkrnl evicts everything and waits, and nothing comes while the device is off.
  void sleep_and_wake() {
    free_processor();
    if (!upper_.memory.evict_all() || upper_.scheduler.in_flight() != 0) return;
    claim(kernel_.set_power(PowerDeviceD3) == STATUS_SUCCESS, "the adapter goes to sleep");
    kernel_.pc.clock.advance(1000 * std::uint64_t{in_.u16()});
    claim(kernel_.set_power(PowerDeviceD0) == STATUS_SUCCESS, "the adapter wakes up");
  }

  void free_processor() {
    auto& bus = kernel_.pc.bus;
    bus.host.doorbells = sim::doorbell_mode::synchronous;
    bus.release_doorbell();
    kernel_.pc.interrupts.hold_interrupts(false);
    kernel_.pc.interrupts.hold_dpcs(false);
  }

  void drain() {
    free_processor();
    auto& scheduler = upper_.scheduler;
    // What a lost interrupt would have said comes with the next one, or with a question.
    static_cast<void>(scheduler.query_fence());
    kernel_.pc.settle();
    const auto resets = scheduler.resets();
    scheduler.wait_idle();
    claim(scheduler.resets() == resets, "a host that works again lets everything end");
    claim(scheduler.in_flight() == 0, "nothing is in flight in the end");
    claim(kernel_.windows.dxgk.fences.pending() == 0, "every fence was reported");
  }

  fuzz::input& in_;
  fuzz::kernel_machine kernel_;
  sim::desktop_session upper_;
  test::kernel_client system_{upper_, 0};
  test::kernel_client app_{upper_};
  std::array<buffer, 4> buffers_;
  std::uint32_t next_id_ = 1;
  std::uint32_t resets_ = 0;
  std::uint32_t skipped_to_ = 0;  ///< Where the last jump ended.
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  schedule_run run{in};
  for (int i = 0; i < most_steps && !in.empty(); ++i) run.step();
  return 0;
}
