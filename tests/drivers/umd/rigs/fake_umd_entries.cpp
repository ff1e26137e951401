// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/entry_names.hpp"
#include "tests/drivers/umd/rigs/fake_umd_device.hpp"

#include <cstring>
#include <memory>
#include <span>

namespace aerogpu::test {
namespace {

using table = D3DDDI_DEVICEFUNCS;

[[nodiscard]] auto self_of(HANDLE device) -> fake_device& {
  return *static_cast<fake_device*>(device);
}
template <auto Entry>
void note() {
  the_fake_umd().entries.push_back(sim::index_of(Entry));
}

template <auto Entry, class... Arguments>
auto APIENTRY do_nothing(HANDLE, Arguments...) -> HRESULT {
  note<Entry>();
  return S_OK;
}
template <auto Entry, class... Arguments>
void set_nothing(HRESULT(APIENTRY*& entry)(HANDLE, Arguments...)) {
  entry = &do_nothing<Entry, Arguments...>;
}

/// An entry that keeps its structure where a test finds it.
template <auto Entry, auto Where, class T, class... Rest>
auto APIENTRY keep(HANDLE, T* argument, Rest...) -> HRESULT {
  note<Entry>();
  auto& kept = the_fake_umd().*Where;
  if constexpr (requires { kept.push_back(*argument); }) {
    kept.push_back(*argument);
  } else {
    kept = *argument;
  }
  return S_OK;
}
template <auto Entry, auto Where, class T, class... Rest>
void set_keep(HRESULT(APIENTRY*& entry)(HANDLE, T*, Rest...)) {
  entry = &keep<Entry, Where, T, Rest...>;
}

/// An entry that makes an object nobody looks into.
template <auto Entry, auto Handle, class T, class... Rest>
auto APIENTRY make_object(HANDLE device, T* argument, Rest...) -> HRESULT {
  note<Entry>();
  argument->*Handle = device;
  return S_OK;
}
template <auto Entry, auto Handle, class T, class... Rest>
void set_make(HRESULT(APIENTRY*& entry)(HANDLE, T*, Rest...)) {
  entry = &make_object<Entry, Handle, T, Rest...>;
}

auto APIENTRY set_render_state(HANDLE, const D3DDDIARG_RENDERSTATE* state) -> HRESULT {
  note<&table::pfnSetRenderState>();
  the_fake_umd().render_states.push_back(*state);
  constexpr auto nobodys = static_cast<HRESULT>(0x8876FFFFu);
  return the_fake_umd().does == umd_misdeed::invent_result ? nobodys : S_OK;
}

auto APIENTRY clear(HANDLE, const D3DDDIARG_CLEAR* wanted, UINT count, const RECT* rectangles)
    -> HRESULT {
  note<&table::pfnClear>();
  the_fake_umd().clear = *wanted;
  the_fake_umd().clear_rectangles.assign(rectangles, rectangles + count);
  return S_OK;
}

auto APIENTRY set_indices_um(HANDLE, UINT index_size, const void*) -> HRESULT {
  note<&table::pfnSetIndicesUm>();
  the_fake_umd().index_size_um = index_size;
  return S_OK;
}

auto APIENTRY create_declaration(HANDLE device, D3DDDIARG_CREATEVERTEXSHADERDECL* wanted,
                                 const D3DDDIVERTEXELEMENT* elements) -> HRESULT {
  note<&table::pfnCreateVertexShaderDecl>();
  the_fake_umd().elements.assign(elements, elements + wanted->NumVertexElements);
  wanted->ShaderHandle = device;
  return S_OK;
}

[[nodiscard]] auto wants_allocation(const D3DDDIARG_CREATERESOURCE& wanted) -> bool {
  return wanted.Flags.SharedResource != 0 || wanted.Flags.Primary != 0 ||
         (wanted.Flags.RenderTarget != 0 && wanted.Pool != D3DDDIPOOL_SYSTEMMEM);
}

[[nodiscard]] auto back_resource(fake_device& self, fake_resource& made) -> HRESULT {
  const auto does = the_fake_umd().does;
  const auto& wanted = made.description;
  if (!wants_allocation(wanted) || does == umd_misdeed::share_without_allocation) return S_OK;
  HANDLE owner = made.is_shared ? made.runtime : nullptr;
  if (does == umd_misdeed::name_unknown_resource) owner = &made;
  const bool is_primary = wanted.Flags.Primary != 0;
  const bool has_levels = wanted.Flags.Texture != 0 || wanted.Flags.CubeMap != 0;
  for (const auto& one : std::span{made.surfaces}.first(has_levels ? 1 : made.surfaces.size())) {
    const auto allocation = self.allocate(owner, one.Width, one.Height, made.is_shared, is_primary);
    if (allocation == 0) return E_OUTOFMEMORY;
    made.allocations.push_back(allocation);
  }
  if (does == umd_misdeed::allocate_shared_twice)
    static_cast<void>(self.allocate(owner, 16, 16, true, false));
  return S_OK;
}

[[nodiscard]] auto allocation_of(HANDLE resource, UINT surface) -> D3DKMT_HANDLE {
  const auto& list = static_cast<fake_resource*>(resource)->allocations;
  return surface < list.size() ? list[surface] : 0;
}

auto APIENTRY create_resource(HANDLE device, D3DDDIARG_CREATERESOURCE* wanted) -> HRESULT {
  note<&table::pfnCreateResource>();
  auto& driver = the_fake_umd();
  auto made = std::make_unique<fake_resource>();
  made->runtime = wanted->hResource;
  made->description = *wanted;
  made->is_shared = wanted->Flags.SharedResource != 0;
  made->surfaces.assign(wanted->pSurfList, wanted->pSurfList + wanted->SurfCount);
  driver.resources.push_back(*wanted);
  driver.surfaces.push_back(made->surfaces);
  for (const auto& one : made->surfaces)
    made->memory.emplace_back(std::size_t{one.Width} * (one.Height != 0 ? one.Height : 1) * 4);
  if (const auto result = back_resource(self_of(device), *made); FAILED(result)) {
    for (const auto one : made->allocations) static_cast<void>(self_of(device).free(one));
    return result;
  }
  if (driver.does == umd_misdeed::change_surface_list)
    const_cast<D3DDDI_SURFACEINFO*>(wanted->pSurfList)->Width = 1;
  if (driver.does == umd_misdeed::keep_runtime_resource_handle) return S_OK;
  wanted->hResource =
      driver.does == umd_misdeed::give_no_resource_handle ? nullptr : made.release();
  ++driver.live_resources;
  return S_OK;
}

auto APIENTRY open_resource(HANDLE, D3DDDIARG_OPENRESOURCE* wanted) -> HRESULT {
  note<&table::pfnOpenResource>();
  auto made = std::make_unique<fake_resource>();
  made->runtime = wanted->hResource;
  made->allocations = {wanted->pOpenAllocationInfo[0].hAllocation};
  made->is_shared = true;
  wanted->hResource = made.release();
  ++the_fake_umd().live_resources;
  return S_OK;
}

auto APIENTRY destroy_resource(HANDLE device, HANDLE resource) -> HRESULT {
  note<&table::pfnDestroyResource>();
  auto& self = self_of(device);
  const std::unique_ptr<fake_resource> gone{static_cast<fake_resource*>(resource)};
  --the_fake_umd().live_resources;
  if (gone->allocations.empty()) return S_OK;
  if (the_fake_umd().does == umd_misdeed::leak_shared_allocation) return S_OK;
  if (gone->is_shared) return self.free_resource(gone->runtime);
  for (const auto one : gone->allocations) static_cast<void>(self.free(one));
  return S_OK;
}

auto APIENTRY lock(HANDLE, D3DDDIARG_LOCK* wanted) -> HRESULT {
  note<&table::pfnLock>();
  auto& driver = the_fake_umd();
  driver.locks.push_back(*wanted);
  if (driver.does == umd_misdeed::write_behind_structure)
    reinterpret_cast<std::byte*>(wanted)[sizeof *wanted] = std::byte{1};
  const auto index = wanted->SubResourceIndex;
  if (driver.does == umd_misdeed::change_input) wanted->SubResourceIndex += 1;
  if (driver.does == umd_misdeed::give_no_memory || wanted->Flags.NotifyOnly != 0) return S_OK;
  auto& resource = *static_cast<fake_resource*>(wanted->hResource);
  wanted->pSurfData = resource.memory[index].data();
  wanted->Pitch = resource.surfaces[index].Width * 4;
  return S_OK;
}

auto APIENTRY get_query_data(HANDLE, const D3DDDIARG_GETQUERYDATA* wanted) -> HRESULT {
  auto& driver = the_fake_umd();
  if (driver.polls_until_done != 0) {
    --driver.polls_until_done;
    return S_FALSE;
  }
  const BOOL is_done = 1;
  if (wanted->pData != nullptr) std::memcpy(wanted->pData, &is_done, sizeof is_done);
  return S_OK;
}

auto APIENTRY present(HANDLE device, const D3DDDIARG_PRESENT* wanted) -> HRESULT {
  note<&table::pfnPresent>();
  auto& self = self_of(device);
  auto& driver = the_fake_umd();
  driver.presents.push_back(*wanted);
  if (const auto result = self.render(); FAILED(result)) return result;
  if (driver.does == umd_misdeed::present_nothing) return S_OK;
  D3DDDICB_PRESENT shown{};
  shown.hContext = self.context;
  if (wanted->hSrcResource != nullptr)
    shown.hSrcAllocation = allocation_of(wanted->hSrcResource, wanted->SrcSubResourceIndex);
  if (wanted->hDstResource != nullptr)
    shown.hDstAllocation = allocation_of(wanted->hDstResource, wanted->DstSubResourceIndex);
  if (driver.does == umd_misdeed::present_twice)
    static_cast<void>(self.callbacks.pfnPresentCb(self.runtime, &shown));
  return self.callbacks.pfnPresentCb(self.runtime, &shown);
}

auto APIENTRY set_display_mode(HANDLE device, const D3DDDIARG_SETDISPLAYMODE* wanted) -> HRESULT {
  note<&table::pfnSetDisplayMode>();
  auto& self = self_of(device);
  D3DDDICB_SETDISPLAYMODE mode{};
  mode.hPrimaryAllocation = allocation_of(wanted->hResource, wanted->SubResourceIndex);
  return self.callbacks.pfnSetDisplayModeCb(self.runtime, &mode);
}

/// What a driver might do wrong beside submitting.
void misbehave(fake_device& self) {
  constexpr UINT ignore_sync = 8;
  constexpr UINT discard = 0x80;
  switch (the_fake_umd().does) {
    case umd_misdeed::keep_device_callbacks: call_back_through_kept_table(self.runtime); return;
    case umd_misdeed::call_back_without_structure:
      static_cast<void>(self.callbacks.pfnRenderCb(self.runtime, nullptr));
      return;
    case umd_misdeed::leak_allocation:
      static_cast<void>(self.allocate(nullptr, 16, 16, false, false));
      return;
    case umd_misdeed::leave_locked:
    case umd_misdeed::render_while_locked: static_cast<void>(self.lock(self.marker, 0)); return;
    case umd_misdeed::ignore_sync: static_cast<void>(self.lock(self.marker, ignore_sync)); return;
    case umd_misdeed::discard_in_kernel: static_cast<void>(self.lock(self.marker, discard)); return;
    case umd_misdeed::lock_both_ways: static_cast<void>(self.lock(self.marker, 3)); return;
    case umd_misdeed::unlock_twice: static_cast<void>(self.unlock(self.marker)); return;
    case umd_misdeed::free_while_locked: {
      const auto other = self.allocate(nullptr, 16, 16, false, false);
      static_cast<void>(self.lock(other, 0));
      static_cast<void>(self.free(other));
      return;
    }
    case umd_misdeed::free_twice: {
      const auto other = self.allocate(nullptr, 16, 16, false, false);
      static_cast<void>(self.free(other));
      static_cast<void>(self.free(other));
      return;
    }
    case umd_misdeed::present_outside: {
      D3DDDICB_PRESENT shown{};
      shown.hContext = self.context;
      static_cast<void>(self.callbacks.pfnPresentCb(self.runtime, &shown));
      return;
    }
    case umd_misdeed::set_mode_outside: {
      D3DDDICB_SETDISPLAYMODE mode{};
      static_cast<void>(self.callbacks.pfnSetDisplayModeCb(self.runtime, &mode));
      return;
    }
    default: return;
  }
}

auto APIENTRY flush(HANDLE device) -> HRESULT {
  note<&table::pfnFlush>();
  auto& self = self_of(device);
  auto& driver = the_fake_umd();
  if (driver.during_flush) driver.during_flush();
  misbehave(self);
  if (driver.does == umd_misdeed::leave_locked) return S_OK;
  const auto result = self.render();
  if (driver.does == umd_misdeed::render_while_locked) static_cast<void>(self.unlock(self.marker));
  return result;
}

auto APIENTRY destroy_device(HANDLE device) -> HRESULT {
  const std::unique_ptr<fake_device> gone{static_cast<fake_device*>(device)};
  auto& driver = the_fake_umd();
  if (driver.does != umd_misdeed::leave_locked) static_cast<void>(gone->free(gone->marker));
  if (driver.does != umd_misdeed::leak_context) {
    const D3DDDICB_DESTROYCONTEXT context{gone->context};
    static_cast<void>(gone->callbacks.pfnDestroyContextCb(gone->runtime, &context));
  }
  --driver.live_devices;
  return S_OK;
}

#define SET_NOTHING(index, name, bytes, plan) set_nothing<&table::pfn##name>(to.pfn##name);
void set_all_nothing(table& to) {
  AEROGPU_D3DDDI_DEVICE_ENTRIES(SET_NOTHING)
}
#undef SET_NOTHING

void set_keepers(table& to) {
  set_keep<&table::pfnSetTextureStageState, &fake_umd::stage_states>(to.pfnSetTextureStageState);
  set_keep<&table::pfnDrawPrimitive, &fake_umd::draw>(to.pfnDrawPrimitive);
  set_keep<&table::pfnDrawIndexedPrimitive, &fake_umd::indexed_draw>(to.pfnDrawIndexedPrimitive);
  set_keep<&table::pfnSetStreamSourceUm, &fake_umd::stream_um>(to.pfnSetStreamSourceUm);
  set_keep<&table::pfnSetViewport, &fake_umd::viewport>(to.pfnSetViewport);
  set_keep<&table::pfnSetZRange, &fake_umd::z_range>(to.pfnSetZRange);
  set_keep<&table::pfnSetRenderTarget, &fake_umd::targets>(to.pfnSetRenderTarget);
  set_keep<&table::pfnBlt, &fake_umd::blts>(to.pfnBlt);
  set_keep<&table::pfnTexBlt, &fake_umd::texture_blts>(to.pfnTexBlt);
  set_keep<&table::pfnIssueQuery, &fake_umd::issue>(to.pfnIssueQuery);
  set_make<&table::pfnCreateQuery, &D3DDDIARG_CREATEQUERY::hQuery>(to.pfnCreateQuery);
  set_make<&table::pfnCreatePixelShader, &D3DDDIARG_CREATEPIXELSHADER::ShaderHandle>(
      to.pfnCreatePixelShader);
  set_make<&table::pfnCreateVertexShaderFunc, &D3DDDIARG_CREATEVERTEXSHADERFUNC::ShaderHandle>(
      to.pfnCreateVertexShaderFunc);
}

}  // namespace

void fill_device_table(table& to) {
  set_all_nothing(to);
  set_keepers(to);
  to.pfnSetRenderState = &set_render_state;
  to.pfnClear = &clear;
  to.pfnSetIndicesUm = &set_indices_um;
  to.pfnCreateVertexShaderDecl = &create_declaration;
  to.pfnCreateResource = &create_resource;
  to.pfnOpenResource = &open_resource;
  to.pfnDestroyResource = &destroy_resource;
  to.pfnLock = &lock;
  to.pfnGetQueryData = &get_query_data;
  to.pfnPresent = &present;
  to.pfnSetDisplayMode = &set_display_mode;
  to.pfnFlush = &flush;
  to.pfnDestroyDevice = &destroy_device;
}

}  // namespace aerogpu::test
