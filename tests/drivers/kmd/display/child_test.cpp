// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/child.hpp"

#include "drivers/win7/kmd/display/edid.hpp"
#include "tests/drivers/kmd/display/display_session.hpp"

#include <array>
#include <cstring>

using namespace aerogpu;
using namespace aerogpu::kmd;
using test::display_session;
using table_type = DRIVER_INITIALIZATION_DATA;

TEST_CASE("one child is described and the terminator stays zero", "[kmd][child][case-19]") {
  display_session session;
  std::array<DXGK_CHILD_DESCRIPTOR, 2> children{};
  REQUIRE(session.call(&table_type::DxgkDdiQueryChildRelations, children.data(),
                       static_cast<ULONG>(sizeof children)) == STATUS_SUCCESS);
  const DXGK_CHILD_DESCRIPTOR& monitor = children[0];
  CHECK(monitor.ChildDeviceType == TypeVideoOutput);
  CHECK(monitor.ChildCapabilities.Type.VideoOutput.InterfaceTechnology == D3DKMDT_VOT_HD15);
  CHECK(monitor.ChildCapabilities.Type.VideoOutput.MonitorOrientationAwareness == D3DKMDT_MOA_NONE);
  CHECK(monitor.ChildCapabilities.HpdAwareness == HpdAwarenessInterruptible);
  CHECK(monitor.ChildUid == 0);
  const DXGK_CHILD_DESCRIPTOR zero{};
  CHECK(std::memcmp(&children[1], &zero, sizeof zero) == 0);
}

TEST_CASE("a relations buffer without room for the terminator is refused",
          "[kmd][child][case-20]") {
  display_session session;
  std::array<DXGK_CHILD_DESCRIPTOR, 2> children{};
  const auto status = session.call(&table_type::DxgkDdiQueryChildRelations, children.data(),
                                   static_cast<ULONG>(sizeof children - 1));
  CHECK(status == STATUS_INVALID_PARAMETER);
  CHECK(children[0].ChildDeviceType == TypeUninitialized);
}

TEST_CASE("the child is connected and unrotated, and no other child exists",
          "[kmd][child][case-21]") {
  display_session session;
  const auto ask = [&](DXGK_CHILD_STATUS_TYPE type, ULONG uid, DXGK_CHILD_STATUS& status) {
    std::memset(&status, 0xCC, sizeof status);
    status.Type = type;
    status.ChildUid = uid;
    return session.call(&table_type::DxgkDdiQueryChildStatus, &status, BOOLEAN{TRUE});
  };
  DXGK_CHILD_STATUS status;
  CHECK(ask(StatusConnection, 0, status) == STATUS_SUCCESS);
  CHECK(status.HotPlug.Connected == TRUE);
  CHECK(ask(StatusRotation, 0, status) == STATUS_SUCCESS);
  CHECK(status.Rotation.Angle == 0);
  CHECK(ask(StatusConnection, 1, status) == STATUS_INVALID_PARAMETER);
  CHECK(ask(StatusUninitialized, 0, status) == STATUS_NOT_SUPPORTED);
}

TEST_CASE("parts of the EDID are read, and nothing beyond it", "[kmd][child][case-22][case-23]") {
  display_session session;
  struct row {
    ULONG offset, length;
    NTSTATUS status;
    std::size_t written;
  };
  const row asked = GENERATE(row{0, 128, STATUS_SUCCESS, 128}, row{0, 64, STATUS_SUCCESS, 64},
                             row{100, 28, STATUS_SUCCESS, 28}, row{100, 64, STATUS_SUCCESS, 28},
                             row{127, 1, STATUS_SUCCESS, 1}, row{0, 0, STATUS_SUCCESS, 0},
                             row{128, 128, STATUS_MONITOR_NO_MORE_DESCRIPTOR_DATA, 0},
                             row{0xFFFFFFFF, 1, STATUS_MONITOR_NO_MORE_DESCRIPTOR_DATA, 0});
  std::array<std::uint8_t, 300> buffer;
  buffer.fill(0xEE);
  DXGK_DEVICE_DESCRIPTOR part{asked.offset, asked.length, buffer.data()};
  CHECK(session.call(&table_type::DxgkDdiQueryDeviceDescriptor, ULONG{0}, &part) == asked.status);
  for (std::size_t i = 0; i < asked.written; ++i)
    CHECK(buffer[i] == monitor_edid[asked.offset + i]);
  CHECK(std::all_of(buffer.begin() + static_cast<std::ptrdiff_t>(asked.written), buffer.end(),
                    [](std::uint8_t byte) { return byte == 0xEE; }));
}

TEST_CASE("a descriptor of an unknown child, or into no buffer, is refused", "[kmd][child]") {
  display_session session;
  std::array<std::uint8_t, 128> buffer{};
  DXGK_DEVICE_DESCRIPTOR part{0, 128, buffer.data()};
  CHECK(session.call(&table_type::DxgkDdiQueryDeviceDescriptor, ULONG{1}, &part) ==
        STATUS_GRAPHICS_CHILD_DESCRIPTOR_NOT_SUPPORTED);
  part.DescriptorBuffer = nullptr;
  CHECK(session.call(&table_type::DxgkDdiQueryDeviceDescriptor, ULONG{0}, &part) ==
        STATUS_INVALID_PARAMETER);
}

TEST_CASE("a monitor's power state touches no register", "[kmd][child][case-25]") {
  display_session session;
  const auto state = GENERATE(PowerDeviceD0, PowerDeviceD1, PowerDeviceD3);
  const std::uint64_t before = session.accesses();
  CHECK(session.call(&table_type::DxgkDdiSetPowerState, ULONG{0}, state, PowerActionNone) ==
        STATUS_SUCCESS);
  CHECK(session.accesses() == before);
  CHECK(session.adapter->is_ready);
}

TEST_CASE("the EDID's header and checksum are valid and it prefers 1920x1080",
          "[kmd][edid][case-24]") {
  unsigned sum = 0;
  for (const std::uint8_t byte : monitor_edid) sum += byte;
  CHECK(sum % 256 == 0);
  CHECK(is_valid_edid(monitor_edid));
  CHECK((monitor_edid[56] | (monitor_edid[58] & 0xF0) << 4) == 1920);
  CHECK((monitor_edid[59] | (monitor_edid[61] & 0xF0) << 4) == 1080);
  CHECK(monitor_edid[126] == 0);
}

TEST_CASE("an EDID with any bit turned over is not valid", "[kmd][edid]") {
  for (std::size_t bit = 0; bit < monitor_edid.size() * 8; ++bit) {
    edid_block broken = monitor_edid;
    broken[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    CHECK_FALSE(is_valid_edid(broken));
  }
}
