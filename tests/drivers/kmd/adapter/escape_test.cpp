// SPDX-License-Identifier: MIT
/// \file Escapes: sizes, gates, answers, and the record that CollectDbgInfo leaves.
#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/format.h"
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/escape/debug_record.hpp"
#include "drivers/win7/kmd/escape/escapes.hpp"
#include "drivers/win7/kmd/windows/subject_token.hpp"
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using entries = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::byte guard{0xA5};

struct operation {
  std::uint32_t op;
  std::uint32_t least_bytes;  ///< kmd.md 3.21.
  std::uint32_t whole_bytes;
};
constexpr operation operations[] = {
    {1, 24, 24},     {2, 32, 48},  {3, 808, 808},   {4, 32, 32},  {5, 56, 56},
    {6, 1332, 1332}, {7, 48, 48},  {9, 1824, 1824}, {10, 72, 80}, {11, 72, 72},
    {12, 144, 264},  {14, 40, 40}, {15, 48, 48},    {16, 24, 24}, {17, 24, 24},
};
constexpr operation gated[] = {{8, 32, 32}, {13, 4136, 4136}};

auto request(std::uint32_t op, std::size_t size_bytes) -> std::vector<std::byte> {
  std::vector<std::byte> buffer(size_bytes);
  const aerogpu_escape_header header{1, op, static_cast<std::uint32_t>(size_bytes), 0};
  std::memcpy(buffer.data(), &header, std::min(sizeof header, size_bytes));
  return buffer;
}

class escaping_driver : public running_driver {
 public:
  auto escape(std::vector<std::byte>& buffer) -> NTSTATUS {
    DXGKARG_ESCAPE args{};
    args.pPrivateDriverData = buffer.data();
    args.PrivateDriverDataSize = static_cast<UINT>(buffer.size());
    return windows().call(&entries::DxgkDdiEscape, windows().context(), &args);
  }
  template <class T>
  auto ask(std::uint32_t op, T question = {}) -> T {
    auto buffer = request(op, sizeof(T));
    std::memcpy(buffer.data() + sizeof(aerogpu_escape_header),
                reinterpret_cast<const std::byte*>(&question) + sizeof(aerogpu_escape_header),
                sizeof(T) - sizeof(aerogpu_escape_header));
    CHECK(escape(buffer) == STATUS_SUCCESS);
    T answer{};
    std::memcpy(&answer, buffer.data(), sizeof answer);
    return answer;
  }
  void allow(bool is_on, bool is_privileged) {
    adapter().knobs.allows_read_gpa = is_on;
    adapter().knobs.allows_map_shared_handle = is_on;
    sim::this_thread().is_privileged = is_privileged;
  }
};

}  // namespace

TEST_CASE("each escape refuses a buffer one byte short and takes a longer one",
          "[drivers][kmd][case-149]") {
  escaping_driver driver;
  driver.allow(false, true);
  for (const operation& one : operations) {
    INFO("operation " << one.op);
    auto small = request(one.op, one.least_bytes - 1);
    const auto before = small;
    CHECK(driver.escape(small) == STATUS_BUFFER_TOO_SMALL);
    CHECK(small == before);
    // A cursor shape of no pixels is no shape; all else answers.
    const NTSTATUS expected = one.op == 15 ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
    for (const std::uint32_t extra : {0u, 1u, 100u}) {
      auto buffer = request(one.op, one.whole_bytes + extra);
      std::fill(buffer.end() - extra, buffer.end(), guard);
      CHECK(driver.escape(buffer) == expected);
      CHECK(std::count(buffer.end() - extra, buffer.end(), guard) == extra);
    }
  }
}

TEST_CASE("an unknown version or operation is not supported, and nothing is written",
          "[drivers][kmd][case-150]") {
  escaping_driver driver;
  const auto [version, op] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{2, 1}, {0, 1}, {1, 0}, {1, 18}, {1, 99}}));
  auto buffer = request(op, 4200);
  std::memcpy(buffer.data(), &version, sizeof version);
  const auto before = buffer;
  CHECK(driver.escape(buffer) == STATUS_NOT_SUPPORTED);
  CHECK(buffer == before);
}

TEST_CASE("a buffer without a header is refused", "[drivers][kmd]") {
  escaping_driver driver;
  auto buffer = request(1, 15);
  CHECK(driver.escape(buffer) == STATUS_BUFFER_TOO_SMALL);
  DXGKARG_ESCAPE args{};
  CHECK(driver.windows().call(&entries::DxgkDdiEscape, driver.windows().context(), &args) ==
        STATUS_INVALID_PARAMETER);
}

TEST_CASE("QUERY_FENCE of 32 bytes gives the short form", "[drivers][kmd][case-151]") {
  escaping_driver driver;
  const auto size = GENERATE(32u, 47u, 48u, 60u);
  auto buffer = request(2, size);
  std::fill(buffer.begin() + 32, buffer.end(), guard);
  REQUIRE(driver.escape(buffer) == STATUS_SUCCESS);
  aerogpu_escape_header header{};
  std::memcpy(&header, buffer.data(), sizeof header);
  CHECK(header.size == (size >= 48 ? 48u : 32u));
  CHECK(std::count(buffer.begin() + header.size, buffer.end(), guard) == size - header.size);
}

TEST_CASE("the device's identity and scanout are answered, in the long form with flags",
          "[drivers][kmd]") {
  escaping_driver driver;
  const auto device = driver.ask<aerogpu_escape_query_device_v2_out>(7);
  CHECK(device.detected_mmio_magic == AEROGPU_MMIO_MAGIC);
  CHECK(device.abi_version_u32 == driver.device_register(AEROGPU_MMIO_REG_ABI_VERSION));
  CHECK(device.features_lo == driver.adapter().hardware.features);
  const auto scanout = driver.ask<aerogpu_escape_query_scanout_out_v2>(10);
  CHECK(scanout.base.hdr.size == 80);
  CHECK(scanout.base.reserved0 == AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID);
  CHECK(scanout.base.cached_width == 1024);
}

TEST_CASE("READ_GPA needs switch and privilege, and reads the ring alone of all guest memory",
          "[drivers][kmd][case-153]") {
  escaping_driver driver;
  const auto [is_on, is_privileged] =
      GENERATE(table<bool, bool>({{false, false}, {false, true}, {true, false}}));
  driver.allow(is_on, is_privileged);
  for (const operation& one : gated) {
    auto buffer = request(one.op, one.whole_bytes);
    const auto before = buffer;
    CHECK(driver.escape(buffer) == STATUS_NOT_SUPPORTED);
    CHECK(buffer == before);
  }
  driver.allow(true, true);
  const auto& ring = driver.adapter().engine.ring_memory();
  const auto read = [&](std::uint64_t at, std::uint32_t size) {
    aerogpu_escape_read_gpa_inout question{};
    question.gpa = at;
    question.size_bytes = size;
    return driver.ask(13, question);
  };
  const auto status_of = [](NTSTATUS status) { return static_cast<std::uint32_t>(status); };
  const auto head = read(ring.physical, 64);
  CHECK(head.status == status_of(STATUS_SUCCESS));
  CHECK(head.bytes_copied == 64);
  CHECK(std::memcmp(head.data, ring.bytes, 24) == 0);
  const auto end = read(ring.physical + ring.size_bytes - 16, 32);
  CHECK(end.status == status_of(STATUS_PARTIAL_COPY));
  CHECK(end.bytes_copied == 16);
  for (const std::uint64_t at : {std::uint64_t{0}, ring.physical - 1, UINT64_MAX - 4096}) {
    const auto denied = read(at, 16);
    CHECK(denied.status == status_of(STATUS_ACCESS_DENIED));
    CHECK(denied.bytes_copied == 0);
  }
  CHECK(read(ring.physical, 0).status == status_of(STATUS_INVALID_PARAMETER));
  CHECK(read(ring.physical, 4096).status == status_of(STATUS_SUCCESS));
  CHECK(read(ring.physical, 4097).status == status_of(STATUS_INVALID_PARAMETER));
  CHECK(read(UINT64_MAX, 16).status == status_of(STATUS_INVALID_PARAMETER));
}

TEST_CASE("a section has one debug number until 1,024 newer ones pushed it out",
          "[drivers][kmd][case-154]") {
  escaping_driver driver;
  driver.allow(true, true);
  std::vector<int> sections(1026);
  for (std::size_t i = 0; i < sections.size(); ++i) driver.pc().set_section(i + 1, &sections[i]);
  const auto number_of = [&](std::uint64_t handle) {
    aerogpu_escape_map_shared_handle_inout question{};
    question.shared_handle = handle;
    return driver.ask(8, question).debug_token;
  };
  const auto first = number_of(1);
  CHECK(first != 0);
  driver.pc().set_section(5000, &sections[0]);
  CHECK(number_of(5000) == first);
  for (std::uint64_t i = 2; i <= 1024; ++i) CHECK(number_of(i) != first);
  CHECK(number_of(1) == first);      // 1,024 fit.
  const auto second = number_of(2);  // Used now: 3 is the oldest.
  static_cast<void>(number_of(1025));
  CHECK(number_of(1) == first);
  CHECK(number_of(2) == second);
  for (std::uint64_t i = 3; i <= 1026; ++i) static_cast<void>(number_of(i));
  CHECK(number_of(1) != first);
  auto buffer = request(8, 32);
  CHECK(driver.escape(buffer) == STATUS_INVALID_HANDLE);
}

TEST_CASE("QUERY_PERF keeps its invariants, and a short buffer gets a prefix",
          "[drivers][kmd][case-155]") {
  escaping_driver driver;
  const auto perf = driver.ask<aerogpu_escape_query_perf_out>(12);
  CHECK(perf.hdr.size == 264);
  CHECK(perf.last_completed_fence <= perf.last_submitted_fence);
  CHECK(perf.ring0_tail - perf.ring0_head <= perf.ring0_entry_count);
  CHECK(perf.alloc_table_readonly_entries <= perf.alloc_table_entries);
  CHECK(perf.alloc_table_entries >= perf.alloc_table_count);
  for (const std::uint32_t size : {144u, 145u, 263u}) {
    auto buffer = request(12, size);
    REQUIRE(driver.escape(buffer) == STATUS_SUCCESS);
    aerogpu_escape_header header{};
    std::memcpy(&header, buffer.data(), sizeof header);
    CHECK(header.size == size);
  }
}

TEST_CASE("a caller has its client's rights where it may act for it, and none where it may not",
          "[drivers][kmd][case-153]") {
  int client = 0;
  int primary = 0;
  for (int level = 0; level <= 3; ++level) {
    CHECK(kmd::nt::acting_token(nullptr, level, &primary) == &primary);
    CHECK(kmd::nt::acting_token(&client, level, &primary) == (level >= 2 ? &client : nullptr));
  }
}

TEST_CASE("SELFTEST passes on an idle device, is busy with work, and restores the mask",
          "[drivers][kmd][case-156]") {
  escaping_driver driver;
  const auto mask = driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE);
  const auto passed = driver.ask<aerogpu_escape_selftest_inout>(4);
  CHECK(passed.error_code == AEROGPU_DBGCTL_SELFTEST_OK);
  CHECK(passed.passed == 1);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) == mask);

  driver.pc().bus.host.doorbells = sim::doorbell_mode::held;
  DXGKARG_SUBMITCOMMAND args{};
  args.SubmissionFenceId = 1;
  driver.windows().dxgk.fences.submitted(1, false);
  driver.windows().call(&entries::DxgkDdiSubmitCommand, driver.windows().context(), &args);
  const auto busy = driver.ask<aerogpu_escape_selftest_inout>(4);
  CHECK(busy.error_code == AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY);
  CHECK(busy.passed == 0);
  driver.pc().bus.release_doorbell();
  driver.pc().settle();
}

TEST_CASE("cursor escapes move and show the cursor like the pointer entries",
          "[drivers][kmd][case-157]") {
  escaping_driver driver;
  driver.allow(false, true);
  auto shape = request(15, 48 + 8 * 4 * 8);
  const std::uint32_t words[] = {8, 8, 2, 3, 32, AEROGPU_FORMAT_B8G8R8A8_UNORM};
  std::memcpy(shape.data() + 16, words, sizeof words);
  REQUIRE(driver.escape(shape) == STATUS_SUCCESS);
  aerogpu_escape_set_cursor_position_in position{};
  position.x = 100;
  position.y = 50;
  static_cast<void>(driver.ask(16, position));
  aerogpu_escape_set_cursor_visibility_in visibility{};
  visibility.visible = 1;
  static_cast<void>(driver.ask(17, visibility));
  CHECK(driver.device_register(AEROGPU_MMIO_REG_CURSOR_WIDTH) == 8);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_CURSOR_X) == 102);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_CURSOR_Y) == 53);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_CURSOR_ENABLE) == 1);
  // One row more than the buffer has.
  const std::uint32_t height = 9;
  std::memcpy(shape.data() + 20, &height, sizeof height);
  CHECK(driver.escape(shape) == STATUS_BUFFER_TOO_SMALL);
}

TEST_CASE("CollectDbgInfo at the highest level writes at most what fits",
          "[drivers][kmd][case-158]") {
  escaping_driver driver;
  const auto size = GENERATE(std::size_t{0}, std::size_t{16}, std::size_t{4096});
  std::vector<std::byte> buffer(4096 + 16, guard);
  DXGKARG_COLLECTDBGINFO_EXT extension{};
  DXGKARG_COLLECTDBGINFO args{};
  args.Reason = 0x117;
  args.pBuffer = buffer.data();
  args.BufferSize = size;
  args.pExtension = &extension;
  const auto accesses = driver.pc().bus.log.total();
  CHECK(driver.windows().call_at(sim::high_level, &entries::DxgkDdiCollectDbgInfo,
                                 driver.windows().context(), &args) == STATUS_SUCCESS);
  CHECK(driver.pc().bus.log.total() == accesses);
  const std::size_t written = std::min(size, sizeof(kmd::debug_record));
  CHECK(static_cast<std::size_t>(std::count(buffer.begin() + static_cast<std::ptrdiff_t>(written),
                                            buffer.end(), guard)) == buffer.size() - written);
  if (written < sizeof(kmd::debug_record)) return;
  kmd::debug_record record;
  std::memcpy(&record, buffer.data(), sizeof record);
  CHECK(record.magic == kmd::debug_record_magic);
  CHECK(record.reason == 0x117);
}
