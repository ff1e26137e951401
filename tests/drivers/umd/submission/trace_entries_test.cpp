// SPDX-License-Identifier: MIT
/// The tracer's entries: their numbers, which calls they see, and what is kept of each.
#include "aerogpu/core/text.hpp"
#include "drivers/win7/ddi/portable/extended_table.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_u.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/submission/trace_entry_ids.hpp"
#include "tests/drivers/umd/submission/trace_rig.hpp"

#include <array>

namespace aerogpu::umd::test {

namespace {

using trace::id_of;
using trace::pack;
using trace::packed_arguments;

/// An entry of `Pointer`'s type that does nothing.
template <class Pointer>
struct silent;
template <class... Arguments>
struct silent<HRESULT(APIENTRY*)(Arguments...)> {
  static auto APIENTRY call(Arguments...) noexcept -> HRESULT { return S_OK; }
};

/// An entry with nothing for arguments.
template <class... Arguments>
auto call_with_nothing(HRESULT(APIENTRY* entry)(Arguments...)) -> HRESULT {
  return entry(Arguments{}...);
}

d3d9ddi_u::D3D9DDI_ADAPTERFUNCS silent_adapter_u{};
d3d9ddi_u::D3D9DDI_DEVICEFUNCS silent_u{};
d3d9ddi_u::D3D9DDI_EXTENDEDFUNCS silent_extended_u{};
D3DDDI_DEVICEFUNCS silent_m{};
D3DDDI_ADAPTERFUNCS silent_adapter_m{};

/// Entries that do nothing behind the tracer, in the shape of each profile's tables.
struct traced_tables {
  traced_tables() {
#define AEROGPU_TEST_ENTRY(rows, packing, silent_table, table, index, name)                       \
  silent_table.pfn##name = silent<decltype(silent_table.pfn##name)>::call;                        \
  table.pfn##name = trace::traced_member<trace::packing, trace::id_of(rows[index]), silent_table, \
                                         &decltype(silent_table)::pfn##name>;
#define AEROGPU_TEST_ADAPTER_U(index, name, bytes, plan)                                        \
  AEROGPU_TEST_ENTRY(d3d9ddi_u::adapter_entries, packing_u, silent_adapter_u, adapter_u, index, \
                     name)
#define AEROGPU_TEST_DEVICE_U(index, name, bytes, plan) \
  AEROGPU_TEST_ENTRY(d3d9ddi_u::device_entries, packing_u, silent_u, u, index, name)
#define AEROGPU_TEST_EXTENDED_U(index, name, bytes, plan)                                          \
  AEROGPU_TEST_ENTRY(d3d9ddi_u::extended_entries, packing_u, silent_extended_u, extended_u, index, \
                     name)
#define AEROGPU_TEST_DEVICE_M(index, name, bytes, plan) \
  AEROGPU_TEST_ENTRY(ddi::device_entries, packing_m, silent_m, m, index, name)
#define AEROGPU_TEST_ADAPTER_M(index, name, bytes, plan) \
  AEROGPU_TEST_ENTRY(ddi::adapter_entries, packing_m, silent_adapter_m, adapter_m, index, name)
    AEROGPU_D3D9DDI_U_ADAPTER_ENTRIES(AEROGPU_TEST_ADAPTER_U)
    AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_TEST_DEVICE_U)
    AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(AEROGPU_TEST_EXTENDED_U)
    AEROGPU_D3DDDI_ADAPTER_ENTRIES(AEROGPU_TEST_ADAPTER_M)
    AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_TEST_DEVICE_M)
#undef AEROGPU_TEST_ENTRY
#undef AEROGPU_TEST_ADAPTER_U
#undef AEROGPU_TEST_DEVICE_U
#undef AEROGPU_TEST_EXTENDED_U
#undef AEROGPU_TEST_ADAPTER_M
#undef AEROGPU_TEST_DEVICE_M
  }

  d3d9ddi_u::D3D9DDI_ADAPTERFUNCS adapter_u{};
  d3d9ddi_u::D3D9DDI_DEVICEFUNCS u{};
  d3d9ddi_u::D3D9DDI_EXTENDEDFUNCS extended_u{};
  D3DDDI_ADAPTERFUNCS adapter_m{};
  D3DDDI_DEVICEFUNCS m{};
};

[[nodiscard]] auto hex(std::uint64_t value) -> std::string {
  std::array<char, 24> storage;
  text_buffer text{storage};
  append_hex(text, value);
  return std::string{text.view()};
}
/// Something with an address of its own.
[[nodiscard]] auto at(std::uintptr_t address) -> void* {
  return reinterpret_cast<void*>(address);
}
[[nodiscard]] auto of(const void* pointer) -> std::uint64_t {
  return reinterpret_cast<std::uintptr_t>(pointer);
}
[[nodiscard]] auto bits(float value) -> std::uint32_t {
  return std::bit_cast<std::uint32_t>(value);
}

/// Calls, finds that it is one record, and compares the whole line.
class packing_rig {
 public:
  template <class Call>
  void expect(std::string_view name, const packed_arguments& wanted, Call&& call) {
    const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
    CHECK(call() == S_OK);
    trace::stop();
    std::string line = "#000 t=1000000000 tid=" + std::to_string(os::thread_id()) + " ";
    line += name;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      line += " a" + std::to_string(i) + "=" + hex(wanted[i]);
    }
    CHECK(rig.records() == std::vector<std::string>{line + " hr=0x00000000"});
  }

  traced_tables tables;
};

}  // namespace

TEST_CASE("numbers of entries are those of the list that is checked in", "[umd][T249]") {
  REQUIRE(std::size(entry_ids) == trace::entry_count);
  for (std::uint32_t i = 0; i < trace::entry_count; ++i) {
    CHECK(entry_ids[i].number == i);
    CHECK(trace::name_of(trace::entry_id{i}) == entry_ids[i].name);
  }
  CHECK(trace::name_of(trace::entry_id{trace::entry_count}) == "Unknown");
  CHECK(trace::name_of(trace::entry_id{0xFFFFFFFF}) == "Unknown");
}

TEST_CASE("no two entries have one name, and stubs are the test's and those of profile M",
          "[umd][T249]") {
  std::vector<std::string_view> names{trace::entry_names.begin(), trace::entry_names.end()};
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  for (const std::string_view name : names) {
    const bool is_stub = name.find("(stub)") != std::string_view::npos;
    const bool may_be = name.starts_with("M::") || name.starts_with("Trace::TestStub");
    INFO(name);
    CHECK((!is_stub || may_be));
  }
}

TEST_CASE("each entry of profile M is recorded as itself", "[umd][T247]") {
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  D3DDDI_DEVICEFUNCS table;
  REQUIRE(front_m::fill_device_table(table));
  std::vector<std::string> called;
  const auto call = [&](const ddi::entry_row& row, auto entry) {
    if (row.is_null()) return;
    const HRESULT result = call_with_nothing(entry);
    INFO(row.name);
    CHECK(result == (row.is_stub() ? D3DERR_NOTAVAILABLE : result));
    called.push_back(row.trace_name + (" " + hex(static_cast<std::uint32_t>(result))));
  };
#define AEROGPU_TEST_CALL(index, name, bytes, plan) \
  call(ddi::device_entries[index], table.pfn##name);
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_TEST_CALL)
#undef AEROGPU_TEST_CALL
  trace::stop();
  std::vector<std::string> seen = rig.calls();
  REQUIRE(seen.size() == called.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::size_t digits = seen[i].rfind("0x");
    const auto result = std::stoul(seen[i].substr(digits), nullptr, 16);
    CHECK(seen[i].substr(0, digits) + hex(result) == called[i]);
  }
}

TEST_CASE("the way in and the adapter's entries are recorded", "[umd][T247]") {
  std::vector<std::string> seen;
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  {
    const device_m_rig driver;
    CHECK(driver.table.pfnGetCaps(driver.handle, nullptr) == E_INVALIDARG);
  }
  const std::vector<std::string> expected{
      "OpenAdapter 0x00000000", "M::CreateDevice 0x00000000",  "M::Flush 0x00000000",
      "M::GetCaps 0x80070057",  "M::DestroyDevice 0x00000000", "M::CloseAdapter 0x00000000"};
  CHECK(rig.calls_at_detach() == expected);
}

TEST_CASE("what is kept of opening and asking an adapter", "[umd][T247]") {
  packing_rig rig;
  namespace u = d3d9ddi_u;
  D3DDDIARG_OPENADAPTER open{};
  open.Interface = 9;
  open.Version = 0x00010001;
  CHECK(trace::pack_call<trace::packing_m, id_of("OpenAdapter")>(&open) ==
        packed_arguments{of(&open), pack(9, 0x00010001), 0, 0});
  u::D3DDDIARG_OPENADAPTERFROMLUID luid{};
  luid.Interface = 1;
  luid.Version = 2;
  luid.AdapterLuid.LowPart = 0x1234;
  luid.AdapterLuid.HighPart = 5;
  luid.pAdapterFuncs = &rig.tables.adapter_u;
  CHECK(trace::pack_call<trace::packing_u, id_of("OpenAdapterFromLuid")>(&luid) ==
        packed_arguments{of(&luid), pack(1, 2), pack(0x1234, 5), of(&rig.tables.adapter_u)});
  u::D3DDDIARG_OPENADAPTERFROMHDC hdc{};
  hdc.Interface = 3;
  hdc.AdapterLuid.LowPart = 6;
  CHECK(trace::pack_call<trace::packing_u, id_of("OpenAdapterFromHdc")>(&hdc) ==
        packed_arguments{of(&hdc), pack(3, 0), pack(6, 0), 0});
  u::D3DDDIARG_OPENADAPTER2 second{};
  second.Version = 7;
  CHECK(trace::pack_call<trace::packing_u, id_of("OpenAdapter2")>(&second) ==
        packed_arguments{of(&second), pack(0, 7), 0, 0});

  const u::D3D9DDI_HADAPTER adapter{at(0x1000)};
  u::D3D9DDIARG_GETCAPS caps{};
  caps.Type = 1;
  caps.DataSize = 304;
  caps.pData = at(0x9000);
  rig.expect("Adapter::GetCaps", {0x1000, 1, 304, 0x9000},
             [&] { return rig.tables.adapter_u.pfnGetCaps(adapter, &caps); });
  u::D3D9DDIARG_QUERYADAPTERINFO query{};
  query.Type = 2;
  query.PrivateDriverDataSize = 64;
  query.pPrivateDriverData = at(0xA000);
  rig.expect("Adapter::QueryAdapterInfo", {0x1000, 2, 64, 0xA000},
             [&] { return rig.tables.adapter_u.pfnQueryAdapterInfo(adapter, &query); });
  u::D3D9DDIARG_CREATEDEVICE create{};
  create.hAdapter = adapter;
  create.Flags = 3;
  rig.expect("Adapter::CreateDevice", {0x1000, 3, 0, of(&rig.tables.u)},
             [&] { return rig.tables.adapter_u.pfnCreateDevice(&create, &rig.tables.u); });
  D3DDDIARG_GETCAPS caps_m{};
  caps_m.Type = D3DDDICAPS_GETD3D9CAPS;
  caps_m.DataSize = 304;
  caps_m.pData = at(0x9000);
  rig.expect("M::GetCaps", {0x1000, 13, 304, 0x9000},
             [&] { return rig.tables.adapter_m.pfnGetCaps(at(0x1000), &caps_m); });
}

TEST_CASE("what is kept of resources and locks", "[umd][T247]") {
  packing_rig rig;
  namespace u = d3d9ddi_u;
  const u::D3D9DDI_HDEVICE device{at(0x2000)};
  u::D3D9DDIARG_CREATERESOURCE create{};
  create.Type = 3;
  create.Format = 21;
  create.Width = 640;
  create.Height = 480;
  create.Usage = 1;
  create.Pool = 2;
  rig.expect("Device::CreateResource", {0x2000, pack(3, 21), pack(640, 480), pack(1, 2)},
             [&] { return rig.tables.u.pfnCreateResource(device, &create); });
  rig.expect("Device::CreateResource", {0x2000, 0, 0, 0},
             [&] { return rig.tables.u.pfnCreateResource(device, nullptr); });
  u::D3D9DDIARG_LOCK lock{};
  lock.hResource = {at(0x3000)};
  lock.OffsetToLock = 4;
  lock.SizeToLock = 8;
  lock.Flags = 0x2000;
  rig.expect("Device::Lock", {0x2000, 0x3000, pack(4, 8), 0x2000},
             [&] { return rig.tables.u.pfnLock(device, &lock, nullptr); });
  const u::D3D9DDIARG_UNLOCK unlock{{at(0x3000)}, 4, 8};
  rig.expect("Device::Unlock", {0x2000, 0x3000, pack(4, 8), 0},
             [&] { return rig.tables.u.pfnUnlock(device, &unlock); });
  u::D3D9DDI_HRESOURCE rotated[3]{};
  rig.expect("Device::RotateResourceIdentities", {0x2000, 3, of(rotated), 0},
             [&] { return rig.tables.u.pfnRotateResourceIdentities(device, rotated, 3); });

  D3DDDI_SURFACEINFO surface{};
  surface.Width = 640;
  surface.Height = 480;
  D3DDDIARG_CREATERESOURCE create_m{};
  create_m.Format = D3DDDIFMT_A8R8G8B8;
  create_m.Pool = D3DDDIPOOL_SYSTEMMEM;
  create_m.pSurfList = &surface;
  create_m.SurfCount = 1;
  create_m.Flags.Value = 0x10;
  rig.expect("M::CreateResource",
             {0x2000, pack(1, 21), pack(640, 480), pack(0x10, std::uint32_t{D3DDDIPOOL_SYSTEMMEM})},
             [&] { return rig.tables.m.pfnCreateResource(at(0x2000), &create_m); });
  create_m.pSurfList = nullptr;
  rig.expect("M::CreateResource",
             {0x2000, pack(1, 21), 0, pack(0x10, std::uint32_t{D3DDDIPOOL_SYSTEMMEM})},
             [&] { return rig.tables.m.pfnCreateResource(at(0x2000), &create_m); });
  D3DDDIARG_LOCK lock_m{};
  lock_m.hResource = at(0x3000);
  lock_m.Range = {4, 8};
  lock_m.Flags.Value = 2;
  rig.expect("M::Lock", {0x2000, 0x3000, pack(4, 8), 2},
             [&] { return rig.tables.m.pfnLock(at(0x2000), &lock_m); });
  D3DDDIARG_UNLOCK unlock_m{};
  unlock_m.hResource = at(0x3000);
  unlock_m.SubResourceIndex = 2;
  rig.expect("M::Unlock", {0x2000, 0x3000, 2, 0},
             [&] { return rig.tables.m.pfnUnlock(at(0x2000), &unlock_m); });
  rig.expect("M::DestroyResource", {0x2000, 0x3000, 0, 0},
             [&] { return rig.tables.m.pfnDestroyResource(at(0x2000), at(0x3000)); });
}

TEST_CASE("what is kept of profile U's states", "[umd][T247]") {
  packing_rig rig;
  namespace u = d3d9ddi_u;
  const u::D3D9DDI_HDEVICE device{at(0x2000)};
  const u::D3D9DDI_HRESOURCE surface{at(0x3000)};
  auto& table = rig.tables.u;
  auto& extended = rig.tables.extended_u;
  rig.expect("Device::SetRenderTarget", {0x2000, 1, 0x3000, 0},
             [&] { return table.pfnSetRenderTarget(device, 1, surface); });
  const u::D3DDDIVIEWPORTINFO view{1.F, 2.F, 3.F, 4.F, 0.5F, 1.F};
  rig.expect(
      "Device::SetViewport",
      {0x2000, pack(bits(1.F), bits(2.F)), pack(bits(3.F), bits(4.F)), pack(bits(0.5F), bits(1.F))},
      [&] { return table.pfnSetViewport(device, &view); });
  const RECT area{-1, 2, 30, 40};
  rig.expect("Device::SetScissorRect", {0x2000, pack(0xFFFFFFFF, 2), pack(30, 40), 1},
             [&] { return table.pfnSetScissorRect(device, &area, 1); });
  rig.expect("Device::SetTexture", {0x2000, 2, 0x3000, 0},
             [&] { return table.pfnSetTexture(device, 2, surface); });
  rig.expect("Device::SetSamplerState", {0x2000, 2, 5, 3},
             [&] { return table.pfnSetSamplerState(device, 2, 5, 3); });
  rig.expect("Device::SetRenderState", {0x2000, 7, 1, 0},
             [&] { return table.pfnSetRenderState(device, 7, 1); });
  rig.expect("Device::SetTextureStageState", {0x2000, pack(2, 1), 4, 0},
             [&] { return table.pfnSetTextureStageState(device, 2, 1, 4); });
  std::uint32_t value = 0;
  rig.expect("Device::GetTextureStageState", {0x2000, pack(2, 1), of(&value), 0},
             [&] { return table.pfnGetTextureStageState(device, 2, 1, &value); });
  D3DMATRIX matrix{};
  rig.expect("Device::SetTransform", {0x2000, 256, of(&matrix), 0},
             [&] { return table.pfnSetTransform(device, 256, &matrix); });
  rig.expect("Device::MultiplyTransform", {0x2000, 2, of(&matrix), 0},
             [&] { return table.pfnMultiplyTransform(device, 2, &matrix); });
  rig.expect("Device::GetTransform", {0x2000, 3, of(&matrix), 0},
             [&] { return table.pfnGetTransform(device, 3, &matrix); });
  const float floats[4]{};
  const std::int32_t integers[4]{};
  const BOOL switches[4]{};
  rig.expect("Device::SetShaderConstF", {0x2000, 1, pack(8, 1), of(floats)},
             [&] { return table.pfnSetShaderConstF(device, 1, 8, floats, 1); });
  rig.expect("Device::SetShaderConstI", {0x2000, 1, pack(9, 1), of(integers)},
             [&] { return table.pfnSetShaderConstI(device, 1, 9, integers, 1); });
  rig.expect("Device::SetShaderConstB", {0x2000, 0, pack(2, 4), of(switches)},
             [&] { return table.pfnSetShaderConstB(device, 0, 2, switches, 4); });
  rig.expect("Device::CreateShader", {0x2000, 1, 40, 0x9000},
             [&] { return table.pfnCreateShader(device, 1, at(0x9000), 40, nullptr); });
  const D3DLIGHT9 light{};
  rig.expect("Device::SetLight", {0x2000, 3, of(&light), 0},
             [&] { return extended.pfnSetLight(device, 3, &light); });
  rig.expect("Device::LightEnable", {0x2000, 3, 1, 0},
             [&] { return extended.pfnLightEnable(device, 3, 1); });
  rig.expect("Device::SetClipPlane", {0x2000, 5, of(floats), 0},
             [&] { return extended.pfnSetClipPlane(device, 5, floats); });
  const PALETTEENTRY entries[2]{};
  rig.expect("Device::SetPaletteEntries", {0x2000, 6, of(entries), 0},
             [&] { return extended.pfnSetPaletteEntries(device, 6, entries); });
  rig.expect("Device::SetCurrentTexturePalette", {0x2000, 6, 0, 0},
             [&] { return extended.pfnSetCurrentTexturePalette(device, 6); });
  u::D3D9DDI_HSTATEBLOCK block{};
  rig.expect("Device::CreateStateBlock", {0x2000, 1, of(&block), 0},
             [&] { return table.pfnCreateStateBlock(device, 1, &block); });
}

TEST_CASE("what is kept of profile U's frames", "[umd][T247]") {
  packing_rig rig;
  namespace u = d3d9ddi_u;
  const u::D3D9DDI_HDEVICE device{at(0x2000)};
  auto& table = rig.tables.u;
  u::D3D9DDI_PRESENT_PARAMETERS parameters{};
  parameters.backbuffer_width = 800;
  parameters.backbuffer_height = 600;
  parameters.backbuffer_format = 22;
  parameters.backbuffer_count = 2;
  parameters.presentation_interval = 1;
  parameters.flags = 4;
  const packed_arguments buffers{0x2000, pack(800, 600), pack(22, 2), pack(1, 4)};
  u::D3D9DDIARG_CREATESWAPCHAIN chain{parameters, {}, {}};
  rig.expect("Device::CreateSwapChain", buffers,
             [&] { return table.pfnCreateSwapChain(device, &chain); });
  const u::D3D9DDIARG_RESET reset{parameters};
  rig.expect("Device::Reset", buffers, [&] { return table.pfnReset(device, &reset); });
  rig.expect("Device::ResetEx", buffers, [&] { return table.pfnResetEx(device, &reset); });
  u::D3DDDIARG_PROCESSVERTICES vertices{};
  vertices.hDestBuffer = {at(0x3000)};
  vertices.SrcStartIndex = 1;
  vertices.DestIndex = 2;
  vertices.VertexCount = 3;
  vertices.DestStride = 16;
  rig.expect("Device::ProcessVertices", {0x2000, 0x3000, pack(1, 2), pack(3, 16)},
             [&] { return table.pfnProcessVertices(device, &vertices); });
  u::D3D9DDIARG_PRESENT present{};
  present.hSwapChain = {at(0x4000)};
  present.hSrc = {at(0x3000)};
  present.SyncInterval = 1;
  present.Flags = 2;
  rig.expect("Device::Present", {0x2000, 0x4000, 0x3000, pack(1, 2)},
             [&] { return table.pfnPresent(device, &present); });
  u::D3D9DDIARG_PRESENTEX present_ex{};
  present_ex.hSrc = {at(0x3000)};
  present_ex.SyncInterval = 1;
  present_ex.Flags = 2;
  rig.expect("Device::PresentEx", {0x2000, 0, pack(1, 2), 0x3000},
             [&] { return table.pfnPresentEx(device, &present_ex); });
  u::D3D9DDIARG_GETQUERYDATA query{};
  query.hQuery = {at(0x5000)};
  query.pData = at(0x6000);
  query.data_size = 4;
  query.flags = 1;
  rig.expect("Device::GetQueryData", {0x2000, 0x5000, pack(4, 1), 0x6000},
             [&] { return table.pfnGetQueryData(device, &query); });
  rig.expect("Device::WaitForVBlank", {0x2000, 1, 0, 0},
             [&] { return table.pfnWaitForVBlank(device, 1); });
}

TEST_CASE("what is kept of profile M's states", "[umd][T247]") {
  packing_rig rig;
  auto& table = rig.tables.m;
  void* const device = at(0x2000);
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_ZENABLE, 1};
  rig.expect("M::SetRenderState", {0x2000, 7, 1, 0},
             [&] { return table.pfnSetRenderState(device, &state); });
  const D3DDDIARG_TEXTURESTAGESTATE stage{2, D3DDDITSS_COLOROP, 4};
  rig.expect("M::SetTextureStageState", {0x2000, pack(2, 1), 4, 0},
             [&] { return table.pfnSetTextureStageState(device, &stage); });
  const D3DDDIARG_SETRENDERTARGET target{1, at(0x3000), 2};
  rig.expect("M::SetRenderTarget", {0x2000, 1, 0x3000, 0},
             [&] { return table.pfnSetRenderTarget(device, &target); });
  rig.expect("M::SetTexture", {0x2000, 2, 0x3000, 0},
             [&] { return table.pfnSetTexture(device, 2, at(0x3000)); });
  const D3DDDIARG_VIEWPORTINFO view{1, 2, 3, 4};
  rig.expect("M::SetViewport", {0x2000, pack(1, 2), pack(3, 4), 0},
             [&] { return table.pfnSetViewport(device, &view); });
  const D3DDDIARG_ZRANGE depth{0.5F, 1.F};
  rig.expect("M::SetZRange", {0x2000, 0, 0, pack(bits(0.5F), bits(1.F))},
             [&] { return table.pfnSetZRange(device, &depth); });
  const RECT area{1, 2, 30, 40};
  rig.expect("M::SetScissorRect", {0x2000, pack(1, 2), pack(30, 40), 0},
             [&] { return table.pfnSetScissorRect(device, &area); });
  D3DDDIARG_SETTRANSFORM transform{};
  transform.TransformType = static_cast<D3DTRANSFORMSTATETYPE>(256);
  rig.expect("M::SetTransform", {0x2000, 256, of(&transform.Matrix), 0},
             [&] { return table.pfnSetTransform(device, &transform); });
  D3DDDIARG_MULTIPLYTRANSFORM product{};
  product.TransformType = static_cast<D3DTRANSFORMSTATETYPE>(2);
  rig.expect("M::MultiplyTransform", {0x2000, 2, of(&product.Matrix), 0},
             [&] { return table.pfnMultiplyTransform(device, &product); });
  const D3DDDIARG_SETLIGHT light{3, {}};
  const D3DDDI_LIGHT properties{};
  rig.expect("M::SetLight", {0x2000, 3, of(&properties), 0},
             [&] { return table.pfnSetLight(device, &light, &properties); });
  const D3DDDIARG_CREATELIGHT made{4};
  rig.expect("M::CreateLight", {0x2000, 4, 0, 0},
             [&] { return table.pfnCreateLight(device, &made); });
  const D3DDDIARG_DESTROYLIGHT ended{4};
  rig.expect("M::DestroyLight", {0x2000, 4, 0, 0},
             [&] { return table.pfnDestroyLight(device, &ended); });
  const D3DDDIARG_SETCLIPPLANE plane{5, {}};
  rig.expect("M::SetClipPlane", {0x2000, 5, of(&plane.Plane), 0},
             [&] { return table.pfnSetClipPlane(device, &plane); });
  const PALETTEENTRY entries[2]{};
  const D3DDDIARG_UPDATEPALETTE update{6, 0, 2};
  rig.expect("M::UpdatePalette", {0x2000, 6, of(entries), 0},
             [&] { return table.pfnUpdatePalette(device, &update, entries); });
  const D3DDDIARG_SETPALETTE palette{6, 0, at(0x3000)};
  rig.expect("M::SetPalette", {0x2000, 6, 0x3000, 0},
             [&] { return table.pfnSetPalette(device, &palette); });
}

TEST_CASE("what is kept of profile M's shaders and frames", "[umd][T247]") {
  packing_rig rig;
  auto& table = rig.tables.m;
  void* const device = at(0x2000);
  const D3DDDIARG_SETVERTEXSHADERCONST vertex{8, 2};
  const D3DDDIARG_SETPIXELSHADERCONST pixel{9, 1};
  const float floats[8]{};
  const INT integers[4]{};
  const BOOL switches[4]{};
  rig.expect("M::SetVertexShaderConst", {0x2000, 0, pack(8, 2), of(floats)},
             [&] { return table.pfnSetVertexShaderConst(device, &vertex, floats); });
  rig.expect("M::SetVertexShaderConstI", {0x2000, 0, pack(8, 2), of(integers)},
             [&] { return table.pfnSetVertexShaderConstI(device, &vertex, integers); });
  rig.expect("M::SetVertexShaderConstB", {0x2000, 0, pack(8, 2), of(switches)},
             [&] { return table.pfnSetVertexShaderConstB(device, &vertex, switches); });
  rig.expect("M::SetPixelShaderConst", {0x2000, 1, pack(9, 1), of(floats)},
             [&] { return table.pfnSetPixelShaderConst(device, &pixel, floats); });
  rig.expect("M::SetPixelShaderConstI", {0x2000, 1, pack(9, 1), of(integers)},
             [&] { return table.pfnSetPixelShaderConstI(device, &pixel, integers); });
  rig.expect("M::SetPixelShaderConstB", {0x2000, 1, pack(9, 1), of(switches)},
             [&] { return table.pfnSetPixelShaderConstB(device, &pixel, switches); });
  const UINT code[2]{};
  D3DDDIARG_CREATEVERTEXSHADERFUNC vertex_code{40, nullptr};
  rig.expect("M::CreateVertexShaderFunc", {0x2000, 0, 40, of(code)},
             [&] { return table.pfnCreateVertexShaderFunc(device, &vertex_code, code); });
  D3DDDIARG_CREATEPIXELSHADER pixel_code{44, nullptr};
  rig.expect("M::CreatePixelShader", {0x2000, 1, 44, of(code)},
             [&] { return table.pfnCreatePixelShader(device, &pixel_code, code); });
  D3DDDIARG_PRESENT present{};
  present.hSrcResource = at(0x3000);
  present.hDstResource = at(0x4000);
  present.FlipInterval = D3DDDI_FLIPINTERVAL_TWO;
  present.Flags.Value = 1;
  rig.expect("M::Present", {0x2000, 0x4000, 0x3000, pack(2, 1)},
             [&] { return table.pfnPresent(device, &present); });
  const D3DDDIARG_GETQUERYDATA query{at(0x5000), at(0x6000)};
  rig.expect("M::GetQueryData", {0x2000, 0x5000, 0, 0x6000},
             [&] { return table.pfnGetQueryData(device, &query); });
  rig.expect("M::GetInfo", {0x2000, 4, 0x6000, 16},
             [&] { return table.pfnGetInfo(device, 4, at(0x6000), 16); });
}

TEST_CASE("a test table has every entry of its list", "[umd][T247]") {
  const traced_tables tables;
  const trace_rig rig{{{"AEROGPU_D3D9_TRACE_MODE", "all"}}};
  std::size_t calls = 0;
#define AEROGPU_TEST_CALL(table, name)                      \
  CHECK(call_with_nothing(tables.table.pfn##name) == S_OK); \
  ++calls;
#define AEROGPU_TEST_CALL_U(index, name, bytes, plan) AEROGPU_TEST_CALL(u, name)
#define AEROGPU_TEST_CALL_EXTENDED(index, name, bytes, plan) AEROGPU_TEST_CALL(extended_u, name)
  AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_TEST_CALL_U)
  AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(AEROGPU_TEST_CALL_EXTENDED)
#undef AEROGPU_TEST_CALL
#undef AEROGPU_TEST_CALL_U
#undef AEROGPU_TEST_CALL_EXTENDED
  trace::stop();
  CHECK(rig.calls().size() == calls);
}

}  // namespace aerogpu::umd::test
