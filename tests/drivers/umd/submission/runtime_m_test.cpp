// SPDX-License-Identifier: MIT
/// The callbacks of profile M: exact structures, buffers that change, errors that come back.
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace aerogpu::umd::test {

TEST_CASE("a submission through RenderCb is exact, whatever lay on the stack before",
          "[umd][T011][T020]") {
  const bool has_patch_list = GENERATE(false, true);
  device_m_rig rig;
  rig.callbacks.has_patch_list = has_patch_list;
  for (int i = 0; i < 3; ++i) {
    record_viewport(rig.core().commands);
    CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
  }
  REQUIRE(rig.callbacks.renders.size() == 3);  // The fake refuses what is not zero.
  CHECK(rig.callbacks.renders[0].stream.size() == 56);
  REQUIRE(rig.callbacks.renders[0].list.size() == 1);
  CHECK(rig.callbacks.renders[0].list[0].Value == 1);  // The marker: WriteOperation.
}

TEST_CASE("Flush of an empty stream makes no callback", "[umd][T021]") {
  device_m_rig rig;
  CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
  CHECK(rig.callbacks.renders.empty());
  CHECK(rig.functions.pfnFlush(nullptr) == E_INVALIDARG);
}

TEST_CASE("smaller buffers that come with a failure are honoured", "[umd][T026]") {
  device_m_rig rig;
  runtime& callbacks = rig.core().runtime;
  recording_space space;
  callbacks.wish_for(64 * 1024, 512);
  rig.callbacks.command_bytes = 1024;
  rig.callbacks.list_entries = 5;
  rig.callbacks.render_result = E_OUTOFMEMORY;
  record_viewport(rig.core().commands);
  const submission work{.command_bytes = rig.core().commands.packets().finish(),
                        .allocations = {},
                        .fence = fence_value{1}};
  CHECK(callbacks.submit(work, space) == E_OUTOFMEMORY);
  CHECK(space.command_bytes == 1024);
  CHECK(space.list_entries == 5);
  CHECK(space.commands != nullptr);
  rig.core().commands.discard();
}

TEST_CASE("a wish that the runtime ignores changes nothing", "[umd][T026]") {
  device_m_rig rig;
  rig.callbacks.lends_new_buffers = false;  // Echoes the wished sizes, and no pointers.
  runtime& callbacks = rig.core().runtime;
  callbacks.wish_for(64 * 1024, 512);
  record_viewport(rig.core().commands);
  REQUIRE(rig.core().commands.submit() == S_OK);
  REQUIRE(rig.callbacks.renders.size() == 1);
  CHECK(rig.callbacks.renders[0].wished_bytes == 64 * 1024);
  CHECK(rig.callbacks.renders[0].wished_entries == 512);
  CHECK(rig.core().commands.largest_room_bytes() == 16 * 1024 - 24);
  record_viewport(rig.core().commands);
  REQUIRE(rig.core().commands.submit() == S_OK);
  CHECK(rig.callbacks.renders[1].wished_bytes == 0);
}

TEST_CASE("completion comes from the markers' locks", "[umd][T027]") {
  device_m_rig rig;
  rig.callbacks.makes_markers_busy = true;
  record_viewport(rig.core().commands);
  REQUIRE(rig.core().commands.submit() == S_OK);
  completion& done = rig.core().commands.completion();
  CHECK(done.poll(rig.system.now_ns()) == fence_value{1});  // The baseline's.
  rig.callbacks.finish();
  CHECK(done.poll(rig.system.now_ns() + completion::poll_interval_ns) == fence_value{2});
}

TEST_CASE("no callbacks are announced from other threads", "[umd][T011]") {
  device_m_rig rig;
  record_viewport(rig.core().commands);
  CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
  CHECK(rig.callbacks.breaches.empty());
}

TEST_CASE("GetQueryData beside RenderCb makes no callback and answers what is known",
          "[umd][T203]") {
  device_m_rig rig;
  D3DDDIARG_CREATEQUERY query{D3DDDIQUERYTYPE_EVENT, nullptr};
  REQUIRE(rig.functions.pfnCreateQuery(rig.device, &query) == S_OK);
  rig.callbacks.makes_markers_busy = true;
  record_viewport(rig.core().commands);
  D3DDDIARG_ISSUEQUERY issue{};
  issue.hQuery = query.hQuery;
  issue.Flags.End = 1;
  REQUIRE(rig.functions.pfnIssueQuery(rig.device, &issue) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  rig.callbacks.finish();
  rig.system.advance(completion::poll_interval_ns);
  const D3DDDIARG_GETQUERYDATA get{query.hQuery, nullptr};
  HRESULT beside = E_FAIL;
  rig.callbacks.during_render = [&] {
    std::thread asking{[&] { beside = rig.functions.pfnGetQueryData(rig.device, &get); }};
    asking.join();
  };
  record_viewport(rig.core().commands);
  CHECK(rig.functions.pfnFlush(rig.device) == S_OK);
  rig.callbacks.during_render = nullptr;
  CHECK(beside == S_FALSE);
  CHECK(rig.callbacks.breaches.empty());
  CHECK(rig.functions.pfnGetQueryData(rig.device, &get) == S_OK);
  CHECK(rig.functions.pfnDestroyQuery(rig.device, query.hQuery) == S_OK);
}

TEST_CASE("an event is done without a flush once its work is", "[umd][T201]") {
  device_m_rig rig;
  D3DDDIARG_CREATEQUERY query{D3DDDIQUERYTYPE_EVENT, nullptr};
  REQUIRE(rig.functions.pfnCreateQuery(rig.device, &query) == S_OK);
  rig.callbacks.makes_markers_busy = true;
  record_viewport(rig.core().commands);
  D3DDDIARG_ISSUEQUERY issue{};
  issue.hQuery = query.hQuery;
  issue.Flags.End = 1;
  REQUIRE(rig.functions.pfnIssueQuery(rig.device, &issue) == S_OK);
  BOOL is_done = TRUE;
  const auto ask = [&] {
    const D3DDDIARG_GETQUERYDATA get{query.hQuery, &is_done};
    rig.system.advance(completion::poll_interval_ns);
    return rig.functions.pfnGetQueryData(rig.device, &get);
  };
  for (int i = 0; i < 3; ++i) {
    CHECK(ask() == S_FALSE);
    CHECK(is_done == FALSE);
  }
  rig.callbacks.finish();
  CHECK(ask() == S_OK);
  CHECK(is_done == TRUE);
  CHECK(rig.functions.pfnDestroyQuery(rig.device, query.hQuery) == S_OK);
}

TEST_CASE("a failing PresentCb is not tried another way", "[umd][T014]") {
  device_m_rig rig;
  rig.callbacks.failing_call = rig.callbacks.calls + 1;
  CHECK(rig.core().runtime.present(kernel_allocation{4}, kernel_allocation{8}) == E_FAIL);
  CHECK(rig.callbacks.presents.empty());
  CHECK(rig.callbacks.renders.empty());
  CHECK(rig.core().runtime.present(kernel_allocation{4}, kernel_allocation{8}) == S_OK);
  CHECK(rig.callbacks.presents.size() == 1);
}

TEST_CASE("CreateDevice refuses what is not there", "[umd]") {
  device_m_rig rig;
  D3DDDI_DEVICEFUNCS functions{};
  D3DDDIARG_CREATEDEVICE good{};
  good.hDevice = &rig.callbacks;
  good.Interface = 9;
  good.pCallbacks = &rig.callbacks.device;
  good.pDeviceFuncs = &functions;
  CHECK(rig.table.pfnCreateDevice(nullptr, &good) == E_INVALIDARG);
  CHECK(rig.table.pfnCreateDevice(rig.handle, nullptr) == E_INVALIDARG);
  const auto refused = [&](HRESULT how, auto&& change) {
    D3DDDIARG_CREATEDEVICE create = good;
    change(create);
    CHECK(rig.table.pfnCreateDevice(rig.handle, &create) == how);
    CHECK(functions.pfnFlush == nullptr);
  };
  refused(E_INVALIDARG, [](auto& create) { create.pCallbacks = nullptr; });
  refused(E_INVALIDARG, [](auto& create) { create.pDeviceFuncs = nullptr; });
  refused(D3DERR_NOTAVAILABLE, [](auto& create) { create.Interface = 8; });
  D3DDDI_DEVICECALLBACKS lacking = rig.callbacks.device;
  lacking.pfnRenderCb = nullptr;
  refused(E_INVALIDARG, [&](auto& create) { create.pCallbacks = &lacking; });
}

TEST_CASE("CreateDevice takes an interface newer than Direct3D 9's for it", "[umd][T050]") {
  adapter_rig rig;
  D3DDDI_DEVICEFUNCS functions{};
  D3DDDIARG_CREATEDEVICE create{};
  create.hDevice = &rig.callbacks;
  create.Interface = 10;
  create.pCallbacks = &rig.callbacks.device;
  create.pDeviceFuncs = &functions;
  REQUIRE(rig.table.pfnCreateDevice(rig.handle, &create) == S_OK);
  CHECK(rig.system.logged("CreateDevice Interface=10 is taken as 9") == 1);
  CHECK(functions.pfnDestroyDevice(create.hDevice) == S_OK);
}

TEST_CASE("each callback of CreateDevice that fails leaves nothing behind", "[umd][T232]") {
  adapter_rig rig;
  for (std::uint64_t call = 1;; ++call) {
    D3DDDI_DEVICEFUNCS functions{};
    D3DDDIARG_CREATEDEVICE create{};
    create.hDevice = &rig.callbacks;
    create.Interface = 9;
    create.pCallbacks = &rig.callbacks.device;
    create.pDeviceFuncs = &functions;
    rig.callbacks.failing_call = rig.callbacks.calls + call;
    rig.callbacks.failure = E_OUTOFMEMORY;
    const HRESULT created = rig.table.pfnCreateDevice(rig.handle, &create);
    if (SUCCEEDED(created)) {
      rig.callbacks.failing_call = 0;
      CHECK(call > 1 + marker_ring::slots);
      CHECK(functions.pfnDestroyDevice(create.hDevice) == S_OK);
      break;
    }
    CHECK(created == E_OUTOFMEMORY);
    CHECK(functions.pfnFlush == nullptr);
    CHECK(rig.callbacks.contexts == 0);
    CHECK(rig.callbacks.allocations.empty());
    CHECK(openings(*front_m::to_adapter(rig.handle)) == 1);
  }
}

TEST_CASE("a context without a handle is a failure", "[umd]") {
  adapter_rig rig;
  rig.callbacks.gives_context = false;
  D3DDDI_DEVICEFUNCS functions{};
  D3DDDIARG_CREATEDEVICE create{};
  create.hDevice = &rig.callbacks;
  create.Interface = 9;
  create.pCallbacks = &rig.callbacks.device;
  create.pDeviceFuncs = &functions;
  CHECK(rig.table.pfnCreateDevice(rig.handle, &create) == E_FAIL);
}

TEST_CASE("a lost device still ends cleanly, and its calls repeat the loss", "[umd][T230][T234]") {
  device_m_rig rig;
  record_viewport(rig.core().commands);
  rig.callbacks.render_result = D3DERR_DEVICEREMOVED;
  CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICEREMOVED);
  rig.callbacks.render_result = S_OK;
  CHECK(rig.functions.pfnFlush(rig.device) == D3DERR_DEVICEREMOVED);
  CHECK(rig.callbacks.renders.empty());
}

TEST_CASE("a device that ends destroys the shaders, declarations and queries that are left",
          "[umd][T234]") {
  // vs_2_0 with nothing in it; the sanitizers see what the driver does not release.
  constexpr std::array<UINT, 2> code{0xFFFE0200, 0x0000FFFF};
  constexpr std::array<D3DDDIVERTEXELEMENT, 2> elements{
      {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
       {0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0}}};
  device_m_rig rig;
  D3DDDIARG_CREATEVERTEXSHADERFUNC shader{sizeof code, nullptr};
  D3DDDIARG_CREATEVERTEXSHADERDECL declaration{elements.size(), nullptr};
  D3DDDIARG_CREATEQUERY query{D3DDDIQUERYTYPE_EVENT, nullptr};
  REQUIRE(rig.functions.pfnCreateVertexShaderFunc(rig.device, &shader, code.data()) == S_OK);
  REQUIRE(rig.functions.pfnCreateVertexShaderDecl(rig.device, &declaration, elements.data()) ==
          S_OK);
  REQUIRE(rig.functions.pfnCreateQuery(rig.device, &query) == S_OK);
  CHECK(rig.functions.pfnDestroyDevice(rig.device) == S_OK);
  rig.device = nullptr;
  std::size_t shaders = 0;
  std::size_t layouts = 0;
  for (const seen_render& each : rig.callbacks.renders) {
    shaders += packets_of<aerogpu_cmd_destroy_shader>(each.stream).size();
    layouts += packets_of<aerogpu_cmd_destroy_input_layout>(each.stream).size();
  }
  CHECK(shaders == 1);
  CHECK(layouts == 1);
}

TEST_CASE("pending work is submitted when a device ends", "[umd][T234]") {
  device_m_rig rig;
  record_viewport(rig.core().commands);
  CHECK(rig.functions.pfnDestroyDevice(rig.device) == S_OK);
  rig.device = nullptr;
  CHECK(rig.callbacks.renders.size() == 1);
}

TEST_CASE("GetInfo knows the vertex cache's question alone", "[umd]") {
  device_m_rig rig;
  D3DDDIDEVINFO_VCACHE info{1, 1, 1, 1};
  CHECK(rig.functions.pfnGetInfo(rig.device, 4, &info, sizeof info) == S_OK);
  CHECK(info.Pattern == 0x48434143);
  CHECK(info.OptMethod == 0);
  CHECK(rig.functions.pfnGetInfo(rig.device, 4, &info, sizeof info - 1) == E_INVALIDARG);
  CHECK(rig.functions.pfnGetInfo(rig.device, 4, nullptr, sizeof info) == E_INVALIDARG);
  CHECK(rig.functions.pfnGetInfo(rig.device, 5, &info, sizeof info) == E_NOTIMPL);
}

TEST_CASE("priorities and the display mode go to the allocation of a resource", "[umd]") {
  device_m_rig rig;
  resource surface;
  surface.backing = {kernel_allocation{0x4040}, alloc_id{5}, {}, 64};
  const D3DDDIARG_SETPRIORITY priority{&surface, 0x78000000};
  CHECK(rig.functions.pfnSetPriority(rig.device, &priority) == S_OK);
  REQUIRE(rig.callbacks.priorities.size() == 1);
  CHECK(rig.callbacks.priorities[0] == std::pair<D3DKMT_HANDLE, UINT>{0x4040, 0x78000000});
  record_viewport(rig.core().commands);
  const D3DDDIARG_SETDISPLAYMODE mode{&surface, 0};
  CHECK(rig.functions.pfnSetDisplayMode(rig.device, &mode) == S_OK);
  CHECK(rig.callbacks.renders.size() == 1);  // What draws it comes first.
  CHECK(rig.callbacks.shown == std::vector<D3DKMT_HANDLE>{0x4040});
  resource host_only;
  const D3DDDIARG_SETPRIORITY nowhere{&host_only, 1};
  CHECK(rig.functions.pfnSetPriority(rig.device, &nowhere) == S_OK);
  const D3DDDIARG_SETDISPLAYMODE no_primary{&host_only, 0};
  CHECK(rig.functions.pfnSetDisplayMode(rig.device, &no_primary) == E_INVALIDARG);
}

TEST_CASE("the log of a device names its context and buffers", "[umd]") {
  device_m_rig rig;
  CHECK(rig.system.logged("CreateDevice wddm hDevice=0x") == 1);
  CHECK(rig.system.logged(" dma_priv=0x0/0") == 1);
}

}  // namespace aerogpu::umd::test
