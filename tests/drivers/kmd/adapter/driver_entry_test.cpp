// SPDX-License-Identifier: MIT
/// \file DriverEntry, the table, and the handshake with dxgkrnl.
#include "drivers/win7/kmd/entry/driver_entry.hpp"

#include "drivers/win7/kmd/entry/dxgk_initialize.hpp"
#include "drivers/win7/kmd/entry/entry_points.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr NTSTATUS load_failure = STATUS_ACCESS_DENIED;

/// What the function behind the IOCTL was called with.
struct seen_call {
  int calls = 0;
  PDRIVER_OBJECT driver = nullptr;
  PUNICODE_STRING path = nullptr;
  PDRIVER_INITIALIZATION_DATA table = nullptr;
  NTSTATUS answer = STATUS_SUCCESS;
};
seen_call seen;

auto APIENTRY record_call(PDRIVER_OBJECT driver, PUNICODE_STRING path,
                          PDRIVER_INITIALIZATION_DATA table) -> NTSTATUS {
  ++seen.calls;
  seen.driver = driver;
  seen.path = path;
  seen.table = table;
  return seen.answer;
}

struct handshake {
  handshake() {
    seen = {};
    pc.pc.services.answer = &record_call;
  }
  auto run() -> NTSTATUS { return kmd::dxgk_initialize(driver, &path, table); }
  [[nodiscard]] auto services() -> sim::service_loader& { return pc.pc.services; }

  simulated_pc<> pc;
  PDRIVER_OBJECT driver = reinterpret_cast<PDRIVER_OBJECT>(this);
  UNICODE_STRING path{};
  DRIVER_INITIALIZATION_DATA table{};
};

}  // namespace

TEST_CASE("DriverEntry hands over a Windows 7 table with all entries but those that must be NULL",
          "[drivers][kmd][case-1]") {
  simulated_pc<> pc;
  REQUIRE(pc.windows.load(&DriverEntry) == STATUS_SUCCESS);
  const DRIVER_INITIALIZATION_DATA& table = pc.windows.table;
  CHECK(table.Version == 0x2005);
  // Positions of kmd.md 1.3: LinkDevice, 62 to 67, RenderKm and Reserved.
  constexpr std::size_t nulls[] = {60, 62, 63, 64, 65, 66, 67, 68, 69};
  constexpr std::size_t entries = 70;
  static_assert(sizeof table == (entries + 1) * sizeof(void*));
  for (std::size_t i = 1; i <= entries; ++i) {
    void* entry = nullptr;
    std::memcpy(&entry, reinterpret_cast<const std::byte*>(&table) + i * sizeof entry,
                sizeof entry);
    const bool must_be_null = std::find(std::begin(nulls), std::end(nulls), i) != std::end(nulls);
    INFO("entry " << i);
    CHECK((entry == nullptr) == must_be_null);
  }
}

TEST_CASE("DriverEntry refuses NULL arguments and asks nobody", "[drivers][kmd]") {
  simulated_pc<> pc;
  UNICODE_STRING path{};
  CHECK(DriverEntry(nullptr, &path) == STATUS_INVALID_PARAMETER);
  CHECK(DriverEntry(reinterpret_cast<PDRIVER_OBJECT>(&pc), nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(pc.pc.services.loaded.empty());
}

TEST_CASE("the handshake asks IOCTL 0x23003F for a pointer and calls it with its own arguments",
          "[drivers][kmd][case-2]") {
  handshake shake;
  CHECK(shake.run() == STATUS_SUCCESS);
  CHECK(shake.services().loaded ==
        std::vector<std::string>{
            "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\DXGKrnl"});
  CHECK(shake.services().opened == std::vector<std::string>{"\\Device\\DxgKrnl"});
  CHECK(shake.services().ioctl == 0x0023003F);
  CHECK(shake.services().ioctl_output_bytes == sizeof(void*));
  CHECK(seen.calls == 1);
  CHECK(seen.driver == shake.driver);
  CHECK(seen.path == &shake.path);
  CHECK(seen.table == &shake.table);
  // The reference stays with a driver that runs.
  CHECK(shake.services().open_devices == 1);
  CHECK(shake.services().unloaded.empty());
}

TEST_CASE("a dxgkrnl that is loaded already is tried ten times, 5 ms apart",
          "[drivers][kmd][case-3]") {
  handshake shake;
  shake.services().load_status = STATUS_IMAGE_ALREADY_LOADED;
  const auto [failures, status] =
      GENERATE(table<std::uint32_t, NTSTATUS>({{0, STATUS_SUCCESS},
                                               {1, STATUS_SUCCESS},
                                               {9, STATUS_SUCCESS},
                                               {10, STATUS_DEVICE_NOT_READY},
                                               {100, STATUS_DEVICE_NOT_READY}}));
  shake.services().failing_opens = failures;
  const auto before = shake.pc.pc.clock.now_ns();
  CHECK(shake.run() == status);
  const std::uint32_t attempts = std::min(failures + 1, 10u);
  CHECK(shake.services().opened.size() == attempts);
  CHECK(shake.pc.pc.clock.now_ns() - before >= (attempts - 1) * 5'000'000ull);
  CHECK(seen.calls == (NT_SUCCESS(status) ? 1 : 0));
  // It is somebody else's: never unloaded.
  CHECK(shake.services().unloaded.empty());
}

TEST_CASE("a dxgkrnl that was loaded for nothing is unloaded again", "[drivers][kmd][case-4]") {
  handshake shake;
  shake.services().failing_opens = 1;
  CHECK(shake.run() == STATUS_DEVICE_NOT_READY);
  CHECK(shake.services().opened.size() == 1);
  CHECK(shake.services().unloaded == shake.services().loaded);
}

TEST_CASE("a dxgkrnl that does not load ends the handshake", "[drivers][kmd]") {
  handshake shake;
  shake.services().load_status = load_failure;
  CHECK(shake.run() == load_failure);
  CHECK(shake.services().opened.empty());
  CHECK(shake.services().unloaded.empty());
}

TEST_CASE("a dxgkrnl that refuses loses the reference on its device", "[drivers][kmd]") {
  handshake shake;
  SECTION("the IOCTL") {
    shake.services().ioctl_status = STATUS_NOT_SUPPORTED;
  }
  SECTION("the function behind it") {
    seen.answer = STATUS_NOT_SUPPORTED;
  }
  CHECK(shake.run() == STATUS_NOT_SUPPORTED);
  CHECK(shake.services().open_devices == 0);
}
