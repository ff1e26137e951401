// SPDX-License-Identifier: MIT
// Fuzzes the kernel driver's escapes: every operation with any size and payload, gates on and off,
// asleep and awake, on a device that lies.
#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/mmio.h"
#include "tests/fuzz/kernel_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

using namespace aerogpu;
using fuzz::claim;

namespace {

constexpr std::uint32_t operation_count = 19;  // Two of them unknown.
constexpr std::array<std::uint32_t, operation_count> whole_sizes{
    16, 24, 48, 808, 32, 56, 1332, 48, 32, 1824, 80, 72, 264, 4136, 40, 48, 24, 24, 64};
constexpr int most_steps = 64;
/// A selftest sleeps as long as the caller says; a fuzzer has no half minute.
constexpr std::uint32_t most_selftest_ms = 50;

[[nodiscard]] constexpr auto is_gated(std::uint32_t op) noexcept -> bool {
  return op == AEROGPU_ESCAPE_OP_READ_GPA || op == AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE;
}
/// The cursor's requests have no answer.
[[nodiscard]] constexpr auto is_answered(std::uint32_t op) noexcept -> bool {
  return op < AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE;
}

class escape_run {
 public:
  explicit escape_run(fuzz::input& in) : in_(in) {
    if ((in.u8() & 1) != 0) show_desktop();
    kernel_.pc.bus.host.on_read = [this](std::uint32_t offset, std::uint32_t value) {
      const auto lie = lies_.find(offset);
      return lie != lies_.end() ? lie->second : value;
    };
  }
  ~escape_run() {
    lies_.clear();
    kernel_.pc.bus.host.is_removed = false;
    kernel_.pc.faults.disarm();
    if (is_asleep_) set_sleep(false);
  }
  escape_run(const escape_run&) = delete;
  auto operator=(const escape_run&) -> escape_run& = delete;

  void step() {
    switch (in_.u8() % 16) {
      case 0: return set_gates();
      case 1: return set_sleep(!is_asleep_);
      case 2: return lie();
      case 3: return lies_.clear();
      case 4: return kernel_.pc.clock.advance(1000 * std::uint64_t{in_.u16()});
      case 5: return kernel_.pc.bus.host.is_removed.store(in_.u8() % 4 == 0);
      case 6: return plan_fault();
      case 7: return kernel_.pc.set_section(in_.u8(), &kernel_);
      default: return escape();
    }
  }

 private:
  void show_desktop() {
    auto& vidpns = kernel_.vidpns.emplace(kernel_.windows);
    sim::vidpn* const functional = vidpns.negotiate(1024, 768);
    if (functional == nullptr) return;
    claim(vidpns.commit(functional) == STATUS_SUCCESS, "a negotiated VidPN is committed");
    DXGKARG_SETVIDPNSOURCEADDRESS address{};
    address.PrimarySegment = 1;
    address.PrimaryAddress.QuadPart =
        static_cast<LONGLONG>(kernel_.pc.config.bars.bar1 + (4u << 20));
    static_cast<void>(kernel_.call(&fuzz::kernel_machine::entries::DxgkDdiSetVidPnSourceAddress,
                                   static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&address)));
    const DXGKARG_SETVIDPNSOURCEVISIBILITY visible{0, BOOLEAN{TRUE}};
    static_cast<void>(
        kernel_.call(&fuzz::kernel_machine::entries::DxgkDdiSetVidPnSourceVisibility, &visible));
  }

  void set_gates() {
    const auto bits = in_.u8();
    auto& knobs = kernel_.adapter().knobs;
    knobs.allows_read_gpa = (bits & 1) != 0;
    knobs.allows_map_shared_handle = (bits & 2) != 0;
    sim::this_thread().is_privileged = (bits & 4) != 0;
  }
  [[nodiscard]] auto is_allowed(std::uint32_t op) -> bool {
    const auto& knobs = kernel_.adapter().knobs;
    const bool is_on =
        op == AEROGPU_ESCAPE_OP_READ_GPA ? knobs.allows_read_gpa : knobs.allows_map_shared_handle;
    return is_on && sim::this_thread().is_privileged;
  }

  /// Power changes on a device that answers: a dead one is the schedule target's.
  void set_sleep(bool sleeps) {
    lies_.clear();
    kernel_.pc.bus.host.is_removed = false;
    kernel_.pc.faults.disarm();
    claim(kernel_.set_power(sleeps ? PowerDeviceD3 : PowerDeviceD0) == STATUS_SUCCESS,
          "the power state changes");
    is_asleep_ = sleeps;
  }

  void lie() {
    const std::uint32_t offset = in_.u16() % 0x600 & ~3u;
    // The simulator takes a raised line that the routine does not see for a storm.
    if (offset == AEROGPU_MMIO_REG_IRQ_STATUS) return;
    lies_[offset] = in_.u32();
  }

  void plan_fault() {
    constexpr auto count = static_cast<std::uint32_t>(sim::fault_point::count);
    const auto point = static_cast<sim::fault_point>(in_.u8() % count);
    kernel_.pc.faults.fail(point, in_.u8() % 16);
  }

  /// Any size near those that count, any bytes, mostly a sound header.
  [[nodiscard]] auto request(std::uint32_t op) -> std::vector<std::byte> {
    const auto shape = in_.u8();
    std::uint32_t size = op < operation_count ? whole_sizes[op] : 64;
    if (shape % 8 == 1) size = size - 1;
    if (shape % 8 == 2) size = size + 1 + in_.u8();
    if (shape % 8 == 3) size = in_.u16() % 8192;
    if (shape % 8 == 4) size = in_.u8() % 80;
    std::vector<std::byte> buffer(size);
    const auto payload = in_.bytes(in_.u8());
    const auto at = std::min<std::size_t>(size, sizeof(aerogpu_escape_header));
    const auto taken = payload.first(std::min(payload.size(), buffer.size() - at));
    copy_bytes(mutable_bytes{buffer}.subspan(at, taken.size()), taken);
    const aerogpu_escape_header header{(shape & 0xF0) == 0xF0 ? in_.u32() : AEROGPU_ESCAPE_VERSION,
                                       op, size, 0};
    copy_bytes(mutable_bytes{buffer}.first(at), bytes_of(header).first(at));
    if (op == AEROGPU_ESCAPE_OP_SELFTEST && size >= sizeof(aerogpu_escape_selftest_inout)) {
      auto test = load<aerogpu_escape_selftest_inout>(buffer.data());
      test.timeout_ms = 1 + test.timeout_ms % most_selftest_ms;
      store(buffer.data(), test);
    }
    return buffer;
  }

  void escape() {
    const std::uint32_t choice = in_.u8();
    const std::uint32_t op = choice == 0xFF ? in_.u32() : choice % operation_count;
    auto buffer = request(op);
    const auto before = buffer;
    const auto accesses = kernel_.pc.bus.log.total();
    DXGKARG_ESCAPE args{};
    args.pPrivateDriverData = buffer.empty() ? nullptr : buffer.data();
    args.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
    args.Flags.HardwareAccess = choice & 1;
    const NTSTATUS status = kernel_.call(&fuzz::kernel_machine::entries::DxgkDdiEscape,
                                         static_cast<const DXGKARG_ESCAPE*>(&args));
    if (is_asleep_) {
      claim(kernel_.pc.bus.log.total() == accesses, "a sleeping device is left alone");
    }
    if (!NT_SUCCESS(status)) return claim(buffer == before, "a refused escape writes nothing");
    claim(!is_gated(op) || is_allowed(op), "a gated escape is refused while it is not allowed");
    check_answer(op, buffer, before);
  }

  static void check_answer(std::uint32_t op, const std::vector<std::byte>& buffer,
                           const std::vector<std::byte>& before) {
    if (!is_answered(op)) return claim(buffer == before, "a request without answer stays");
    claim(buffer.size() >= sizeof(aerogpu_escape_header), "an answered escape has a header");
    const auto header = load<aerogpu_escape_header>(buffer.data());
    claim(header.version == AEROGPU_ESCAPE_VERSION && header.op == op, "an answer names itself");
    claim(header.size >= sizeof header && header.size <= buffer.size(), "an answer fits");
    claim(std::equal(buffer.begin() + header.size, buffer.end(), before.begin() + header.size),
          "nothing is written behind an answer");
    if (op == AEROGPU_ESCAPE_OP_READ_GPA) {
      const auto read = load<aerogpu_escape_read_gpa_inout>(buffer.data());
      claim(read.bytes_copied <= AEROGPU_DBGCTL_READ_GPA_MAX_BYTES, "a read stays in its limit");
    }
    if (op == AEROGPU_ESCAPE_OP_DUMP_RING_V2) {
      const auto dump = load<aerogpu_escape_dump_ring_v2_inout>(buffer.data());
      claim(dump.desc_count <= AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS, "a dump stays in its array");
    }
  }

  fuzz::input& in_;
  fuzz::kernel_machine kernel_;
  std::map<std::uint32_t, std::uint32_t> lies_;  ///< What is read instead, by register.
  bool is_asleep_ = false;
};

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  escape_run run{in};
  for (int i = 0; i < most_steps && !in.empty(); ++i) run.step();
  return 0;
}
