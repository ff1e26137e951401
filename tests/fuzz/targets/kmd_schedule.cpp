// Fuzzes the order in which a scheduler, a host and a busy processor act on the kernel driver. The
// simulator judges each report; at the end nothing that was submitted may be left.
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "tests/fuzz/kernel_machine.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <vector>

using namespace aerogpu;
using fuzz::claim;

namespace {

constexpr int most_steps = 200;
constexpr std::size_t buffer_bytes = 4096;
/// Much shorter than Windows': waiting for it is work for the simulator.
constexpr std::uint64_t timeout_ns = 20'000'000;
/// Windows gives up at the sixth timeout within a minute.
constexpr std::uint64_t rest_after_reset_ns = 13'000'000'000;

class schedule_run {
 public:
  explicit schedule_run(fuzz::input& in) : in_(in), graphics_(kernel_.windows, choose(in)) {
    open_session();
  }
  ~schedule_run() {
    drain();
    claim(graphics_.destroy_device(device_) == STATUS_SUCCESS, "the device is destroyed");
    claim(graphics_.destroy_device(system_) == STATUS_SUCCESS, "the system's device is destroyed");
  }
  schedule_run(const schedule_run&) = delete;
  auto operator=(const schedule_run&) -> schedule_run& = delete;

  void step() {
    act();
    if (graphics_.scheduler.resets() != resets_) recover();
  }

 private:
  [[nodiscard]] static auto choose(fuzz::input& in) -> sim::graphics_config {
    constexpr std::array first_fences{1u, 2u, 0x7FFFFFF0u, 0xFFFFFFF0u};
    const auto bits = in.u8();
    sim::graphics_config config;
    config.gives_hints = (bits & 1) == 0;
    config.scheduler.patch = static_cast<sim::patch_policy>(bits >> 1 & 3);
    config.scheduler.first_fence = first_fences[bits >> 3 & 3];
    config.scheduler.buffers_in_flight = (bits & 0x20) != 0 ? 64 : 8;
    config.scheduler.timeout_ns = timeout_ns;
    return config;
  }

  void act() {
    auto& interrupts = kernel_.pc.interrupts;
    auto& host = kernel_.pc.bus.host;
    auto& scheduler = graphics_.scheduler;
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
      case 18: static_cast<void>(graphics_.memory.evict_all()); return;
      case 19: return evict_one();
      case 20: return touch();
      case 21: return replace_allocation();
      case 22: return skip_fences();
      case 23: static_cast<void>(graphics_.set_vsync((in_.u8() & 1) != 0)); return;
      case 24: return scheduler.wait_idle();
      case 25: scheduler.config.patch = static_cast<sim::patch_policy>(in_.u8() & 3); return;
      case 26: return fill();
      default: return copy();
    }
  }

  /// As after much work of others. The sum of jumps over work in flight stays below 2^31.
  void skip_fences() {
    auto& scheduler = graphics_.scheduler;
    const std::uint32_t jump = in_.u32() / 4;
    if (scheduler.in_flight() == 0) scheduler.skip_to(scheduler.last_fence() + 1 + jump);
  }

  void open_session() {
    claim(graphics_.create_device(device_) == STATUS_SUCCESS, "a device is made");
    claim(graphics_.create_context(device_, context_) == STATUS_SUCCESS, "a context is made");
    if (system_ == 0) {
      claim(graphics_.create_device(system_, true) == STATUS_SUCCESS,
            "the system's device is made");
      claim(graphics_.create_context(system_, system_context_) == STATUS_SUCCESS,
            "the system's context is made");
    }
    for (auto& handle : handles_) handle = create(next_id_++);
  }

  auto create(std::uint32_t id) -> D3DKMT_HANDLE {
    alloc_private_data data{};
    data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
    data.alloc_id = id;
    data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE;
    data.size_bytes = buffer_bytes;
    data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
    sim::allocation_request request;
    request.private_data.resize(sizeof(aerogpu_wddm_alloc_priv_v2));
    std::memcpy(request.private_data.data(), &data, request.private_data.size());
    claim(graphics_.create_allocation(device_, {&request, 1}) == STATUS_SUCCESS,
          "an allocation is made");
    ids_[request.handle] = id;
    return request.handle;
  }

  /// Windows removes the device's contexts; the process starts again. Nobody waits for a minute.
  void recover() {
    resets_ = graphics_.scheduler.resets();
    const auto* const device = graphics_.find_device(device_);
    if (device != nullptr && device->is_lost) {
      claim(graphics_.destroy_device(device_) == STATUS_SUCCESS, "a lost device is destroyed");
      ids_.clear();
      open_session();
    }
    kernel_.pc.clock.advance(rest_after_reset_ns);
    resets_ = graphics_.scheduler.resets();
  }

  /// One context's work: the source is copied to the target, or nothing is done at all.
  void copy() {
    const auto shape = in_.u8();
    const auto source = handles_[shape % handles_.size()];
    const auto target = handles_[(shape >> 2) % handles_.size()];
    test::stream_builder stream;
    sim::render_request request;
    if ((shape & 0xC0) != 0 && source != target) {
      const auto from = ids_[source];
      const auto to = ids_[target];
      stream.create_buffer(1, buffer_bytes, {from})
          .create_buffer(2, buffer_bytes, {to})
          .dirty(1, 0, buffer_bytes)
          .copy_buffer(2, 0, 1, 0, buffer_bytes, AEROGPU_COPY_FLAG_WRITEBACK_DST)
          .destroy(1)
          .destroy(2);
      request.allocations = {{0, false}, {source, false}, {target, true}};
    } else {
      stream.nop();
    }
    auto* const commands = kernel_.pc.user.place(stream.bytes());
    request.commands = commands;
    request.size_bytes = stream.size();
    request.is_null_rendering = (shape & 0x10) != 0;
    const bool is_system = request.allocations.empty() && (shape & 0x20) != 0;
    static_cast<void>(graphics_.render(is_system ? system_context_ : context_, request));
    kernel_.pc.user.release(commands);
  }

  /// A present that the driver draws itself.
  void fill() {
    sim::present_request request;
    request.destination = handles_[0];
    request.flags.ColorFill = 1;
    request.destination_rect = {0, 0, 1, 1};
    static_cast<void>(graphics_.present(context_, request));
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

  void evict_one() {
    const auto one = graphics_.find_allocation(handles_[in_.u8() % handles_.size()]);
    if (one != nullptr) static_cast<void>(graphics_.memory.evict(*one));
  }
  void touch() {
    const auto handle = handles_[in_.u8() % handles_.size()];
    auto* const bytes = graphics_.lock(handle);
    if (bytes == nullptr) return;
    std::memset(bytes, in_.u8(), buffer_bytes);
    graphics_.unlock(handle);
  }
  void replace_allocation() {
    auto& handle = handles_[in_.u8() % handles_.size()];
    claim(graphics_.destroy_allocation(handle) == STATUS_SUCCESS, "an allocation is destroyed");
    const auto* const device = graphics_.find_device(device_);
    if (device->is_lost)
      recover();
    else
      handle = create(next_id_++);
  }

  /// Level 3: dxgkrnl evicts everything and waits, and nothing comes while the device is off.
  void sleep_and_wake() {
    free_processor();
    if (!graphics_.memory.evict_all() || graphics_.scheduler.in_flight() != 0) return;
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
    auto& scheduler = graphics_.scheduler;
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
  sim::graphics graphics_;
  D3DKMT_HANDLE device_ = 0;
  D3DKMT_HANDLE context_ = 0;
  D3DKMT_HANDLE system_ = 0;
  D3DKMT_HANDLE system_context_ = 0;
  std::array<D3DKMT_HANDLE, 4> handles_{};
  std::map<D3DKMT_HANDLE, std::uint32_t> ids_;
  std::uint32_t next_id_ = 1;
  std::uint32_t resets_ = 0;
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  schedule_run run{in};
  for (int i = 0; i < most_steps && !in.empty(); ++i) run.step();
  return 0;
}
