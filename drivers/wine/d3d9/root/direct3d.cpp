// SPDX-License-Identifier: MIT
/// \file The adapter: its life, its modes, and the devices that are made on it.
#include "drivers/wine/d3d9/root/direct3d.hpp"

#include "aerogpu/abi/pci.h"
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/format_rules.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <tuple>

namespace aerogpu::d3d9 {
namespace {

/// Windows 7's runtime identifies an adapter by this and its numbers.
constexpr GUID device_identifier{
    0xD7B71E3E, 0xE0E0, 0x11CF, {0x8D, 0x4A, 0xA3, 0xA0, 0xA0, 0xC2, 0xCA, 0x35}};

template <std::size_t Size>
void put_text(char (&to)[Size], const char* text) {
  std::strncpy(to, text, Size - 1);
}

[[nodiscard]] auto passes(const D3DDISPLAYMODEFILTER& filter, const D3DDISPLAYMODEEX& mode)
    -> bool {
  return filter.Format == mode.Format &&
         (filter.ScanLineOrdering == 0 || filter.ScanLineOrdering == mode.ScanLineOrdering);
}

[[nodiscard]] auto is_before(const D3DDISPLAYMODEEX& one, const D3DDISPLAYMODEEX& other) -> bool {
  return std::tie(one.Width, one.Height, one.RefreshRate, one.Format) <
         std::tie(other.Width, other.Height, other.RefreshRate, other.Format);
}

[[nodiscard]] auto is_same_mode(const D3DDISPLAYMODEEX& one, const D3DDISPLAYMODEEX& other)
    -> bool {
  return !is_before(one, other) && !is_before(other, one);
}

/// The one among `modes` that has `index` passing ones before it.
template <class Passes>
[[nodiscard]] auto nth(const std::vector<D3DDISPLAYMODEEX>& modes, UINT index, Passes&& is_passing)
    -> const D3DDISPLAYMODEEX* {
  for (const auto& one : modes) {
    if (is_passing(one) && index-- == 0) return &one;
  }
  return nullptr;
}

[[nodiscard]] auto without_order(const D3DDISPLAYMODEEX& mode) -> D3DDISPLAYMODE {
  return {mode.Width, mode.Height, mode.RefreshRate, mode.Format};
}

[[nodiscard]] auto is_vertex_processing_chosen(DWORD flags) -> bool {
  const auto chosen = flags & (create_software_vertex_processing |
                               create_hardware_vertex_processing | create_mixed_vertex_processing);
  const bool is_one = chosen != 0 && (chosen & (chosen - 1)) == 0;
  const bool is_pure = (flags & create_pure_device) != 0;
  return is_one && (!is_pure || chosen == create_hardware_vertex_processing);
}

}  // namespace

auto direct3d::make(const environment& in, bool is_ex) noexcept -> direct3d* {
  direct3d* made = nullptr;
  try {
    bound<direct3d> held{new direct3d(in, is_ex)};
    if (!held->open()) return nullptr;
    held->AddRef();
    made = held.get();
  } catch (...) {
    return nullptr;
  }
  return made;
}

direct3d::direct3d(const environment& where, bool has_ex)
    : in(where), is_ex(has_ex), adapter(where.process) {}

direct3d::~direct3d() {
  if (adapter.ddi.is_open()) static_cast<void>(adapter.close());
}

auto direct3d::open() -> bool {
  if (FAILED(adapter.open()) || FAILED(adapter.get_device_caps(caps_))) return false;
  // Of DirectDraw's time; the API has no name for it.
  constexpr DWORD can_render_windowed = 0x00080000;
  caps_.Caps2 &= ~can_render_windowed;
  // For Windows' Direct3D 10.1 (umd-d3d9.md 2.2.5): programs draw themselves what a ramp does not.
  caps_.Caps2 &= ~D3DCAPS2_FULLSCREENGAMMA;
  caps_.DeviceType = D3DDEVTYPE_HAL;
  caps_.AdapterOrdinal = 0;
  caps_.MasterAdapterOrdinal = 0;
  caps_.AdapterOrdinalInGroup = 0;
  caps_.NumberOfAdaptersInGroup = 1;
  formats_ = without_promises(adapter.formats(), caps_);
  const auto sizes = in.windows.display_sizes();
  for (const auto& one : adapter.display_modes()) {
    const display_size size{one.Width, one.Height};
    if (sizes.empty() || std::find(sizes.begin(), sizes.end(), size) != sizes.end())
      modes_.push_back(one);
  }
  // The kernel has each with and without alpha, which are one of the API's.
  std::sort(modes_.begin(), modes_.end(), is_before);
  modes_.erase(std::unique(modes_.begin(), modes_.end(), is_same_mode), modes_.end());
  return !formats_.empty();
}

auto direct3d::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_direct3d) || (is_ex && is_same(wanted, iid_direct3d_ex));
}

auto direct3d::operations_of(D3DFORMAT format) const noexcept -> UINT {
  const auto found = std::find_if(formats_.begin(), formats_.end(), [&](const FORMATOP& one) {
    return static_cast<int>(one.Format) == static_cast<int>(format);
  });
  return found != formats_.end() ? found->Operations : 0;
}

auto direct3d::display_mode() -> D3DDISPLAYMODEEX {
  constexpr D3DDISPLAYMODEEX without_display{
      sizeof(D3DDISPLAYMODEEX), 640, 480, 60, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
  auto mode = adapter.display_mode().value_or(without_display);
  // USER's mode is the display's, which the simulated kernel's desktop does not follow.
  if (const auto size = in.windows.current_display_size()) {
    mode.Width = size->width;
    mode.Height = size->height;
  }
  return mode;
}

auto direct3d::find_mode(UINT width, UINT height) -> std::optional<D3DDISPLAYMODEEX> {
  for (const auto& one : modes_) {
    if (one.Width == width && one.Height == height) return one;
  }
  return std::nullopt;
}

HRESULT APIENTRY direct3d::RegisterSoftwareDevice(void* initialize) {
  return initialize != nullptr ? S_OK : D3DERR_INVALIDCALL;
}

UINT APIENTRY direct3d::GetAdapterCount() {
  return 1;
}

HRESULT APIENTRY direct3d::GetAdapterIdentifier(UINT ordinal, DWORD flags,
                                                D3DADAPTER_IDENTIFIER9* identifier) {
  constexpr DWORD whql_level = 2;
  if (ordinal != 0 || identifier == nullptr) return D3DERR_INVALIDCALL;
  *identifier = {};
  put_text(identifier->Driver, "aerogpu_d3d9.dll");
  put_text(identifier->Description, "AeroGPU");
  put_text(identifier->DeviceName, "\\\\.\\DISPLAY1");
  identifier->VendorId = AEROGPU_PCI_VENDOR_ID;
  identifier->DeviceId = AEROGPU_PCI_DEVICE_ID;
  identifier->SubSysId = AEROGPU_PCI_SUBSYSTEM_ID << 16 | AEROGPU_PCI_SUBSYSTEM_VENDOR_ID;
  identifier->DeviceIdentifier = device_identifier;
  identifier->WHQLLevel = (flags & whql_level) != 0 ? 1 : 0;
  return S_OK;
}

UINT APIENTRY direct3d::GetAdapterModeCount(UINT ordinal, D3DFORMAT format) {
  if (ordinal != 0 || !is_display_mode_format(format)) return 0;
  const auto count = std::count_if(modes_.begin(), modes_.end(),
                                   [&](const auto& one) { return one.Format == format; });
  return static_cast<UINT>(count);
}

HRESULT APIENTRY direct3d::EnumAdapterModes(UINT ordinal, D3DFORMAT format, UINT index,
                                            D3DDISPLAYMODE* mode) {
  if (ordinal != 0 || mode == nullptr || !is_display_mode_format(format)) return D3DERR_INVALIDCALL;
  const auto* const found =
      nth(modes_, index, [&](const auto& one) { return one.Format == format; });
  if (found == nullptr) return D3DERR_INVALIDCALL;
  *mode = without_order(*found);
  return S_OK;
}

HRESULT APIENTRY direct3d::GetAdapterDisplayMode(UINT ordinal, D3DDISPLAYMODE* mode) {
  if (ordinal != 0 || mode == nullptr) return D3DERR_INVALIDCALL;
  return run([&]() -> HRESULT {
    *mode = without_order(display_mode());
    return S_OK;
  });
}

UINT APIENTRY direct3d::GetAdapterModeCountEx(UINT ordinal, const D3DDISPLAYMODEFILTER* filter) {
  if (ordinal != 0 || filter == nullptr || filter->Size != sizeof *filter) return 0;
  const auto count = std::count_if(modes_.begin(), modes_.end(),
                                   [&](const auto& one) { return passes(*filter, one); });
  return static_cast<UINT>(count);
}

HRESULT APIENTRY direct3d::EnumAdapterModesEx(UINT ordinal, const D3DDISPLAYMODEFILTER* filter,
                                              UINT index, D3DDISPLAYMODEEX* mode) {
  if (ordinal != 0 || mode == nullptr || mode->Size != sizeof *mode || filter == nullptr ||
      filter->Size != sizeof *filter) {
    return D3DERR_INVALIDCALL;
  }
  const auto* const found =
      nth(modes_, index, [&](const auto& one) { return passes(*filter, one); });
  if (found == nullptr) return D3DERR_INVALIDCALL;
  *mode = *found;
  return S_OK;
}

HRESULT APIENTRY direct3d::GetAdapterDisplayModeEx(UINT ordinal, D3DDISPLAYMODEEX* mode,
                                                   D3DDISPLAYROTATION* rotation) {
  if (ordinal != 0 || mode == nullptr || mode->Size != sizeof *mode) return D3DERR_INVALIDCALL;
  return run([&]() -> HRESULT {
    *mode = display_mode();
    if (rotation != nullptr) *rotation = D3DDISPLAYROTATION_IDENTITY;
    return S_OK;
  });
}

HRESULT APIENTRY direct3d::GetDeviceCaps(UINT ordinal, D3DDEVTYPE type, D3DCAPS9* wanted) {
  if (ordinal != 0 || wanted == nullptr) return D3DERR_INVALIDCALL;
  if (type != D3DDEVTYPE_HAL) return D3DERR_NOTAVAILABLE;
  *wanted = caps_;
  return S_OK;
}

HMONITOR APIENTRY direct3d::GetAdapterMonitor(UINT ordinal) {
  return ordinal == 0 ? in.windows.monitor() : nullptr;
}

HRESULT APIENTRY direct3d::GetAdapterLUID(UINT ordinal, LUID* name) {
  // One adapter: any number but 0 names it for as long as Windows runs.
  constexpr LUID only{AEROGPU_PCI_VENDOR_ID, 0};
  if (ordinal != 0 || name == nullptr) return D3DERR_INVALIDCALL;
  *name = only;
  return S_OK;
}

HRESULT APIENTRY direct3d::CreateDevice(UINT ordinal, D3DDEVTYPE type, HWND focus, DWORD flags,
                                        D3DPRESENT_PARAMETERS* parameters,
                                        IDirect3DDevice9Ex** made) {
  return CreateDeviceEx(ordinal, type, focus, flags, parameters, nullptr, made);
}

HRESULT APIENTRY direct3d::CreateDeviceEx(UINT ordinal, D3DDEVTYPE type, HWND focus, DWORD flags,
                                          D3DPRESENT_PARAMETERS* parameters, D3DDISPLAYMODEEX*,
                                          IDirect3DDevice9Ex** made) {
  if (made == nullptr) return D3DERR_INVALIDCALL;
  *made = nullptr;
  if (ordinal != 0 || parameters == nullptr || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF)
    return D3DERR_INVALIDCALL;
  if (type != D3DDEVTYPE_HAL) return D3DERR_NOTAVAILABLE;
  if (!is_vertex_processing_chosen(flags)) return D3DERR_INVALIDCALL;
  return run([&] { return make_device(type, focus, flags, *parameters, made); });
}

auto direct3d::make_device(D3DDEVTYPE type, HWND focus, DWORD flags,
                           D3DPRESENT_PARAMETERS& parameters, IDirect3DDevice9Ex** made)
    -> HRESULT {
  const bound<device> held{new device(*this, {type, focus, flags, is_ex})};
  const auto result = held->create(parameters);
  if (FAILED(result)) return result;
  hand_out(made, held.get());
  return result;
}

}  // namespace aerogpu::d3d9
