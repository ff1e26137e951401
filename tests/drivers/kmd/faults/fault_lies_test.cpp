// SPDX-License-Identifier: MIT
/// \file A device that lies, in registers and in the memory that it shares with the driver: Windows
/// survives, and the next session, with an honest device, works.
#include "aerogpu/abi/fence_page.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/stream/generate.hpp"
#include "tests/drivers/kmd/faults/fault_session.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// What a register answers for, as far as lies are told.
enum class subject : std::uint8_t { identity, fence, interrupts, display, other, count };

[[nodiscard]] constexpr auto subject_of(std::uint32_t offset) -> subject {
  if (offset <= AEROGPU_MMIO_REG_FEATURES_HI) return subject::identity;
  if (offset == AEROGPU_MMIO_REG_COMPLETED_FENCE_LO ||
      offset == AEROGPU_MMIO_REG_COMPLETED_FENCE_HI)
    return subject::fence;
  if (offset >= AEROGPU_MMIO_REG_IRQ_STATUS && offset <= AEROGPU_MMIO_REG_ERROR_COUNT)
    return subject::interrupts;
  if (offset >= AEROGPU_MMIO_REG_SCANOUT0_ENABLE) return subject::display;
  return subject::other;
}

/// In the machine's slot from now on, until it goes. Everything follows from the seed.
class liar {
 public:
  liar(simulated_pc<>& on, std::uint64_t seed) : m_(on), random_(seed) {
    constexpr std::array<std::uint32_t, 5> habits{0, 1, 30, 128, 256};  // Of 256.
    for (auto& one : habits_) one = habits[below(habits.size())];
    // A device that never is what it says is refused at the start, which is seldom worth a round.
    auto& identity = habits_[static_cast<std::size_t>(subject::identity)];
    if (below(8) != 0) identity = below(4);
    memory_habit_ = habits[below(habits.size())];
    m_.pc.bus.host.on_read = [this](std::uint32_t at, std::uint32_t value) {
      return read(at, value);
    };
    m_.pc.bus.host.on_write = [this](std::uint32_t at, std::uint32_t) { return write(at); };
  }
  ~liar() {
    m_.pc.bus.host.on_read = nullptr;
    m_.pc.bus.host.on_write = nullptr;
    m_.pc.interrupts.force_line(false);
  }
  liar(const liar&) = delete;
  auto operator=(const liar&) -> liar& = delete;

  [[nodiscard]] auto lies() const noexcept -> std::uint64_t { return lies_; }

 private:
  [[nodiscard]] auto below(std::uint64_t count) -> std::uint32_t {
    return static_cast<std::uint32_t>(random_() % count);
  }
  [[nodiscard]] auto tells(subject about) -> bool {
    return below(256) < habits_[static_cast<std::size_t>(about)];
  }

  /// Near the truth, far from it, or an edge.
  [[nodiscard]] auto twist(std::uint64_t truth) -> std::uint64_t {
    switch (below(7)) {
      case 0: return truth + 1 + below(16);
      case 1: return truth - 1 - below(16);
      case 2: return truth ^ std::uint64_t{1} << below(64);
      case 3: return random_();
      case 4: return 0;
      case 5: return std::uint64_t{1} << below(64);
      default: return UINT64_MAX;
    }
  }

  [[nodiscard]] auto read(std::uint32_t at, std::uint32_t value) -> std::uint32_t {
    // A line that another device raises, or nobody, until it is looked into.
    if (at == AEROGPU_MMIO_REG_IRQ_STATUS) m_.pc.interrupts.force_line(false);
    if (below(256) < memory_habit_) spoil_memory();
    if (!tells(subject_of(at))) return value;
    ++lies_;
    return static_cast<std::uint32_t>(twist(value));
  }

  /// Whether the device takes the write. A line that is high although it was masked or acknowledged
  /// stops Windows with any driver, so that much of the truth remains.
  [[nodiscard]] auto write(std::uint32_t at) -> bool {
    if (at == AEROGPU_MMIO_REG_DOORBELL) spoil_memory();
    if (at == AEROGPU_MMIO_REG_IRQ_ENABLE) m_.pc.interrupts.force_line(false);
    if (at == AEROGPU_MMIO_REG_IRQ_ENABLE || at == AEROGPU_MMIO_REG_IRQ_ACK) return true;
    return !tells(subject::other);
  }
  [[nodiscard]] auto is_masked() -> bool {
    return m_.pc.bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) == 0;
  }

  /// The fence page, the ring's header and the interrupt line.
  void spoil_memory() {
    if (below(256) >= memory_habit_) return;
    ++lies_;
    const auto page = m_.pc.bus.peek64(AEROGPU_MMIO_REG_FENCE_GPA_LO);
    const auto ring = m_.pc.bus.peek64(AEROGPU_MMIO_REG_RING_GPA_LO);
    switch (below(8)) {
      case 0: return m_.pc.interrupts.force_line(!is_masked());
      case 1: return spoil<std::uint64_t>(page + below(8) * 8);
      case 2:
      case 3: return spoil<std::uint64_t>(page + offsetof(aerogpu_fence_page, completed_fence));
      case 4: return spoil<std::uint32_t>(ring + below(16) * 4);
      default: return spoil<std::uint32_t>(ring + offsetof(aerogpu_ring_header, head));
    }
  }
  template <class Word>
  void spoil(std::uint64_t at) {
    auto* const bytes = at >= sim::page_bytes ? m_.pc.ram.at(at, sizeof(Word)) : nullptr;
    if (bytes == nullptr) return;
    store(bytes, static_cast<Word>(twist(load<Word>(bytes))));
  }

  simulated_pc<>& m_;
  seeded_random random_;
  std::array<std::uint32_t, static_cast<std::size_t>(subject::count)> habits_{};
  std::uint32_t memory_habit_ = 0;
  std::uint64_t lies_ = 0;
};

[[nodiscard]] auto number_from_environment(const char* name, std::uint64_t otherwise)
    -> std::uint64_t {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

}  // namespace

TEST_CASE("whatever the device says, Windows and the next session live on",
          "[drivers][kmd][fault]") {
  const std::uint64_t first = number_from_environment("AEROGPU_SEED", 1);
  const std::uint64_t seeds = number_from_environment("AEROGPU_SEEDS", 150);
  CAPTURE(first, seeds);
  std::uint64_t lies = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const auto where = "AEROGPU_SEED=" + std::to_string(seed);
    INFO(where);
    simulated_pc<> m;
    {
      liar device{m, seed};
      fault_session lied_to{m, session_rule::windows_survives};
      lied_to.run();
      lies += device.lies();
    }
    check_no_bug_check(m, where);
    fault_session next{m, session_rule::everything_works};
    next.run();
    check_no_bug_check(m, where + ", the next session");
  }
  CHECK(lies >= seeds);
}
