// SPDX-License-Identifier: MIT
/// The ways into profile U, its adapter's entries, and a device table with a hole.
#include "drivers/win7/umd/d3d9/front_u/caps_queries.hpp"
#include "drivers/win7/umd/d3d9/front_u/device_table.hpp"
#include "tests/drivers/umd/fronts/fake_callbacks_u.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aerogpu::umd::test {

namespace {

template <class Argument>
[[nodiscard]] auto plain_opening(u::D3D9DDI_ADAPTERFUNCS& table) -> Argument {
  Argument open{};
  open.Interface = 1;
  open.Version = 1;
  open.pAdapterFuncs = &table;
  return open;
}

/// One export: a good call, and each bad one.
template <class Argument>
void check_export(HRESULT(APIENTRY* entry)(Argument*)) {
  u::D3D9DDI_ADAPTERFUNCS table{};
  auto open = plain_opening<Argument>(table);
  REQUIRE(entry(&open) == S_OK);
  CHECK(table.pfnCloseAdapter != nullptr);
  CHECK(table.pfnGetCaps != nullptr);
  CHECK(table.pfnCreateDevice != nullptr);
  CHECK(table.pfnQueryAdapterInfo != nullptr);
  CHECK(table.pfnCloseAdapter(open.hAdapter) == S_OK);
  CHECK(entry(nullptr) == E_INVALIDARG);
  for (const auto& [interface, version] :
       {std::pair{0u, 1u}, std::pair{1u, 0u}, std::pair{1u, front_u::newest_version + 1}}) {
    open = plain_opening<Argument>(table);
    open.Interface = interface;
    open.Version = version;
    CHECK(entry(&open) == E_INVALIDARG);
  }
  open = plain_opening<Argument>(table);
  open.pAdapterFuncs = nullptr;
  CHECK(entry(&open) == E_INVALIDARG);
  CHECK(table.pfnCloseAdapter({}) == E_INVALIDARG);
}

template <std::size_t Index>
auto leave_null(u::D3D9DDI_DEVICEFUNCS& table) noexcept -> bool {
  const bool is_filled = front_u::fill_device_table(table);
  std::memset(reinterpret_cast<std::byte*>(&table) + Index * sizeof(void*), 0, sizeof(void*));
  return is_filled;
}

}  // namespace

TEST_CASE("each way in of profile U fills its table, and refuses what is no opening",
          "[umd][T050]") {
  fake_system system;
  check_export(front_u::open_adapter);
  check_export(front_u::open_adapter2);
  check_export(front_u::open_adapter_from_hdc);
  check_export(front_u::open_adapter_from_luid);
  CHECK(system.open_adapters() == 0);
}

TEST_CASE("adapters are one for each LUID, whichever way they are opened", "[umd][T051]") {
  fake_system system;
  u::D3D9DDI_ADAPTERFUNCS table{};
  auto first = plain_opening<u::D3DDDIARG_OPENADAPTER2>(table);
  auto second = plain_opening<u::D3DDDIARG_OPENADAPTERFROMHDC>(table);
  auto third = plain_opening<u::D3DDDIARG_OPENADAPTERFROMLUID>(table);
  auto other = plain_opening<u::D3DDDIARG_OPENADAPTERFROMLUID>(table);
  third.AdapterLuid.LowPart = 0x1234;
  third.AdapterLuid.HighPart = 0x5;
  other.AdapterLuid.LowPart = 0x77;
  REQUIRE(front_u::open_adapter2(&first) == S_OK);
  REQUIRE(front_u::open_adapter_from_hdc(&second) == S_OK);
  REQUIRE(front_u::open_adapter_from_luid(&third) == S_OK);
  REQUIRE(front_u::open_adapter_from_luid(&other) == S_OK);
  CHECK(second.AdapterLuid.LowPart == 0x1234);
  CHECK(second.AdapterLuid.HighPart == 0x5);
  CHECK(first.hAdapter.pDrvPrivate == second.hAdapter.pDrvPrivate);
  CHECK(first.hAdapter.pDrvPrivate == third.hAdapter.pDrvPrivate);
  CHECK(first.hAdapter.pDrvPrivate != other.hAdapter.pDrvPrivate);
  CHECK(openings(*front_u::to_adapter(first.hAdapter)) == 3);
  for (const auto handle : {first.hAdapter, second.hAdapter, third.hAdapter, other.hAdapter}) {
    CHECK(table.pfnCloseAdapter(handle) == S_OK);
  }
  CHECK(system.open_adapters() == 0);
}

TEST_CASE("CreateDevice fails on a table with a hole, and says which", "[umd][T053]") {
  device_u_rig rig;
  u::D3D9DDIARG_CREATEDEVICE create{};
  create.hAdapter = rig.adapter_handle;
  create.pCallbacks = &rig.callbacks.table;
  u::D3D9DDI_DEVICEFUNCS table{};
  const std::string bytes = std::to_string(23 * sizeof(void*));
  CHECK(front_u::create_device_with(&create, &table, leave_null<23>) == E_FAIL);
  CHECK(create.hDevice.pDrvPrivate == nullptr);
  CHECK(rig.system.logged("D3D9DDI_DEVICEFUNCS missing entry index=23 (bytes=" + bytes +
                          ") member=pfnSetIndices") == 1);
  CHECK(front_u::create_device_with(&create, &table, leave_null<85>) == E_FAIL);
  CHECK(rig.callbacks.devices == 1);
}

TEST_CASE("caps of profile U are the core's, and formats come each once",
          "[umd][T056][T057][T059]") {
  device_u_rig rig;
  const auto ask = [&](std::uint32_t type, void* data, std::uint32_t size) {
    const u::D3D9DDIARG_GETCAPS query{type, data, size};
    return rig.adapter.pfnGetCaps(rig.adapter_handle, &query);
  };
  D3DCAPS9 caps{};
  CHECK(ask(front_u::caps_d3d9, &caps, sizeof caps) == S_OK);
  CHECK(caps.MaxTextureWidth == 4096);
  CHECK(ask(front_u::caps_d3d9, &caps, sizeof caps - 1) == E_INVALIDARG);
  std::uint32_t count = 0;
  REQUIRE(ask(front_u::caps_format_count, &count, 4) == S_OK);
  CHECK(ask(front_u::caps_format_count, &count, 3) == E_INVALIDARG);
  std::vector<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, 3> format{i, 0, 99};
    CHECK(ask(front_u::caps_format, format.data(), 12) == S_OK);
    CHECK(std::count(seen.begin(), seen.end(), format[1]) == 0);
    CHECK(format[2] <= 2);
    seen.push_back(format[1]);
    std::array<std::uint32_t, 4> levels{format[1], 0, 7, 9};
    CHECK(ask(front_u::caps_multisample_levels, levels.data(), 16) == S_OK);
    CHECK(levels[3] == (format[2] != 0 ? 1u : 0u));
    levels = {format[1], 2, 7, 9};
    CHECK(ask(front_u::caps_multisample_levels, levels.data(), 12) == S_OK);
    CHECK(levels[2] == 0);
    CHECK(levels[3] == 9);
  }
  std::array<std::uint32_t, 2> beyond{count, 0};
  CHECK(ask(front_u::caps_format, beyond.data(), 8) == E_INVALIDARG);
  CHECK(ask(front_u::caps_d3d9, nullptr, 4) == E_INVALIDARG);
  std::array<std::uint32_t, 2> unknown{5, 5};
  CHECK(ask(0x4711, unknown.data(), 8) == S_OK);
  CHECK(unknown == std::array<std::uint32_t, 2>{0, 0});
}

TEST_CASE("the adapter says who it is", "[umd][T061]") {
  device_u_rig rig;
  const auto ask = [&](std::uint32_t type, void* data, std::uint32_t size) {
    const u::D3D9DDIARG_QUERYADAPTERINFO query{type, data, size};
    return rig.adapter.pfnQueryAdapterInfo(rig.adapter_handle, &query);
  };
  D3DADAPTER_IDENTIFIER9 identifier{};
  CHECK(ask(front_u::info_identifier, &identifier, sizeof identifier) == S_OK);
  CHECK(std::string{identifier.Driver} == "aerogpu_d3d9");
  CHECK(std::string{identifier.DeviceName} == "\\\\.\\DISPLAY1");
  CHECK(identifier.VendorId == 0xA3A0);
  CHECK(ask(front_u::info_identifier, &identifier, 100) == E_INVALIDARG);
  LUID luid{};
  CHECK(ask(front_u::info_luid, &luid, sizeof luid) == S_OK);
  CHECK(luid.LowPart == 0x1234);
  GUID guid{};
  CHECK(ask(99, &guid, sizeof guid) == S_OK);
  CHECK(guid.Data1 == 0x5f84f5ae);
  std::array<std::uint32_t, 3> other{1, 1, 1};
  CHECK(ask(99, other.data(), 12) == S_OK);
  CHECK(other == std::array<std::uint32_t, 3>{0, 0, 0});
}

}  // namespace aerogpu::umd::test
