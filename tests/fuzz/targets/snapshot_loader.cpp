// SPDX-License-Identifier: MIT
// Fuzzes snapshots: a device takes one whole or stays as it was, and what it took it saves again.
// The input is one byte, odd when the checksum is to be made right, and the snapshot.
#include "tests/fuzz/device_machine.hpp"

#include <vector>

using namespace aerogpu;

namespace {

using machine = fuzz::device_machine;

constexpr std::uint64_t most_snapshot_bytes = 64 << 20;

auto saved(machine& m) -> snapshot_writer {
  snapshot_writer out{most_snapshot_bytes};
  fuzz::claim(static_cast<bool>(m.device->save(out)), "a device can be saved");
  return out;
}

auto same(const snapshot_writer& a, const snapshot_writer& b) -> bool {
  return std::ranges::equal(a.bytes(), b.bytes());
}

/// What a device saves that nobody used: always the same.
auto saved_new_device() -> const snapshot_writer& {
  static const snapshot_writer once = [] {
    machine m;
    return saved(m);
  }();
  return once;
}

/// The snapshot; with a right checksum the fuzzer gets past it.
auto snapshot_of(const_bytes input) -> std::vector<std::byte> {
  if (input.empty()) return {};
  std::vector<std::byte> snapshot{input.begin() + 1, input.end()};
  const bool is_repaired = input[0] == std::byte{1} && snapshot.size() >= sizeof(std::uint32_t);
  if (!is_repaired) return snapshot;
  const std::size_t at = snapshot.size() - sizeof(std::uint32_t);
  store(snapshot.data() + at, crc32(const_bytes{snapshot}.first(at)));
  return snapshot;
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  machine m;
  m.has_foreign_state = true;
  const auto loaded = m.device->load(snapshot_of(std::as_bytes(std::span{data, size})));
  m.check();
  const snapshot_writer after = saved(m);
  if (!loaded) {
    fuzz::claim(same(saved_new_device(), after), "a refused snapshot changes nothing");
    return 0;
  }
  machine other;
  fuzz::claim(static_cast<bool>(other.device->load(after.bytes())), "what was saved loads");
  fuzz::claim(same(saved(other), after), "and saves as the same bytes");
  m.host.time_ns += 1'000'000'000;
  m.device->tick();
  m.device->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4);
  m.device->tick();
  m.check();
  return 0;
}
